//! A theme at one color depth: what every role is drawn with.
//! Asks the terminal nothing: what it told comes in.

use ratatui_core::style::{Color, Modifier, Style as Ink};
use screen::{Palette, Role, RoleKind};
use settings::Background;

use crate::standing::{ratio, stands_on};
use crate::{Depth, Mode, Rgb, Theme, Value};

/// Whose background the cells have that no surface covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Canvas {
    Theme,
    Terminal,
}

/// Decides whose canvas it is: left to the terminal only when its background is known and every token
/// that stands on the canvas can be read there, unless the setting says otherwise.
pub fn canvas(setting: Background, theme: &Theme, background: Option<Rgb>) -> Canvas {
    match (setting, background) {
        (Background::Theme, _) | (Background::Auto, None) => Canvas::Theme,
        (Background::Terminal, _) => Canvas::Terminal,
        (Background::Auto, Some(background)) if is_readable_on(theme, background) => Canvas::Terminal,
        (Background::Auto, Some(_)) => Canvas::Theme,
    }
}

/// Resolves every role of a theme for a terminal.
pub fn palette(theme: &Theme, depth: Depth, canvas: Canvas) -> Palette {
    let ink: &dyn Fn(Role) -> Ink = match depth {
        Depth::None => &colorless,
        Depth::Ansi16 => &|role| sixteen(role, theme.mode()),
        Depth::Indexed256 | Depth::True => &|role| colored(theme, depth, role),
    };
    let mut inks = [Ink::new(); Role::COUNT];
    for role in Role::ALL {
        inks[role.index()] = ink(*role);
    }
    let own = inks[Role::Background.index()];
    let behind = match canvas {
        Canvas::Theme => own,
        Canvas::Terminal => Ink::new(),
    };
    inks[Role::Background.index()] = behind;
    Palette { inks, canvas: behind.patch(inks[Role::Foreground.index()]) }
}

fn is_readable_on(theme: &Theme, background: Rgb) -> bool {
    Role::ALL
        .iter()
        .filter(|role| stands_on(**role).contains(&Role::Background))
        .all(|role| ratio(role.kind()).is_none_or(|ratio| theme.measured(*role).holds(ratio, background)))
}

fn colored(theme: &Theme, depth: Depth, role: Role) -> Ink {
    let color = match theme.value(role) {
        Value::Terminal => return Ink::new(),
        Value::Index(index) => Color::Indexed(index),
        Value::Color(color) if depth == Depth::True => Color::Rgb(color.red, color.green, color.blue),
        Value::Color(color) => Color::Indexed(color.nearest_index()),
    };
    match role.kind() {
        RoleKind::Surface => Ink::new().bg(color),
        RoleKind::Text | RoleKind::Line => Ink::new().fg(color),
        RoleKind::Lift => Ink::new(),
    }
}

/// The fixed map for 16 colors: no surface is painted, and the band is reversed.
/// On a light ground yellow and cyan cannot be read: magenta and blue stand for them.
fn sixteen(role: Role, mode: Mode) -> Ink {
    use Role::*;
    let default = Ink::new();
    let (yellow, cyan) = match mode {
        Mode::Dark => (Color::Yellow, Color::Cyan),
        Mode::Light => (Color::Magenta, Color::Blue),
    };
    match role {
        SelectedBg => default.add_modifier(Modifier::REVERSED),
        Background | UserMessageBg | CustomMessageBg | ToolPanelBg | ToolPendingBg | ToolSuccessBg | ToolErrorBg
        | ToolDiffAddedBg | ToolDiffRemovedBg | LiftLight | LiftDark => default,
        Foreground | Text | Muted | Dim | ThinkingText | UserMessageText | CustomMessageText | RefinementSummary
        | ToolOutput | MdBody | MdLinkUrl | MdQuote | MdCodeBlock | ToolDiffText | ToolDiffContext | SyntaxComment
        | SyntaxVariable | SyntaxOperator | SyntaxPunctuation | Border | BorderMuted | MdCodeBlockBorder
        | MdQuoteBorder | MdHr => default,
        CustomMessageLabel | RefinementHeader | ToolTitle | MdHeading => default.add_modifier(Modifier::BOLD),
        Error | ToolDiffRemoved => default.fg(Color::Red),
        Success | ToolDiffAdded | SyntaxString => default.fg(Color::Green),
        Warning | MdCode | SyntaxNumber => default.fg(yellow),
        SyntaxFunction | EffortLow => default.fg(Color::Blue),
        ContextHigh | BashMode | SyntaxKeyword | EffortHigh => default.fg(Color::Magenta),
        Accent | MdLink | MdListBullet | SyntaxType | BorderAccent => default.fg(cyan),
    }
}

/// Attributes alone: what stands out is bold, what stands back is dim.
fn colorless(role: Role) -> Ink {
    use Role::*;
    let default = Ink::new();
    match role {
        SelectedBg => default.add_modifier(Modifier::REVERSED),
        Background | UserMessageBg | CustomMessageBg | ToolPanelBg | ToolPendingBg | ToolSuccessBg | ToolErrorBg
        | ToolDiffAddedBg | ToolDiffRemovedBg | LiftLight | LiftDark => default,
        Foreground | Text | UserMessageText | CustomMessageText | RefinementSummary | ToolOutput | MdBody | MdQuote
        | MdCodeBlock | ToolDiffText | SyntaxFunction | SyntaxVariable | SyntaxString | SyntaxNumber | SyntaxType
        | SyntaxOperator | Success | Border | EffortHigh => default,
        Muted | Dim | ThinkingText | MdLinkUrl | ToolDiffContext | SyntaxComment | SyntaxPunctuation | BorderMuted
        | MdCodeBlockBorder | MdQuoteBorder | MdHr | EffortLow => default.add_modifier(Modifier::DIM),
        Accent | Warning | Error | ContextHigh | CustomMessageLabel | RefinementHeader | ToolTitle | BashMode
        | MdHeading | MdListBullet | MdCode | ToolDiffAdded | ToolDiffRemoved | SyntaxKeyword | BorderAccent => {
            default.add_modifier(Modifier::BOLD)
        }
        MdLink => default.add_modifier(Modifier::UNDERLINED),
    }
}

#[cfg(test)]
mod tests {
    use screen::Style;

    use super::*;

    const WHITE: Rgb = Rgb::new(255, 255, 255);
    const BLACK: Rgb = Rgb::new(0, 0, 0);

    #[test]
    fn the_canvas_is_the_terminals_only_where_everything_can_be_read_on_it() {
        let (dark, light) = (Theme::built_in(Mode::Dark), Theme::built_in(Mode::Light));
        let cases = [
            (Background::Auto, &dark, Some(BLACK), Canvas::Terminal),
            (Background::Auto, &dark, Some(WHITE), Canvas::Theme),
            (Background::Auto, &light, Some(WHITE), Canvas::Terminal),
            (Background::Auto, &light, Some(BLACK), Canvas::Theme),
            (Background::Auto, &dark, None, Canvas::Theme),
            (Background::Theme, &dark, Some(BLACK), Canvas::Theme),
            (Background::Terminal, &dark, Some(WHITE), Canvas::Terminal),
            (Background::Terminal, &dark, None, Canvas::Terminal),
        ];
        for (setting, theme, background, expected) in cases {
            assert_eq!(canvas(setting, theme, background), expected, "{setting:?} {} {background:?}", theme.name);
        }
    }

    #[test]
    fn a_role_is_drawn_on_the_themes_canvas_or_leaves_it_to_the_terminal() {
        let theme = Theme::built_in(Mode::Dark);
        let accent = Style::new(Role::Accent);
        let mint = Ink::new().fg(Color::Rgb(0x7e, 0xca, 0xb8));
        let painted = palette(&theme, Depth::True, Canvas::Theme);
        assert_eq!(painted.ink(&accent), mint.bg(Color::Rgb(0x16, 0x18, 0x1b)));
        assert_eq!(painted.fill(None).bg, Some(Color::Rgb(0x16, 0x18, 0x1b)));
        let left = palette(&theme, Depth::True, Canvas::Terminal);
        assert_eq!(left.ink(&accent), mint);
        assert_eq!(left.ink(&accent.on(Role::UserMessageBg)), mint.bg(Color::Rgb(0x22, 0x26, 0x2b)));
    }

    #[test]
    fn each_depth_has_its_own_means() {
        let theme = Theme::built_in(Mode::Dark);
        let error = Style::new(Role::Error).on(Role::ToolErrorBg);
        let ink = |depth| palette(&theme, depth, Canvas::Theme).ink(&error);
        assert_eq!(ink(Depth::Indexed256), Ink::new().fg(Color::Indexed(210)).bg(Color::Indexed(235)));
        assert_eq!(ink(Depth::Ansi16), Ink::new().fg(Color::Red));
        assert_eq!(ink(Depth::None), Ink::new().add_modifier(Modifier::BOLD));
    }

    #[test]
    fn without_colors_no_ink_has_any_and_the_band_is_reversed() {
        let plain = palette(&Theme::built_in(Mode::Light), Depth::None, Canvas::Theme);
        assert!(plain.inks.iter().all(|ink| ink.fg.is_none() && ink.bg.is_none()));
        for depth in [Depth::None, Depth::Ansi16] {
            let palette = palette(&Theme::built_in(Mode::Light), depth, Canvas::Theme);
            assert_eq!(palette.fill(Some(Role::SelectedBg)), Ink::new().add_modifier(Modifier::REVERSED));
        }
    }
}
