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
#[ensures(leaves: (committed..result).all(|i| old(blocks)[i] == Phase::Final))]
#[ensures(leaves: (result..blocks.len()).all(|i| blocks[i] == old(blocks)[i]))]
#[ensures(tx_flush_settles: result == blocks.len() || blocks[result] == Phase::Active)]
#[ensures(leaves: blocks.len() == old(blocks).len())]
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
#[ensures(leaves: !(committed <= index && index < blocks.len()) || blocks[index] == Phase::Final)]
#[ensures(leaves: (0..blocks.len()).all(|j| j == index || blocks[j] == old(blocks)[j]))]
#[ensures(tx_committed_inert: committed <= index || blocks.len() <= index || blocks[index] == old(blocks)[index])]
pub fn settle(blocks: &mut [Phase], committed: usize, index: usize) {
    if committed <= index && index < blocks.len() {
        blocks[index] = Phase::Final;
    }
}

// From here on: a whole transcript as numbers, so that the laws are proved of any list of events.
// A block's rows are one number, and other rows are another number.

/// What happens to a transcript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// A block is appended.
    Append,
    /// A block that still changes gets other rows.
    Grow,
    /// A block's rows are fixed.
    Settle,
    /// A block gets other rows, whether they were fixed or not.
    Edit,
    /// What may be committed is.
    Flush,
    /// The window has another width.
    Resize,
    /// All blocks from one on are dropped, but none that is committed.
    Truncate,
}

/// One event; what a kind does not need counts for nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    pub kind: EventKind,
    pub block: usize,
    pub rows: u64,
    pub cols: u64,
}

/// One block's rows in the scrollback.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    pub block: usize,
    pub rows: u64,
    pub cols: u64,
}

/// How far a transcript has come. Its blocks lie in slices that have room for more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ledger {
    pub count: usize,
    pub committed: usize,
    /// Blocks whose rows were written into the scrollback.
    pub written: usize,
    pub cols: u64,
}

/// Lets one event happen.
#[requires(sound(ledger, phases, rows, scrollback))]
#[ensures(tx_gapless: sound(result, phases, rows, scrollback))]
#[ensures(tx_scrollback_append_only: extends(ledger, result, old(scrollback), scrollback))]
#[ensures(returns: ledger_after(ledger, event, result, phases.len()))]
#[ensures(leaves: phases_after(ledger, event, result, old(phases), phases))]
#[ensures(leaves: rows_after(ledger, event, old(phases), old(rows), rows))]
pub fn step(
    ledger: Ledger,
    event: Event,
    phases: &mut [Phase],
    rows: &mut [u64],
    scrollback: &mut [Written],
) -> Ledger {
    let block = event.block;
    let open = ledger.committed <= block && block < ledger.count;
    match event.kind {
        EventKind::Append => {
            if ledger.count < phases.len() {
                rows[ledger.count] = event.rows;
                Ledger { count: ledger.count + 1, ..ledger }
            } else {
                ledger
            }
        }
        EventKind::Grow => {
            if open && phases[block] == Phase::Active {
                rows[block] = event.rows;
            }
            ledger
        }
        EventKind::Settle => {
            if open {
                settle(phases, ledger.committed, block);
            }
            ledger
        }
        EventKind::Edit => {
            if open {
                rows[block] = event.rows;
            }
            ledger
        }
        EventKind::Flush => commit(ledger, phases, rows, scrollback),
        EventKind::Resize => resize(ledger, event.cols),
        EventKind::Truncate => {
            let kept = ledger.count.min(block.max(ledger.committed));
            drop_from(kept, phases, ledger.committed);
            Ledger { count: kept, ..ledger }
        }
    }
}

/// Gives the window another width.
#[ensures(tx_resize_keeps: result == Ledger { cols, ..ledger })]
pub fn resize(ledger: Ledger, cols: u64) -> Ledger {
    Ledger { cols, ..ledger }
}

/// Commits what a flush may, and writes the rows of those blocks.
#[requires(sound(ledger, phases, rows, scrollback))]
#[ensures(tx_gapless: sound(result, phases, rows, scrollback))]
#[ensures(tx_scrollback_append_only: extends(ledger, result, old(scrollback), scrollback))]
#[ensures(tx_flush_settles: flushed(ledger, result, old(phases)))]
#[ensures(returns: result == Ledger { committed: result.committed, written: result.committed, ..ledger })]
#[ensures(leaves: (0..ledger.committed).all(|i| phases[i] == old(phases)[i]))]
#[ensures(leaves: (ledger.committed..result.committed).all(|i| phases[i] == Phase::Committed))]
#[ensures(leaves: (result.committed..phases.len()).all(|i| phases[i] == old(phases)[i]))]
pub fn commit(ledger: Ledger, phases: &mut [Phase], rows: &[u64], scrollback: &mut [Written]) -> Ledger {
    let committed = flush(phases, ledger.committed);
    let mut next = ledger.written;
    while next < committed {
        invariant!(ledger.written <= next && next <= committed);
        invariant!((0..next).all(|i| scrollback[i].block == i && scrollback[i].rows == rows[i]));
        invariant!((0..ledger.written).all(|i| scrollback[i] == old(scrollback)[i]));
        invariant!((ledger.written..next).all(|i| scrollback[i].cols == ledger.cols));
        decreases!(committed - next);
        scrollback[next] = Written { block: next, rows: rows[next], cols: ledger.cols };
        next += 1;
    }
    Ledger { committed, written: next, ..ledger }
}

/// Empties the places of all blocks from `kept` on.
#[requires(gapless(phases, committed) && committed <= kept)]
#[ensures(tx_gapless: gapless(phases, committed))]
#[ensures(leaves: (0..kept.min(phases.len())).all(|i| phases[i] == old(phases)[i]))]
#[ensures(leaves: (kept..phases.len()).all(|i| phases[i] == Phase::Active))]
pub fn drop_from(kept: usize, phases: &mut [Phase], committed: usize) {
    let mut next = kept;
    while next < phases.len() {
        invariant!(kept <= next && gapless(phases, committed));
        invariant!((0..kept).all(|i| phases[i] == old(phases)[i]));
        invariant!((kept..next).all(|i| phases[i] == Phase::Active));
        decreases!(phases.len() - next);
        phases[next] = Phase::Active;
        next += 1;
    }
}

/// Lets any events happen, one after the other.
#[requires(sound(start, phases, rows, scrollback))]
#[ensures(tx_gapless: sound(result, phases, rows, scrollback))]
#[ensures(tx_scrollback_append_only: kept(start, result, old(scrollback), scrollback))]
pub fn run(
    start: Ledger,
    events: &[Event],
    phases: &mut [Phase],
    rows: &mut [u64],
    scrollback: &mut [Written],
) -> Ledger {
    let mut ledger = start;
    let mut next = 0;
    while next < events.len() {
        invariant!(next <= events.len() && sound(ledger, phases, rows, scrollback));
        invariant!(kept(start, ledger, old(scrollback), scrollback));
        decreases!(events.len() - next);
        ledger = step(ledger, events[next], phases, rows, scrollback);
        next += 1;
    }
    ledger
}

/// Lets any events happen, then fixes every block and commits all: each block's rows are out once, and in order.
#[requires(sound(start, phases, rows, scrollback))]
#[ensures(tx_every_row_once: result.written == result.count)]
#[ensures(tx_every_row_once: (0..result.count).all(|i| scrollback[i].block == i && scrollback[i].rows == rows[i]))]
#[ensures(tx_scrollback_append_only: kept(start, result, old(scrollback), scrollback))]
pub fn run_to_the_end(
    start: Ledger,
    events: &[Event],
    phases: &mut [Phase],
    rows: &mut [u64],
    scrollback: &mut [Written],
) -> Ledger {
    let ledger = run(start, events, phases, rows, scrollback);
    let mut next = ledger.committed;
    while next < ledger.count {
        invariant!(ledger.committed <= next && next <= ledger.count && sound(ledger, phases, rows, scrollback));
        invariant!((ledger.committed..next).all(|i| phases[i] == Phase::Final));
        decreases!(ledger.count - next);
        settle(phases, ledger.committed, next);
        next += 1;
    }
    commit(ledger, phases, rows, scrollback)
}

/// A whole transcript, and its blocks without the first ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    pub whole: Ledger,
    pub alone: Ledger,
}

/// Lets the events of a frame happen to a whole transcript, and to what follows its first `gone` blocks alone.
/// Those first ones are committed; the rest comes to the same in both.
#[expect(clippy::too_many_arguments, reason = "two transcripts, each in three slices")]
#[requires(sound(start.whole, phases, rows, scrollback) && sound(start.alone, own_phases, own_rows, own_scrollback))]
#[requires(start.alone.written == 0 && alike(gone, start.whole, start.alone, phases, rows, own_phases, own_rows))]
#[ensures(tx_committed_inert: alike(gone, result.whole, result.alone, phases, rows, own_phases, own_rows))]
#[ensures(tx_committed_inert: same_scrollback(gone, result.alone.written, scrollback, own_scrollback))]
#[ensures(tx_committed_inert: (0..gone).all(|i| scrollback[i] == old(scrollback)[i]))]
pub fn run_side_by_side(
    gone: usize,
    start: Pair,
    events: &[Event],
    phases: &mut [Phase],
    rows: &mut [u64],
    scrollback: &mut [Written],
    own_phases: &mut [Phase],
    own_rows: &mut [u64],
    own_scrollback: &mut [Written],
) -> Pair {
    let mut whole = start.whole;
    let mut alone = start.alone;
    let mut next = 0;
    while next < events.len() {
        invariant!(next <= events.len());
        invariant!(sound(whole, phases, rows, scrollback) && sound(alone, own_phases, own_rows, own_scrollback));
        invariant!(alike(gone, whole, alone, phases, rows, own_phases, own_rows));
        invariant!(same_scrollback(gone, alone.written, scrollback, own_scrollback));
        invariant!((0..gone).all(|i| scrollback[i] == old(scrollback)[i]));
        decreases!(events.len() - next);
        let event = events[next];
        whole = step(whole, event, phases, rows, scrollback);
        if gone <= event.block || !names_a_block(event.kind) {
            let shifted = Event { block: event.block.saturating_sub(gone), ..event };
            alone = step(alone, shifted, own_phases, own_rows, own_scrollback);
        }
        next += 1;
    }
    Pair { whole, alone }
}

/// Whether an event of this kind is one block's alone.
pub fn names_a_block(kind: EventKind) -> bool {
    match kind {
        EventKind::Grow | EventKind::Settle | EventKind::Edit => true,
        EventKind::Append | EventKind::Flush | EventKind::Resize | EventKind::Truncate => false,
    }
}

/// Whether both hold the same blocks behind the first `gone`.
#[spec]
fn alike(
    gone: usize,
    whole: Ledger,
    alone: Ledger,
    phases: &[Phase],
    rows: &[u64],
    own_phases: &[Phase],
    own_rows: &[u64],
) -> bool {
    phases.len() == gone + own_phases.len()
        && whole.count == gone + alone.count
        && whole.committed == gone + alone.committed
        && whole.cols == alone.cols
        && (gone..phases.len()).all(|i| phases[i] == own_phases[i - gone])
        && (gone..phases.len()).all(|i| rows[i] == own_rows[i - gone])
        && (0..own_phases.len()).all(|i| own_phases[i] == phases[gone + i])
}

/// Whether the rows of the first `written` blocks behind the first `gone` are the same in both.
#[spec]
fn same_scrollback(gone: usize, written: usize, scrollback: &[Written], own_scrollback: &[Written]) -> bool {
    (gone..gone + written).all(|i| {
        scrollback[i].block == own_scrollback[i - gone].block + gone
            && scrollback[i].rows == own_scrollback[i - gone].rows
            && scrollback[i].cols == own_scrollback[i - gone].cols
    })
}

/// Whether a transcript is as it should be: a gapless prefix is committed, and its rows are in the scrollback.
#[spec]
fn sound(ledger: Ledger, phases: &[Phase], rows: &[u64], scrollback: &[Written]) -> bool {
    rows.len() == phases.len()
        && scrollback.len() == phases.len()
        && ledger.committed <= ledger.count
        && ledger.count <= phases.len()
        && gapless(phases, ledger.committed)
        && (ledger.count..phases.len()).all(|i| phases[i] == Phase::Active)
        && ledger.written == ledger.committed
        && (0..ledger.written).all(|i| scrollback[i].block == i && scrollback[i].rows == rows[i])
}

/// Whether a flush went as far as it may and no further.
#[spec]
fn flushed(before: Ledger, after: Ledger, phases: &[Phase]) -> bool {
    before.committed <= after.committed
        && after.committed <= phases.len()
        && (before.committed..after.committed).all(|i| phases[i] == Phase::Final)
        && (after.committed == phases.len() || phases[after.committed] == Phase::Active)
}

/// Whether the scrollback of before is a prefix of the one of after.
#[spec]
fn kept(before: Ledger, after: Ledger, old_scrollback: &[Written], scrollback: &[Written]) -> bool {
    before.written <= after.written && (0..before.written).all(|i| scrollback[i] == old_scrollback[i])
}

/// Whether, besides, what was added has the width of before.
#[spec]
fn extends(before: Ledger, after: Ledger, old_scrollback: &[Written], scrollback: &[Written]) -> bool {
    kept(before, after, old_scrollback, scrollback)
        && (before.written..after.written).all(|i| scrollback[i].cols == before.cols)
}

/// Whether one event took the ledger from `before` to `after`, leaving aside how far a flush goes.
#[spec]
fn ledger_after(before: Ledger, event: Event, after: Ledger, room: usize) -> bool {
    let kept = before.count.min(event.block.max(before.committed));
    match event.kind {
        EventKind::Append => after == Ledger { count: room.min(before.count + 1), ..before },
        EventKind::Grow | EventKind::Settle | EventKind::Edit => after == before,
        EventKind::Flush => after == Ledger { committed: after.committed, written: after.committed, ..before },
        EventKind::Resize => after == Ledger { cols: event.cols, ..before },
        EventKind::Truncate => after == Ledger { count: kept, ..before },
    }
}

/// Whether an event is about block `i`, and the block is there and not committed.
#[spec]
fn meets(before: Ledger, event: Event, i: usize) -> bool {
    i == event.block && before.committed <= i && i < before.count
}

/// Whether the phases are those after one event.
#[spec]
fn phases_after(before: Ledger, event: Event, after: Ledger, old_phases: &[Phase], phases: &[Phase]) -> bool {
    (0..phases.len()).all(|i| phases[i] == phase_after(before, event, after, old_phases[i], i))
        && (event.kind != EventKind::Flush || flushed(before, after, old_phases))
}

/// The phase of block `i` after one event.
#[spec]
fn phase_after(before: Ledger, event: Event, after: Ledger, phase: Phase, i: usize) -> Phase {
    match event.kind {
        EventKind::Settle => {
            if meets(before, event, i) {
                Phase::Final
            } else {
                phase
            }
        }
        EventKind::Flush => {
            if before.committed <= i && i < after.committed {
                Phase::Committed
            } else {
                phase
            }
        }
        EventKind::Truncate => {
            if after.count <= i {
                Phase::Active
            } else {
                phase
            }
        }
        EventKind::Append | EventKind::Grow | EventKind::Edit | EventKind::Resize => phase,
    }
}

/// Whether the rows are those after one event.
#[spec]
fn rows_after(before: Ledger, event: Event, phases: &[Phase], old_rows: &[u64], rows: &[u64]) -> bool {
    (0..rows.len()).all(|i| rows[i] == row_after(before, event, phases[i], old_rows[i], i))
}

/// The rows of block `i` after one event.
#[spec]
fn row_after(before: Ledger, event: Event, phase: Phase, rows: u64, i: usize) -> u64 {
    match event.kind {
        EventKind::Append => {
            if i == before.count {
                event.rows
            } else {
                rows
            }
        }
        EventKind::Grow => {
            if meets(before, event, i) && phase == Phase::Active {
                event.rows
            } else {
                rows
            }
        }
        EventKind::Edit => {
            if meets(before, event, i) {
                event.rows
            } else {
                rows
            }
        }
        EventKind::Settle | EventKind::Flush | EventKind::Resize | EventKind::Truncate => rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Room for so many blocks; more are refused, as a full transcript would.
    const ROOM: usize = 12;

    /// A transcript over the ledger, with the scrollback it has written.
    #[derive(Clone, PartialEq, Debug)]
    struct Screen {
        ledger: Ledger,
        phases: Vec<Phase>,
        rows: Vec<u64>,
        scrollback: Vec<Written>,
    }

    impl Screen {
        fn empty(room: usize) -> Self {
            let nothing = Written { block: 0, rows: 0, cols: 0 };
            Screen {
                ledger: Ledger { count: 0, committed: 0, written: 0, cols: 80 },
                phases: vec![Phase::Active; room],
                rows: vec![0; room],
                scrollback: vec![nothing; room],
            }
        }

        fn after(events: &[Event]) -> Self {
            let mut screen = Self::empty(ROOM);
            screen.ledger = run(screen.ledger, events, &mut screen.phases, &mut screen.rows, &mut screen.scrollback);
            screen
        }

        fn step(&mut self, event: Event) {
            self.ledger = step(self.ledger, event, &mut self.phases, &mut self.rows, &mut self.scrollback);
        }

        fn out(&self) -> &[Written] {
            &self.scrollback[..self.ledger.written]
        }

        /// The same screen without its committed blocks.
        fn uncommitted(&self) -> Self {
            let gone = self.ledger.committed;
            let count = self.ledger.count - gone;
            let ledger = Ledger { count, committed: 0, written: 0, ..self.ledger };
            let (phases, rows) = (self.phases[gone..].to_vec(), self.rows[gone..].to_vec());
            Screen { ledger, phases, rows, scrollback: Self::empty(ROOM - gone).scrollback }
        }
    }

    fn events() -> impl Strategy<Value = Vec<Event>> {
        let kind = prop_oneof![
            3 => Just(EventKind::Append),
            2 => Just(EventKind::Grow),
            1 => Just(EventKind::Edit),
            4 => Just(EventKind::Settle),
            2 => Just(EventKind::Flush),
            1 => Just(EventKind::Resize),
            1 => Just(EventKind::Truncate),
        ];
        let block = prop_oneof![9 => 0..ROOM + 2, 1 => Just(usize::MAX)];
        let one = (kind, block, any::<u64>(), 20..200_u64);
        let one = one.prop_map(|(kind, block, rows, cols)| Event { kind, block, rows, cols });
        proptest::collection::vec(one, 0..20)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn tx_gapless(events in events()) {
            let Screen { ledger, phases, .. } = Screen::after(&events);
            let (out, waiting) = phases.split_at(ledger.committed);
            prop_assert!(out.iter().all(|phase| *phase == Phase::Committed));
            prop_assert!(waiting.iter().all(|phase| *phase != Phase::Committed));
        }

        #[test]
        fn tx_scrollback_append_only(before in events(), after in events()) {
            let mut screen = Screen::after(&before);
            let out = screen.out().to_vec();
            for event in after {
                screen.step(event);
            }
            prop_assert!(screen.out().starts_with(&out));
        }

        #[test]
        fn tx_resize_keeps(events in events(), cols in any::<u64>()) {
            let mut screen = Screen::after(&events);
            let before = screen.clone();
            screen.step(Event { kind: EventKind::Resize, block: 0, rows: 0, cols });
            let ledger = Ledger { cols, ..before.ledger };
            prop_assert_eq!(screen, Screen { ledger, ..before });
        }

        #[test]
        fn tx_flush_settles(events in events()) {
            let mut screen = Screen::after(&events);
            screen.step(Event { kind: EventKind::Flush, block: 0, rows: 0, cols: 0 });
            prop_assert!(matches!(screen.phases.get(screen.ledger.committed), None | Some(Phase::Active)));
        }

        #[test]
        fn tx_committed_inert(before in events(), after in events()) {
            let mut whole = Screen::after(&before);
            let mut alone = whole.uncommitted();
            let gone = whole.ledger.committed;
            let pair = run_side_by_side(
                gone,
                Pair { whole: whole.ledger, alone: alone.ledger },
                &after,
                &mut whole.phases,
                &mut whole.rows,
                &mut whole.scrollback,
                &mut alone.phases,
                &mut alone.rows,
                &mut alone.scrollback,
            );
            prop_assert_eq!(&whole.phases[gone..], &alone.phases[..]);
            prop_assert_eq!(&whole.rows[gone..], &alone.rows[..]);
            let out = &whole.scrollback[gone..pair.whole.written];
            let shifted: Vec<Written> =
                out.iter().map(|written| Written { block: written.block - gone, ..*written }).collect();
            prop_assert_eq!(&shifted[..], &alone.scrollback[..pair.alone.written]);
        }

        #[test]
        fn tx_every_row_once(events in events()) {
            let Screen { ledger, mut phases, mut rows, mut scrollback } = Screen::empty(ROOM);
            let end = run_to_the_end(ledger, &events, &mut phases, &mut rows, &mut scrollback);
            let out: Vec<(usize, u64)> =
                scrollback[..end.written].iter().map(|written| (written.block, written.rows)).collect();
            let every_block: Vec<(usize, u64)> = (0..end.count).map(|block| (block, rows[block])).collect();
            prop_assert_eq!(out, every_block);
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
