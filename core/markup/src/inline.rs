//! The inside of a paragraph: text, emphasis, code and links as spans.
//! Breaks no rows.

use pulldown_cmark::{LinkType, Tag, TagEnd};
use screen::{Role, Span, Style, text};

/// Addresses that may become links of the terminal.
const LINK_SCHEMES: [&str; 4] = ["http", "https", "mailto", "file"];

/// What has been read of a paragraph.
#[derive(Debug)]
pub(crate) struct Inline {
    /// One for each line that the text itself breaks.
    lines: Vec<Vec<Span>>,
    base: Style,
    strong: usize,
    emphasis: usize,
    strike: usize,
    links: Vec<OpenLink>,
}

#[derive(Debug)]
struct OpenLink {
    kind: LinkKind,
    /// Clean.
    address: String,
    shown: String,
}

#[derive(PartialEq, Eq, Debug)]
enum LinkKind {
    Link,
    Image,
    /// It points to a definition elsewhere in the text, so both are shown as they are written.
    Reference,
}

impl Inline {
    pub(crate) fn new(base: impl Into<Style>) -> Self {
        let base = base.into();
        Self { lines: Vec::new(), base, strong: 0, emphasis: 0, strike: 0, links: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the lines and begins anew.
    pub(crate) fn take(&mut self) -> Vec<Vec<Span>> {
        std::mem::take(&mut self.lines)
    }

    pub(crate) fn text(&mut self, text: &str) {
        if let Some(link) = self.links.last_mut() {
            let is_first = link.shown.is_empty();
            link.shown.push_str(text);
            if is_first && link.kind == LinkKind::Image {
                self.push(self.style(), ": ");
            }
        }
        self.push(self.style(), text);
    }

    pub(crate) fn code(&mut self, text: &str) {
        if let Some(link) = self.links.last_mut() {
            link.shown.push_str(text);
        }
        let mut style = self.style();
        style.role = Role::MdCode;
        self.push(style, text);
    }

    /// A tag is shown as it is written: models write `Vec<String>` and mean it. Only a line break is done.
    pub(crate) fn html(&mut self, tag: &str) {
        if matches!(tag.to_ascii_lowercase().as_str(), "<br>" | "<br/>" | "<br />") {
            self.break_line();
        } else if !is_comment(tag) {
            self.text(tag);
        }
    }

    pub(crate) fn break_line(&mut self) {
        if self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
        self.lines.push(Vec::new());
    }

    pub(crate) fn start(&mut self, tag: &Tag) {
        match tag {
            Tag::Strong => self.strong += 1,
            Tag::Emphasis => self.emphasis += 1,
            Tag::Strikethrough => self.strike += 1,
            Tag::Link { link_type, dest_url, .. } => self.start_link(LinkKind::Link, *link_type, dest_url),
            Tag::Image { link_type, dest_url, .. } => self.start_link(LinkKind::Image, *link_type, dest_url),
            _ => {}
        }
    }

    /// `rest` is the source from the last text within to the tag's end.
    pub(crate) fn end(&mut self, tag: TagEnd, rest: &str) {
        match tag {
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Emphasis => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::Strikethrough => self.strike = self.strike.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => self.end_link(rest),
            _ => {}
        }
    }

    fn start_link(&mut self, kind: LinkKind, link_type: LinkType, address: &str) {
        let opening = match (link_type, &kind) {
            (LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut, LinkKind::Image) => "![",
            (LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut, _) => "[",
            (_, LinkKind::Image) => "[image",
            (_, _) => "",
        };
        let kind = if matches!(opening, "[" | "![") { LinkKind::Reference } else { kind };
        let scheme = if link_type == LinkType::Email { "mailto:" } else { "" };
        let address = text::clean(&format!("{scheme}{address}"));
        self.links.push(OpenLink { kind, address, shown: String::new() });
        self.push(self.style(), opening);
    }

    fn end_link(&mut self, rest: &str) {
        let Some(link) = self.links.last() else { return };
        let style = self.style();
        let (closing, beside) = match link.kind {
            LinkKind::Reference => (rest.to_owned(), None),
            LinkKind::Image => ("]".to_owned(), Some(link.address.clone())),
            LinkKind::Link if link.shown.is_empty() => (link.address.clone(), None),
            LinkKind::Link => (String::new(), link.needs_address().then(|| link.address.clone())),
        };
        self.push(style, &closing);
        self.links.pop();
        if let Some(address) = beside {
            let mut style = self.style();
            style.role = Role::MdLinkUrl;
            self.push(style, &format!(" ({address})"));
        }
    }

    fn style(&self) -> Style {
        let mut style = self.base.clone();
        style.bold |= self.strong > 0;
        style.italic |= self.emphasis > 0;
        style.strike |= self.strike > 0;
        if let Some(link) = self.links.last().filter(|link| link.kind != LinkKind::Reference) {
            style.role = Role::MdLink;
            style.underline = true;
            style.link = is_linkable(&link.address).then(|| link.address.as_str().into());
        }
        style
    }

    fn push(&mut self, style: Style, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
        let line = self.lines.last_mut().expect("a line was just made sure of");
        line.push(Span::new(style, text));
    }
}

impl OpenLink {
    /// The address stands beside its text when the terminal will not lead there, or the text names another place.
    fn needs_address(&self) -> bool {
        let (shown, address) = (bare(&self.shown), bare(&self.address));
        shown != address && (!is_linkable(&self.address) || looks_like_address(&shown))
    }
}

pub(crate) fn is_comment(html: &str) -> bool {
    let html = html.trim();
    html.starts_with("<!--") && html.ends_with("-->")
}

fn is_linkable(address: &str) -> bool {
    address.split_once(':').is_some_and(|(scheme, _)| LINK_SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()))
}

/// An address without what does not change where it leads.
fn bare(address: &str) -> String {
    let lower = address.trim().to_lowercase();
    let rest = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
    let rest = rest.strip_prefix("mailto:").unwrap_or(rest);
    rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches('/').to_owned()
}

fn looks_like_address(text: &str) -> bool {
    let dotted = text.split_once('.').is_some_and(|(name, rest)| !name.is_empty() && !rest.is_empty());
    !text.contains(char::is_whitespace) && (dotted || text.contains(['@', ':', '/']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_looks_like_another_address_shows_both() {
        let needs = |shown: &str, address: &str| {
            OpenLink { kind: LinkKind::Link, address: address.into(), shown: shown.into() }.needs_address()
        };
        for (shown, address) in [
            ("bank.example", "https://evil.example"),
            ("https://bank.example/x", "https://evil.example/x"),
            ("notes", "docs/notes.md"),
            ("run it", "javascript:alert(1)"),
        ] {
            assert!(needs(shown, address), "{shown} {address}");
        }
        for (shown, address) in [
            ("the bank", "https://bank.example"),
            ("bank.example", "https://www.bank.example/"),
            ("src/main.rs", "src/main.rs"),
            ("a@b.example", "mailto:a@b.example"),
        ] {
            assert!(!needs(shown, address), "{shown} {address}");
        }
    }
}
