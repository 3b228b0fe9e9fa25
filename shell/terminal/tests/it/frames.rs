//! Frames for tests.

use std::sync::Arc;

use ratatui_core::style::{Color, Modifier, Style as Ink};
use screen::{Caret, Frame, Palette, Role, Row, RowEnd, Size, Span, Style, Surface};

pub(crate) const WIDE: Size = Size { cols: 80, rows: 24 };

pub(crate) fn palette() -> Arc<Palette> {
    let mut inks = [Ink::new(); Role::COUNT];
    inks[Role::Accent.index()] = Ink::new().fg(Color::Rgb(90, 160, 250));
    inks[Role::Dim.index()] = Ink::new().fg(Color::Indexed(244));
    inks[Role::Error.index()] = Ink::new().fg(Color::Red).add_modifier(Modifier::BOLD);
    inks[Role::SelectedBg.index()] = Ink::new().bg(Color::Indexed(236));
    inks[Role::ToolPanelBg.index()] = Ink::new().bg(Color::Rgb(20, 30, 40));
    Arc::new(Palette { inks, canvas: Ink::new() })
}

pub(crate) fn row(text: &str) -> Arc<Row> {
    Arc::new(Row::of(Role::Text, text))
}

pub(crate) fn joined(text: &str) -> Arc<Row> {
    Arc::new(Row { end: RowEnd::Joined, ..Row::of(Role::Text, text) })
}

pub(crate) fn rows(texts: &[&str]) -> Vec<Arc<Row>> {
    texts.iter().map(|text| row(text)).collect()
}

pub(crate) fn styled(spans: &[(Style, &str)]) -> Arc<Row> {
    Arc::new(Row::new(spans.iter().map(|(style, text)| Span::new(style.clone(), text)).collect()))
}

pub(crate) fn inline(size: Size, history: Vec<Arc<Row>>, live: Vec<Arc<Row>>) -> Frame {
    frame(size, Surface::Inline { history, live })
}

pub(crate) fn fullscreen(size: Size, rows: Vec<Arc<Row>>) -> Frame {
    frame(size, Surface::Fullscreen { rows })
}

pub(crate) fn with_caret(mut frame: Frame, row: usize, col: usize) -> Frame {
    frame.caret = Some(Caret { row, col });
    frame
}

fn frame(size: Size, surface: Surface) -> Frame {
    Frame { number: 1, size, surface, caret: None, palette: palette(), title: None }
}
