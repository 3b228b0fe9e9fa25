//! How enduring events are kept: version 1 of a journal record.
//! A type of a newer version is kept whole; a record whose ids do not fit its type is refused.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Body, Cause, Enduring, Event, EventId, Header, LoopId, SessionId, StepId, ToolCallId, TurnId};

/// The version of the form that `encode` writes.
pub const VERSION: u32 = 1;

/// One stored event, as a journal row or a line of an export holds it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    pub v: u32,
    pub id: EventId,
    pub at: u64,
    pub session: SessionId,
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub loop_id: Option<LoopId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<StepId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<ToolCallId>,
    pub cause: Cause,
    #[serde(rename = "type")]
    pub type_name: String,
    pub body: Value,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    #[error("the body of a `{type_name}` cannot be read: {reason}")]
    Body { type_name: String, reason: String },
    #[error("a `{type_name}` carries the wrong ids for its scope")]
    Scope { type_name: String },
}

/// Returns the record of an enduring event, none for an ephemeral one.
pub fn encode(event: &Event) -> Option<Record> {
    let enduring = event.enduring()?;
    let (v, type_name, body) = match enduring {
        Enduring::Unknown { type_name, version, body } => (*version, type_name.clone(), body.clone()),
        known => {
            let tagged = serde_json::to_value(known).expect("an event is plain data with text keys");
            let type_name = tagged["type"].as_str().expect("the tag of an event is text").to_owned();
            (VERSION, type_name, tagged.get("body").cloned().unwrap_or(Value::Null))
        }
    };
    let header = &event.header;
    Some(Record {
        v,
        id: header.id,
        at: header.at_ms,
        session: header.session,
        loop_id: header.loop_id,
        turn: header.turn,
        step: header.step,
        call: header.call,
        cause: header.cause,
        type_name,
        body,
    })
}

/// Reads a record back into the event it was made of.
pub fn decode(record: Record) -> Result<Event, DecodeError> {
    let Record { v, id, at, session, loop_id, turn, step, call, cause, type_name, body } = record;
    let header = Header { id, at_ms: at, session, loop_id, turn, step, call, cause };
    let is_known = v <= VERSION && Enduring::TYPE_NAMES.contains(&type_name.as_str());
    if !is_known {
        return Ok(Event { header, body: Body::Enduring(Enduring::Unknown { type_name, version: v, body }) });
    }
    let tagged = serde_json::json!({ "type": type_name, "body": body });
    let enduring: Enduring = serde_json::from_value(tagged)
        .map_err(|error| DecodeError::Body { type_name: type_name.clone(), reason: error.to_string() })?;
    match enduring.scope() {
        Some(scope) if header.fits(scope) => Ok(Event { header, body: Body::Enduring(enduring) }),
        Some(_) | None => Err(DecodeError::Scope { type_name }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Agency, Block, InputId, Source, Stamp};

    fn turn_started() -> Event {
        let mut ids = Stamp { at_ms: 1_764_500_000_000, seed: 1 }.ids();
        let input: InputId = ids.make();
        Event {
            header: Header {
                id: ids.make(),
                at_ms: 1_764_500_000_000,
                session: ids.make(),
                loop_id: Some(ids.make()),
                turn: Some(ids.make()),
                step: None,
                call: None,
                cause: Cause { from: Source::Command(ids.make()), agency: Agency::Human },
            },
            body: Body::Enduring(Enduring::TurnStarted { input, blocks: vec![Block::text("hi")] }),
        }
    }

    #[test]
    fn what_is_encoded_decodes_to_the_same_event() {
        let event = turn_started();
        let record = encode(&event).unwrap();
        let line = serde_json::to_string(&record).unwrap();
        let read: Record = serde_json::from_str(&line).unwrap();
        assert_eq!(decode(read).unwrap(), event);
    }

    #[test]
    fn a_record_with_the_wrong_ids_is_refused() {
        let mut record = encode(&turn_started()).unwrap();
        record.turn = None;
        assert_eq!(decode(record), Err(DecodeError::Scope { type_name: "TurnStarted".into() }));
    }

    #[test]
    fn a_type_of_a_newer_version_is_kept_whole() {
        let mut record = encode(&turn_started()).unwrap();
        record.type_name = "MoonPhaseChanged".into();
        record.body = serde_json::json!({ "phase": "full", "seen_by": ["you"] });
        let event = decode(record.clone()).unwrap();
        assert_eq!(encode(&event), Some(record));
    }

    #[test]
    fn a_body_that_does_not_fit_its_type_is_an_error_not_a_guess() {
        let mut record = encode(&turn_started()).unwrap();
        record.body = serde_json::json!({ "input": 5 });
        assert!(matches!(decode(record), Err(DecodeError::Body { .. })));
    }

    /// What version 1 has written must be read for ever: lines are added to the fixture, never changed.
    #[test]
    fn every_stored_type_of_version_1_still_reads_and_writes_the_same() {
        let mut types = std::collections::BTreeSet::new();
        for line in include_str!("../fixtures/v1.jsonl").lines() {
            let record: Record = serde_json::from_str(line).unwrap();
            let event = decode(record.clone()).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert!(!matches!(event.enduring(), Some(Enduring::Unknown { .. })), "{line}");
            let written = serde_json::to_value(encode(&event).unwrap()).unwrap();
            assert_eq!(written, serde_json::from_str::<Value>(line).unwrap());
            types.insert(record.type_name);
        }
        let known: std::collections::BTreeSet<String> =
            Enduring::TYPE_NAMES.iter().map(|name| name.to_string()).collect();
        assert_eq!(types, known);
    }
}
