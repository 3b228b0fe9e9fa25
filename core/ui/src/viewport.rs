//! Where the transcript window stands in fullscreen: following the end, or held at a row.
//! Positions are a block and a row in it, so a reflow or a growing end moves nothing that is read.

/// Gives the heights of blocks, the oldest first.
pub trait Heights {
    fn block_count(&self) -> usize;
    /// Rows of one block at the present width.
    fn height(&self, block: usize) -> usize;
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Viewport {
    /// The last row is at the window's bottom.
    #[default]
    Following,
    /// This row is at the window's top.
    Held(Position),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Position {
    pub block: usize,
    pub row: usize,
}

impl Viewport {
    /// The position of the window's top row; a held one that a reflow cut is moved inside.
    pub fn top(&self, heights: &impl Heights, window_rows: usize) -> Position {
        let follow = tail(heights, window_rows);
        match *self {
            Self::Following => follow,
            Self::Held(at) => inside(heights, at).min(follow),
        }
    }

    /// Moves by rows, up if negative; reaching the end follows again.
    pub fn scroll(&mut self, heights: &impl Heights, window_rows: usize, down: isize) {
        let top = self.top(heights, window_rows);
        let moved = if down < 0 { back(heights, top, down.unsigned_abs()) } else { forth(heights, top, down as usize) };
        *self = if moved >= tail(heights, window_rows) { Self::Following } else { Self::Held(moved) };
    }

    pub fn go_to_top(&mut self) {
        *self = Self::Held(Position::default());
    }

    pub fn go_to_end(&mut self) {
        *self = Self::Following;
    }
}

/// Rows below a window that begins at `top`.
pub fn rows_below(heights: &impl Heights, top: Position, window_rows: usize) -> usize {
    let from_top: usize = (top.block..heights.block_count()).map(|block| heights.height(block)).sum();
    from_top.saturating_sub(top.row).saturating_sub(window_rows)
}

/// The top position of a window that shows the end.
fn tail(heights: &impl Heights, window_rows: usize) -> Position {
    back(heights, Position { block: heights.block_count(), row: 0 }, window_rows)
}

fn inside(heights: &impl Heights, at: Position) -> Position {
    if at.block >= heights.block_count() {
        return Position { block: heights.block_count(), row: 0 };
    }
    Position { block: at.block, row: at.row.min(heights.height(at.block).saturating_sub(1)) }
}

fn back(heights: &impl Heights, from: Position, rows: usize) -> Position {
    let Position { mut block, mut row } = from;
    let mut left = rows;
    while left > row && block > 0 {
        left -= row;
        block -= 1;
        row = heights.height(block);
    }
    Position { block, row: row.saturating_sub(left) }
}

fn forth(heights: &impl Heights, from: Position, rows: usize) -> Position {
    let Position { mut block, row } = from;
    let mut row = row + rows;
    while block < heights.block_count() && row >= heights.height(block) {
        row -= heights.height(block);
        block += 1;
    }
    if block == heights.block_count() { Position { block, row: 0 } } else { Position { block, row } }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Blocks(Vec<usize>);

    impl Heights for Blocks {
        fn block_count(&self) -> usize {
            self.0.len()
        }

        fn height(&self, block: usize) -> usize {
            self.0[block]
        }
    }

    fn at(block: usize, row: usize) -> Position {
        Position { block, row }
    }

    #[test]
    fn following_shows_the_last_rows_and_a_short_transcript_from_its_top() {
        let blocks = Blocks(vec![3, 5, 2]);
        assert_eq!(Viewport::Following.top(&blocks, 4), at(1, 3));
        assert_eq!(Viewport::Following.top(&blocks, 40), at(0, 0));
    }

    #[test]
    fn scrolling_up_holds_the_rows_while_the_end_grows() {
        let mut blocks = Blocks(vec![3, 5, 2]);
        let mut viewport = Viewport::Following;
        viewport.scroll(&blocks, 4, -2);
        assert_eq!(viewport.top(&blocks, 4), at(1, 1));
        blocks.0.push(7);
        assert_eq!(viewport.top(&blocks, 4), at(1, 1));
        assert_eq!(rows_below(&blocks, at(1, 1), 4), 9);
    }

    #[test]
    fn reaching_the_end_follows_again() {
        let blocks = Blocks(vec![3, 5, 2]);
        let mut viewport = Viewport::Following;
        viewport.scroll(&blocks, 4, -3);
        viewport.scroll(&blocks, 4, 3);
        assert_eq!(viewport, Viewport::Following);
        viewport.go_to_top();
        viewport.scroll(&blocks, 4, -9);
        assert_eq!(viewport.top(&blocks, 4), at(0, 0));
    }

    #[test]
    fn a_reflow_that_shortens_the_held_block_stays_in_it() {
        let viewport = Viewport::Held(at(1, 4));
        assert_eq!(viewport.top(&Blocks(vec![3, 2, 20]), 4), at(1, 1));
    }

    #[test]
    fn empty_blocks_are_passed_over() {
        let blocks = Blocks(vec![2, 0, 0, 2]);
        let mut viewport = Viewport::Following;
        viewport.scroll(&blocks, 2, -1);
        assert_eq!(viewport.top(&blocks, 2), at(0, 1));
        viewport.scroll(&blocks, 2, 1);
        assert_eq!(viewport, Viewport::Following);
    }
}
