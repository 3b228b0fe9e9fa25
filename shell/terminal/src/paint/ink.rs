//! How a cell looks, and the shortest SGR sequence from one look to the next.
//! Chooses no color: the palette of the frame did.

use std::io::Write as _;

use ratatui_core::style::{Color, Modifier, Style};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ink {
    foreground: Color,
    background: Color,
    modifiers: Modifier,
}

/// An attribute with the parameters that switch it on and off, and what else the off switch takes with it.
struct Attribute {
    modifier: Modifier,
    on: u8,
    off: u8,
}

const ATTRIBUTES: &[Attribute] = &[
    Attribute { modifier: Modifier::BOLD, on: 1, off: 22 },
    Attribute { modifier: Modifier::DIM, on: 2, off: 22 },
    Attribute { modifier: Modifier::ITALIC, on: 3, off: 23 },
    Attribute { modifier: Modifier::UNDERLINED, on: 4, off: 24 },
    Attribute { modifier: Modifier::SLOW_BLINK, on: 5, off: 25 },
    Attribute { modifier: Modifier::RAPID_BLINK, on: 6, off: 25 },
    Attribute { modifier: Modifier::REVERSED, on: 7, off: 27 },
    Attribute { modifier: Modifier::HIDDEN, on: 8, off: 28 },
    Attribute { modifier: Modifier::CROSSED_OUT, on: 9, off: 29 },
];

/// Attributes that a blank shows as well.
const SEEN_ON_BLANKS: Modifier = Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT);

impl Ink {
    /// What a terminal draws with after a reset.
    pub(super) const PLAIN: Self =
        Self { foreground: Color::Reset, background: Color::Reset, modifiers: Modifier::empty() };

    pub(super) fn reversed(mut self) -> Self {
        self.modifiers.toggle(Modifier::REVERSED);
        self
    }

    /// Whether a blank in this ink shows more than its background.
    pub(super) fn shows_on_blanks(self) -> bool {
        self.modifiers.intersects(SEEN_ON_BLANKS)
    }

    /// Whether a blank of ink `blank` looks the same in this ink.
    pub(super) fn draws_blank(self, blank: Self) -> bool {
        !self.shows_on_blanks() && blank == self.of_blank()
    }

    /// Reduced to what an erased cell can hold.
    pub(super) fn of_blank(self) -> Self {
        Self { background: self.background, ..Self::PLAIN }
    }

    /// Writes the sequence that leads from `self` to `next`; nothing if they are the same.
    pub(super) fn write_change(self, next: Self, bytes: &mut Vec<u8>) {
        if self == next {
            return;
        }
        let mut change = Vec::new();
        self.write_parameters(next, &mut change);
        let mut anew = b"0;".to_vec();
        Self::PLAIN.write_parameters(next, &mut anew);
        // A lone reset is the empty parameter.
        let fresh = if next == Self::PLAIN { b";".as_slice() } else { anew.as_slice() };
        let shorter = if fresh.len() < change.len() { fresh } else { change.as_slice() };
        bytes.extend_from_slice(b"\x1b[");
        bytes.extend_from_slice(&shorter[..shorter.len() - 1]);
        bytes.push(b'm');
    }

    /// Writes each parameter with a semicolon behind it.
    fn write_parameters(self, next: Self, parameters: &mut Vec<u8>) {
        let mut kept = self.modifiers;
        for attribute in ATTRIBUTES {
            if kept.contains(attribute.modifier) && !next.modifiers.contains(attribute.modifier) {
                push(parameters, format_args!("{};", attribute.off));
                for other in ATTRIBUTES.iter().filter(|other| other.off == attribute.off) {
                    kept.remove(other.modifier);
                }
            }
        }
        for attribute in ATTRIBUTES {
            if next.modifiers.contains(attribute.modifier) && !kept.contains(attribute.modifier) {
                push(parameters, format_args!("{};", attribute.on));
            }
        }
        if self.foreground != next.foreground {
            push_color(parameters, next.foreground, 30);
        }
        if self.background != next.background {
            push_color(parameters, next.background, 40);
        }
    }
}

impl From<Style> for Ink {
    fn from(style: Style) -> Self {
        Self {
            foreground: style.fg.unwrap_or(Color::Reset),
            background: style.bg.unwrap_or(Color::Reset),
            modifiers: style.add_modifier,
        }
    }
}

/// `base` is 30 for the foreground, 40 for the background.
fn push_color(parameters: &mut Vec<u8>, color: Color, base: u8) {
    let bright = base + 60;
    match color {
        Color::Reset => push(parameters, format_args!("{};", base + 9)),
        Color::Black => push(parameters, format_args!("{base};")),
        Color::Red => push(parameters, format_args!("{};", base + 1)),
        Color::Green => push(parameters, format_args!("{};", base + 2)),
        Color::Yellow => push(parameters, format_args!("{};", base + 3)),
        Color::Blue => push(parameters, format_args!("{};", base + 4)),
        Color::Magenta => push(parameters, format_args!("{};", base + 5)),
        Color::Cyan => push(parameters, format_args!("{};", base + 6)),
        Color::Gray => push(parameters, format_args!("{};", base + 7)),
        Color::DarkGray => push(parameters, format_args!("{bright};")),
        Color::LightRed => push(parameters, format_args!("{};", bright + 1)),
        Color::LightGreen => push(parameters, format_args!("{};", bright + 2)),
        Color::LightYellow => push(parameters, format_args!("{};", bright + 3)),
        Color::LightBlue => push(parameters, format_args!("{};", bright + 4)),
        Color::LightMagenta => push(parameters, format_args!("{};", bright + 5)),
        Color::LightCyan => push(parameters, format_args!("{};", bright + 6)),
        Color::White => push(parameters, format_args!("{};", bright + 7)),
        Color::Rgb(red, green, blue) => push(parameters, format_args!("{};2;{red};{green};{blue};", base + 8)),
        Color::Indexed(index) => push(parameters, format_args!("{};5;{index};", base + 8)),
    }
}

fn push(parameters: &mut Vec<u8>, text: std::fmt::Arguments) {
    parameters.write_fmt(text).expect("a vector takes every write");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(from: Style, to: Style) -> String {
        let mut bytes = Vec::new();
        Ink::from(from).write_change(Ink::from(to), &mut bytes);
        String::from_utf8(bytes).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn only_what_differs_is_written_and_a_reset_where_that_is_shorter() {
        let plain = Style::new();
        let red = plain.fg(Color::Red);
        let title = plain.fg(Color::Rgb(1, 2, 3)).bg(Color::Indexed(17)).add_modifier(Modifier::BOLD);
        let cases = [
            (plain, plain, ""),
            (plain, red, "^[31m"),
            (red, red.fg(Color::LightBlue), "^[94m"),
            (red, plain, "^[m"),
            (plain, title, "^[1;38;2;1;2;3;48;5;17m"),
            (title, plain, "^[m"),
            (title, title.remove_modifier(Modifier::BOLD), "^[22m"),
            (title, title.add_modifier(Modifier::REVERSED), "^[7m"),
            (title.add_modifier(Modifier::DIM), title, "^[22;1m"),
            (title, red, "^[0;31m"),
        ];
        for (from, to, expected) in cases {
            assert_eq!(change(from, to), expected, "{from:?} to {to:?}");
        }
    }
}
