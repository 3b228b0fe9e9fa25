//! The command line. Nothing here is a key: that would show in the process list.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use protocol::ModelRef;

/// A terminal for coding agents that never loses a word.
#[derive(Parser, Debug)]
#[command(name = "eukhe", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Subcommands>,
    /// Sent as the first message
    pub prompt: Vec<String>,
    /// Go on with the newest session of this workspace
    #[arg(short = 'c', long = "continue")]
    pub go_on: bool,
    /// The model for this run, as provider/id
    #[arg(long, value_name = "PROVIDER/ID")]
    pub model: Option<ModelRef>,
    /// Write into the terminal's own scrollback
    #[arg(long, conflicts_with = "fullscreen")]
    pub inline: bool,
    /// Use the whole screen
    #[arg(long)]
    pub fullscreen: bool,
    /// The workspace root, instead of the working directory
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub enum Subcommands {
    /// The interface on a scripted model, with real tools in a temporary workspace
    Tour {
        /// Write into the terminal's own scrollback
        #[arg(long)]
        inline: bool,
    },
}

impl Arguments {
    /// The first message, if one was given.
    pub fn prompt(&self) -> Option<String> {
        let words = self.prompt.join(" ");
        (!words.trim().is_empty()).then_some(words)
    }

    pub fn is_tour(&self) -> bool {
        self.command.is_some()
    }

    /// The screen mode of this run, if the command line chooses one.
    pub fn mode(&self) -> Option<ui::Mode> {
        let inline = self.inline || matches!(self.command, Some(Subcommands::Tour { inline: true }));
        if inline { Some(ui::Mode::Inline) } else { self.fullscreen.then_some(ui::Mode::Fullscreen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn words_that_are_no_command_are_the_first_message() {
        let arguments = Arguments::parse_from(["eukhe", "-c", "fix", "the", "test"]);
        assert!(arguments.go_on && !arguments.is_tour());
        assert_eq!(arguments.prompt().as_deref(), Some("fix the test"));
    }
}
