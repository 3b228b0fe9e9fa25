//! Work: what runs right now, for the working row.
//! Knows no prompt that is still on its way and no interrupt that was only asked for: those are the interface's.

use laws::speed::tokens_of_units;
use protocol::{ToolCallId, TurnId, Usage};

/// What runs, and since when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Work {
    /// When the prompt of this run was submitted or, if it had to wait for another turn, taken up.
    /// Milliseconds since the epoch.
    pub since_ms: u64,
    pub activity: Activity,
    /// When the provider last gave a sign of life; none while nothing is asked of it.
    pub last_byte_at_ms: Option<u64>,
    /// What the turn's answers came to so far; estimated where the provider has not counted yet.
    pub output_tokens: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Activity {
    Waiting,
    Thinking,
    Writing,
    /// Within a fenced block, or the arguments of a tool.
    WritingCode,
    /// The tool that started last and still runs.
    ExecutingTool(String),
    WaitingForApproval,
    Retrying {
        /// Which retry comes next, from 1.
        attempt: u32,
        attempts_max: u32,
        /// When it starts, in milliseconds since the epoch.
        at_ms: u64,
        reason: String,
    },
}

/// The turn that runs.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) turn: TurnId,
    since_ms: u64,
    phase: Phase,
    /// Started and not finished, the newest last.
    tools: Vec<(ToolCallId, String)>,
    fence: Fence,
    counted_tokens: u64,
    /// UTF-16 units of the response that streams.
    streamed_units: u64,
}

#[derive(Clone, Debug)]
enum Phase {
    /// Nothing is asked of the provider.
    Between,
    Requested {
        activity: Activity,
        last_byte_at_ms: u64,
    },
    Retrying(Activity),
    /// The turn has ended; only shown text may be behind.
    Over,
}

/// What a piece of a response is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece<'a> {
    Text(&'a str),
    Thinking(&'a str),
    /// Only what is new of the arguments.
    Arguments(&'a str),
}

impl Run {
    pub(crate) fn new(turn: TurnId, since_ms: u64) -> Self {
        Self {
            turn,
            since_ms,
            phase: Phase::Between,
            tools: Vec::new(),
            fence: Fence::default(),
            counted_tokens: 0,
            streamed_units: 0,
        }
    }

    pub(crate) fn step_started(&mut self, at_ms: u64) {
        self.phase = Phase::Requested { activity: Activity::Waiting, last_byte_at_ms: at_ms };
        self.fence = Fence::default();
        self.streamed_units = 0;
    }

    pub(crate) fn piece_came(&mut self, piece: Piece, at_ms: u64) {
        let (text, activity) = match piece {
            Piece::Thinking(text) => (text, Activity::Thinking),
            Piece::Arguments(text) => (text, Activity::WritingCode),
            Piece::Text(text) => {
                self.fence.feed(text);
                (text, if self.fence.is_open { Activity::WritingCode } else { Activity::Writing })
            }
        };
        self.streamed_units = self.streamed_units.saturating_add(text.encode_utf16().count() as u64);
        self.phase = Phase::Requested { activity, last_byte_at_ms: at_ms };
    }

    pub(crate) fn step_answered(&mut self, usage: Option<Usage>) {
        let output = usage.map_or_else(|| tokens_of_units(self.streamed_units), |usage| usage.output);
        self.counted_tokens = self.counted_tokens.saturating_add(output);
        self.streamed_units = 0;
        self.phase = Phase::Between;
    }

    pub(crate) fn retry_scheduled(&mut self, activity: Activity) {
        self.phase = Phase::Retrying(activity);
    }

    pub(crate) fn tool_started(&mut self, call: ToolCallId, name: &str) {
        self.tools.retain(|(running, _)| *running != call);
        self.tools.push((call, name.to_owned()));
    }

    pub(crate) fn tool_finished(&mut self, call: ToolCallId) {
        self.tools.retain(|(running, _)| *running != call);
    }

    pub(crate) fn end(&mut self) {
        self.phase = Phase::Over;
        self.tools.clear();
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    pub(crate) fn work(&self, has_open_gate: bool) -> Work {
        Work {
            since_ms: self.since_ms,
            activity: self.activity(has_open_gate),
            last_byte_at_ms: match self.phase {
                Phase::Requested { last_byte_at_ms, .. } => Some(last_byte_at_ms),
                Phase::Between | Phase::Retrying(_) | Phase::Over => None,
            },
            output_tokens: self.counted_tokens.saturating_add(tokens_of_units(self.streamed_units)),
        }
    }

    fn activity(&self, has_open_gate: bool) -> Activity {
        if has_open_gate {
            return Activity::WaitingForApproval;
        }
        match (&self.phase, self.tools.last()) {
            (Phase::Over, _) => Activity::Writing,
            (Phase::Retrying(activity), _) => activity.clone(),
            (Phase::Between | Phase::Requested { .. }, Some((_, name))) => Activity::ExecutingTool(name.clone()),
            (Phase::Requested { activity, .. }, None) => activity.clone(),
            (Phase::Between, None) => Activity::Waiting,
        }
    }
}

/// Follows whether streamed text stands within a fenced block.
#[derive(Clone, Default, Debug)]
struct Fence {
    is_open: bool,
    /// The first characters of the present line, without its indent.
    line_start: String,
}

impl Fence {
    fn feed(&mut self, text: &str) {
        for char in text.chars() {
            if char == '\n' {
                self.line_start.clear();
            } else if self.line_start.len() < 3 && !(self.line_start.is_empty() && char == ' ') {
                self.line_start.push(char);
                if self.line_start == "```" || self.line_start == "~~~" {
                    self.is_open = !self.is_open;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::Stamp;

    use super::*;

    #[test]
    fn a_fence_is_seen_however_its_marks_are_split() {
        let mut fence = Fence::default();
        let states = ["Look:\n `", "``ru", "st\nfn `x```", "\n``", "`", "\nso ``` ends"].map(|text| {
            fence.feed(text);
            fence.is_open
        });
        assert_eq!(states, [false, true, true, true, false, false]);
    }

    #[test]
    fn tokens_are_estimated_from_text_until_the_provider_has_counted_them() {
        let at = Stamp { at_ms: 0, seed: 1 };
        let mut run = Run::new(at.ids().make(), 0);
        run.step_started(0);
        run.piece_came(Piece::Text("Hello 🚀"), 0);
        assert_eq!(run.work(false).output_tokens, 3);
        run.step_answered(Some(Usage { output: u64::MAX, ..Usage::default() }));
        run.piece_came(Piece::Text("more than can be counted"), 0);
        assert_eq!(run.work(false).output_tokens, u64::MAX);
    }
}
