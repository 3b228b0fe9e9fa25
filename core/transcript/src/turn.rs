//! Turns: what is known of each one's end, and the one row it leaves if it ended without an answer.
//! The row depends on what is known, never on the order in which it came to be known.

use protocol::{Block, Failure, RetryOutcome};

use crate::{EntryId, TurnEnd, TurnEnding};

#[derive(Clone, Default, Debug)]
pub(crate) struct Turn {
    pub(crate) ending: Option<Ending>,
    pub(crate) answer: LastAnswer,
    /// The tries of the request that did not recover.
    pub(crate) episode: Option<Episode>,
    /// Cards whose result has not come.
    pub(crate) open_cards: Vec<EntryId>,
    pub(crate) row: Option<EntryId>,
}

#[derive(Clone, Debug)]
pub(crate) enum Ending {
    Done,
    Failed(Failure),
    Interrupted,
}

#[derive(Clone, Debug)]
pub(crate) struct Episode {
    pub(crate) attempts: u32,
    pub(crate) reason: String,
    pub(crate) outcome: RetryOutcome,
}

/// What the last response of a turn was.
#[derive(Clone, Default, Debug)]
pub(crate) enum LastAnswer {
    /// Nothing, blank, or only tool calls.
    #[default]
    None,
    Whole,
    Cut(Failure),
}

impl LastAnswer {
    pub(crate) fn of(blocks: &[Block], cut: Option<&Failure>) -> Self {
        let has_text = blocks.iter().any(|block| matches!(block, Block::Text { text } if !text.trim().is_empty()));
        let has_calls = blocks.iter().any(|block| matches!(block, Block::ToolUse { .. }));
        match cut {
            Some(failure) if has_text => Self::Cut(failure.clone()),
            None if has_text && !has_calls => Self::Whole,
            Some(_) | None => Self::None,
        }
    }
}

impl Turn {
    /// Returns the row of this turn, none while it runs or if it was answered.
    pub(crate) fn end(&self) -> Option<TurnEnd> {
        match self.ending.as_ref()? {
            Ending::Done => self.end_of_done(),
            Ending::Failed(failure) => Some(self.end_of_failed(failure)),
            Ending::Interrupted => Some(self.end_of_interrupted()),
        }
    }

    fn end_of_done(&self) -> Option<TurnEnd> {
        match &self.answer {
            LastAnswer::Whole => None,
            LastAnswer::Cut(failure) => Some(TurnEnd {
                ending: TurnEnding::Incomplete,
                message: failure.message.clone(),
                next_step: failure.next_step.clone(),
            }),
            LastAnswer::None => Some(TurnEnd {
                ending: TurnEnding::NoReply,
                message: String::new(),
                next_step: "send a message to go on".into(),
            }),
        }
    }

    fn end_of_failed(&self, failure: &Failure) -> TurnEnd {
        let ending = match &self.episode {
            Some(Episode { attempts, outcome: RetryOutcome::GaveUp, .. }) => TurnEnding::GaveUp { attempts: *attempts },
            Some(_) | None => TurnEnding::Failed,
        };
        TurnEnd { ending, message: failure.message.clone(), next_step: failure.next_step.clone() }
    }

    fn end_of_interrupted(&self) -> TurnEnd {
        let message = match &self.episode {
            Some(episode) => format!("while waiting to try again: {}", episode.reason),
            None => String::new(),
        };
        TurnEnd { ending: TurnEnding::Interrupted, message, next_step: String::new() }
    }
}
