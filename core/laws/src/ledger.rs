//! The ledger: which blocks of the transcript the scrollback already holds, and which may follow.
//! Writes nothing and knows no rows: a block is a phase, and `committed` is how many of them are out.

use contracts::{decreases, ensures, invariant, requires, spec};

/// Where a block is on its way into the scrollback.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Its rows may still change.
    Active,
    /// Its rows are fixed.
    Final,
    /// Its rows are in the scrollback.
    Committed,
}

/// Whether the first `committed` blocks are committed and no other is.
#[spec]
pub fn gapless(blocks: &[Phase], committed: usize) -> bool {
    committed <= blocks.len()
        && (0..committed).all(|i| blocks[i] == Phase::Committed)
        && (committed..blocks.len()).all(|i| blocks[i] != Phase::Committed)
}

/// Commits the fixed blocks in order up to the first active one; returns how many blocks are committed then.
#[requires(gapless(blocks, committed))]
#[ensures(tx_gapless: gapless(blocks, result))]
#[ensures(tx_scrollback_append_only: committed <= result && result <= blocks.len())]
#[ensures(tx_flush_only_final: (committed..result).all(|i| old(blocks)[i] == Phase::Final))]
#[ensures(tx_flush_keeps_rest: (result..blocks.len()).all(|i| blocks[i] == old(blocks)[i]))]
#[ensures(tx_flush_settles: result == blocks.len() || blocks[result] == Phase::Active)]
#[ensures(tx_same_length: blocks.len() == old(blocks).len())]
pub fn flush(blocks: &mut [Phase], committed: usize) -> usize {
    let mut next = committed;
    while next < blocks.len() && blocks[next] == Phase::Final {
        invariant!(committed <= next && next <= blocks.len() && blocks.len() == old(blocks).len());
        invariant!(gapless(blocks, next));
        invariant!((committed..next).all(|i| old(blocks)[i] == Phase::Final));
        invariant!((next..blocks.len()).all(|i| blocks[i] == old(blocks)[i]));
        decreases!(blocks.len() - next);
        blocks[next] = Phase::Committed;
        next += 1;
    }
    next
}

/// Fixes the rows of a block; a committed one is not touched, and a block that does not exist is none.
#[requires(gapless(blocks, committed))]
#[ensures(tx_gapless: gapless(blocks, committed))]
#[ensures(tx_committed_inert: (0..committed).all(|j| blocks[j] == old(blocks)[j]))]
#[ensures(tx_settles_one: !(committed <= index && index < blocks.len()) || blocks[index] == Phase::Final)]
pub fn settle(blocks: &mut [Phase], committed: usize, index: usize) {
    if committed <= index && index < blocks.len() {
        blocks[index] = Phase::Final;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Move {
        Append,
        /// Adds a row to a block that is still active.
        Grow(usize),
        /// Replaces the rows of a block that is still active.
        Edit(usize),
        Settle(usize),
        Flush,
    }

    /// Blocks with their rows, and the scrollback, as a transcript would keep them over the ledger.
    #[derive(Clone, PartialEq, Debug, Default)]
    struct Screen {
        phases: Vec<Phase>,
        rows: Vec<Vec<u32>>,
        committed: usize,
        scrollback: Vec<u32>,
        rows_made: u32,
    }

    impl Screen {
        fn run(&mut self, step: &Move) {
            match *step {
                Move::Append => {
                    let row = self.row();
                    self.phases.push(Phase::Active);
                    self.rows.push(vec![row]);
                }
                Move::Grow(index) => {
                    let row = self.row();
                    if self.phases.get(index) == Some(&Phase::Active) {
                        self.rows[index].push(row);
                    }
                }
                Move::Edit(index) => {
                    let row = self.row();
                    if self.phases.get(index) == Some(&Phase::Active) {
                        self.rows[index] = vec![row];
                    }
                }
                Move::Settle(index) => settle(&mut self.phases, self.committed, index),
                Move::Flush => {
                    let before = self.committed;
                    self.committed = flush(&mut self.phases, before);
                    self.scrollback.extend(self.rows[before..self.committed].iter().flatten());
                }
            }
        }

        /// The same screen without its committed blocks; row numbers go on where they were.
        fn uncommitted(&self) -> Screen {
            Screen {
                phases: self.phases[self.committed..].to_vec(),
                rows: self.rows[self.committed..].to_vec(),
                rows_made: self.rows_made,
                ..Screen::default()
            }
        }

        fn row(&mut self) -> u32 {
            self.rows_made += 1;
            self.rows_made
        }
    }

    fn moves() -> impl Strategy<Value = Vec<Move>> {
        let index = 0..12_usize;
        let one = prop_oneof![
            3 => Just(Move::Append),
            3 => index.clone().prop_map(Move::Grow),
            1 => index.clone().prop_map(Move::Edit),
            4 => index.prop_map(Move::Settle),
            2 => Just(Move::Flush),
        ];
        proptest::collection::vec(one, 0..40)
    }

    fn screen_after(moves: &[Move]) -> Screen {
        let mut screen = Screen::default();
        for step in moves {
            screen.run(step);
        }
        screen
    }

    /// The moves as they look when the first `committed` blocks are not there.
    fn shifted(moves: &[Move], committed: usize) -> Vec<Move> {
        let shift = |index: usize| index.checked_sub(committed).unwrap_or(usize::MAX);
        let one = |step: &Move| match *step {
            Move::Grow(index) => Move::Grow(shift(index)),
            Move::Edit(index) => Move::Edit(shift(index)),
            Move::Settle(index) => Move::Settle(shift(index)),
            Move::Append => Move::Append,
            Move::Flush => Move::Flush,
        };
        moves.iter().map(one).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn tx_gapless(moves in moves()) {
            let mut screen = Screen::default();
            for step in &moves {
                screen.run(step);
                prop_assert!(gapless(&screen.phases, screen.committed));
            }
        }

        #[test]
        fn tx_scrollback_append_only(moves in moves()) {
            let mut screen = Screen::default();
            for step in &moves {
                let before = screen.scrollback.clone();
                screen.run(step);
                prop_assert!(screen.scrollback.starts_with(&before));
            }
        }

        #[test]
        fn tx_flush_settles(moves in moves()) {
            let mut screen = screen_after(&moves);
            screen.run(&Move::Flush);
            prop_assert!(matches!(screen.phases.get(screen.committed), None | Some(Phase::Active)));
        }

        #[test]
        fn tx_flush_only_final(moves in moves()) {
            let mut screen = screen_after(&moves);
            let before = screen.clone();
            screen.run(&Move::Flush);
            let newly = &before.phases[before.committed..screen.committed];
            prop_assert!(newly.iter().all(|phase| *phase == Phase::Final));
            prop_assert_eq!(&screen.phases[screen.committed..], &before.phases[screen.committed..]);
        }

        #[test]
        fn tx_committed_inert(before in moves(), after in moves()) {
            let mut whole = screen_after(&before);
            let mut alone = whole.uncommitted();
            let (committed, out) = (whole.committed, whole.scrollback.len());
            for step in &after {
                whole.run(step);
            }
            for step in &shifted(&after, committed) {
                alone.run(step);
            }
            prop_assert_eq!(&whole.phases[committed..], &alone.phases[..]);
            prop_assert_eq!(&whole.scrollback[out..], &alone.scrollback[..]);
        }

        #[test]
        fn tx_every_row_once(moves in moves()) {
            let mut screen = screen_after(&moves);
            for index in 0..screen.phases.len() {
                screen.run(&Move::Settle(index));
            }
            screen.run(&Move::Flush);
            let every_row: Vec<u32> = screen.rows.concat();
            prop_assert_eq!(screen.scrollback, every_row);
        }
    }

    #[test]
    fn a_fixed_block_behind_an_active_one_waits_for_it() {
        let mut blocks = [Phase::Final, Phase::Active, Phase::Final];
        assert_eq!(flush(&mut blocks, 0), 1);
        assert_eq!(blocks, [Phase::Committed, Phase::Active, Phase::Final]);
        settle(&mut blocks, 1, 1);
        assert_eq!(flush(&mut blocks, 1), 3);
        assert_eq!(blocks, [Phase::Committed; 3]);
    }
}
