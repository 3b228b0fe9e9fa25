//! Code as rows: wrapped at the column, every line of it kept.
//! Knows no language.

use screen::{Role, Row, Span, wrap_cells};

/// Stands before the rest of a line that did not fit.
const CONTINUATION: &str = "↪ ";

/// Columns of [`CONTINUATION`].
const CONTINUATION_COLS: usize = 2;

/// Lays out code indented by `indent_cols`, long lines going on behind `↪`.
/// Without an indent the rows of a long line may be joined by the terminal, and have no sign.
pub fn code(text: &str, width_cols: usize, indent_cols: usize) -> Vec<Row> {
    text.lines().flat_map(|line| line_rows(line.trim_end(), width_cols, indent_cols)).collect()
}

fn line_rows(line: &str, width_cols: usize, indent_cols: usize) -> Vec<Row> {
    let spans = [Span::new(Role::MdCodeBlock, line)];
    if indent_cols == 0 {
        return wrap_cells(&spans, width_cols);
    }
    let rest_cols = indent_cols.max(CONTINUATION_COLS).min(width_cols / 2);
    let first = Span::new(Role::MdCodeBlock, " ".repeat(indent_cols.min(rest_cols)));
    let sign = format!("{CONTINUATION:>rest_cols$}");
    let rest = Span::new(Role::MdCodeBlockBorder, screen::text::cut(&sign, rest_cols));
    let mut rows = wrap_cells(&spans, width_cols - rest_cols);
    for (index, row) in rows.iter_mut().enumerate() {
        row.end = screen::RowEnd::Hard;
        if !row.spans.is_empty() {
            row.spans.insert(0, if index == 0 { first.clone() } else { rest.clone() });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use screen::RowEnd;

    use super::*;

    fn plain(rows: &[Row]) -> Vec<String> {
        rows.iter().map(Row::plain).collect()
    }

    #[test]
    fn a_long_line_goes_on_behind_its_sign() {
        let rows = code("fn main() {}\n\n\tlet x;\n", 10, 2);
        assert_eq!(plain(&rows), ["  fn main(", "↪ ) {}", "", "     let x", "↪ ;"]);
        assert!(rows.iter().all(|row| row.end == RowEnd::Hard));
    }

    #[test]
    fn without_an_indent_a_long_line_may_be_joined() {
        let rows = code("abcdefgh\n", 5, 0);
        assert_eq!(plain(&rows), ["abcde", "fgh"]);
        assert_eq!(rows[0].end, RowEnd::Joined);
    }

    #[test]
    fn no_row_is_wider_than_asked() {
        for width_cols in 1..12 {
            for indent_cols in 0..8 {
                for row in code("let 日本 = 42; // and so on", width_cols, indent_cols) {
                    assert!(row.width_cols() <= width_cols, "{width_cols} {indent_cols} {row:?}");
                }
            }
        }
    }
}
