//! A table: a grid where it fits, else `label: value` lines.
//! Its cells come as spans; it parses nothing.

use pulldown_cmark::Alignment;
use screen::{Role, Row, Span, WrapOptions, wrap};

const SEPARATOR: &str = " │ ";
const SEPARATOR_COLS: usize = 3;

/// Columns that a value's further rows are indented by.
const VALUE_INDENT: &str = "  ";

/// Columns of the rule between two rows that are shown as lines.
const RULE_COLS_MAX: usize = 20;

pub(crate) type Cell = Vec<Span>;

#[derive(Debug)]
pub(crate) struct Table {
    alignments: Vec<Alignment>,
    /// The heading first.
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(crate) fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new() }
    }

    pub(crate) fn start_row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub(crate) fn push_cell(&mut self, cell: Cell) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    pub(crate) fn rows(&self, width_cols: usize) -> Vec<Row> {
        let widths = self.column_widths();
        let grid_cols = widths.iter().sum::<usize>() + SEPARATOR_COLS * widths.len().saturating_sub(1);
        if grid_cols <= width_cols { self.grid(&widths) } else { self.lines(width_cols) }
    }

    fn column_widths(&self) -> Vec<usize> {
        let cell_cols = |column: usize| self.rows.iter().filter_map(move |row| row.get(column)).map(cols_of).max();
        (0..self.alignments.len()).map(|column| cell_cols(column).unwrap_or_default()).collect()
    }

    fn grid(&self, widths: &[usize]) -> Vec<Row> {
        let mut rows: Vec<Row> = self.rows.iter().map(|cells| self.grid_row(cells, widths)).collect();
        let rule: Vec<String> = widths.iter().map(|cols| "─".repeat(*cols)).collect();
        rows.insert(rows.len().min(1), Row::of(Role::Border, rule.join("─┼─")));
        rows
    }

    fn grid_row(&self, cells: &[Cell], widths: &[usize]) -> Row {
        let mut spans = Vec::new();
        for (column, width_cols) in widths.iter().enumerate() {
            let cell = cells.get(column).cloned().unwrap_or_default();
            let free_cols = width_cols - cols_of(&cell);
            let left_cols = match self.alignments[column] {
                Alignment::None | Alignment::Left => 0,
                Alignment::Center => free_cols / 2,
                Alignment::Right => free_cols,
            };
            let is_last = column + 1 == widths.len();
            push_blanks(&mut spans, left_cols);
            spans.extend(cell);
            if !is_last {
                push_blanks(&mut spans, free_cols - left_cols);
                spans.push(Span::new(Role::Border, SEPARATOR));
            }
        }
        Row::new(spans)
    }

    fn lines(&self, width_cols: usize) -> Vec<Row> {
        let Some((labels, records)) = self.rows.split_first() else { return Vec::new() };
        if records.is_empty() {
            return labels.iter().flat_map(|label| line(label.clone(), width_cols)).collect();
        }
        let mut rows = Vec::new();
        for record in records {
            if !rows.is_empty() {
                rows.push(Row::of(Role::Border, "─".repeat(width_cols.min(RULE_COLS_MAX))));
            }
            for (column, value) in record.iter().enumerate() {
                let label = labels.get(column).cloned().unwrap_or_default();
                rows.extend(line([label, vec![Span::new(Role::Muted, ": ")], value.clone()].concat(), width_cols));
            }
        }
        rows
    }
}

fn line(spans: Vec<Span>, width_cols: usize) -> Vec<Row> {
    let indent = [Span::new(Role::Muted, VALUE_INDENT)];
    wrap(&spans, &WrapOptions { width_cols, first_indent: &[], next_indent: &indent, unbroken: Some(Role::MdCode) })
}

fn push_blanks(spans: &mut Vec<Span>, cols: usize) {
    if cols > 0 {
        spans.push(Span::new(Role::Border, " ".repeat(cols)));
    }
}

fn cols_of(cell: &Cell) -> usize {
    cell.iter().map(Span::width_cols).sum()
}
