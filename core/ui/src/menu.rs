//! The completion menu of slash commands: which rows it lists and where its mark stands.
//! What a line means is in `slash`.

use screen::{Role, Row, Span, Style, text};

use crate::slash::{self, COMMANDS};

/// Rows of the menu shown at once; more scroll.
const VISIBLE_MAX: usize = 5;

#[derive(Clone, Default, Debug)]
pub struct Menu {
    rows: Vec<&'static slash::Row>,
    ghost: String,
    marked: Option<usize>,
    /// Esc closed the menu of this line; it stays shut until the line changes.
    closed_for: Option<String>,
}

impl Menu {
    pub fn is_open(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Lists what may come next for a line, nothing for a draft that is no command line.
    pub fn follow(&mut self, line: Option<String>) {
        let Some(line) = line.filter(|line| self.closed_for.as_ref() != Some(line)) else {
            *self = Self { closed_for: self.closed_for.take(), ..Self::default() };
            return;
        };
        let slash::Menu { rows, ghost } = COMMANDS.menu(&line);
        let typed = line.rsplit(char::is_whitespace).next().unwrap_or("").trim_start_matches('/').to_lowercase();
        let begins = |row: &&'static slash::Row| row.path.last().is_some_and(|name| name.starts_with(&typed));
        // A row that merely holds the letters must be chosen by hand: Enter would run it.
        let marked = rows.first().filter(|row| !typed.is_empty() && begins(row)).map(|_| 0);
        *self = Self { rows, ghost, marked, closed_for: None };
    }

    pub fn close(&mut self) {
        *self = Self::default();
    }

    /// Shut until the line is another one.
    pub fn close_for(&mut self, line: Option<String>) {
        *self = Self { closed_for: line, ..Self::default() };
    }

    pub fn chosen(&self) -> Option<&'static slash::Row> {
        self.marked.and_then(|marked| self.rows.get(marked)).copied()
    }

    pub fn first(&self) -> Option<&'static slash::Row> {
        self.rows.first().copied()
    }

    /// What is still to be typed behind the cursor, to be drawn dimmed.
    pub fn ghost(&self) -> &str {
        &self.ghost
    }

    /// Moves the mark and wraps at the ends.
    pub fn move_mark(&mut self, down: isize) {
        let count = self.rows.len() as isize;
        if count > 0 {
            let from = self.marked.map_or(if down > 0 { -1 } else { 0 }, |marked| marked as isize);
            self.marked = Some((from + down).rem_euclid(count) as usize);
        }
    }

    /// Moves the mark by a page and stops at the ends.
    pub fn page(&mut self, pages_down: isize) {
        let last = self.rows.len().saturating_sub(1) as isize;
        let from = self.marked.unwrap_or(0) as isize;
        self.marked = Some((from + pages_down * VISIBLE_MAX as isize).clamp(0, last) as usize);
    }

    pub fn rows(&self, width_cols: usize, rows_max: usize) -> Vec<Row> {
        let visible = VISIBLE_MAX.min(rows_max).min(self.rows.len());
        let marked = self.marked.unwrap_or(0);
        let first = (marked + 1).saturating_sub(visible);
        let usage_cols = self.rows.iter().map(|row| text::width_cols(&row.usage())).max().unwrap_or(0);
        let row = |index: usize| {
            let row = self.rows[index];
            let (mark, style) = if self.marked == Some(index) {
                (">", Style::new(Role::Text).on(Role::SelectedBg).bold())
            } else {
                (" ", Style::new(Role::Text))
            };
            let usage = format!(" {mark} {:usage_cols$}  ", row.usage());
            Row::new(vec![Span::new(style, usage), Span::new(Role::Muted, row.help)]).cut(width_cols)
        };
        (first..(first + visible).min(self.rows.len())).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu(line: &str) -> Menu {
        let mut menu = Menu::default();
        menu.follow(Some(line.to_owned()));
        menu
    }

    #[test]
    fn a_row_is_marked_by_itself_only_when_the_typed_letters_begin_it() {
        assert_eq!(menu("/").chosen(), None);
        assert_eq!(menu("/q").chosen().map(|row| row.written()), Some("/quit".into()));
        assert_eq!(menu("/t").chosen(), None);
    }

    #[test]
    fn a_closed_menu_stays_shut_until_the_line_changes() {
        let mut menu = menu("/ne");
        menu.close_for(Some("/ne".into()));
        menu.follow(Some("/ne".into()));
        assert!(!menu.is_open());
        menu.follow(Some("/new".into()));
        assert!(menu.is_open());
    }
}
