//! Laws of the painter over random frames and texts, read off its bytes.
//! `EUKHE_CASES`, read when the tests are built, sets how many runs of frames are tried.

use std::sync::Arc;

use alacritty_terminal::vte::{Params, Parser, Perform};
use proptest::prelude::*;
use screen::{Role, Row, Size, Style};
use terminal::Painter;

use crate::frames::{fullscreen, inline, joined, row, styled, with_caret};
use crate::model::Model;

/// Where frames print and erase on the normal screen, counted in rows from where the cursor rested before them.
/// A lower bound: no wrap is counted, and no move down that a screen's edge may stop.
#[derive(Default)]
struct Trail {
    row: i64,
    saved_row: i64,
    highest_row: i64,
    is_alternate: bool,
    /// The alternate screen was left, and nothing was drawn since.
    has_just_left: bool,
    printed: String,
}

impl Trail {
    /// Follows one frame.
    fn follow(&mut self, bytes: &[u8]) {
        (self.row, self.highest_row) = (0, 0);
        Parser::<1024>::new().advance(self, bytes);
    }

    fn draw(&mut self) {
        if !self.is_alternate {
            self.highest_row = self.highest_row.min(self.row);
            self.has_just_left = false;
        }
    }

    fn go(&mut self, rows: i64) {
        if !self.is_alternate {
            self.row += rows;
        }
    }
}

impl Perform for Trail {
    fn print(&mut self, character: char) {
        self.draw();
        self.printed.push(character);
    }

    fn execute(&mut self, byte: u8) {
        self.go(i64::from(byte == b'\n'));
    }

    fn esc_dispatch(&mut self, _: &[u8], _: bool, byte: u8) {
        match byte {
            b'7' => self.saved_row = self.row,
            b'8' => self.row = self.saved_row,
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _: bool, action: char) {
        let number = i64::from(params.iter().flatten().next().copied().unwrap_or(0));
        match (action, intermediates) {
            ('A', b"") => self.go(-number.max(1)),
            ('J' | 'K', b"") => self.draw(),
            ('h', b"?") if number == 1049 => self.is_alternate = true,
            ('l', b"?") if number == 1049 => (self.is_alternate, self.has_just_left) = (false, true),
            // To the last row, where a line feed makes a new one.
            ('H', b"") if self.has_just_left => {}
            ('B' | 'G' | 'm', b"") | ('c' | 'h' | 'l' | 'm' | 'n' | 'p' | 'q' | 't' | 'u', _) => {}
            _ => assert!(self.is_alternate, "an inline frame has a sequence that ends in {action:?}"),
        }
    }
}

/// One frame, or the window at another size.
#[derive(Clone, Debug)]
enum Step {
    Inline { history: Vec<RowKind>, live: Vec<u8>, caret: Option<(usize, usize)> },
    Fullscreen,
    Resized { cols: u16, rows: u16 },
}

#[derive(Clone, Copy, Debug)]
enum RowKind {
    Hard,
    Joined,
}

fn step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![3 => Just(RowKind::Hard), 1 => Just(RowKind::Joined)];
    let history = prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(kind, 1..5)];
    let live = prop::collection::vec(0_u8..4, 0..9);
    let caret = prop::option::of((0_usize..9, 0_usize..40));
    prop_oneof![
        8 => (history, live, caret).prop_map(|(history, live, caret)| Step::Inline { history, live, caret }),
        1 => Just(Step::Fullscreen),
        2 => (8_u16..40, 1_u16..12).prop_map(|(cols, rows)| Step::Resized { cols, rows }),
    ]
}

/// A live row: one of a few, so that some stay the same from frame to frame.
fn live_row(kind: u8) -> Arc<Row> {
    row(["> ", "words that are shown", "漢字 and 👩‍💻", ""][usize::from(kind)])
}

fn history_row(number: usize, kind: RowKind) -> Arc<Row> {
    let text = format!("<{number}>");
    match kind {
        RowKind::Hard => row(&text),
        RowKind::Joined => joined(&text),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        option_env!("EUKHE_CASES").and_then(|cases| cases.parse().ok()).unwrap_or(20_000)
    ))]

    /// Sampled: 20,000 runs of up to 8 inline and fullscreen frames and changes of the size, more by `EUKHE_CASES`.
    #[test]
    fn paint_never_above(steps in prop::collection::vec(step(), 1..9)) {
        let (mut painter, mut trail) = (Painter::new(), Trail::default());
        let (mut size, mut history_count) = (Size { cols: 30, rows: 10 }, 0);
        for step in steps {
            let (frame, lines) = match step {
                Step::Resized { cols, rows } => {
                    size = Size { cols, rows };
                    continue;
                }
                Step::Fullscreen => (fullscreen(size, vec![live_row(1)]), 0),
                Step::Inline { history, live, caret } => {
                    let first = history_count;
                    history_count += history.len();
                    let last = history.len().saturating_sub(1);
                    let ends = |(index, kind): &(usize, &RowKind)| *index == last || matches!(kind, RowKind::Hard);
                    let lines = history.iter().enumerate().filter(ends).count();
                    let rows = history.iter().enumerate().map(|(index, kind)| history_row(first + index, *kind));
                    let frame = inline(size, rows.collect(), live.into_iter().map(live_row).collect());
                    (caret.map_or(frame.clone(), |(row, col)| with_caret(frame, row, col)), lines)
                }
            };
            trail.follow(&painter.encode(&frame));
            prop_assert!(trail.highest_row >= 0, "drew {} rows above", -trail.highest_row);
            prop_assert!(trail.row >= lines as i64, "rests {} rows down, after {lines} lines", trail.row);
        }
        for number in 0..history_count {
            prop_assert_eq!(trail.printed.matches(&format!("<{number}>")).count(), 1, "row {}", number);
        }
    }
}

/// All that bytes do but print text, color it and link it, in order.
#[derive(Default)]
struct Acts(Vec<String>);

impl Acts {
    fn of(bytes: &[u8]) -> Vec<String> {
        let mut acts = Self::default();
        Parser::<1024>::new().advance(&mut acts, bytes);
        acts.0
    }
}

impl Perform for Acts {
    fn execute(&mut self, byte: u8) {
        self.0.push(format!("{byte:02x}"));
    }

    fn hook(&mut self, _: &Params, _: &[u8], _: bool, action: char) {
        self.0.push(format!("dcs {action}"));
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _: bool) {
        if params.first() != Some(&b"8".as_slice()) {
            self.0.push(format!("osc {params:?}"));
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _: bool, byte: u8) {
        // The end of an OSC counts as a sequence of its own.
        if byte != b'\\' {
            self.0.push(format!("esc {intermediates:?} {byte:02x}"));
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _: bool, action: char) {
        if (action, intermediates) != ('m', b"") {
            self.0.push(format!("csi {intermediates:?} {params:?} {action}"));
        }
    }
}

/// Text as it may come from anywhere: printable, wide, joined, and all that terminals obey.
fn any_text() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "plain words",
        " ",
        "日本",
        "e\u{301}",
        "👩\u{200d}💻",
        "🇫🇷",
        "❤\u{fe0f}",
        "ที่",
        "कि",
        "\u{200b}",
        "\u{202e}",
        "\t",
        "\n",
        "\r",
        "\x07",
        "\x08",
        "\x1b",
        "\x1b[2J",
        "\x1b[5G",
        "\x1b[A",
        "\x1b[?7l",
        "\x1b[31m",
        "\x1b7",
        "\x1b]0;title\x07",
        "\x1b]8;;http://x\x1b\\",
        "\x1bPq",
        "\u{9b}",
        "\u{9b}2J",
        "\u{9d}",
        "\u{85}",
        "\u{7f}",
    ]);
    let part = prop_oneof![4 => parts.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
    prop::collection::vec(part, 0..7).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100_000))]

    /// Sampled: 100,000 texts with controls, sequences and clusters of every width, as history and as a live row.
    #[test]
    fn row_text_inert(said in any_text(), address in any_text(), is_link in any::<bool>()) {
        let size = Size { cols: 100, rows: 2 };
        let style = if is_link { Style::new(Role::Accent).link(&address) } else { Style::new(Role::Accent) };
        let committed = |text: &str| Painter::new().encode(&inline(size, vec![styled(&[(style.clone(), text)])], vec![]));
        prop_assert_eq!(Acts::of(&committed(&said)), Acts::of(&committed("x")));

        let marked = styled(&[(style, &said), (Style::new(Role::Text), "|")]);
        let mut model = Model::new(size);
        model.feed(&Painter::new().encode(&inline(size, vec![], vec![Arc::clone(&marked)])));
        prop_assert_eq!(model.last_col_of(1, '|'), Some(marked.width_cols() - 1));
    }
}
