//! Tests of the composer: what is typed, pasted and edited, and the rows that show it.

use screen::Row;
use unicode_segmentation::UnicodeSegmentation;

use super::*;

mod properties;

const WIDTH_COLS: usize = 40;

/// Types a script: `«text»` is pasted, `<action>` is an edit, all else is typed.
fn written(script: &str) -> Composer {
    let mut composer = Composer::new();
    write(&mut composer, script);
    composer
}

fn write(composer: &mut Composer, script: &str) {
    let mut rest = script;
    while let Some(character) = rest.chars().next() {
        let closing = match character {
            '«' => '»',
            '<' => '>',
            _ => {
                composer.insert_typed(character).unwrap();
                rest = &rest[character.len_utf8()..];
                continue;
            }
        };
        let (inside, after) =
            rest[character.len_utf8()..].split_once(closing).expect("the script closes what it opens");
        rest = after;
        match character {
            '«' => composer.paste(inside).unwrap(),
            _ => composer.edit(action(inside), WIDTH_COLS).unwrap(),
        }
    }
}

fn action(name: &str) -> Edit {
    ALL.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no edit is named {name}")).1
}

const ALL: &[(&str, Edit)] = &[
    ("up", Edit::CursorUp),
    ("down", Edit::CursorDown),
    ("left", Edit::CursorLeft),
    ("right", Edit::CursorRight),
    ("word-left", Edit::CursorWordLeft),
    ("word-right", Edit::CursorWordRight),
    ("home", Edit::CursorLineStart),
    ("end", Edit::CursorLineEnd),
    ("paragraph-up", Edit::CursorParagraphUp),
    ("paragraph-down", Edit::CursorParagraphDown),
    ("start", Edit::CursorDocStart),
    ("doc-end", Edit::CursorDocEnd),
    ("page-up", Edit::PageUp),
    ("page-down", Edit::PageDown),
    ("jump", Edit::JumpForward),
    ("jump-back", Edit::JumpBackward),
    ("backspace", Edit::DeleteCharBackward),
    ("delete", Edit::DeleteCharForward),
    ("kill-word-left", Edit::DeleteWordBackward),
    ("kill-word-right", Edit::DeleteWordForward),
    ("kill-start", Edit::DeleteToLineStart),
    ("kill-end", Edit::DeleteToLineEnd),
    ("yank", Edit::Yank),
    ("yank-pop", Edit::YankPop),
    ("undo", Edit::Undo),
    ("redo", Edit::Redo),
    ("newline", Edit::NewLine),
    ("expand", Edit::ExpandPaste),
];

/// The text with `|` where the cursor is; markers by their labels.
fn shown(composer: &Composer) -> String {
    let mut text = composer.draft.shown(0..composer.draft.len());
    text.insert(composer.cursor, '|');
    text
}

fn check(script: &str, expected: &str) {
    assert_eq!(shown(&written(script)), expected, "{script}");
}

/// The rows as drawn, and the caret's row and column.
fn drawn(composer: &Composer, width_cols: usize, rows_max: usize) -> (Vec<String>, (usize, usize)) {
    let view = composer.view(width_cols, rows_max, "write a prompt");
    (view.rows.iter().map(Row::plain).collect(), (view.caret.row, view.caret.col))
}

fn check_drawn(script: &str, width_cols: usize, rows_max: usize, rows: &[&str], caret: (usize, usize)) {
    let expected = (rows.iter().map(|row| (*row).to_owned()).collect(), caret);
    assert_eq!(drawn(&written(script), width_cols, rows_max), expected, "{script}");
}

fn lines(count: usize) -> String {
    (1..=count).map(|number| format!("line {number}\n")).collect()
}

#[test]
fn typing_moving_and_deleting() {
    check("hello", "hello|");
    check("hello<left><left>X", "helXlo|".replace("lo|", "|lo").as_str());
    check("ab<newline>cd<left><left><left>", "ab|\ncd");
    check("ab<newline>cd<start><delete>", "|b\ncd");
    check("ab<newline><backspace>c", "abc|");
    check("<backspace><delete><left><right>", "|");
}

#[test]
fn words_are_unicode_words_and_the_parts_of_a_path() {
    check("one two_three, four<word-left><word-left>", "one |two_three, four");
    check("see src/my_file.rs<word-left>", "see src/my_file.|rs");
    check("see src/my_file.rs<word-left><word-left><word-left>", "see src/|my_file.rs");
    check("日本語<word-left>", "日本|語");
    check("can't stop<start><word-right>", "can't| stop");
    check("a<newline>b<word-left><word-left>", "a|\nb");
    check("one  two<kill-word-left>", "one  |");
}

#[test]
fn paragraphs_end_at_empty_lines() {
    check("a<newline>b<newline><newline><newline>c<paragraph-up>", "a\nb\n\n|\nc");
    check("a<newline>b<newline><newline><newline>c<paragraph-up><paragraph-up>", "|a\nb\n\n\nc");
    check("a<newline><newline>b<start><paragraph-down>", "a\n|\nb");
    check("a<newline><newline>b<start><paragraph-down><paragraph-down>", "a\n\nb|");
}

#[test]
fn kills_join_and_are_yanked_and_popped() {
    check("one two three<kill-word-left><kill-word-left><yank>", "one two three|");
    check("one two<home><kill-word-right><kill-word-right><yank>", "one two|");
    check("one<kill-start>two<kill-start><yank>", "two|");
    check("one<kill-start>two<kill-start><yank><yank-pop>", "one|");
    check("one<kill-start>two<kill-start><yank><yank-pop><yank-pop>", "two|");
    check("one<kill-start><yank>x<yank-pop>", "onex|");
    check("ab<newline>cd<home><kill-start>", "ab|cd");
    check("ab<newline>cd<start><end><kill-end>", "ab|cd");
}

#[test]
fn undo_takes_back_words_and_whole_pastes() {
    check("one two<undo>", "one |");
    check("one two<undo><undo>", "|");
    check("one two<undo><redo>", "one two|");
    check("one«, two, three»<undo>", "one|");
    check("one two<kill-start><undo>", "one two|");
    check("one<backspace><backspace><undo>", "one|");
    check("one<undo>x<redo>", "x|");
    check("one <newline>two<undo>", "one \n|");
}

#[test]
fn backspace_deletes_by_script() {
    let cases = [
        ("👨\u{200d}👩\u{200d}👧", ""),
        ("🇩🇪", ""),
        ("1\u{fe0f}\u{20e3}", ""),
        ("❤\u{fe0f}", ""),
        ("e\u{301}", ""),
        ("и\u{306}", ""),
        ("한", ""),
        ("\u{1112}\u{1161}\u{11ab}", "\u{1112}\u{1161}"),
        ("ที่", "ที"),
        ("ทำ", "ท"),
        ("กำ", "ก"),
        ("कि", "क"),
        ("שׁ", "ש"),
        ("بّ", "ب"),
        ("ب\u{200d}", "ب"),
        ("ក្ក", "ក្"),
    ];
    for (typed, left) in cases {
        check(&format!("x{typed}<backspace>"), &format!("x{left}|"));
        check(&format!("x{typed}<left><delete>"), "x|");
    }
}

#[test]
fn an_emoji_that_comes_character_by_character_stays_one_sign() {
    check("👨\u{200d}👩\u{200d}👧<left>", "|👨\u{200d}👩\u{200d}👧");
    check("❤\u{fe0f}", "❤\u{fe0f}|");
    check("a\u{200d}\u{202e}b\u{7}", "ab|");
}

#[test]
fn home_and_end_go_to_the_row_first_and_then_to_the_line() {
    let long = "aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii";
    check(&format!("{long}<home>"), "aaaa bbbb cccc dddd eeee ffff gggg |hhhh iiii");
    check(&format!("{long}<home><home>"), &format!("|{long}"));
    check(&format!("{long}<home><home><end>"), "aaaa bbbb cccc dddd eeee ffff gggg| hhhh iiii");
    check(&format!("{long}<home><home><end><end>"), &format!("{long}|"));
}

#[test]
fn up_and_down_keep_the_column_they_aim_at() {
    check("long line<newline>ab<newline>another<up>", "long line\nab|\nanother");
    check("long line<newline>ab<newline>another<up><up>", "long li|ne\nab\nanother");
    check("long line<newline>ab<newline>another<up><up><down><down>", "long line\nab\nanother|");
    check("abc<newline>日本<up><left><down>", "abc\n日|本");
    check("one<left><up>", "|one");
    check("one<start><down>", "one|");
}

#[test]
fn a_jump_waits_for_its_target_and_any_other_key_ends_it() {
    check("find the x here<start><jump>x", "find the |x here");
    check("a.b.c<jump-back>.", "a.b|.c");
    check("abc<start><jump>z", "|abc");
    check("abc<start><jump><right>b", "ab|bc");
    let mut composer = written("abc<start><jump>");
    composer.end_run();
    write(&mut composer, "c");
    assert_eq!(shown(&composer), "c|abc");
}

#[test]
fn an_empty_composer_shows_what_enter_does() {
    check_drawn("", 40, 10, &["> write a prompt"], (0, 2));
    check_drawn("", 8, 10, &["> write "], (0, 2));
    check_drawn("", 4, 10, &["writ"], (0, 0));
}

#[test]
fn rows_wrap_at_words_and_blanks_hang() {
    check_drawn("one two three", 11, 10, &["> one two ", "  three"], (1, 7));
    check_drawn("one two    x", 11, 10, &["> one two ", "  x"], (1, 3));
    check_drawn("one two    ", 11, 10, &["> one two "], (0, 10));
    check_drawn("abcdefghij", 10, 10, &["> abcdefg", "  hij"], (1, 5));
    check_drawn("日本語です", 10, 10, &["> 日本語", "  です"], (1, 6));
    check_drawn("a<newline>«\tb»", 10, 10, &["> a", "     b"], (1, 6));
}

#[test]
fn more_rows_than_have_room_scroll_around_the_cursor_with_marks() {
    let five = "1<newline>2<newline>3<newline>4<newline>5";
    check_drawn(five, 10, 3, &["^ 3", "  4", "  5"], (2, 3));
    check_drawn(&format!("{five}<start>"), 10, 3, &["> 1", "  2", "v 3"], (0, 2));
    check_drawn(&format!("{five}<up><up>"), 10, 3, &["^ 2", "  3", "v 4"], (1, 3));
    check_drawn(&format!("{five}<up><up>"), 10, 1, &["^v3"], (0, 3));
    check_drawn(&format!("{five}<start>"), 10, 1, &[">v1"], (0, 2));
}

#[test]
fn a_very_long_line_is_walked_over_stretch_by_stretch() {
    let mut composer = Composer::new();
    let text = "word 日本語 👨\u{200d}👩\u{200d}👧 ".repeat(1_000);
    composer.put_back(&text);
    let mut rows = 1;
    while composer.move_row(Way::Backward, composer.aim_col, 60) {
        rows += 1;
        let (_, (row, col)) = drawn(&composer, 60, 10);
        assert!(row < 10 && col < 60 && composer.draft.is_boundary(composer.cursor));
    }
    let mut rows_down = 1;
    while composer.move_row(Way::Forward, composer.aim_col, 60) {
        rows_down += 1;
    }
    assert_eq!(rows, rows_down);
    assert!(rows > text.graphemes(true).count() / 60, "{rows}");
    composer.edit(Edit::CursorLineStart, 60).unwrap();
    composer.edit(Edit::CursorLineStart, 60).unwrap();
    assert_eq!(composer.cursor, 0);
}

#[test]
fn a_line_as_long_as_a_stretch_has_no_empty_row_behind_it() {
    for length in [8_191, 8_192, 8_193, 16_384] {
        let mut composer = Composer::new();
        composer.put_back(&"x".repeat(length));
        let (rows, caret) = drawn(&composer, 60, 10);
        assert_eq!((caret.0, caret.1), (9, rows[9].len()), "{length}");
        assert!(rows[9].len() > 2, "{length}: {rows:?}");
    }
}

#[test]
fn right_to_left_text_keeps_its_logical_order() {
    check("שלום README.md 42 עולם<left><left>", "שלום README.md 42 עו|לם");
    check_drawn("שלום 42", 20, 10, &["> שלום 42"], (0, 9));
}

#[test]
fn case_40_the_caret_stands_where_the_terminal_draws_it() {
    for text in ["ฉันต้องการให้มันไม่บัคแบบนี้", "ทำงาน"]
    {
        let mut composer = written(text);
        for _ in text.graphemes(true) {
            let before = &text[..composer.cursor];
            let (_, (row, col)) = drawn(&composer, 60, 10);
            assert_eq!((row, col), (0, 2 + screen::text::width_cols(before)), "{before}");
            composer.edit(Edit::CursorLeft, 60).unwrap();
        }
        assert_eq!(composer.cursor, 0);
        let rows = drawn(&written(text), 10, 10).0;
        let joined: String = rows.iter().map(|row| &row[2..]).collect();
        assert_eq!(joined, text);
        assert!(rows.iter().all(|row| text.graphemes(true).any(|cluster| row[2..].starts_with(cluster))));
    }
}

#[test]
fn case_49_a_long_paste_is_sent_byte_for_byte_after_mapping_newlines() {
    let text = lines(60);
    let mut composer = written("before ");
    composer.paste(&text.replace('\n', "\r\n")).unwrap();
    assert_eq!(shown(&composer), "before [paste #1 +60 lines]|");
    assert_eq!(composer.take(), Some(format!("before {text}")));
}

#[test]
fn case_50_newlines_inside_a_paste_are_never_a_submit() {
    let mut composer = Composer::new();
    for number in 1..=40 {
        composer.paste(&format!("line {number}\r")).unwrap();
    }
    assert_eq!(composer.take(), Some(lines(40)));
}

#[test]
fn case_52_both_paragraphs_of_a_paste_stay_in_the_draft() {
    check("«First.\r\n\r\nSecond.»", "First.\n\nSecond.|");
}

#[test]
fn case_54_a_folded_paste_is_opened_in_place() {
    let mut composer = Composer::new();
    write(&mut composer, "see ");
    composer.paste(&lines(80)).unwrap();
    write(&mut composer, " please<left><left><left><left><left><left><left><expand>");
    assert_eq!(shown(&composer), format!("see {}| please", lines(80)));
    write(&mut composer, "<undo>");
    assert_eq!(shown(&composer), "see [paste #1 +80 lines]| please");
}

#[test]
fn case_55_pastes_and_drafts_survive_the_history() {
    let mut composer = Composer::new();
    composer.paste(&lines(20)).unwrap();
    let sent = composer.take();
    assert_eq!(sent, Some(lines(20)));
    write(&mut composer, "a draft<up>");
    assert_eq!(shown(&composer), "[paste #1 +20 lines]|");
    write(&mut composer, "<down>");
    assert_eq!(shown(&composer), "a draft|");
    write(&mut composer, "<up>");
    assert_eq!(composer.take(), sent);
    write(&mut composer, "<up><up>");
    assert_eq!(shown(&composer), "a draft|");
}

#[test]
fn case_56_a_backslash_and_enter_make_a_newline() {
    let mut composer = written("one\\");
    assert!(composer.newline_for_backslash());
    assert_eq!(shown(&composer), "one\n|");
    assert!(!composer.newline_for_backslash());
    write(&mut composer, "<undo>");
    assert_eq!(shown(&composer), "one\\|");
    write(&mut composer, "x");
    assert!(!composer.newline_for_backslash());
}

#[test]
fn case_57_a_second_clear_of_nothing_keeps_what_the_first_put_away() {
    let mut composer = written("precious");
    composer.clear_into_history();
    composer.clear_into_history();
    assert!(composer.is_empty());
    write(&mut composer, "<up>");
    assert_eq!(shown(&composer), "precious|");
}

#[test]
fn case_58_a_cleared_draft_is_back_with_up_and_with_undo() {
    let mut composer = written("unsent");
    composer.paste(&lines(30)).unwrap();
    composer.clear_into_history();
    assert_eq!(shown(&composer), "|");
    write(&mut composer, "<up>");
    assert_eq!(composer.text(), format!("unsent{}", lines(30)));
    composer.clear_into_history();
    write(&mut composer, "<undo>");
    assert_eq!(shown(&composer), "unsent[paste #1 +30 lines]|");
}

#[test]
fn a_marker_moves_and_goes_as_one_sign() {
    let mut composer = written("a");
    composer.paste(&"x".repeat(1_001)).unwrap();
    write(&mut composer, "b");
    assert_eq!(shown(&composer), "a[paste #1 1001 characters]b|");
    write(&mut composer, "<left><left>");
    assert_eq!(shown(&composer), "a|[paste #1 1001 characters]b");
    write(&mut composer, "<right><backspace>");
    assert_eq!(shown(&composer), "a|b");
    write(&mut composer, "<undo><kill-word-left><doc-end><yank>");
    assert_eq!(composer.take(), Some(format!("ab{}", "x".repeat(1_001))));
}

#[test]
fn a_marker_typed_by_hand_is_plain_text() {
    let mut composer = Composer::new();
    composer.paste(&lines(11)).unwrap();
    write(&mut composer, " [paste #1 +11 lines]");
    assert_eq!(composer.take(), Some(format!("{} [paste #1 +11 lines]", lines(11))));
}

#[test]
fn a_paste_of_ten_lines_is_shown_as_it_is() {
    check(&format!("«{}»", lines(10)), &format!("{}|", lines(10)));
    check("«a\x1b[31mb\x1b]0;never closed\tc»", "a[31mb]0;never closed\tc|");
    check("«»", "|");
}

#[test]
fn history_walks_only_from_the_edges_and_keeps_what_was_changed() {
    let mut composer = Composer::new();
    composer.set_history(vec!["first".to_owned(), "second".to_owned(), "second".to_owned()]);
    write(&mut composer, "draft<left><up>");
    assert_eq!(shown(&composer), "|draft");
    write(&mut composer, "<up>");
    assert_eq!(shown(&composer), "second|");
    write(&mut composer, "<left><up>");
    assert_eq!(shown(&composer), "first|");
    write(&mut composer, " changed<up>");
    assert_eq!(shown(&composer), "draft|");
    write(&mut composer, "<down>");
    assert_eq!(shown(&composer), "first changed|");
}

#[test]
fn prompts_that_are_loaded_later_lie_before_those_of_this_window() {
    let mut composer = written("sent early");
    composer.take();
    write(&mut composer, "cleared");
    composer.clear_into_history();
    composer.set_history(vec!["stored".to_owned(), "sent early".to_owned()]);
    write(&mut composer, "<up>");
    assert_eq!(shown(&composer), "cleared|");
    write(&mut composer, "<up>");
    assert_eq!(shown(&composer), "sent early|");
    write(&mut composer, "<up>");
    assert_eq!(shown(&composer), "stored|");
    write(&mut composer, "<up>");
    assert_eq!(shown(&composer), "|stored");
}

#[test]
fn what_comes_back_stands_before_the_draft_with_its_markers() {
    let mut composer = Composer::new();
    composer.paste(&lines(12)).unwrap();
    let text = composer.take().unwrap();
    write(&mut composer, "new<left>");
    composer.put_back(&text);
    assert_eq!(shown(&composer), "[paste #1 +12 lines]\n\nne|w");
    let mut composer = written("  ");
    composer.put_back("back");
    assert_eq!(shown(&composer), "back|");
}

#[test]
fn a_blank_draft_is_not_sent_and_stays() {
    let mut composer = written("  <newline>");
    assert_eq!(composer.take(), None);
    assert_eq!(shown(&composer), "  \n|");
}

#[test]
fn an_edit_over_the_limit_is_refused_and_changes_nothing() {
    let mut composer = written("kept");
    assert_eq!(composer.paste(&"x".repeat(DRAFT_BYTES_MAX)), Err(DraftFull));
    assert_eq!(shown(&composer), "kept|");
    composer.paste(&"x".repeat(DRAFT_BYTES_MAX - 4)).unwrap();
    let full = shown(&composer);
    assert_eq!(composer.insert_typed('y'), Err(DraftFull));
    assert_eq!(composer.edit(Edit::NewLine, WIDTH_COLS), Err(DraftFull));
    assert_eq!(shown(&composer), full);
    assert_eq!(composer.text().len(), DRAFT_BYTES_MAX);
}

#[test]
fn a_command_line_is_the_whole_draft_with_the_cursor_behind_it() {
    assert_eq!(written("/ne").command_line(), Some("/ne".to_owned()));
    assert_eq!(written("/ne<left>").command_line(), None);
    assert_eq!(written("ne").command_line(), None);
    let mut composer = written("/ne");
    composer.complete("/new ");
    assert_eq!(shown(&composer), "/new |");
    write(&mut composer, "<undo>");
    assert_eq!(shown(&composer), "/ne|");
}
