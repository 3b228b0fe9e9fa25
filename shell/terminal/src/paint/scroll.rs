//! Finds rows that have only moved up or down, so that the terminal can move them itself.

/// Rows that must be spared before a scroll is worth its bytes.
const SPARED_ROWS_MIN: usize = 2;

/// Places tried for one anchor row; more means it is a row like many others.
const PLACES_MAX: usize = 4;

/// The rows `top..bottom` move by `by_rows`, and as many become blank at the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scroll {
    pub(super) top: usize,
    pub(super) bottom: usize,
    pub(super) way: Way,
    pub(super) by_rows: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Up,
    Down,
}

/// Two pictures of one screen, compared row by row.
pub(super) trait Rows {
    fn count(&self) -> usize;
    fn is_same(&self, old: usize, new: usize) -> bool;
    fn is_blank_new(&self, new: usize) -> bool;
    fn is_blank_old(&self, old: usize) -> bool;
}

/// Finds the scroll that spares most rows; none if no scroll is worth it.
pub(super) fn find(rows: &impl Rows) -> Option<Scroll> {
    let first = (0..rows.count()).find(|row| !rows.is_same(*row, *row))?;
    let end = (first..rows.count()).rev().find(|row| !rows.is_same(*row, *row))? + 1;
    let ups = ups(rows, first, end);
    let downs = downs(rows, first, end);
    let best = ups.chain(downs).max_by_key(|(spared, scroll)| (*spared, std::cmp::Reverse(scroll.by_rows)))?;
    (best.0 >= SPARED_ROWS_MIN).then_some(best.1)
}

fn ups(rows: &impl Rows, first: usize, end: usize) -> impl Iterator<Item = (usize, Scroll)> {
    let anchor = (first..end).find(|row| !rows.is_blank_new(*row)).unwrap_or(end);
    let places = (anchor + 1..end).filter(move |old| rows.is_same(*old, anchor));
    places.take(PLACES_MAX).filter_map(move |old| {
        let by_rows = old - anchor;
        let (spared, first_new, last_new) = spared(rows, (first..end - by_rows).map(|new| (new + by_rows, new)))?;
        let scroll = Scroll { top: first_new, bottom: last_new + 1 + by_rows, way: Way::Up, by_rows };
        Some((spared, scroll))
    })
}

fn downs(rows: &impl Rows, first: usize, end: usize) -> impl Iterator<Item = (usize, Scroll)> {
    let anchor = (first..end).find(|row| !rows.is_blank_old(*row)).unwrap_or(end);
    let places = (anchor + 1..end).filter(move |new| rows.is_same(anchor, *new));
    places.take(PLACES_MAX).filter_map(move |new| {
        let by_rows = new - anchor;
        let (spared, first_new, last_new) = spared(rows, (first + by_rows..end).map(|new| (new - by_rows, new)))?;
        let scroll = Scroll { top: first_new - by_rows, bottom: last_new + 1, way: Way::Down, by_rows };
        Some((spared, scroll))
    })
}

/// Of pairs (old, new): how many rows a move would spare, and the first and last new row it brings to its place.
fn spared(rows: &impl Rows, pairs: impl Iterator<Item = (usize, usize)>) -> Option<(usize, usize, usize)> {
    let mut count = 0;
    let mut ends: Option<(usize, usize)> = None;
    for (_, new) in pairs.filter(|(old, new)| rows.is_same(*old, *new) && !rows.is_blank_new(*new)) {
        count += usize::from(!rows.is_same(new, new));
        ends = Some((ends.map_or(new, |(first, _)| first), new));
    }
    ends.map(|(first, last)| (count, first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Letters<'a>(&'a [u8], &'a [u8]);

    impl Rows for Letters<'_> {
        fn count(&self) -> usize {
            self.1.len()
        }
        fn is_same(&self, old: usize, new: usize) -> bool {
            self.0[old] == self.1[new]
        }
        fn is_blank_new(&self, new: usize) -> bool {
            self.1[new] == b' '
        }
        fn is_blank_old(&self, old: usize) -> bool {
            self.0[old] == b' '
        }
    }

    #[test]
    fn a_window_that_moved_inside_a_band_is_found() {
        let up = |top, bottom, by_rows| Some(Scroll { top, bottom, way: Way::Up, by_rows });
        let down = |top, bottom, by_rows| Some(Scroll { top, bottom, way: Way::Down, by_rows });
        let cases: &[(&[u8], &[u8], Option<Scroll>)] = &[
            (b"abcd-=", b"abcd-=", None),
            (b"abcd-=", b"abcx-=", None),
            (b"abcd-=", b"bcde-=", up(0, 4, 1)),
            (b"habcd-", b"hcdef-", up(1, 5, 2)),
            (b"abcdef", b"xabcde", down(0, 6, 1)),
            (b"h abcd-", b"habcde-", up(1, 6, 1)),
            (b"abcd-=", b"vwxy-=", None),
            (b"abcdef", b"bxdefg", up(0, 6, 1)),
        ];
        for (old, new, expected) in cases {
            assert_eq!(
                find(&Letters(old, new)),
                *expected,
                "{:?}",
                (std::str::from_utf8(old), std::str::from_utf8(new))
            );
        }
    }
}
