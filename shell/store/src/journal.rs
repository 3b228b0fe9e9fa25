//! The journal in SQLite: appends events, reads them back, answers for the catalog.
//! The columns are `v1`'s business, the tables `schema`'s.

use std::path::Path;

use ports::{Backlog, Journal, JournalError, SessionRow};
use protocol::codec::{self, Record};
use protocol::{Agency, Enduring, Event, Failure, FailureKind, SessionId};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::{catalog, lease, schema, v1};

/// The journal of all sessions; gives the leases it took back when it is dropped.
pub struct SqliteJournal {
    connection: Connection,
    /// For errors.
    path: String,
    leases: Vec<SessionId>,
}

impl SqliteJournal {
    /// Opens the journal at `path`, and makes it if there is none.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let name = path.display().to_string();
        match schema::open(path) {
            Ok(connection) => Ok(Self { connection, path: name, leases: Vec::new() }),
            Err(reason) => Err(JournalError { path: name, reason }),
        }
    }

    /// Opens an empty journal that is gone with its value.
    pub fn in_memory() -> Self {
        let mut connection = Connection::open_in_memory().expect("memory can always be opened");
        schema::prepare(&mut connection).expect("an empty database takes the tables");
        Self { connection, path: "in memory".to_owned(), leases: Vec::new() }
    }

    fn append_all(&mut self, events: &[(&Event, Record, &Enduring)]) -> rusqlite::Result<u64> {
        self.connection.pragma_update(None, "synchronous", durability(events))?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut first = None;
        for (event, record, enduring) in events {
            let seq = append_one(&transaction, event, record, enduring)?;
            first.get_or_insert(seq);
        }
        transaction.commit()?;
        Ok(first.unwrap_or(0))
    }

    fn read_all(&self, session: SessionId, after: u64) -> rusqlite::Result<Backlog> {
        let mut statement = self.connection.prepare_cached(v1::SELECT)?;
        let mut rows = statement.query(params![session.to_string(), after])?;
        let mut backlog = Backlog::default();
        while let Some(row) = rows.next()? {
            match v1::decode(row) {
                Some(stored) => backlog.events.push(stored),
                None => backlog.skipped_count += 1,
            }
        }
        Ok(backlog)
    }

    fn newest_prompts(&self, workspace: &str, count_max: usize) -> rusqlite::Result<Vec<String>> {
        // Walks from the newest prompt of all and stops early, instead of sorting every prompt of the workspace.
        let mut statement = self.connection.prepare_cached(
            "SELECT body FROM events INDEXED BY prompts CROSS JOIN sessions ON sessions.id = events.session
             WHERE workspace = ?1 AND type IN ('TurnStarted', 'InputFolded') ORDER BY number DESC",
        )?;
        let mut rows = statement.query([workspace])?;
        let mut prompts: Vec<String> = Vec::new();
        while prompts.len() < count_max
            && let Some(row) = rows.next()?
        {
            let prompt = v1::prompt(row);
            prompts.extend(prompt.filter(|prompt| !prompt.is_empty() && prompts.last() != Some(prompt)));
        }
        prompts.reverse();
        Ok(prompts)
    }

    fn error(&self, error: &rusqlite::Error) -> JournalError {
        JournalError { path: self.path.clone(), reason: schema::explain(error) }
    }
}

impl Journal for SqliteJournal {
    fn append(&mut self, events: &[Event]) -> Result<u64, JournalError> {
        let mut parts = Vec::with_capacity(events.len());
        for event in events {
            let (Some(record), Some(enduring)) = (codec::encode(event), event.enduring()) else {
                let reason = "an event that is live only was to be stored".to_owned();
                return Err(JournalError { path: self.path.clone(), reason });
            };
            parts.push((event, record, enduring));
        }
        self.append_all(&parts).map_err(|error| self.error(&error))
    }

    fn read(&mut self, session: SessionId, after: u64) -> Result<Backlog, JournalError> {
        self.read_all(session, after).map_err(|error| self.error(&error))
    }

    fn newest(&mut self, workspace: &str) -> Result<Option<SessionRow>, JournalError> {
        let select = "SELECT id, title, last_active FROM sessions WHERE workspace = ?1
                      ORDER BY last_active DESC, id DESC LIMIT 1";
        let row = self.connection.query_row(select, [workspace], v1::session_row).optional();
        row.map_err(|error| self.error(&error))
    }

    fn prompts(&mut self, workspace: &str, count_max: usize) -> Result<Vec<String>, JournalError> {
        self.newest_prompts(workspace, count_max).map_err(|error| self.error(&error))
    }

    fn lease(&mut self, session: SessionId) -> Result<(), Failure> {
        match lease::take(&mut self.connection, session) {
            Ok(()) => {
                self.leases.push(session);
                Ok(())
            }
            Err(lease::Refusal::Held(failure)) => Err(failure),
            Err(lease::Refusal::Database(error)) => {
                let message = self.error(&error).to_string();
                Err(Failure::new(FailureKind::Storage, message, "begin again when that is mended"))
            }
        }
    }
}

impl Drop for SqliteJournal {
    fn drop(&mut self) {
        for session in &self.leases {
            // A lease that stays is stale as soon as this process is gone.
            let _ = lease::release(&self.connection, *session);
        }
    }
}

fn append_one(connection: &Connection, event: &Event, record: &Record, enduring: &Enduring) -> rusqlite::Result<u64> {
    if let Some(seq) = v1::find(connection, event.header.id)? {
        return Ok(seq);
    }
    let note = catalog::note(enduring);
    catalog::keep(connection, event, &note)?;
    let place = v1::insert(connection, record)?;
    catalog::index(connection, place.number, &note)?;
    Ok(place.seq)
}

/// What a person did and how a turn ended must outlive a power cut; the rest only a kill.
fn durability(events: &[(&Event, Record, &Enduring)]) -> &'static str {
    let must_last = |(event, _, enduring): &(&Event, Record, &Enduring)| {
        event.header.cause.agency == Agency::Human
            || matches!(
                enduring,
                Enduring::TurnDone { .. } | Enduring::TurnFailed { .. } | Enduring::TurnInterrupted {}
            )
    };
    if events.iter().any(must_last) { "FULL" } else { "NORMAL" }
}

#[cfg(test)]
mod tests {
    use protocol::{Body, Cause, Header, Scope, Source, Stamp, Usage};

    use super::*;

    fn event(seed: u64, agency: Agency, enduring: Enduring) -> Event {
        let mut ids = Stamp { at_ms: 1, seed }.ids();
        let header = Header {
            id: ids.make(),
            at_ms: 1,
            session: ids.make(),
            loop_id: Some(ids.make()),
            turn: (enduring.scope() == Some(Scope::Turn)).then(|| ids.make()),
            step: None,
            call: None,
            cause: Cause { from: Source::Session, agency },
        };
        Event { header, body: Body::Enduring(enduring) }
    }

    #[test]
    fn what_a_person_did_and_ends_of_turns_outlive_a_power_cut() {
        let mut journal = SqliteJournal::in_memory();
        let mut level_after = |event: Event| -> i64 {
            journal.append(&[event]).unwrap();
            journal.connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap()
        };
        let (normal, full) = (1, 2);
        let idle = Enduring::LoopIdle {};
        let done = Enduring::TurnDone { usage: Usage::default(), duration_ms: 1 };
        assert_eq!(level_after(event(1, Agency::Machine, idle.clone())), normal);
        assert_eq!(level_after(event(2, Agency::Human, idle.clone())), full);
        assert_eq!(level_after(event(3, Agency::Machine, idle)), normal);
        assert_eq!(level_after(event(4, Agency::Machine, done)), full);
    }
}
