//! The status line: one row of segments that leave in a fixed order when room is short.

use screen::{Role, Row, Span, Style, text};

use crate::number;

/// Below this width the right side goes.
const RIGHT_COLS_MIN: usize = 24;
/// The path is cut to so many columns, its tail kept.
const PATH_COLS_MAX: usize = 35;
/// Under this width only model and context are left.
const NARROW_COLS: usize = 40;

#[derive(Clone, Copy, Debug)]
pub struct StatusLine<'a> {
    /// In place of all others on the left.
    pub hint: Option<&'a str>,
    pub model: &'a str,
    pub path: &'a str,
    pub profile: &'a str,
    /// The detail level, unless it is the default one.
    pub detail: Option<&'a str>,
    /// Tokens in the context after the last response.
    pub context_tokens: Option<u64>,
    /// Tokens the model's context window holds, if that is known.
    pub window_tokens: Option<u64>,
}

impl StatusLine<'_> {
    pub fn row(&self, width_cols: usize) -> Row {
        let right = self.right(width_cols);
        let right_cols = text::width_cols(&right);
        let room = width_cols.saturating_sub(2 + if right.is_empty() { 0 } else { right_cols + 2 });
        let (left, style) = match self.hint {
            Some(hint) => (text::cut(hint, room), Style::new(Role::Warning)),
            None => (self.left(room, width_cols), Style::new(Role::Dim)),
        };
        let gap = width_cols.saturating_sub(2 + text::width_cols(&left) + right_cols);
        let mut spans = vec![Span::new(Role::Dim, " "), Span::new(style, left)];
        if !right.is_empty() {
            spans.push(Span::new(Role::Dim, " ".repeat(gap)));
            spans.push(Span::new(self.usage_tone(), right));
        }
        Row::new(spans)
    }

    fn right(&self, width_cols: usize) -> String {
        match self.context_tokens {
            Some(tokens) if width_cols >= RIGHT_COLS_MIN => {
                let window = self.window_tokens.map_or_else(|| "?".to_owned(), number::count);
                format!("ctx: {}/{window}", number::count(tokens))
            }
            Some(_) | None => String::new(),
        }
    }

    /// The color of the usage of the context window, by its band.
    fn usage_tone(&self) -> Role {
        match laws::band::band(self.context_tokens.unwrap_or(0), self.window_tokens.unwrap_or(0)) {
            0 => Role::Dim,
            1 => Role::Warning,
            2 => Role::ContextHigh,
            3.. => Role::Error,
        }
    }

    /// The segments that fit, dropped in the order detail, path, profile; the model is cut last.
    fn left(&self, room: usize, width_cols: usize) -> String {
        let path = format!("[D] {}", tail(&text::clean(self.path), PATH_COLS_MAX));
        let wide = width_cols >= NARROW_COLS;
        let with = |keep: [bool; 3]| {
            let mut segments = vec![text::clean(self.model)];
            segments.extend((wide && keep[0] && !self.path.is_empty()).then(|| path.clone()));
            segments.extend((wide && keep[1] && !self.profile.is_empty()).then(|| self.profile.to_owned()));
            segments.extend(self.detail.filter(|_| wide && keep[2]).map(str::to_owned));
            segments.retain(|segment| !segment.is_empty());
            segments.join(" · ")
        };
        let choices = [[true, true, true], [true, true, false], [false, true, false], [false, false, false]];
        let fitting = choices.into_iter().map(with).find(|line| text::width_cols(line) <= room);
        fitting.unwrap_or_else(|| ellipsis(&text::clean(self.model), room))
    }
}

/// Keeps the end of a text, behind an ellipsis where something is missing.
fn tail(words: &str, width_cols: usize) -> String {
    if text::width_cols(words) <= width_cols {
        return words.to_owned();
    }
    let mut kept = words;
    while text::width_cols(kept) + 1 > width_cols {
        let mut rest = kept.chars();
        rest.next();
        kept = rest.as_str();
    }
    format!("…{kept}")
}

fn ellipsis(words: &str, width_cols: usize) -> String {
    if text::width_cols(words) <= width_cols {
        words.to_owned()
    } else {
        format!("{}…", text::cut(words, width_cols.saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: StatusLine<'static> = StatusLine {
        hint: None,
        model: "openai/mock-large",
        path: "~/src/eukhe",
        profile: "trusted",
        detail: None,
        context_tokens: Some(12_345),
        window_tokens: None,
    };

    #[test]
    fn segments_leave_one_by_one_as_the_window_narrows() {
        let at = |width_cols| LINE.row(width_cols).plain().trim_end().to_owned();
        assert_eq!(at(70), " openai/mock-large · [D] ~/src/eukhe · trusted             ctx: 12K/?");
        assert_eq!(at(44), " openai/mock-large · trusted     ctx: 12K/?");
        assert_eq!(at(30), " openai/mock-lar…  ctx: 12K/?");
        assert_eq!(at(20), " openai/mock-large");
        assert_eq!(at(12), " openai/mo…");
    }

    #[test]
    fn a_hint_takes_the_place_of_the_left_side() {
        let line = StatusLine { hint: Some("Ctrl+C again quits"), ..LINE };
        assert_eq!(line.row(44).plain(), " Ctrl+C again quits              ctx: 12K/?");
    }

    #[test]
    fn the_usage_of_the_context_takes_its_tone_from_its_share_of_the_window() {
        let usage = |tokens, window_tokens| {
            let row = StatusLine { context_tokens: Some(tokens), window_tokens, ..LINE }.row(70);
            let span = row.spans.last().cloned().expect("the usage stands last");
            (span.text, span.style.role)
        };
        assert_eq!(usage(99_999, Some(200_000)), ("ctx: 99K/200K".to_owned(), Role::Dim));
        assert_eq!(usage(100_000, Some(200_000)), ("ctx: 100K/200K".to_owned(), Role::Warning));
        assert_eq!(usage(140_000, Some(200_000)), ("ctx: 140K/200K".to_owned(), Role::ContextHigh));
        assert_eq!(usage(180_000, Some(200_000)), ("ctx: 180K/200K".to_owned(), Role::Error));
        assert_eq!(usage(900_000, None), ("ctx: 900K/?".to_owned(), Role::Dim));
    }
}
