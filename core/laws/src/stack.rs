//! The stack: which rows of its children are shown when there is room for some of them only.
//! Children are cut from their top, the newest is kept longest, and all are placed from the top.

use contracts::{decreases, ensures, invariant, requires, spec};

/// Fills in how many rows each child shows and at which row it begins; returns how many rows are used.
/// `heights` are the rows each child has, oldest first.
#[requires(rows.len() == heights.len() && tops.len() == heights.len())]
#[ensures(layout_inside: result <= room && (0..heights.len()).all(|i| tops[i] + rows[i] <= result))]
#[ensures(layout_inside: heights.len() == 0 || tops[heights.len() - 1] + rows[heights.len() - 1] == result)]
#[ensures(layout_apart: (1..heights.len()).all(|i| tops[i] == tops[i - 1] + rows[i - 1]))]
#[ensures(layout_apart: heights.len() == 0 || tops[0] == 0)]
#[ensures(layout_whole_when_room: (0..heights.len()).all(|i| rows[i] == heights[i] || (rows[i] < heights[i] && tops[i] == 0)))]
#[ensures(layout_whole_when_room: (0..heights.len()).all(|i| rows[i] == heights[i] || result == room))]
pub fn stack(heights: &[u64], room: u64, rows: &mut [u64], tops: &mut [u64]) -> u64 {
    let count = heights.len();
    let mut left = room;
    let mut i = count;
    while i > 0 {
        invariant!(i <= count && left <= room && rows.len() == count && tops.len() == count);
        invariant!(apart(rows, tops, i, count));
        invariant!(within(rows, tops, i, left, room));
        invariant!(if i < count { tops[i] == left } else { left == room });
        invariant!(i == count || tops[count - 1] + rows[count - 1] == room);
        invariant!(cut_from_the_top(heights, rows, tops, i, left));
        decreases!(i);
        i -= 1;
        let cut = heights[i].min(left);
        left -= cut;
        rows[i] = cut;
        tops[i] = left;
    }
    let mut k = 0;
    while k < count {
        invariant!(k <= count && rows.len() == count && tops.len() == count);
        invariant!(apart(rows, tops, 0, k) && apart(rows, tops, k, count));
        invariant!(k == 0 || k == count || tops[k] == tops[k - 1] + left + rows[k - 1]);
        invariant!(within(rows, tops, k, left, room));
        invariant!((0..k).all(|j| tops[j] + rows[j] <= room - left));
        invariant!(count == 0 || tops[0] == if k > 0 { 0 } else { left });
        invariant!(count == 0 || tops[count - 1] + rows[count - 1] == if k < count { room } else { room - left });
        invariant!(cut_from_the_top(heights, rows, tops, 0, left));
        decreases!(count - k);
        tops[k] -= left;
        k += 1;
    }
    if count == 0 { 0 } else { room - left }
}

// How far the two loops have come: first all children are laid against the bottom, then all are moved to the top.

/// Whether the children from `start` to `end` follow one another.
#[spec]
fn apart(rows: &[u64], tops: &[u64], start: usize, end: usize) -> bool {
    (start + 1..end).all(|j| tops[j] == tops[j - 1] + rows[j - 1])
}

/// Whether the children from `i` on lie in the rows from `left` to `room`.
#[spec]
fn within(rows: &[u64], tops: &[u64], i: usize, left: u64, room: u64) -> bool {
    (i..rows.len()).all(|j| left <= tops[j] && tops[j] + rows[j] <= room)
}

/// Whether a child from `i` on that lost rows lost them to the top, where no row is left.
#[spec]
fn cut_from_the_top(heights: &[u64], rows: &[u64], tops: &[u64], i: usize, left: u64) -> bool {
    (i..heights.len()).all(|j| rows[j] == heights[j] || (rows[j] < heights[j] && tops[j] == 0 && left == 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a stack of children comes to.
    #[derive(PartialEq, Debug)]
    struct Placed {
        used: u64,
        rows: Vec<u64>,
        tops: Vec<u64>,
    }

    fn placed(heights: &[u64], room: u64) -> Placed {
        let (mut rows, mut tops) = (vec![0; heights.len()], vec![0; heights.len()]);
        let used = stack(heights, room, &mut rows, &mut tops);
        Placed { used, rows, tops }
    }

    fn heights() -> impl Strategy<Value = Vec<u64>> {
        proptest::collection::vec(prop_oneof![9 => 0..12_u64, 1 => Just(u64::MAX)], 0..8)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn layout_inside(heights in heights(), room in 0..50_u64) {
            let Placed { used, rows, tops } = placed(&heights, room);
            prop_assert!(used <= room);
            prop_assert!(rows.iter().zip(&tops).all(|(rows, top)| top + rows <= used));
        }

        #[test]
        fn layout_apart(heights in heights(), room in 0..50_u64) {
            let Placed { rows, tops, .. } = placed(&heights, room);
            prop_assert!((1..heights.len()).all(|i| tops[i] == tops[i - 1] + rows[i - 1]));
            prop_assert!(tops.first().is_none_or(|top| *top == 0));
        }

        #[test]
        fn layout_whole_when_room(heights in heights(), room in 0..50_u64) {
            let Placed { rows, .. } = placed(&heights, room);
            let mut left = room;
            for i in (0..heights.len()).rev() {
                prop_assert_eq!(rows[i], heights[i].min(left));
                left -= rows[i];
            }
        }
    }

    #[test]
    fn the_oldest_child_loses_rows_first() {
        let placed = placed(&[4, 3, 2], 6);
        assert_eq!(placed, Placed { used: 6, rows: vec![1, 3, 2], tops: vec![0, 1, 4] });
    }

    #[test]
    fn room_that_nobody_needs_stays_below() {
        assert_eq!(placed(&[1, 2], 10), Placed { used: 3, rows: vec![1, 2], tops: vec![0, 1] });
        assert_eq!(placed(&[], 10), Placed { used: 0, rows: vec![], tops: vec![] });
    }
}
