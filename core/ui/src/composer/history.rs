//! The prompts written before, and the walk through them with Up and Down.
//! Stores nothing: the journal does.

use std::collections::VecDeque;

use super::draft::Draft;

/// Prompts kept; the oldest falls out.
const PROMPTS_MAX: usize = 100;

#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// Oldest first; no two neighbors are equal.
    prompts: VecDeque<Draft>,
    /// How many of the newest were written in this window.
    own_count: usize,
    walk: Option<Walk>,
}

/// Where in the history the draft was recalled from.
#[derive(Clone, Debug)]
struct Walk {
    index: usize,
    /// What was written before the walk began: its newest place.
    unsent: Draft,
}

impl History {
    /// Takes the stored prompts, oldest first; what was written in this window stays the newest.
    pub(super) fn set_stored(&mut self, prompts: Vec<Draft>, shown: &Draft) {
        self.end_walk(shown);
        let own = self.prompts.split_off(self.prompts.len() - self.own_count);
        let known: Vec<String> = own.iter().map(Draft::sent).collect();
        self.prompts.clear();
        for prompt in prompts.into_iter().filter(|prompt| !known.contains(&prompt.sent())) {
            self.push(prompt);
        }
        self.own_count = 0;
        for prompt in own {
            self.push(prompt);
        }
    }

    /// Adds what was sent or cleared; a blank text or the newest once more is not added.
    pub(super) fn push(&mut self, prompt: Draft) {
        let is_newest = || self.prompts.back().is_some_and(|newest| newest.sent() == prompt.sent());
        if prompt.is_blank() || is_newest() {
            return;
        }
        self.prompts.push_back(prompt);
        self.own_count += 1;
        while self.prompts.len() > PROMPTS_MAX {
            self.prompts.pop_front();
        }
        self.own_count = self.own_count.min(self.prompts.len());
    }

    /// The newest prompt that was sent as this text, with its markers.
    pub(super) fn sent_as(&self, text: &str) -> Option<&Draft> {
        self.prompts.iter().rev().find(|prompt| prompt.sent_len() == text.len() && prompt.sent() == text)
    }

    /// True while the draft is what the walk brought.
    pub(super) fn is_as_recalled(&self, shown: &Draft) -> bool {
        self.walk.as_ref().is_some_and(|walk| self.prompts[walk.index] == *shown)
    }

    pub(super) fn older(&mut self, shown: &Draft) -> Option<Draft> {
        if !self.is_as_recalled(shown) {
            self.end_walk(shown);
        }
        let (index, unsent) = match self.walk.take() {
            Some(walk) if walk.index == 0 => {
                self.walk = Some(walk);
                return None;
            }
            Some(walk) => (walk.index - 1, walk.unsent),
            None => (self.prompts.len().checked_sub(1)?, shown.clone()),
        };
        self.walk = Some(Walk { index, unsent });
        Some(self.prompts[index].clone())
    }

    pub(super) fn newer(&mut self, shown: &Draft) -> Option<Draft> {
        if !self.is_as_recalled(shown) {
            self.end_walk(shown);
        }
        let walk = self.walk.take()?;
        let Some(newer) = self.prompts.get(walk.index + 1) else { return Some(walk.unsent) };
        let newer = newer.clone();
        self.walk = Some(Walk { index: walk.index + 1, unsent: walk.unsent });
        Some(newer)
    }

    /// Stays at what is shown; the draft from before the walk is not lost but becomes the newest prompt.
    pub(super) fn end_walk(&mut self, shown: &Draft) {
        if let Some(walk) = self.walk.take()
            && walk.unsent != *shown
        {
            self.push(walk.unsent);
        }
    }
}
