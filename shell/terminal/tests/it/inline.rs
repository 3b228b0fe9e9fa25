//! The inline painter on a virtual terminal.

use std::sync::Arc;

use proptest::prelude::*;
use screen::{Role, Row, Size};
use terminal::{Fact, Painter};

use crate::frames::{WIDE, fullscreen, inline, joined, row, rows, with_caret};
use crate::model::Model;
use crate::modes;

#[test]
fn the_first_paint_keeps_the_line_it_finds_and_rests_on_the_first_live_row() {
    let mut model = Model::new(WIDE);
    model.feed(b"$ eukhe");
    let mut painter = Painter::new();
    model.feed(&painter.encode(&inline(WIDE, rows(&["splash"]), rows(&["> ask", "status"]))));
    assert_eq!(model.everything(), ["$ eukhe", "splash", "> ask", "status"]);
    assert_eq!((model.cursor(), model.is_cursor_shown(), model.is_wrapping()), ((2, 0), false, true));
}

#[test]
fn a_frame_is_one_synchronized_update_and_the_same_frame_again_is_nothing() {
    let mut painter = Painter::new();
    let frame = inline(WIDE, vec![], rows(&["one", "two"]));
    painter.encode(&frame);
    assert_eq!(painter.encode(&frame), b"");
    let next = painter.encode(&inline(WIDE, vec![], rows(&["one", "twofold"])));
    assert_eq!(
        String::from_utf8(next).unwrap(),
        "\x1b[?2026h\x1b[?25l\r\x1b[?7l\n\x1b[4G\x1b[Kfold\x1b[?7h\r\x1b[A\x1b[?2026l"
    );
    let first = painter.encode(&inline(WIDE, vec![], rows(&["uno", "twofold"])));
    assert_eq!(String::from_utf8(first).unwrap(), "\x1b[?2026h\x1b[?25l\r\x1b[?7l\r\x1b[2Kuno\x1b[?7h\r\x1b[?2026l");
}

#[test]
fn a_whole_frame_erases_below_prints_history_and_marks_the_live_area() {
    let mut painter = Painter::new();
    painter.encode(&inline(WIDE, vec![], rows(&["a", "b"])));
    let bytes = painter.encode(&inline(WIDE, rows(&["done"]), rows(&["c", "d"])));
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        concat!(
            "\x1b[?2026h\x1b[?25l\r\x1b7\x1b[2K\x1b[B\x1b[J\x1b8done\r\n",
            "\x1b]133;A\x07\x1b[?7lc\r\nd\x1b[?7h\r\x1b[A\x1b[?2026l"
        )
    );
}

#[test]
fn the_bottom_stays_when_the_live_area_shrinks_and_history_uses_the_rows_up() {
    let mut model = Model::new(Size { cols: 20, rows: 6 });
    let size = Size { cols: 20, rows: 6 };
    let mut painter = Painter::new();
    model.feed(&painter.encode(&inline(size, rows(&["h1", "h2"]), rows(&["a", "b", "c", "d"]))));
    model.feed(&painter.encode(&inline(size, vec![], rows(&["c", "d"]))));
    assert_eq!(model.screen(), ["h1", "h2", "", "", "c", "d"]);
    model.feed(&painter.encode(&inline(size, rows(&["h3"]), rows(&["c", "d"]))));
    assert_eq!(model.screen(), ["h1", "h2", "h3", "", "c", "d"]);
    model.feed(&painter.encode(&inline(size, rows(&["h4", "h5"]), rows(&["c", "d"]))));
    assert_eq!(model.everything(), ["", "h1", "h2", "h3", "h4", "h5", "c", "d"]);
}

#[test]
fn a_live_area_taller_than_the_screen_is_cut_from_its_top() {
    let size = Size { cols: 20, rows: 5 };
    let mut model = Model::new(size);
    let mut painter = Painter::new();
    let live: Vec<String> = (0..40).map(|index| format!("row {index}")).collect();
    let live: Vec<Arc<Row>> = live.iter().map(|text| row(text)).collect();
    model.feed(&painter.encode(&inline(size, rows(&["kept"]), live)));
    assert_eq!(model.screen(), ["row 35", "row 36", "row 37", "row 38", "row 39"]);
    assert_eq!(model.scrollback(), ["", "kept"]);
}

#[test]
fn live_rows_are_cut_to_the_width_and_have_no_trailing_blanks() {
    let size = Size { cols: 10, rows: 4 };
    let mut model = Model::new(size);
    let mut painter = Painter::new();
    let filled = Arc::new(Row::of(Role::Text, "filled").filled(Role::SelectedBg));
    let live = vec![row("0123456789abc"), row("12345678 漢字"), row("123456789漢"), filled];
    let bytes = painter.encode(&inline(size, vec![], live));
    model.feed(&bytes);
    assert_eq!(model.screen(), ["0123456789", "12345678", "123456789", "filled"]);
    assert!(!String::from_utf8(bytes).unwrap().contains(" \r\n"));
}

#[test]
fn the_caret_is_a_reversed_cell_and_moving_it_is_a_small_frame() {
    let mut model = Model::new(WIDE);
    let mut painter = Painter::new();
    model.feed(&painter.encode(&with_caret(inline(WIDE, vec![], rows(&["> ab", "status"])), 0, 4)));
    assert!(model.looks()[1][4].contains("INVERSE"), "{:?}", model.looks()[1][4]);
    let moved = painter.encode(&with_caret(inline(WIDE, vec![], rows(&["> ab", "status"])), 0, 3));
    assert!(moved.len() < 80, "{}", moved.len());
    model.feed(&moved);
    let row = &model.looks()[1];
    assert_eq!((row[3].contains("'b'") && row[3].contains("INVERSE"), row[4].contains("INVERSE")), (true, false));
}

#[test]
fn one_more_token_on_the_last_row_costs_less_than_a_hundred_bytes() {
    let mut painter = Painter::new();
    let mut text = "the quick brown fox jumps over the lazy dog and goes on".to_owned();
    let live = |text: &str| vec![row("above"), row(text), row(""), row("> "), row("status")];
    painter.encode(&with_caret(inline(WIDE, vec![], live(&text)), 3, 2));
    for _ in 0..4 {
        text.push_str(" word");
        let bytes = painter.encode(&with_caret(inline(WIDE, vec![], live(&text)), 3, 2));
        assert!(bytes.len() < 100, "{} bytes: {:?}", bytes.len(), String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn clusters_of_contested_width_are_followed_by_an_absolute_column() {
    let mut model = Model::new(WIDE);
    let mut painter = Painter::new();
    let bytes = painter.encode(&inline(WIDE, vec![], rows(&["a👩‍💻b ❤️c"])));
    model.feed(&bytes);
    let cols: Vec<usize> = ['a', 'b', 'c']
        .iter()
        .map(|letter| model.looks()[1].iter().position(|look| look.starts_with(&format!("{letter:?}"))).unwrap())
        .collect();
    assert_eq!(cols, [0, 3, 7]);
}

#[test]
fn joined_rows_are_one_logical_line_for_the_terminal() {
    let narrow = Size { cols: 10, rows: 6 };
    let mut model = Model::new(narrow);
    let mut painter = Painter::new();
    let history = vec![joined("0123456789"), joined("abcdefghij"), row("end"), row("0123456789"), row("next")];
    model.feed(&painter.encode(&inline(narrow, history, rows(&["live"]))));
    assert_eq!(model.everything(), ["", "0123456789", "abcdefghij", "end", "0123456789", "next", "live"]);
    let wide = Size { cols: 40, rows: 6 };
    model.resize(wide);
    model.feed(&painter.encode(&inline(wide, vec![], rows(&["live"]))));
    assert_eq!(model.everything(), ["", "0123456789abcdefghijend", "0123456789", "next", "live"]);
}

#[test]
fn history_that_ends_joined_still_ends_its_line() {
    let mut model = Model::new(WIDE);
    let mut painter = Painter::new();
    model.feed(&painter.encode(&inline(WIDE, vec![joined("left open")], rows(&["live"]))));
    assert_eq!(model.everything(), ["", "left open", "live"]);
}

#[test]
fn switching_surfaces_loses_no_row_and_leaving_sets_every_mode_back() {
    let mut model = Model::new(WIDE);
    let mut painter = Painter::new();
    model.feed(&painter.learn(Fact::NoKittyKeyboard));
    model.feed(&painter.encode(&inline(WIDE, rows(&["one"]), rows(&["live"]))));
    model.feed(&painter.encode(&fullscreen(WIDE, rows(&["window"]))));
    model.feed(&painter.learn(Fact::AlternateScroll));
    assert_eq!((model.is_alternate(), model.everything()), (true, vec!["window".to_owned()]));
    model.feed(&painter.encode(&inline(WIDE, rows(&["two"]), rows(&["live"]))));
    assert_eq!(
        (model.is_alternate(), model.everything()),
        (false, ["", "one", "two", "live"].map(String::from).to_vec())
    );
    model.feed(&painter.leave());
    assert_eq!(model.everything(), ["", "one", "two"]);
    assert_eq!((model.cursor(), model.is_cursor_shown()), ((3, 0), true));
    // What was stopped for good on the alternate screen is switched on again, and nothing else is left.
    assert_eq!(modes::left_set(&model.bytes), ["?1007h"]);
}

#[test]
fn leaving_fullscreen_after_a_resize_starts_below_everything() {
    let mut model = Model::new(WIDE);
    let mut painter = Painter::new();
    model.feed(&painter.encode(&inline(WIDE, rows(&["one"]), rows(&["live"]))));
    model.feed(&painter.encode(&fullscreen(WIDE, rows(&["window"]))));
    let size = Size { cols: 60, rows: 12 };
    model.resize(size);
    model.feed(&painter.encode(&inline(size, rows(&["two"]), rows(&["live"]))));
    let texts: Vec<String> = model.everything().into_iter().filter(|row| !row.is_empty()).collect();
    assert_eq!(texts, ["one", "two", "live"]);
}

#[test]
fn a_title_is_set_once_and_given_back() {
    let mut painter = Painter::new();
    let mut frame = inline(WIDE, vec![], rows(&["live"]));
    frame.title = Some("eukhe: \x1b]0;x\x07work".to_owned());
    let first = String::from_utf8(painter.encode(&frame)).unwrap();
    assert!(first.contains("\x1b[22;2t\x1b]2;eukhe: work\x1b\\"), "{first:?}");
    assert_eq!(painter.encode(&frame), b"");
    frame.title = None;
    assert_eq!(painter.encode(&frame), b"\x1b[23;2t");
}

#[test]
fn a_painter_that_forgot_starts_again_without_asking_again() {
    let mut model = Model::new(WIDE);
    let mut painter = Painter::new();
    model.feed(&painter.encode(&inline(WIDE, rows(&["one"]), rows(&["live"]))));
    model.feed(&painter.leave());
    painter.forget();
    assert_eq!(painter.leave(), b"");
    let again = painter.encode(&inline(WIDE, vec![], rows(&["live"])));
    assert!(!String::from_utf8_lossy(&again).contains("\x1b[c"));
    model.feed(&again);
    assert_eq!(model.everything(), ["", "one", "", "live"]);
    model.feed(&painter.leave());
    assert_eq!(modes::left_set(&model.bytes), Vec::<String>::new());
}

#[test]
fn a_frame_on_its_way_while_the_window_shrinks_ends_at_its_resting_place() {
    let mut model = Model::new(Size { cols: 40, rows: 12 });
    let mut painter = Painter::new();
    let size = Size { cols: 40, rows: 12 };
    let history: Vec<Arc<Row>> = (0..5).map(|index| row(&format!("h{index}"))).collect();
    let live = |text: &str| vec![row("a"), row("b"), row("c"), row("d"), row("e"), row(text)];
    model.feed(&painter.encode(&inline(size, history, live("before"))));
    let small = Size { cols: 40, rows: 8 };
    model.resize(small);
    model.feed(&painter.encode(&inline(size, vec![], live("after"))));
    model.feed(&painter.encode(&inline(small, rows(&["h5"]), live("then"))));
    assert_eq!(model.everything(), ["", "h0", "h1", "h2", "h3", "h4", "h5", "a", "b", "c", "d", "e", "then"]);
}

/// One thing that happens between two frames.
#[derive(Clone, Debug)]
enum Step {
    Frame {
        history: usize,
        live: usize,
    },
    /// The terminal has the new size; the next frame is laid out for it.
    Resized {
        cols: u16,
        rows: u16,
    },
    /// The terminal has the new size, but a frame for the old one is still on its way.
    ResizedInFlight {
        cols: u16,
        rows: u16,
        history: usize,
        live: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let frame = (0_usize..6, 1_usize..9).prop_map(|(history, live)| Step::Frame { history, live });
    let size = || (60_u16..=120, 22_u16..=50);
    prop_oneof![
        6 => frame,
        1 => size().prop_map(|(cols, rows)| Step::Resized { cols, rows }),
        1 => (size(), 0_usize..6, 1_usize..9).prop_map(|((cols, rows), history, live)| Step::ResizedInFlight {
            cols, rows, history, live
        }),
    ]
}

/// The text of one entry, without blanks: every third is longer than the screen is wide.
fn entry_text(index: usize) -> String {
    format!("<{index:04}>some.words.of.a.reply{}", ".and.more".repeat(if index.is_multiple_of(3) { 30 } else { 1 }))
}

/// An entry as its rows, joined where it is longer than the screen.
fn entry(index: usize, size: Size) -> Vec<Arc<Row>> {
    let text = entry_text(index);
    let (mut rest, mut rows) = (text.as_str(), Vec::new());
    while rest.len() > usize::from(size.cols) {
        let (head, tail) = rest.split_at(usize::from(size.cols));
        rows.push(joined(head));
        rest = tail;
    }
    rows.push(row(rest));
    rows
}

/// Streams tagged history under a live area of changing height.
struct Stream {
    model: Model,
    painter: Painter,
    size: Size,
    history_count: usize,
    frame_count: usize,
}

impl Stream {
    fn paint(&mut self, size: Size, history: usize, live: usize) {
        let first = self.history_count;
        self.history_count += history;
        self.frame_count += 1;
        let history = (first..self.history_count).flat_map(|index| entry(index, size));
        let number = self.frame_count;
        // Within the budget of rows that a terminal may reflow: at most 30 columns, half of the least width.
        let live = (0..live).map(|index| row(&format!("~{index}.frame.{number}.{}", "~".repeat(index * 2))));
        let frame = inline(size, history.collect(), live.collect());
        let bytes = self.painter.encode(&frame);
        self.model.feed(&bytes);
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Frame { history, live } => self.paint(self.size, history, live),
            Step::Resized { cols, rows } => {
                self.size = Size { cols, rows };
                self.model.resize(self.size);
                self.paint(self.size, 0, 3);
            }
            Step::ResizedInFlight { cols, rows, history, live } => {
                let old = self.size;
                self.size = Size { cols, rows };
                self.model.resize(self.size);
                self.paint(old, history, live);
                self.paint(self.size, 0, 3);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn streamed_history_stands_in_the_scrollback_exactly_once(steps in prop::collection::vec(step(), 1..60)) {
        let size = Size { cols: 80, rows: 30 };
        let mut stream =
            Stream { model: Model::new(size), painter: Painter::new(), size, history_count: 0, frame_count: 0 };
        for step in &steps {
            stream.take(step);
        }
        let bytes = stream.painter.leave();
        stream.model.feed(&bytes);
        let found = stream.model.everything().concat();
        let expected: String = (0..stream.history_count).map(entry_text).collect();
        prop_assert_eq!(found, expected);
    }
}
