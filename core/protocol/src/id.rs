//! Ids as types, and the stamp that brings time and ids into pure code.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// The first eight hex digits of the random part, as people see an id.
            pub fn short(&self) -> String {
                let hex = self.0.simple().to_string();
                hex[hex.len() - 8..].to_owned()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(out)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(out, "{}({})", stringify!($name), self.short())
            }
        }

        impl From<Uuid> for $name {
            fn from(uuid: Uuid) -> Self {
                Self(uuid)
            }
        }
    )+};
}

ids! {
    /// One conversation and its journal.
    SessionId,
    /// The first loop of a session or one of its sub-agents.
    LoopId,
    /// From a prompt to its end.
    TurnId,
    /// One model request and its tool batch.
    StepId,
    /// One use of a tool.
    ToolCallId,
    /// One question that holds a turn.
    GateId,
    /// One message a person submitted.
    InputId,
    /// One thing that has happened.
    EventId,
    /// One thing a client asked for.
    CommandId,
}

/// What pure code may know of the world at one moment: the time, and randomness for ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Fresh randomness; two stamps never share one.
    pub seed: u64,
}

impl Stamp {
    /// Returns a source of ids that are ordered by this stamp's time.
    pub fn ids(self) -> IdSource {
        IdSource { at_ms: self.at_ms, state: self.seed }
    }
}

/// Makes UUIDs of version 7 out of a stamp, the same ones for the same stamp.
#[derive(Clone, Debug)]
pub struct IdSource {
    at_ms: u64,
    state: u64,
}

impl IdSource {
    /// Makes the next id.
    pub fn make<Id: From<Uuid>>(&mut self) -> Id {
        let (high, low) = (self.random(), self.random());
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&high.to_be_bytes());
        bytes[8..].copy_from_slice(&low.to_be_bytes()[..2]);
        uuid::Builder::from_unix_timestamp_millis(self.at_ms, &bytes).into_uuid().into()
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): enough to keep ids of one stamp apart.
    pub fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stamp_gives_distinct_ids_and_the_same_ones_again() {
        let stamp = Stamp { at_ms: 1_700_000_000_000, seed: 7 };
        let (mut first, mut second) = (stamp.ids(), stamp.ids());
        let made: Vec<TurnId> = (0..100).map(|_| first.make()).collect();
        let again: Vec<TurnId> = (0..100).map(|_| second.make()).collect();
        assert_eq!(made, again);
        let mut distinct = made.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), made.len());
        assert_eq!(made[0].0.get_version_num(), 7);
    }
}
