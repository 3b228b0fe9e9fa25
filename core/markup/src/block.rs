//! Markdown to rows: paragraphs, headings, lists, quotes, fences, tables.
//! The inside of a paragraph is `inline`'s; what a text still lacks while it streams is `unfinished`'s.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};
use screen::{Role, Row, RowEnd, Span, Style, WrapOptions, fit_indent, wrap};

use crate::code;
use crate::inline::{Inline, is_comment};
use crate::source::{inert, parser, parts};
use crate::table::Table;

/// How markdown is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub width_cols: usize,
    /// The role of plain text.
    pub base: Role,
    pub code_indent_cols: usize,
}

const BULLET: &str = "• ";
const QUOTE_BAR: &str = "│ ";
const FENCE_BORDER: &str = "───";

/// Renders a whole text. Every word of it is in the rows; no row is wider than asked.
pub fn markdown(text: &str, options: &Options) -> Vec<Row> {
    let text = inert(text);
    let mut rows = Vec::new();
    for part in parts(&text) {
        append_part(&mut rows, rows_of(part, options));
    }
    rows
}

/// Appends the rows of a part, a blank row before them.
pub(crate) fn append_part<R: From<Row>>(rows: &mut Vec<R>, part: Vec<Row>) {
    if !rows.is_empty() && !part.is_empty() {
        rows.push(Row::blank().into());
    }
    rows.extend(part.into_iter().map(R::from));
}

/// Renders one part by itself.
pub(crate) fn rows_of(text: &str, options: &Options) -> Vec<Row> {
    let events = parser(text);
    let mut definitions: Vec<Range<usize>> =
        events.reference_definitions().iter().map(|(_, definition)| definition.span.clone()).collect();
    definitions.sort_by_key(|span| std::cmp::Reverse(span.start));
    let events: Vec<(Event, Range<usize>)> = events.collect();
    let mut page = Page {
        text,
        options,
        definitions,
        containers: Vec::new(),
        rows: Vec::new(),
        needs_gap: false,
        leaf: Leaf::Text,
        inline: Inline::new(options.base),
        read_to: 0,
    };
    for (index, (event, range)) in events.iter().enumerate() {
        page.event(event, range, &events[index + 1..]);
    }
    page.flush_text();
    page.show_definitions(text.len());
    page.rows
}

struct Page<'text> {
    text: &'text str,
    options: &'text Options,
    /// Link definitions not yet shown, the next one last.
    definitions: Vec<Range<usize>>,
    containers: Vec<Container>,
    rows: Vec<Row>,
    /// A blank row is due before the next block.
    needs_gap: bool,
    leaf: Leaf,
    inline: Inline,
    /// Where the source of the last inline text ends.
    read_to: usize,
}

/// What encloses a block and stands left of it.
enum Container {
    Quote,
    List(List),
    Item { marker: Option<Span>, cols: usize },
}

struct List {
    /// None for bullets.
    next_number: Option<u64>,
    /// Columns of the widest number.
    number_cols: usize,
    /// No blank rows between its items.
    is_tight: bool,
}

/// The block whose text is being read, where it is no paragraph.
enum Leaf {
    Text,
    Code { info: String, text: String },
    Html(String),
    Table(Table),
}

impl Page<'_> {
    fn event(&mut self, event: &Event, range: &Range<usize>, after: &[(Event, Range<usize>)]) {
        match event {
            Event::Start(tag) => self.start(tag, range, after),
            Event::End(tag) => self.end(*tag, range),
            Event::Text(text) => self.push_text(text, range),
            Event::Html(html) => self.push_text(html, range),
            Event::Code(code) => self.read(range).code(code),
            Event::InlineHtml(html) => self.read(range).html(html),
            Event::SoftBreak => self.read(range).text(" "),
            Event::HardBreak => self.read(range).break_line(),
            Event::Rule => self.rule(range),
            // Of extensions that are off.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.read(range).text(text);
            }
            Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag, range: &Range<usize>, after: &[(Event, Range<usize>)]) {
        match tag {
            Tag::Paragraph => self.start_text(range, self.base_role()),
            Tag::Heading { level, .. } => self.start_heading(*level, range),
            Tag::BlockQuote(_) => {
                self.start_block(range);
                self.close_gap();
                self.containers.push(Container::Quote);
            }
            Tag::List(first) => self.start_list(*first, range, after),
            Tag::Item => self.start_item(range),
            Tag::CodeBlock(kind) => {
                self.start_block(range);
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.leaf = Leaf::Code { info, text: String::new() };
            }
            Tag::HtmlBlock => {
                self.start_block(range);
                self.leaf = Leaf::Html(String::new());
            }
            Tag::Table(alignments) => {
                self.start_block(range);
                self.leaf = Leaf::Table(Table::new(alignments.clone()));
            }
            Tag::TableHead => self.start_table_row(Style::new(Role::MdHeading).bold()),
            Tag::TableRow => self.start_table_row(self.base_role().into()),
            _ => {
                self.read(&(range.start..range.start)).start(tag);
            }
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => self.flush_text(),
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => self.end_container(range),
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Table => self.end_leaf(),
            TagEnd::TableCell => {
                let cell = self.inline.take().join(&Span::new(self.options.base, " "));
                if let Leaf::Table(table) = &mut self.leaf {
                    table.push_cell(cell);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {}
            _ => {
                let rest = self.text.get(self.read_to.max(range.start + 1)..range.end).unwrap_or_default();
                self.inline.end(tag, rest);
                self.read_to = range.end;
            }
        }
    }

    fn push_text(&mut self, text: &str, range: &Range<usize>) {
        match &mut self.leaf {
            Leaf::Code { text: code, .. } => code.push_str(text),
            Leaf::Html(html) => html.push_str(text),
            Leaf::Text | Leaf::Table(_) => self.read(range).text(text),
        }
    }

    /// The paragraph, told how far the source has been read.
    fn read(&mut self, range: &Range<usize>) -> &mut Inline {
        self.read_to = range.end.max(self.read_to);
        &mut self.inline
    }

    /// Whatever begins a block ends the text of the tight item around it.
    fn start_block(&mut self, range: &Range<usize>) {
        self.flush_text();
        self.show_definitions(range.start);
    }

    fn start_text(&mut self, range: &Range<usize>, style: impl Into<Style>) {
        self.start_block(range);
        self.inline = Inline::new(style);
    }

    fn start_heading(&mut self, level: HeadingLevel, range: &Range<usize>) {
        self.start_text(range, Style::new(Role::MdHeading).bold());
        if level >= HeadingLevel::H3 {
            self.inline.text(&format!("{} ", "#".repeat(level as usize)));
        }
    }

    fn start_list(&mut self, first: Option<u64>, range: &Range<usize>, after: &[(Event, Range<usize>)]) {
        self.start_block(range);
        self.close_gap();
        let (item_count, is_tight) = items_of(after);
        let last = first.map(|first| first.saturating_add(item_count.saturating_sub(1)));
        let number_cols = last.map_or(0, |last| last.to_string().len());
        self.containers.push(Container::List(List { next_number: first, number_cols, is_tight }));
    }

    fn start_item(&mut self, range: &Range<usize>) {
        self.start_block(range);
        self.close_gap();
        let marker = match self.containers.last_mut() {
            Some(Container::List(list)) => list.marker(),
            _ => BULLET.to_owned(),
        };
        let marker = Span::new(Role::MdListBullet, marker);
        let cols = marker.width_cols();
        self.containers.push(Container::Item { marker: Some(marker), cols });
        self.inline = Inline::new(self.base_role());
    }

    fn start_table_row(&mut self, style: Style) {
        self.inline = Inline::new(style);
        if let Leaf::Table(table) = &mut self.leaf {
            table.start_row();
        }
    }

    fn end_container(&mut self, range: &Range<usize>) {
        self.flush_text();
        self.show_definitions(range.end);
        if matches!(self.containers.last(), Some(Container::Item { marker: Some(_), .. })) {
            self.push_rows(vec![Row::blank()]);
        }
        self.containers.pop();
        self.end_block();
    }

    fn end_leaf(&mut self) {
        match std::mem::replace(&mut self.leaf, Leaf::Text) {
            Leaf::Text => {}
            Leaf::Code { info, text } => self.push_code(&info, &text),
            Leaf::Html(html) => self.push_html(&html),
            Leaf::Table(table) => {
                let rows = table.rows(self.room_cols());
                self.push_rows(rows);
            }
        }
    }

    fn push_code(&mut self, info: &str, text: &str) {
        let mut rows = Vec::new();
        if !info.is_empty() {
            let border = Span::new(Role::MdCodeBlockBorder, format!("{FENCE_BORDER} {info}"));
            let width_cols = self.room_cols();
            rows = wrap(&[border], &WrapOptions { width_cols, first_indent: &[], next_indent: &[], unbroken: None });
        }
        rows.extend(code(text, self.room_cols(), self.options.code_indent_cols));
        self.push_rows(rows);
    }

    fn push_html(&mut self, html: &str) {
        if is_comment(html) {
            return;
        }
        self.inline = Inline::new(self.base_role());
        for (index, line) in html.trim_end().lines().enumerate() {
            if index > 0 {
                self.inline.break_line();
            }
            self.inline.text(line);
        }
        self.flush_text();
    }

    fn rule(&mut self, range: &Range<usize>) {
        self.start_block(range);
        let rule = Row::of(Role::MdHr, "─".repeat(self.room_cols()));
        self.push_rows(vec![rule]);
    }

    /// A definition is no text for a markdown reader, but it was written: it is shown where it stands.
    fn show_definitions(&mut self, before: usize) {
        while let Some(span) = self.definitions.pop_if(|span| span.start < before) {
            self.inline = Inline::new(self.base_role());
            self.inline.text(self.text.get(span).unwrap_or_default());
            self.flush_text();
        }
    }

    fn flush_text(&mut self) {
        if self.inline.is_empty() {
            return;
        }
        self.close_gap();
        let (mut first, next) = self.take_indents();
        for line in self.inline.take() {
            let options = WrapOptions {
                width_cols: self.options.width_cols,
                first_indent: &first,
                next_indent: &next,
                unbroken: Some(Role::MdCode),
            };
            self.rows.extend(wrap(&line, &options));
            first.clone_from(&next);
        }
        self.end_block();
    }

    /// Pushes rows that were laid out for [`Page::room_cols`].
    fn push_rows(&mut self, rows: Vec<Row>) {
        if rows.is_empty() {
            return;
        }
        self.close_gap();
        let (first, next) = self.take_indents();
        for (index, row) in rows.into_iter().enumerate() {
            let indent = fit_indent(if index == 0 { &first } else { &next }, self.options.width_cols);
            self.rows.push(indented(indent, row));
        }
        self.end_block();
    }

    fn close_gap(&mut self) {
        if std::mem::take(&mut self.needs_gap) {
            let indent = fit_indent(&self.indent(), self.options.width_cols);
            self.rows.push(indented(indent, Row::blank()));
        }
    }

    fn end_block(&mut self) {
        let innermost = self.containers.iter().rev().find_map(|container| match container {
            Container::Quote => Some(false),
            Container::List(list) => Some(list.is_tight),
            Container::Item { .. } => None,
        });
        self.needs_gap = !innermost.unwrap_or(false);
    }

    /// What stands before the next row, and before those after it; markers are used up.
    fn take_indents(&mut self) -> (Vec<Span>, Vec<Span>) {
        let next = self.indent();
        let mut first = next.clone();
        let pieces = self.containers.iter_mut().filter(|container| !matches!(container, Container::List(_)));
        for (span, container) in first.iter_mut().zip(pieces) {
            if let Container::Item { marker, .. } = container {
                *span = marker.take().unwrap_or_else(|| span.clone());
            }
        }
        (first, next)
    }

    fn indent(&self) -> Vec<Span> {
        let piece = |container: &Container| match container {
            Container::Quote => Some(Span::new(Role::MdQuoteBorder, QUOTE_BAR)),
            Container::List(_) => None,
            Container::Item { cols, .. } => Some(Span::new(self.options.base, " ".repeat(*cols))),
        };
        self.containers.iter().filter_map(piece).collect()
    }

    fn room_cols(&self) -> usize {
        let indent = fit_indent(&self.indent(), self.options.width_cols);
        self.options.width_cols.max(1) - indent.iter().map(Span::width_cols).sum::<usize>()
    }

    fn base_role(&self) -> Role {
        let is_quoted = self.containers.iter().any(|container| matches!(container, Container::Quote));
        if is_quoted { Role::MdQuote } else { self.options.base }
    }
}

impl List {
    fn marker(&mut self) -> String {
        let Some(number) = self.next_number else { return BULLET.to_owned() };
        self.next_number = Some(number.saturating_add(1));
        format!("{number:>cols$}. ", cols = self.number_cols)
    }
}

/// How many items the list has that starts before these events, and whether none of them holds a paragraph.
fn items_of(after: &[(Event, Range<usize>)]) -> (u64, bool) {
    let (mut depth, mut item_count, mut is_tight) = (0usize, 0, true);
    for (event, _) in after {
        match event {
            Event::Start(tag) => {
                depth += 1;
                item_count += u64::from(depth == 1);
                is_tight &= !(depth == 2 && *tag == Tag::Paragraph);
            }
            Event::End(_) if depth == 0 => break,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    (item_count, is_tight)
}

/// A row behind its indent; one that stands behind something cannot be joined, and one without text has no blanks.
fn indented(mut indent: Vec<Span>, mut row: Row) -> Row {
    if indent.is_empty() {
        return row;
    }
    indent.append(&mut row.spans);
    while let Some(last) = indent.last_mut() {
        last.text.truncate(last.text.trim_end_matches(' ').len());
        if !last.text.is_empty() {
            break;
        }
        indent.pop();
    }
    Row { spans: indent, end: RowEnd::Hard, ..row }
}

#[cfg(test)]
mod tests;
