//! What holds for any edits of any text.

use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::super::line::WrappedLine;
use super::*;

/// Where a cursor may stand, found without the draft's own way of looking.
fn boundaries(draft: &Draft) -> Vec<usize> {
    let mut places = Vec::new();
    let mut next = Some(draft.stretch_at(0));
    while let Some(line) = next {
        next = draft.stretch_after(&line);
        let mut end = 0;
        let end_of_line = line.text.len()..line.text.len();
        for marker in line.markers.iter().cloned().chain(std::iter::once(end_of_line)) {
            places.extend(line.text[end..marker.start].grapheme_indices(true).map(|(at, _)| line.start + end + at));
            places.push(line.start + marker.start);
            end = marker.end;
        }
    }
    places.sort_unstable();
    places.dedup();
    places
}

#[derive(Clone, Debug)]
enum Step {
    Type(char),
    Paste(String),
    Edit(Edit),
    Newline,
    Take,
    Clear,
    PutBack(String),
}

fn step() -> impl Strategy<Value = Step> {
    let sign = prop::sample::select(
        "ab /._-\\日語ทำก\u{e34}\u{e48}e\u{301}\u{200d}\u{fe0f}👨👩🇩🇪❤한\u{1161}कि\u{94d}שׁ\u{5c1}\u{600}\u{3000}"
            .chars()
            .collect::<Vec<_>>(),
    );
    let text = prop::collection::vec(
        prop::sample::select(vec![
            "word ",
            "日本",
            "👨\u{200d}👩",
            "\n",
            "\t",
            "\u{301}",
            "🇩",
            "ที่",
            "x",
            "\r\n",
            "\n\n\n\n\n\n\n\n\n\n\n",
        ]),
        0..6,
    )
    .prop_map(|parts| parts.concat());
    prop_oneof![
        8 => sign.prop_map(Step::Type),
        3 => text.clone().prop_map(Step::Paste),
        16 => prop::sample::select(ALL.iter().map(|(_, edit)| Step::Edit(*edit)).collect::<Vec<_>>()),
        1 => Just(Step::Newline),
        1 => Just(Step::Take),
        1 => Just(Step::Clear),
        1 => text.prop_map(Step::PutBack),
    ]
}

fn carry_out(composer: &mut Composer, step: Step, width_cols: usize) {
    match step {
        Step::Type(character) => composer.insert_typed(character).unwrap(),
        Step::Paste(text) => composer.paste(&text).unwrap(),
        Step::Edit(edit) => composer.edit(edit, width_cols).unwrap(),
        Step::Newline => drop(composer.newline_for_backslash()),
        Step::Take => drop(composer.take()),
        Step::Clear => composer.clear_into_history(),
        Step::PutBack(text) => composer.put_back(&text),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_edits_leave_the_cursor_on_a_boundary_and_the_view_inside(
        steps in prop::collection::vec(step(), 1..40),
        width_cols in 0usize..30,
        rows_max in 0usize..12,
    ) {
        let mut composer = Composer::new();
        for step in steps {
            carry_out(&mut composer, step.clone(), width_cols);
            let places = boundaries(&composer.draft);
            prop_assert!(places.contains(&composer.cursor), "{step:?} left {:?}", shown(&composer));
            let view = composer.view(width_cols, rows_max, "placeholder");
            prop_assert!((1..=rows_max.clamp(1, view::ROWS_MAX)).contains(&view.rows.len()));
            prop_assert!(view.rows.iter().all(|row| row.width_cols() <= width_cols), "{:?}", view.rows);
            prop_assert!(view.caret.row < view.rows.len() && view.caret.col < width_cols.max(1));
        }
    }

    #[test]
    fn undo_and_redo_come_back_to_the_same_draft(steps in prop::collection::vec(step(), 1..30), depth in 1usize..8) {
        let mut composer = Composer::new();
        for step in steps {
            carry_out(&mut composer, step, WIDTH_COLS);
        }
        let mut states = Vec::new();
        while states.len() < depth && composer.undo.clone().undo(composer.snapshot()).is_some() {
            states.push(composer.snapshot());
            composer.edit(Edit::Undo, WIDTH_COLS).unwrap();
        }
        while let Some(state) = states.pop() {
            composer.edit(Edit::Redo, WIDTH_COLS).unwrap();
            prop_assert_eq!(composer.snapshot(), state);
        }
    }

    #[test]
    fn moving_left_visits_every_boundary(text in "(\\PC|\n|👨\u{200d}👩|🇩🇪|e\u{301}|ทำ){0,30}") {
        let mut composer = Composer::new();
        composer.put_back(&text);
        let mut visited = vec![composer.cursor];
        while composer.cursor > 0 {
            composer.edit(Edit::CursorLeft, WIDTH_COLS).unwrap();
            visited.push(composer.cursor);
        }
        visited.reverse();
        prop_assert_eq!(visited, boundaries(&composer.draft));
    }

    #[test]
    fn rows_hold_the_whole_line_in_order(text in "(\\PC| |👨\u{200d}👩|日|-){0,60}", width_cols in 1usize..20) {
        let draft = Draft::plain(&paste::kept(&text, None));
        let wrapped = WrappedLine::new(draft.stretch_at(0), width_cols);
        let ends: Vec<usize> = wrapped.rows.iter().map(|row| row.end).collect();
        let starts: Vec<usize> = wrapped.rows.iter().map(|row| row.start).collect();
        prop_assert_eq!(&starts[1..], &ends[..ends.len() - 1]);
        prop_assert_eq!((starts[0], ends[ends.len() - 1]), (0, wrapped.clusters.len()));
        for row in 0..wrapped.rows.len() {
            let start = wrapped.row_start(row);
            prop_assert_eq!((wrapped.row_at(start), wrapped.col_at(start)), (row, 0));
            prop_assert_eq!(wrapped.row_at(wrapped.row_end(row)), row);
        }
    }
}
