//! How many colors the output takes.
//! Reads no environment: `app` brings it in.

use settings::Colors;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// Attributes only.
    None,
    Ansi16,
    Indexed256,
    True,
}

/// What the depth depends on; a variable that is not set is the empty string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DepthInputs<'a> {
    pub is_terminal: bool,
    /// The setting `terminal.colors`.
    pub colors: Colors,
    pub term: &'a str,
    pub no_color: &'a str,
    pub force_color: &'a str,
    pub term_program: &'a str,
    pub colorterm: &'a str,
    pub wt_session: &'a str,
}

/// Terminals that take all colors and say so by their `TERM` alone.
const FULL_TERMS: [&str; 5] = ["kitty", "alacritty", "ghostty", "wezterm", "foot"];

/// Returns the depth by the first rule that applies.
pub fn depth(inputs: &DepthInputs) -> Depth {
    if !inputs.is_terminal || inputs.term == "dumb" {
        return Depth::None;
    }
    match inputs.colors {
        Colors::Auto => depth_by_environment(inputs),
        Colors::Truecolor => Depth::True,
        Colors::Indexed256 => Depth::Indexed256,
        Colors::Named16 => Depth::Ansi16,
        Colors::Off => Depth::None,
    }
}

fn depth_by_environment(inputs: &DepthInputs) -> Depth {
    if !inputs.no_color.is_empty() {
        return Depth::None;
    }
    match inputs.force_color {
        "1" => Depth::Ansi16,
        "2" => Depth::Indexed256,
        "3" => Depth::True,
        _ => depth_by_terminal(inputs),
    }
}

fn depth_by_terminal(inputs: &DepthInputs) -> Depth {
    let term_has = |part: &&str| inputs.term.contains(*part);
    if inputs.term_program == "Apple_Terminal" {
        Depth::Indexed256
    } else if matches!(inputs.colorterm, "truecolor" | "24bit")
        || inputs.term.ends_with("-direct")
        || !inputs.wt_session.is_empty()
        || FULL_TERMS.iter().any(term_has)
    {
        Depth::True
    } else if ["256color", "tmux", "screen"].iter().any(term_has) {
        Depth::Indexed256
    } else {
        Depth::Ansi16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: DepthInputs = DepthInputs {
        is_terminal: true,
        colors: Colors::Auto,
        term: "xterm",
        no_color: "",
        force_color: "",
        term_program: "",
        colorterm: "",
        wt_session: "",
    };

    #[test]
    fn the_first_rule_that_applies_decides_the_depth() {
        let truecolor = DepthInputs { colorterm: "truecolor", ..PLAIN };
        let cases = [
            (DepthInputs { is_terminal: false, colors: Colors::Truecolor, ..truecolor }, Depth::None),
            (DepthInputs { term: "dumb", colors: Colors::Truecolor, ..truecolor }, Depth::None),
            (DepthInputs { colors: Colors::Truecolor, no_color: "1", ..PLAIN }, Depth::True),
            (DepthInputs { colors: Colors::Indexed256, ..truecolor }, Depth::Indexed256),
            (DepthInputs { colors: Colors::Named16, ..truecolor }, Depth::Ansi16),
            (DepthInputs { colors: Colors::Off, ..truecolor }, Depth::None),
            (DepthInputs { no_color: "1", force_color: "3", ..truecolor }, Depth::None),
            (DepthInputs { force_color: "1", ..truecolor }, Depth::Ansi16),
            (DepthInputs { force_color: "2", ..truecolor }, Depth::Indexed256),
            (DepthInputs { force_color: "3", ..PLAIN }, Depth::True),
            (DepthInputs { force_color: "0", ..truecolor }, Depth::True),
            (DepthInputs { term_program: "Apple_Terminal", ..truecolor }, Depth::Indexed256),
            (truecolor, Depth::True),
            (DepthInputs { colorterm: "24bit", ..PLAIN }, Depth::True),
            (DepthInputs { colorterm: "yes", ..PLAIN }, Depth::Ansi16),
            (DepthInputs { term: "xterm-direct", ..PLAIN }, Depth::True),
            (DepthInputs { wt_session: "c0ffee", ..PLAIN }, Depth::True),
            (DepthInputs { term: "xterm-kitty", ..PLAIN }, Depth::True),
            (DepthInputs { term: "foot-extra", ..PLAIN }, Depth::True),
            (DepthInputs { term: "xterm-256color", ..PLAIN }, Depth::Indexed256),
            (DepthInputs { term: "screen", ..PLAIN }, Depth::Indexed256),
            (DepthInputs { term: "tmux", ..PLAIN }, Depth::Indexed256),
            (PLAIN, Depth::Ansi16),
        ];
        for (inputs, expected) in cases {
            assert_eq!(depth(&inputs), expected, "{inputs:?}");
        }
    }
}
