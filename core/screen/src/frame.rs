//! A frame: all that a painter must know to bring the terminal to one state.

use std::sync::Arc;

use ratatui_core::style::Style as Ink;

use crate::{Role, Row, Style};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub cols: u16,
    pub rows: u16,
}

/// One picture of the interface at one size.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Counts up from 1; `Painted` names it.
    pub number: u64,
    /// The size it was laid out for.
    pub size: Size,
    pub surface: Surface,
    /// Where the caret is drawn, within the live rows or the window.
    pub caret: Option<Caret>,
    pub palette: Arc<Palette>,
    /// The window title, clean; none leaves the terminal's own.
    pub title: Option<String>,
}

/// Which painter is to run, and what it paints.
#[derive(Clone, Debug)]
pub enum Surface {
    /// Rows for the scrollback, once and for ever, and below them the rows still redrawn.
    Inline { history: Vec<Arc<Row>>, live: Vec<Arc<Row>> },
    /// The whole screen, top to bottom; fewer rows than the screen has leave blanks below.
    Fullscreen { rows: Vec<Arc<Row>> },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caret {
    /// From 0, within the live rows or the window.
    pub row: usize,
    pub col: usize,
}

/// The theme's answer for every role, at the terminal's color depth. Made by `theme`.
#[derive(Clone, PartialEq, Debug)]
pub struct Palette {
    /// By [`Role::index`]: a text or line role sets the foreground (and attributes), a surface the background.
    pub inks: [Ink; Role::COUNT],
    /// What every cell starts from: the canvas.
    pub canvas: Ink,
}

impl Palette {
    /// Returns how a span of this style is drawn.
    pub fn ink(&self, style: &Style) -> Ink {
        use ratatui_core::style::Modifier;
        let mut ink = self.canvas;
        if let Some(surface) = style.surface {
            ink = ink.patch(self.inks[surface.index()]);
        }
        ink = ink.patch(self.inks[style.role.index()]);
        for (on, modifier) in [
            (style.bold, Modifier::BOLD),
            (style.dim, Modifier::DIM),
            (style.italic, Modifier::ITALIC),
            (style.underline, Modifier::UNDERLINED),
            (style.strike, Modifier::CROSSED_OUT),
            (style.reverse, Modifier::REVERSED),
        ] {
            if on {
                ink = ink.add_modifier(modifier);
            }
        }
        ink
    }

    /// Returns how the cells right of a row's text are drawn.
    pub fn fill(&self, surface: Option<Role>) -> Ink {
        surface.map_or(self.canvas, |role| self.canvas.patch(self.inks[role.index()]))
    }
}
