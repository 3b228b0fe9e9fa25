//! Selection: which cells lie between two ends in reading order, and what ends it.
//! Knows no text: what a word, a row or a wide glyph covers is told in cells.

use contracts::{ensures, law, requires, spec};

/// How long after a press the next one on the same cell counts as one more click (`interface.md`, section 7).
pub const CLICK_MS: u64 = 400;

/// A cell of the transcript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    pub row: u64,
    pub column: u64,
}

/// Cells in reading order, both ends among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    pub first: Cell,
    pub last: Cell,
}

/// What is taken whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    Cell,
    Word,
    Row,
}

/// What is selected; without `is_any` it is nothing, whatever the span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    pub is_any: bool,
    pub span: Span,
}

/// Columns of one row, the one at `to` not among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Columns {
    pub from: u64,
    pub to: u64,
}

/// Returns what is selected from the unit that was pressed to the unit under the pointer.
/// A wide glyph is one cell here: the span of its columns.
pub fn select(unit: Unit, anchor: Span, head: Span) -> Selection {
    Selection { is_any: unit != Unit::Cell || !is_same(anchor.first, head.first), span: between(anchor, head) }
}

/// Returns the span from the one to the other, whichever comes first, both whole.
pub fn between(anchor: Span, head: Span) -> Span {
    Span { first: earlier(anchor.first, head.first), last: later(anchor.last, head.last) }
}

/// Returns the columns of a row of `width` columns that are selected.
#[ensures(returns: result.from == column_from(selection, row, width) && result.to == column_to(selection, row, width))]
pub fn span_in_row(selection: Selection, row: u64, width: u64) -> Columns {
    Columns { from: column_from(selection, row, width), to: column_to(selection, row, width) }
}

fn column_from(selection: Selection, row: u64, width: u64) -> u64 {
    if has_row(selection, row) && row == selection.span.first.row { selection.span.first.column.min(width) } else { 0 }
}

fn column_to(selection: Selection, row: u64, width: u64) -> u64 {
    if !has_row(selection, row) {
        0
    } else if row == selection.span.last.row {
        selection.span.last.column.saturating_add(1).min(width)
    } else {
        width
    }
}

fn has_row(selection: Selection, row: u64) -> bool {
    selection.is_any && selection.span.first.row <= row && row <= selection.span.last.row
}

/// Whether what stands in a column is copied there: a glyph in its first column, if any of its columns is selected.
/// `is_second` tells of each column of the row whether it is the second half of a wide glyph.
pub fn is_copied(is_second: &[bool], columns: Columns, column: usize) -> bool {
    if column >= is_second.len() || is_second[column] {
        false
    } else if is_in(columns, column as u64) {
        true
    } else {
        is_second.len() - column > 1 && is_second[column + 1] && is_in(columns, column as u64 + 1)
    }
}

/// Returns the selection after `removed` rows of the text were replaced by `added` ones, the first of them at `row`.
/// Above the selection that moves it, below it is nothing, and a change of its own rows, or between them, ends it.
#[requires(is_span(selection.span))]
#[ensures(sel_cleared_by_change: selection.is_any || !result.is_any)]
#[ensures(sel_cleared_by_change: !touches(selection.span, row, removed) || !result.is_any)]
#[ensures(sel_kept_by_change_elsewhere: !result.is_any || is_moved(selection.span, result.span, row, removed, added))]
#[ensures(sel_kept_by_change_elsewhere: result.is_any || !selection.is_any || touches(selection.span, row, removed) || no_room(selection.span, removed, added))]
pub fn after_change(selection: Selection, row: u64, removed: u64, added: u64) -> Selection {
    let span = selection.span;
    if !selection.is_any || span.last.row < row {
        selection
    } else if removed <= span.first.row
        && row <= span.first.row - removed
        && span.last.row - removed <= u64::MAX - added
    {
        let first = Cell { row: span.first.row - removed + added, ..span.first };
        let last = Cell { row: span.last.row - removed + added, ..span.last };
        Selection { span: Span { first, last }, ..selection }
    } else {
        Selection { is_any: false, ..selection }
    }
}

/// What a person does that is no press and no drag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    Esc,
    Key,
    Wheel,
}

/// Returns the selection after an input: any ends it, but the wheel during a drag scrolls under it.
#[ensures(sel_cleared_by_change: result.is_any == (selection.is_any && is_dragged && input == Input::Wheel))]
pub fn after_input(selection: Selection, is_dragged: bool, input: Input) -> Selection {
    match input {
        Input::Esc | Input::Key => Selection { is_any: false, ..selection },
        Input::Wheel => Selection { is_any: selection.is_any && is_dragged, ..selection },
    }
}

/// Whether an input goes no further: the Esc that ended a selection.
pub fn is_spent(selection: Selection, input: Input) -> bool {
    selection.is_any && input == Input::Esc
}

/// A press of the left button, and what it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Press {
    pub cell: Cell,
    pub at_ms: u64,
    pub unit: Unit,
}

/// Returns what a press takes by the press before it: quick ones on one cell take the word, the row, and begin anew.
pub fn unit_of_press(before: Press, cell: Cell, now_ms: u64) -> Unit {
    if is_same(before.cell, cell) && before.at_ms <= now_ms && now_ms - before.at_ms <= CLICK_MS {
        match before.unit {
            Unit::Cell => Unit::Word,
            Unit::Word => Unit::Row,
            Unit::Row => Unit::Cell,
        }
    } else {
        Unit::Cell
    }
}

/// Whether the one is not behind the other in reading order.
pub fn is_by(one: Cell, other: Cell) -> bool {
    one.row < other.row || (one.row == other.row && one.column <= other.column)
}

/// Whether the cell is one of the span's.
pub fn is_inside(span: Span, cell: Cell) -> bool {
    is_by(span.first, cell) && is_by(cell, span.last)
}

fn earlier(one: Cell, other: Cell) -> Cell {
    if is_by(one, other) { one } else { other }
}

fn later(one: Cell, other: Cell) -> Cell {
    if is_by(one, other) { other } else { one }
}

fn is_same(one: Cell, other: Cell) -> bool {
    one.row == other.row && one.column == other.column
}

fn is_in(columns: Columns, column: u64) -> bool {
    columns.from <= column && column < columns.to
}

/// A press and release on one cell, once, copies nothing of any row.
#[law]
pub fn sel_click_copies_nothing(cell: Span, row: u64, width: u64) -> bool {
    if is_by(cell.first, cell.last) {
        let columns = span_in_row(select(Unit::Cell, cell, cell), row, width);
        columns.from == columns.to
    } else {
        true
    }
}

/// An Esc is spent exactly when it ended a selection, and nothing else is.
#[law]
pub fn sel_esc_spent(selection: Selection, is_dragged: bool, input: Input) -> bool {
    let is_ended = selection.is_any && !after_input(selection, is_dragged, input).is_any;
    is_spent(selection, input) == (is_ended && input == Input::Esc)
}

/// A cell is between exactly when it is in one of the two, or behind the one and before the other.
#[law]
pub fn sel_range_between(anchor: Span, head: Span, cell: Cell) -> bool {
    let is_range = is_by(anchor.first, anchor.last) && is_by(head.first, head.last);
    let is_gap = (!is_by(cell, anchor.last) && !is_by(head.first, cell))
        || (!is_by(cell, head.last) && !is_by(anchor.first, cell));
    !is_range || is_inside(between(anchor, head), cell) == (is_inside(anchor, cell) || is_inside(head, cell) || is_gap)
}

/// A drag back selects what the drag there would.
#[law]
pub fn sel_either_direction(anchor: Span, head: Span) -> bool {
    is_same(between(anchor, head).first, between(head, anchor).first)
        && is_same(between(anchor, head).last, between(head, anchor).last)
}

/// The columns of a row are exactly the selected cells of the row, and none right of its width.
#[law]
pub fn sel_row_exact(selection: Selection, row: u64, width: u64, column: u64) -> bool {
    let columns = span_in_row(selection, row, width);
    let is_selected = selection.is_any && is_inside(selection.span, Cell { row, column });
    (columns.from <= columns.to || !is_by(selection.span.first, selection.span.last))
        && is_in(columns, column) == (is_selected && column < width)
}

/// A wide glyph of which any half is selected is copied in its first column, and not in its second; a narrow one where it is.
#[law]
pub fn sel_wide_once(is_second: &[bool], columns: Columns, lead: usize) -> bool {
    if lead < is_second.len() && is_second.len() - lead > 1 && !is_second[lead] && is_second[lead + 1] {
        let is_touched = is_in(columns, lead as u64) || is_in(columns, lead as u64 + 1);
        is_copied(is_second, columns, lead) == is_touched && !is_copied(is_second, columns, lead + 1)
    } else {
        lead >= is_second.len() || is_second[lead] || is_copied(is_second, columns, lead) == is_in(columns, lead as u64)
    }
}

/// Quick presses on one cell take it, its word, its row and begin anew; a slow one, or one elsewhere, begins anew.
#[law]
pub fn sel_clicks_count(before: Press, cell: Cell, now_ms: u64) -> bool {
    let unit = unit_of_press(before, cell, now_ms);
    if is_same(before.cell, cell) && before.at_ms <= now_ms && now_ms - before.at_ms <= CLICK_MS {
        (unit == Unit::Word) == (before.unit == Unit::Cell) && (unit == Unit::Row) == (before.unit == Unit::Word)
    } else {
        unit == Unit::Cell
    }
}

/// Whether the first cell is not behind the last one.
#[spec]
fn is_span(span: Span) -> bool {
    is_by(span.first, span.last)
}

/// Whether a change replaces one of the span's rows, or puts rows between them.
#[spec]
fn touches(span: Span, row: u64, removed: u64) -> bool {
    row <= span.last.row && (span.first.row as i128) < row as i128 + removed as i128
}

/// Whether the new span holds what the old one held.
#[spec]
fn is_moved(old_span: Span, new_span: Span, row: u64, removed: u64, added: u64) -> bool {
    new_span.first.column == old_span.first.column
        && new_span.last.column == old_span.last.column
        && is_moved_row(old_span.first.row, new_span.first.row, row, removed, added)
        && is_moved_row(old_span.last.row, new_span.last.row, row, removed, added)
}

#[spec]
fn is_moved_row(old_row: u64, new_row: u64, row: u64, removed: u64, added: u64) -> bool {
    if old_row < row {
        new_row == old_row
    } else {
        row as i128 + removed as i128 <= old_row as i128
            && new_row as i128 == old_row as i128 - removed as i128 + added as i128
    }
}

/// Whether the span would leave the numbers a row can have.
#[spec]
fn no_room(span: Span, removed: u64, added: u64) -> bool {
    span.last.row as i128 - removed as i128 + added as i128 > u64::MAX as i128
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A row or a column: most are near each other, some are as far as can be.
    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![12 => 0..5_u64, 1 => any::<u64>(), 1 => (u64::MAX - 2)..=u64::MAX]
    }

    fn cell() -> impl Strategy<Value = Cell> {
        (number(), number()).prop_map(|(row, column)| Cell { row, column })
    }

    fn span() -> impl Strategy<Value = Span> {
        (cell(), cell()).prop_map(|(one, other)| {
            if place(one) <= place(other) { Span { first: one, last: other } } else { Span { first: other, last: one } }
        })
    }

    fn selection() -> impl Strategy<Value = Selection> {
        (proptest::bool::weighted(0.9), span()).prop_map(|(is_any, span)| Selection { is_any, span })
    }

    fn unit() -> impl Strategy<Value = Unit> {
        proptest::sample::select(vec![Unit::Cell, Unit::Word, Unit::Row])
    }

    fn input() -> impl Strategy<Value = Input> {
        proptest::sample::select(vec![Input::Esc, Input::Key, Input::Wheel])
    }

    /// Tuples are in reading order as they are.
    fn place(cell: Cell) -> (u64, u64) {
        (cell.row, cell.column)
    }

    fn contains(span: Span, cell: Cell) -> bool {
        (place(span.first)..=place(span.last)).contains(&place(cell))
    }

    /// A row of narrow and wide glyphs: the columns of each.
    fn glyphs() -> impl Strategy<Value = Vec<std::ops::Range<u64>>> {
        proptest::collection::vec(1..3_u64, 0..6).prop_map(|widths| {
            let next = |from: &mut u64, width| {
                let glyph = *from..*from + width;
                *from = glyph.end;
                Some(glyph)
            };
            widths.into_iter().scan(0, next).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn sel_click_copies_nothing(cell in span(), row in number(), width in number(), word in span()) {
            let columns = span_in_row(select(Unit::Cell, cell, cell), row, width);
            prop_assert!((columns.from..columns.to).is_empty());
            prop_assert!(select(Unit::Word, word, word).is_any && select(Unit::Row, word, word).is_any);
            prop_assert!(super::sel_click_copies_nothing(cell, row, width));
        }

        #[test]
        fn sel_range_between(unit in unit(), anchor in span(), head in span(), cell in cell()) {
            let selected = select(unit, anchor, head).span;
            let (first, last) = (place(anchor.first).min(place(head.first)), place(anchor.last).max(place(head.last)));
            prop_assert_eq!(contains(selected, cell), (first..=last).contains(&place(cell)));
            prop_assert!(super::sel_range_between(anchor, head, cell));
        }

        #[test]
        fn sel_either_direction(anchor in span(), head in span()) {
            prop_assert_eq!(between(anchor, head), between(head, anchor));
            prop_assert!(super::sel_either_direction(anchor, head));
        }

        #[test]
        fn sel_row_exact(selection in selection(), row in number(), width in number(), column in number()) {
            let Columns { from, to } = span_in_row(selection, row, width);
            let is_selected = selection.is_any && contains(selection.span, Cell { row, column }) && column < width;
            prop_assert_eq!((from..to).contains(&column), is_selected);
            prop_assert!(super::sel_row_exact(selection, row, width, column));
        }

        #[test]
        fn sel_wide_once(glyphs in glyphs(), from in 0..9_u64, to in 0..9_u64) {
            let columns = Columns { from, to };
            let is_second: Vec<bool> = glyphs.iter().flat_map(|glyph| glyph.clone().map(|at| at > glyph.start)).collect();
            for glyph in &glyphs {
                let copies: Vec<u64> =
                    glyph.clone().filter(|at| is_copied(&is_second, columns, *at as usize)).collect();
                let is_touched = glyph.clone().any(|at| (from..to).contains(&at));
                prop_assert_eq!(copies, if is_touched { vec![glyph.start] } else { vec![] });
            }
            prop_assert!(!is_copied(&is_second, columns, is_second.len()));
            prop_assert!((0..12).all(|lead| super::sel_wide_once(&is_second, columns, lead)));
        }

        #[test]
        fn sel_cleared_by_change(
            selection in selection(), row in number(), removed in number(), added in number(), input in input(), is_dragged in any::<bool>(),
        ) {
            let after = after_change(selection, row, removed, added);
            prop_assert!(selection.is_any || !after.is_any);
            let rows = selection.span.first.row..=selection.span.last.row;
            let is_touched = (0..removed.min(20)).any(|at| row.checked_add(at).is_some_and(|row| rows.contains(&row)));
            prop_assert!(!is_touched || !after.is_any);
            let scrolls = is_dragged && input == Input::Wheel;
            prop_assert_eq!(after_input(selection, is_dragged, input).is_any, selection.is_any && scrolls);
        }

        #[test]
        fn sel_kept_by_change_elsewhere(
            first in 0..12_usize, count in 1..6_usize, row in 0..18_usize, removed in 0..6_usize, added in 0..6_usize,
        ) {
            // Rows by number; those that are added have the number 99.
            let mut text: Vec<u64> = (0..18).collect();
            let selected = text[first..first + count].to_vec();
            let cell = |row: usize| Cell { row: row as u64, column: row as u64 % 3 };
            let span = Span { first: cell(first), last: cell(first + count - 1) };
            let removed = removed.min(18 - row);
            text.splice(row..row + removed, std::iter::repeat_n(99, added));
            // An insertion of nothing between two rows of the selection counts as a change of it all the same.
            let is_between = removed == 0 && added == 0 && first < row && row < first + count;
            let found = text.windows(count).position(|rows| rows == selected).filter(|_| !is_between);
            let after = after_change(Selection { is_any: true, span }, row as u64, removed as u64, added as u64);
            let moved = |cell: Cell, to: usize| Cell { row: to as u64, ..cell };
            let expected = found.map(|at| Span { first: moved(span.first, at), last: moved(span.last, at + count - 1) });
            prop_assert_eq!(after.is_any.then_some(after.span), expected);
        }

        #[test]
        fn sel_esc_spent(selection in selection(), is_dragged in any::<bool>(), input in input()) {
            prop_assert_eq!(is_spent(selection, input), selection.is_any && input == Input::Esc);
            prop_assert!(super::sel_esc_spent(selection, is_dragged, input));
        }

        #[test]
        fn sel_clicks_count(clicks in proptest::collection::vec((0..2_u64, prop_oneof![0..=CLICK_MS, 390..420_u64]), 1..8), start in number()) {
            let (mut now_ms, mut in_a_row) = (start, 0);
            let mut before = Press { cell: Cell { row: 0, column: 9 }, at_ms: now_ms, unit: Unit::Cell };
            for (column, pause_ms) in clicks {
                now_ms = now_ms.saturating_add(pause_ms);
                let cell = Cell { row: 0, column };
                let is_next = cell == before.cell && now_ms - before.at_ms <= CLICK_MS;
                in_a_row = if is_next { in_a_row + 1 } else { 0 };
                let unit = unit_of_press(before, cell, now_ms);
                prop_assert_eq!(unit, [Unit::Cell, Unit::Word, Unit::Row][in_a_row % 3]);
                prop_assert!(super::sel_clicks_count(before, cell, now_ms));
                before = Press { cell, at_ms: now_ms, unit };
            }
        }
    }

    #[test]
    fn a_drag_over_three_rows_takes_the_end_of_the_first_and_the_start_of_the_last() {
        let at = |row, column| Span { first: Cell { row, column }, last: Cell { row, column } };
        let selection = select(Unit::Cell, at(4, 2), at(2, 7));
        let columns: Vec<Columns> = (1..6).map(|row| span_in_row(selection, row, 10)).collect();
        let none = Columns { from: 0, to: 0 };
        let expected =
            [none, Columns { from: 7, to: 10 }, Columns { from: 0, to: 10 }, Columns { from: 0, to: 3 }, none];
        assert_eq!(columns, expected);
    }

    #[test]
    fn a_press_with_a_clock_that_went_back_begins_anew() {
        let cell = Cell { row: 0, column: 0 };
        assert_eq!(unit_of_press(Press { cell, at_ms: 500, unit: Unit::Cell }, cell, 499), Unit::Cell);
    }
}
