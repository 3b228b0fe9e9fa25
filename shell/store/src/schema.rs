//! The database's tables and the opening of it. What rows hold is `v1`'s and `catalog`'s business.

use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, Error, ErrorCode, TransactionBehavior};

/// The version of the tables; a database of a newer one is not touched.
const SCHEMA_VERSION: i64 = 1;

/// How long another process may hold the database before a write fails.
const BUSY_MS_MAX: u64 = 2_000;

/// `number` ties an event to its row in `talk`, whose text is in the event's body.
const TABLES: &str = "
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    workspace TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    created INTEGER NOT NULL,
    last_active INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_by_workspace ON sessions (workspace, last_active);
CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id),
    seq INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    loop TEXT,
    turn TEXT,
    step TEXT,
    call TEXT,
    cause TEXT NOT NULL,
    v INTEGER NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (session, seq)
);
CREATE INDEX prompts ON events (number, session) WHERE type IN ('TurnStarted', 'InputFolded');
CREATE TRIGGER events_stay_as_they_are BEFORE UPDATE ON events
    BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;
CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
    BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;
CREATE VIRTUAL TABLE talk USING fts5 (text, content = '', contentless_delete = 1);
CREATE TABLE leases (
    session TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    started TEXT NOT NULL,
    since INTEGER NOT NULL
) WITHOUT ROWID;
";

/// Opens the database at `path`, and makes it if there is none. Says in words why it cannot.
pub(crate) fn open(path: &Path) -> Result<Connection, String> {
    // Made before SQLite does, so that nobody else can read it; its side files take over the rights.
    let made = std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path);
    made.map_err(|error| format!("it cannot be opened: {error}; set EUKHE_DIR to a directory that can be written"))?;
    let mut connection = Connection::open(path).map_err(|error| explain(&error))?;
    // The log is whole without it, and a checkpoint at the end would hold up every exit by two syncs.
    let kept = connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    kept.map_err(|error| explain(&error))?;
    prepare(&mut connection)?;
    Ok(connection)
}

/// Brings a fresh connection to the tables of this version.
pub(crate) fn prepare(connection: &mut Connection) -> Result<(), String> {
    configure(connection).map_err(|error| explain(&error))?;
    match version(connection).map_err(|error| explain(&error))? {
        SCHEMA_VERSION => Ok(()),
        0 => create(connection).map_err(|error| explain(&error)),
        newer => Err(format!(
            "it has version {newer}, this program knows {SCHEMA_VERSION}; \
             update eukhe, or set EUKHE_DIR to another directory"
        )),
    }
}

/// Says what a database error means and what to do about it.
pub(crate) fn explain(error: &Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            "the file is damaged; move it away and a new one is begun, \
             `sqlite3 <file> .recover` may save what it holds"
                .to_owned()
        }
        Some(ErrorCode::DiskFull) => "the disk is full; free some space and try again".to_owned(),
        Some(ErrorCode::DatabaseBusy) => "another program holds it; close that one, or try again".to_owned(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            format!("it cannot be written ({error}); set EUKHE_DIR to a directory that can")
        }
        Some(_) | None => error.to_string(),
    }
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_millis(BUSY_MS_MAX))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "foreign_keys", "ON")
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    if version(&transaction)? == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    transaction.commit()
}
