//! The form of an event as a row of version 1. Only this file knows the columns.

use ports::{SessionRow, Stored};
use protocol::codec::{self, Record};
use protocol::{Block, Event, EventId, SessionId};
use rusqlite::types::FromSqlError;
use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use crate::catalog;

/// Where an event stands: its row's number in the database, and its place in its session's log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) number: i64,
    pub(crate) seq: u64,
}

/// Reads one session's rows after a place.
pub(crate) const SELECT: &str = "
SELECT seq, session, id, at, loop, turn, step, call, cause, v, type, body
FROM events WHERE session = ?1 AND seq > ?2 ORDER BY seq";

const INSERT: &str = "
INSERT INTO events (session, seq, id, at, loop, turn, step, call, cause, v, type, body)
VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE session = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
RETURNING number, seq";

/// Returns the place of a stored event.
pub(crate) fn find(connection: &Connection, id: EventId) -> rusqlite::Result<Option<u64>> {
    let mut statement = connection.prepare_cached("SELECT seq FROM events WHERE id = ?1")?;
    statement.query_row([id.to_string()], |row| row.get(0)).optional()
}

/// Puts a record behind the last of its session.
pub(crate) fn insert(connection: &Connection, record: &Record) -> rusqlite::Result<Place> {
    let cause = serde_json::to_string(&record.cause).expect("a cause is plain data");
    let values = params![
        record.session.to_string(),
        record.id.to_string(),
        record.at,
        record.loop_id.map(|id| id.to_string()),
        record.turn.map(|id| id.to_string()),
        record.step.map(|id| id.to_string()),
        record.call.map(|id| id.to_string()),
        cause,
        record.v,
        record.type_name,
        record.body.to_string(),
    ];
    let mut statement = connection.prepare_cached(INSERT)?;
    statement.query_row(values, |row| Ok(Place { number: row.get(0)?, seq: row.get(1)? }))
}

/// Reads a row of [`SELECT`] back; none if it does not hold what it should.
pub(crate) fn decode(row: &Row<'_>) -> Option<Stored> {
    let seq = row.get(0).ok()?;
    Some(Stored { seq, event: event_of(row)? })
}

/// Reads the prompt out of a row that holds the body of a started turn or a folded input.
pub(crate) fn prompt(row: &Row<'_>) -> Option<String> {
    let body: serde_json::Value = json(row, 0)?;
    let blocks: Vec<Block> = serde_json::from_value(body.get("blocks")?.clone()).ok()?;
    Some(catalog::text_of(&blocks))
}

/// Reads a row of the catalog that holds id, title and time.
pub(crate) fn session_row(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    let text = row.get_ref(0)?.as_str()?;
    let id = Uuid::try_parse(text).map_err(|error| FromSqlError::Other(Box::new(error)))?;
    Ok(SessionRow { session: SessionId(id), title: row.get(1)?, last_active_ms: row.get(2)? })
}

fn event_of(row: &Row<'_>) -> Option<Event> {
    let record = Record {
        session: id(row, 1)??,
        id: id(row, 2)??,
        at: row.get(3).ok()?,
        loop_id: id(row, 4)?,
        turn: id(row, 5)?,
        step: id(row, 6)?,
        call: id(row, 7)?,
        cause: json(row, 8)?,
        v: row.get(9).ok()?,
        type_name: row.get(10).ok()?,
        body: json(row, 11)?,
    };
    codec::decode(record).ok()
}

/// Reads an id that may be missing; none if what is there is no id.
fn id<Id: From<Uuid>>(row: &Row<'_>, column: usize) -> Option<Option<Id>> {
    match row.get_ref(column).ok()?.as_str_or_null().ok()? {
        Some(text) => Uuid::try_parse(text).ok().map(|uuid| Some(Id::from(uuid))),
        None => Some(None),
    }
}

fn json<Value: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> Option<Value> {
    serde_json::from_str(row.get_ref(column).ok()?.as_str().ok()?).ok()
}
