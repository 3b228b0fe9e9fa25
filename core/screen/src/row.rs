//! Rows of roles: what stands in one line of the screen, before any color.

use crate::{Role, text};

/// One line of the screen. Its spans hold clean text only: see [`text::clean`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Row {
    pub spans: Vec<Span>,
    /// The surface to the right edge, where the painter may fill (never inline).
    pub fill: Option<Role>,
    pub end: RowEnd,
}

/// How a row ends.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RowEnd {
    /// A line of its own.
    #[default]
    Hard,
    /// Full to the last column and continued by the next row: one logical line for the terminal.
    Joined,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    pub text: String,
    pub style: Style,
}

/// Roles and attributes of a span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Style {
    pub role: Role,
    pub surface: Option<Role>,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: bool,
    pub strike: bool,
    pub reverse: bool,
    /// The address an OSC 8 link leads to; already checked and clean.
    pub link: Option<std::sync::Arc<str>>,
}

impl Style {
    pub const fn new(role: Role) -> Self {
        Self {
            role,
            surface: None,
            bold: false,
            dim: false,
            italic: false,
            underline: false,
            strike: false,
            reverse: false,
            link: None,
        }
    }

    pub fn on(mut self, surface: Role) -> Self {
        self.surface = Some(surface);
        self
    }

    pub fn bold(mut self) -> Self {
        self.bold = true;
        self
    }

    pub fn italic(mut self) -> Self {
        self.italic = true;
        self
    }

    pub fn underline(mut self) -> Self {
        self.underline = true;
        self
    }

    pub fn strike(mut self) -> Self {
        self.strike = true;
        self
    }

    pub fn reverse(mut self) -> Self {
        self.reverse = true;
        self
    }

    pub fn link(mut self, address: &str) -> Self {
        self.link = Some(address.into());
        self
    }
}

impl From<Role> for Style {
    fn from(role: Role) -> Self {
        Self::new(role)
    }
}

impl Span {
    /// Cleans `text` on its way in, so that whatever it came from cannot move the cursor.
    pub fn new(style: impl Into<Style>, text: impl AsRef<str>) -> Self {
        Self { text: text::clean(text.as_ref()), style: style.into() }
    }

    pub fn width_cols(&self) -> usize {
        text::width_cols(&self.text)
    }
}

impl Row {
    pub fn new(spans: Vec<Span>) -> Self {
        Self { spans, fill: None, end: RowEnd::Hard }
    }

    pub fn blank() -> Self {
        Self::default()
    }

    /// A row of one span.
    pub fn of(style: impl Into<Style>, text: impl AsRef<str>) -> Self {
        Self::new(vec![Span::new(style, text)])
    }

    pub fn filled(mut self, surface: Role) -> Self {
        self.fill = Some(surface);
        self
    }

    pub fn width_cols(&self) -> usize {
        self.spans.iter().map(Span::width_cols).sum()
    }

    /// Cuts the row to `width_cols`, with a blank where the cut goes through a wide glyph; what was cut ends hard.
    pub fn cut(mut self, width_cols: usize) -> Self {
        let mut room_cols = width_cols;
        for index in 0..self.spans.len() {
            let span_cols = self.spans[index].width_cols();
            if span_cols > room_cols {
                self.spans[index].text = text::cut(&self.spans[index].text, room_cols);
                self.spans.truncate(index + usize::from(room_cols > 0));
                self.end = RowEnd::Hard;
                break;
            }
            room_cols -= span_cols;
        }
        self
    }

    /// The text alone, as a test or a copy wants it.
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_cut_at_its_width() {
        let row = Row::new(vec![Span::new(Role::Text, "ab"), Span::new(Role::Dim, "c日d"), Span::new(Role::Text, "e")]);
        assert_eq!(row.clone().cut(7), row);
        assert_eq!(row.clone().cut(4), Row::new(vec![Span::new(Role::Text, "ab"), Span::new(Role::Dim, "c ")]));
        assert_eq!(row.cut(2), Row::new(vec![Span::new(Role::Text, "ab")]));
    }
}
