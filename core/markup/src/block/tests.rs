//! Tests of blocks: each Markdown element as rows.
use proptest::prelude::*;

use super::*;

const OPTIONS: Options = Options { width_cols: 40, base: Role::MdBody, code_indent_cols: 2 };

fn plain(rows: &[Row]) -> Vec<String> {
    rows.iter().map(Row::plain).collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let rows = plain(&markdown(text, &OPTIONS));
    assert_eq!(rows.join("\n"), expected.trim_matches('\n'), "\n{}", rows.join("\n"));
}

#[test]
fn soft_breaks_join_and_hard_breaks_stay() {
    check("one\ntwo  \nthree\\\nfour<br>five", "one two\nthree\nfour\nfive");
}

#[test]
fn a_paragraph_wraps_at_words() {
    check(
        "The quick brown fox jumps over the lazy dog and runs.\n\nNext.",
        "
The quick brown fox jumps over the lazy
dog and runs.

Next.",
    );
}

#[test]
fn signs_of_deep_headings_are_kept() {
    check("# One\n## Two\n### Three\ntext", "One\n\nTwo\n\n### Three\n\ntext");
}

#[test]
fn tight_lists_stay_tight_and_text_hangs_under_text() {
    check(
        "- one that is long enough to wrap at this width\n- two\n  - deep\n    1. deeper\n- [ ] task",
        "
• one that is long enough to wrap at
  this width
• two
  • deep
    1. deeper
• [ ] task",
    );
}

#[test]
fn loose_lists_keep_their_blank_rows_also_after_code() {
    check(
        "1. First:\n\n   ```sh\n   ls\n   ```\n\n2. Second:",
        "
1. First:

   ─── sh
     ls

2. Second:",
    );
    check("1. First:\n   ```\n   ls\n   ```\n2. Second:", "1. First:\n     ls\n2. Second:");
}

#[test]
fn a_fence_stands_at_the_text_of_its_item() {
    check(
        "1. Ordered\n   - bullet\n     ```\n     code\n     ```",
        "
1. Ordered
   • bullet
       code",
    );
}

#[test]
fn numbers_are_aligned_to_the_right() {
    check("9. nine\n10. ten\n11. eleven", " 9. nine\n10. ten\n11. eleven");
    check("1.\n2. two", "1.\n2. two");
}

#[test]
fn quotes_repeat_their_bar() {
    check(
        "> one\n>\n> > two\n> - three\n\nafter",
        "
│ one
│
│ │ two
│
│ • three

after",
    );
}

#[test]
fn code_is_kept_line_by_line() {
    check(
        "```rust\nfn main() {\n\n    println!(\"a long line that has to wrap\");\n}\n```",
        "
─── rust
  fn main() {

      println!(\"a long line that has to 
↪ wrap\");
  }",
    );
    check("    indented\n\n    code", "  indented\n\n  code");
}

#[test]
fn code_without_an_indent_may_be_joined_by_the_terminal() {
    let options = Options { width_cols: 5, code_indent_cols: 0, ..OPTIONS };
    let ends = |text: &str| -> Vec<RowEnd> { markdown(text, &options).iter().map(|row| row.end).collect() };
    assert_eq!(ends("```\nabcdefgh\n```"), [RowEnd::Joined, RowEnd::Hard]);
    assert_eq!(ends("> ```\n> abcdefgh\n> ```"), [RowEnd::Hard, RowEnd::Hard, RowEnd::Hard]);
}

#[test]
fn emphasis_code_and_links_have_their_styles() {
    let rows = markdown("a **b** *c* ~~d~~ `e` [f](https://x.example)", &OPTIONS);
    let body = Style::new(Role::MdBody);
    let link = Style::new(Role::MdLink).underline().link("https://x.example");
    let spans: Vec<Span> = rows[0].spans.iter().filter(|span| span.text != " ").cloned().collect();
    assert_eq!(
        spans,
        [
            Span::new(body.clone(), "a "),
            Span::new(body.clone().bold(), "b"),
            Span::new(body.clone().italic(), "c"),
            Span::new(body.strike(), "d"),
            Span::new(Role::MdCode, "e"),
            Span::new(link, "f"),
        ]
    );
}

#[test]
fn links_never_hide_where_they_lead() {
    check("[bank.example](https://evil.example)", "bank.example (https://evil.example)");
    check("[main](src/main.rs) <https://x.example>", "main (src/main.rs) https://x.example");
    check("![a cat](cat.png) [](https://x.example)", "[image: a cat] (cat.png)\nhttps://x.example");
    let rows = markdown("[x](javascript:alert)", &OPTIONS);
    assert!(rows[0].spans.iter().all(|span| span.style.link.is_none()));
}

#[test]
fn references_and_their_definitions_are_shown_as_written() {
    check(
        "See [the **docs**][1] and ![pic][2].\n\n[1]: https://x.example \"title\"\n",
        "See [the docs][1] and ![pic][2].\n\n[1]: https://x.example \"title\"",
    );
    check("[a]: x\n[a] text", "[a]: x\n\n[a] text");
}

#[test]
fn html_is_its_text_and_comments_are_dropped() {
    check("Use Vec<String> here.\n\n<div>\n<b>x</b>\n</div>", "Use Vec<String> here.\n\n<div>\n<b>x</b>\n</div>");
    check("a <!-- hidden --> b\n\n<!-- gone -->\n\nc", "a  b\n\nc");
}

#[test]
fn a_table_is_a_grid_of_the_drawn_width() {
    check(
        "| Name | `n` |\n|---|--:|\n| **日本** | 1 |\n| e\u{301} [l](https://x.example) | 200 |",
        "
Name │   n
─────┼────
日本 │   1
e\u{301} l  │ 200",
    );
}

#[test]
fn a_table_that_does_not_fit_becomes_labeled_lines() {
    check(
        "| Name | What it does |\n|---|---|\n| one | a text that is much too wide for it |\n| two | short |",
        "
Name: one
What it does: a text that is much too
  wide for it
────────────────────
Name: two
What it does: short",
    );
}

#[test]
fn a_rule_has_the_width_of_the_row() {
    check("a\n\n---\n\nb", &format!("a\n\n{}\n\nb", "─".repeat(40)));
}

#[test]
fn model_text_cannot_forge_rows() {
    check("ok \x1b[1A\x1b[K Approved by user\x1b]0;x", "ok  Approved by user");
    check("`a\u{202e}b` &#27;[31m \u{9b}1A", "ab [31m");
}

#[test]
fn right_to_left_text_stays_in_order() {
    check("שלום עולם README.md 42", "שלום עולם README.md 42");
}

proptest! {
    #[test]
    fn no_word_is_lost_and_no_row_is_too_wide(
        blocks in prop::collection::vec(0usize..12, 1..8),
        width_cols in 1usize..50,
        code_indent_cols in 0usize..6,
    ) {
        let mut words = Vec::new();
        let text: String = blocks.iter().map(|kind| block(*kind, &mut words)).collect();
        let rows = markdown(&text, &Options { width_cols, code_indent_cols, ..OPTIONS });
        for row in &rows {
            prop_assert!(row.width_cols() <= width_cols, "{:?} in {width_cols}", row.plain());
        }
        let shown: String = plain(&rows).concat().chars().filter(|c| c.is_ascii_alphanumeric()).collect();
        for word in words {
            prop_assert!(shown.contains(&word), "{word} of {text:?} in {shown:?}");
        }
    }
}

/// A block of new words.
fn block(kind: usize, words: &mut Vec<String>) -> String {
    let mut word = || {
        words.push(format!("w{}w", words.len()));
        words[words.len() - 1].clone()
    };
    let (a, b, c) = (word(), word(), word());
    match kind {
        0 => format!("{a} **{b}** _{c}_\n\n"),
        1 => format!("## {a} `{b}` {c}\n"),
        2 => format!("- {a}\n- {b}\n  - {c}\n\n"),
        3 => format!("7. {a}\n\n   {b}\n8. {c}\n\n"),
        4 => format!("> {a}\n> > {b}\n\n{c}\n\n"),
        5 => format!("```{a}\n{b}\n\n{c}\n```\n"),
        6 => format!("| {a} | {b} |\n|---|---|\n| {c} | x |\n\n"),
        7 => format!("<p>{a}</p>\n<i>{b}</i>\n{c}\n\n"),
        8 => format!("[{a}][{b}]\n\n[{b}]: https://x.example/{c}\n\n"),
        9 => format!("[{a}]({b}) ![{c}](x)\n\n"),
        10 => format!("{a}\n---\n{b}<br>{c} <x>\n\n"),
        _ => format!("    {a}\n\n- > {b}\n\n  ~~~\n  {c}\n"),
    }
}
