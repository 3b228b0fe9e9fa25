//! What the interface looks like: settings, arguments and environment brought together.

use protocol::ModelRef;
use settings::{Settings, Warning};
use theme::DepthInputs;
use transcript::PaceRate;

use crate::arguments::Arguments;

const FAREWELL: &str = "`eukhe -c` goes on with this session";

/// What is known before any session is open.
pub struct Known<'a> {
    pub arguments: &'a Arguments,
    pub settings: &'a Settings,
    pub warnings: Vec<Warning>,
    pub model: &'a ModelRef,
    pub workspace: &'a str,
}

pub fn options(known: Known) -> ui::Options {
    let Known { arguments, settings, warnings, model, workspace } = known;
    let terminal = &settings.terminal;
    let (theme, theme_warnings) = theme::resolve(theme::name_for(&settings.theme, None), &[]);
    let set = if terminal.fullscreen { ui::Mode::Fullscreen } else { ui::Mode::Inline };
    ui::Options {
        mode: arguments.mode().unwrap_or(set),
        size: None,
        theme_setting: settings.theme.clone(),
        theme,
        depth: depth(settings),
        background: terminal.background,
        pace: PaceRate { chars_min: terminal.pace.min_chars, lag: terminal.pace.lag },
        detail: settings.detail,
        splash: if settings.quiet_start || arguments.go_on { ui::SplashChoice::Quiet } else { ui::SplashChoice::Shown },
        title: if terminal.title { ui::TitleChoice::Set } else { ui::TitleChoice::Untouched },
        version: env!("CARGO_PKG_VERSION").to_owned(),
        model: model.to_string(),
        workspace: workspace.to_owned(),
        home: std::env::var("HOME").ok(),
        warnings: warnings.into_iter().chain(theme_warnings).map(|warning| warning.sentence).collect(),
        // The tour's workspace goes with the program, and a session is found by its workspace.
        farewell: (*model != provider::tour()).then(|| FAREWELL.to_owned()),
        prompt: arguments.prompt(),
    }
}

fn depth(settings: &Settings) -> theme::Depth {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    theme::depth(&DepthInputs {
        is_terminal: true,
        colors: settings.terminal.colors,
        term: &variable("TERM"),
        no_color: &variable("NO_COLOR"),
        force_color: &variable("FORCE_COLOR"),
        term_program: &variable("TERM_PROGRAM"),
        colorterm: &variable("COLORTERM"),
        wt_session: &variable("WT_SESSION"),
    })
}
