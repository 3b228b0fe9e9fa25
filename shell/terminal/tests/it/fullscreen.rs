//! The fullscreen painter on a virtual terminal.

use std::sync::Arc;

use proptest::prelude::*;
use screen::{Frame, Role, Row, Size, Span, Style};
use terminal::Painter;

use crate::frames::{WIDE, fullscreen, row, rows, styled, with_caret};
use crate::model::Model;
use crate::modes;

#[test]
fn every_cell_is_painted_whatever_was_there() {
    let size = Size { cols: 12, rows: 4 };
    let mut model = Model::new(size);
    model.feed(b"\x1b[?1049h\x1b[41mxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\x1b[m");
    let filled = Arc::new(Row::of(Role::Text, "panel").filled(Role::ToolPanelBg));
    let frame = fullscreen(size, vec![row("first 漢字!"), filled, row("012345678901234")]);
    model.feed(&Painter::new().encode(&frame));
    assert_eq!(model.screen(), ["first 漢字!", "panel", "012345678901", ""]);
    let looks = model.looks();
    assert!(looks[1][11].contains("Spec(Rgb { r: 20, g: 30, b: 40 })"), "{}", looks[1][11]);
    assert!(looks[3].iter().all(|look| look.starts_with("blank on Named(Background)")), "{:?}", looks[3]);
}

#[test]
fn the_hidden_cursor_follows_the_caret() {
    let mut model = Model::new(WIDE);
    let mut painter = Painter::new();
    model.feed(&painter.encode(&with_caret(fullscreen(WIDE, rows(&["text", "> ab"])), 1, 4)));
    assert_eq!((model.cursor(), model.is_cursor_shown()), ((1, 4), false));
    assert!(model.looks()[1][4].contains("INVERSE"));
    model.feed(&painter.encode(&with_caret(fullscreen(WIDE, rows(&["more text", "> ab"])), 1, 4)));
    assert_eq!(model.cursor(), (1, 4));
}

#[test]
fn one_more_token_costs_less_than_a_hundred_bytes_and_the_same_frame_nothing() {
    let mut painter = Painter::new();
    let mut text = "the quick brown fox jumps over the lazy dog".to_owned();
    let window = |text: &str| {
        let accent = styled(&[(Style::new(Role::Accent), text)]);
        with_caret(fullscreen(WIDE, vec![row("above"), accent, row(""), row("> ")]), 3, 2)
    };
    painter.encode(&window(&text));
    for _ in 0..4 {
        text.push_str(" word");
        let bytes = painter.encode(&window(&text));
        assert!(bytes.len() < 100, "{} bytes: {:?}", bytes.len(), String::from_utf8_lossy(&bytes));
        assert_eq!(painter.encode(&window(&text)), b"");
    }
}

#[test]
fn a_window_that_scrolled_is_moved_by_the_terminal() {
    let size = Size { cols: 100, rows: 30 };
    let mut model = Model::new(size);
    let mut painter = Painter::new();
    let window = |first: usize| {
        let mut rows: Vec<Arc<Row>> =
            (first..first + 26).map(|index| row(&format!("row {index} with a good many words in it"))).collect();
        rows.extend([row(""), row("> ask"), row("~/work"), row("model")]);
        with_caret(fullscreen(size, rows), 27, 2)
    };
    model.feed(&painter.encode(&window(0)));
    for first in [1, 2, 5, 4, 0] {
        let bytes = painter.encode(&window(first));
        assert!(bytes.len() < 400, "{} bytes: {:?}", bytes.len(), String::from_utf8_lossy(&bytes));
        model.feed(&bytes);
        assert_eq!(
            model.screen()[25..],
            [
                format!("row {} with a good many words in it", first + 25),
                String::new(),
                "> ask".to_owned(),
                "~/work".to_owned(),
                "model".to_owned()
            ]
        );
        assert_eq!(model.screen()[0], format!("row {first} with a good many words in it"));
    }
}

#[test]
fn leaving_sets_every_mode_back() {
    let mut model = Model::new(WIDE);
    let mut painter = Painter::new();
    model.feed(&painter.encode(&fullscreen(WIDE, rows(&["window"]))));
    model.feed(&painter.leave());
    assert_eq!((model.is_alternate(), model.is_cursor_shown(), model.is_wrapping()), (false, true, true));
    assert_eq!(modes::left_set(&model.bytes), Vec::<String>::new());
}

const WORDS: &[&str] =
    &["plain", "words and more", "漢字", "e\u{301}", "👩‍💻", "🇫🇷", "❤️", "x", "    ", "日本語のテキスト"];

fn style() -> impl Strategy<Value = Style> {
    (0_usize..4, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(role, on_panel, underline, link)| {
        let mut style = Style::new([Role::Text, Role::Accent, Role::Dim, Role::Error][role]);
        if on_panel {
            style = style.on(Role::ToolPanelBg);
        }
        if underline && role == 1 {
            style = style.underline();
        }
        if link && role == 2 {
            style = style.link("https://example.org/a");
        }
        style
    })
}

fn any_row() -> impl Strategy<Value = Arc<Row>> {
    let span = (style(), 0..WORDS.len()).prop_map(|(style, word)| Span::new(style, WORDS[word]));
    let fill = prop_oneof![3 => Just(None), 1 => Just(Some(Role::SelectedBg)), 1 => Just(Some(Role::ToolPanelBg))];
    (prop::collection::vec(span, 0..4), fill).prop_map(|(spans, fill)| {
        let mut row = Row::new(spans);
        row.fill = fill;
        Arc::new(row)
    })
}

/// What the next frame takes from the one before.
#[derive(Clone, Debug)]
enum Change {
    Row(usize, Arc<Row>),
    Scroll { from: usize, by: usize, up: bool, new: Arc<Row> },
    Size(u16, u16),
    Caret(Option<(usize, usize)>),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (0_usize..12, any_row()).prop_map(|(index, row)| Change::Row(index, row)),
        3 => (0_usize..4, 1_usize..4, any::<bool>(), any_row())
            .prop_map(|(from, by, up, new)| Change::Scroll { from, by, up, new }),
        1 => (8_u16..40, 4_u16..14).prop_map(|(cols, rows)| Change::Size(cols, rows)),
        2 => prop::option::of((0_usize..12, 0_usize..42)).prop_map(Change::Caret),
    ]
}

struct Window {
    size: Size,
    rows: Vec<Arc<Row>>,
    caret: Option<(usize, usize)>,
}

impl Window {
    fn take(&mut self, change: &Change) {
        match change {
            Change::Row(index, row) => self.rows[*index] = row.clone(),
            Change::Scroll { from, by, up, new } => {
                let band = &mut self.rows[*from..10];
                if *up {
                    band.rotate_left(*by);
                    let end = band.len();
                    band[end - by..].fill(new.clone());
                } else {
                    band.rotate_right(*by);
                    band[..*by].fill(new.clone());
                }
            }
            Change::Size(cols, rows) => self.size = Size { cols: *cols, rows: *rows },
            Change::Caret(caret) => self.caret = *caret,
        }
    }

    fn frame(&self) -> Frame {
        let frame = fullscreen(self.size, self.rows.clone());
        match self.caret.filter(|(row, _)| *row < usize::from(self.size.rows)) {
            Some((row, col)) => with_caret(frame, row, col),
            None => frame,
        }
    }
}

fn first_difference(one: &Model, other: &Model) -> Option<(usize, usize, String, String)> {
    let (one, other) = (one.looks(), other.looks());
    let rows = one.iter().zip(&other).enumerate();
    rows.flat_map(|(row, (one, other))| one.iter().zip(other).enumerate().map(move |(col, pair)| (row, col, pair)))
        .find(|(_, _, (one, other))| one != other)
        .map(|(row, col, (one, other))| (row, col, one.clone(), other.clone()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn the_cells_are_those_of_a_fresh_paint(
        start in prop::collection::vec(any_row(), 12),
        changes in prop::collection::vec(prop::collection::vec(change(), 1..4), 1..12),
    ) {
        let mut window = Window { size: Size { cols: 30, rows: 12 }, rows: start, caret: None };
        let mut model = Model::new(window.size);
        let mut painter = Painter::new();
        model.feed(&painter.encode(&window.frame()));
        for changes in &changes {
            changes.iter().for_each(|change| window.take(change));
            model.resize(window.size);
            model.feed(&painter.encode(&window.frame()));
            let mut fresh = Model::new(window.size);
            fresh.feed(&Painter::new().encode(&window.frame()));
            prop_assert_eq!(first_difference(&model, &fresh), None);
            if window.frame().caret.is_some() {
                prop_assert_eq!(model.cursor(), fresh.cursor());
            }
        }
    }
}
