//! Toasts: short notes that go by themselves and need no key.

use screen::{Role, Row, Span, Style, text};

/// How many toasts are shown; an older one goes when another comes.
const TOASTS_MAX: usize = 3;
const TOAST_MS: u64 = 3_000;
const ERROR_TOAST_MS: u64 = 6_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToastKind {
    Note,
    Error,
}

#[derive(Clone, Default, Debug)]
pub struct Toasts {
    shown: Vec<Toast>,
}

#[derive(Clone, Debug)]
struct Toast {
    kind: ToastKind,
    text: String,
    until_ms: u64,
}

impl Toasts {
    pub fn add(&mut self, now_ms: u64, kind: ToastKind, text: impl Into<String>) {
        let lasts_ms = match kind {
            ToastKind::Note => TOAST_MS,
            ToastKind::Error => ERROR_TOAST_MS,
        };
        self.shown.push(Toast { kind, text: text.into(), until_ms: now_ms + lasts_ms });
        let over = self.shown.len().saturating_sub(TOASTS_MAX);
        self.shown.drain(..over);
    }

    /// Takes away what has been shown long enough and says whether anything went.
    pub fn expire(&mut self, now_ms: u64) -> bool {
        let before = self.shown.len();
        self.shown.retain(|toast| toast.until_ms > now_ms);
        self.shown.len() != before
    }

    /// When the next one goes.
    pub fn wake_at(&self) -> Option<u64> {
        self.shown.iter().map(|toast| toast.until_ms).min()
    }

    /// One row each, newest lowest.
    pub fn rows(&self, width_cols: usize) -> Vec<Row> {
        self.shown
            .iter()
            .map(|toast| {
                let style = match toast.kind {
                    ToastKind::Note => Style::new(Role::Accent).reverse(),
                    ToastKind::Error => Style::new(Role::Error).reverse(),
                };
                let cut = text::cut(&text::clean(&toast.text), width_cols.saturating_sub(4));
                Row::new(vec![Span::new(Role::Dim, " "), Span::new(style, format!(" {cut} "))])
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_three_are_shown_and_each_goes_in_its_time() {
        let mut toasts = Toasts::default();
        for (at_ms, text) in [(0, "one"), (10, "two"), (20, "three"), (30, "four")] {
            toasts.add(at_ms, ToastKind::Note, text);
        }
        let shown = |toasts: &Toasts| toasts.rows(40).iter().map(Row::plain).collect::<Vec<_>>();
        assert_eq!(shown(&toasts), ["  two ", "  three ", "  four "]);
        assert_eq!(toasts.wake_at(), Some(3_010));
        assert!(toasts.expire(3_020));
        assert_eq!(shown(&toasts), ["  four "]);
    }
}
