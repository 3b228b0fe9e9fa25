//! The lease: one process writes a session. Says who holds it; takes nothing over.

use std::time::{SystemTime, UNIX_EPOCH};

use protocol::{Failure, FailureKind, SessionId};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

/// A process, told apart from later ones of the same number by when it began.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Holder {
    pid: u32,
    started: String,
    since_ms: u64,
}

/// Why a session was not leased.
pub(crate) enum Refusal {
    Held(Failure),
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// Makes this process the session's writer, unless another one that lives is.
pub(crate) fn take(connection: &mut Connection, session: SessionId) -> Result<(), Refusal> {
    let now_ms = now_ms();
    let me =
        Holder { pid: std::process::id(), started: start_of(std::process::id()).unwrap_or_default(), since_ms: now_ms };
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if let Some(holder) = holder(&transaction, session)?
        && !holder.is_same_process(&me)
        && holder.is_alive()
    {
        return Err(Refusal::Held(held(&holder, now_ms)));
    }
    transaction.execute(
        "INSERT OR REPLACE INTO leases (session, pid, started, since) VALUES (?1, ?2, ?3, ?4)",
        params![session.to_string(), me.pid, me.started, me.since_ms],
    )?;
    transaction.commit()?;
    Ok(())
}

/// Gives a session back, if this process holds it.
pub(crate) fn release(connection: &Connection, session: SessionId) -> rusqlite::Result<()> {
    let pid = std::process::id();
    let started = start_of(pid).unwrap_or_default();
    connection
        .execute(
            "DELETE FROM leases WHERE session = ?1 AND pid = ?2 AND started = ?3",
            params![session.to_string(), pid, started],
        )
        .map(drop)
}

impl Holder {
    fn is_same_process(&self, other: &Self) -> bool {
        self.pid == other.pid && self.started == other.started
    }

    fn is_alive(&self) -> bool {
        start_of(self.pid).is_some_and(|started| started == self.started)
    }
}

fn holder(connection: &Connection, session: SessionId) -> rusqlite::Result<Option<Holder>> {
    connection
        .query_row("SELECT pid, started, since FROM leases WHERE session = ?1", [session.to_string()], |row| {
            Ok(Holder { pid: row.get(0)?, started: row.get(1)?, since_ms: row.get(2)? })
        })
        .optional()
}

fn held(holder: &Holder, now_ms: u64) -> Failure {
    let minutes = now_ms.saturating_sub(holder.since_ms) / 60_000;
    let since = match (minutes / 60, minutes) {
        (0, 0) => "less than a minute".to_owned(),
        (0, 1) => "a minute".to_owned(),
        (0, minutes) => format!("{minutes} minutes"),
        (1, _) => "an hour".to_owned(),
        (hours, _) => format!("{hours} hours"),
    };
    Failure::new(
        FailureKind::Storage,
        format!("the session has been open in another eukhe, process {}, for {since}", holder.pid),
        "close it there, or begin a new session here with `/new`",
    )
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Returns when a process began, in the system's own words; none if it is gone.
#[cfg(target_os = "linux")]
fn start_of(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold blanks and parentheses; the fields after it do not.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let is_gone = matches!(state, "Z" | "X");
    // Field 22 of all; two stand before the name's end, one was just taken.
    fields.nth(18).filter(|_| !is_gone).map(str::to_owned)
}

/// Returns when a process began, in the system's own words; none if it is gone.
#[cfg(not(target_os = "linux"))]
fn start_of(pid: u32) -> Option<String> {
    let output = std::process::Command::new("ps").args(["-o", "lstart=", "-p", &pid.to_string()]).output().ok()?;
    let started = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (!started.is_empty()).then_some(started)
}

#[cfg(test)]
mod tests {
    use protocol::Stamp;

    use super::*;
    use crate::schema;

    fn database() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::prepare(&mut connection).unwrap();
        connection
    }

    fn session() -> SessionId {
        Stamp { at_ms: 1, seed: 1 }.ids().make()
    }

    fn lease_to(connection: &Connection, holder: &Holder) {
        let values = params![session().to_string(), holder.pid, holder.started, holder.since_ms];
        connection.execute("INSERT INTO leases VALUES (?1, ?2, ?3, ?4)", values).unwrap();
    }

    fn holding_child() -> (std::process::Child, Holder) {
        let child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let holder =
            Holder { pid: child.id(), started: start_of(child.id()).unwrap(), since_ms: now_ms() - 5 * 60_000 };
        (child, holder)
    }

    #[test]
    fn a_session_that_a_living_process_holds_is_refused_with_its_holder() {
        let mut connection = database();
        let (mut child, holder) = holding_child();
        lease_to(&connection, &holder);
        let taken = take(&mut connection, session());
        child.kill().unwrap();
        child.wait().unwrap();
        let Err(Refusal::Held(failure)) = taken else { panic!("the session was taken") };
        let message = format!("the session has been open in another eukhe, process {}, for 5 minutes", holder.pid);
        let next_step = "close it there, or begin a new session here with `/new`";
        assert_eq!(failure, Failure::new(FailureKind::Storage, message, next_step));
    }

    #[test]
    fn a_holder_that_was_killed_is_seen_before_anyone_has_waited_for_it() {
        let mut connection = database();
        let (mut child, holder) = holding_child();
        lease_to(&connection, &holder);
        child.kill().unwrap();
        while start_of(child.id()).is_some() {
            std::thread::yield_now();
        }
        assert!(take(&mut connection, session()).is_ok());
        child.wait().unwrap();
    }

    #[test]
    fn a_later_process_of_the_same_number_holds_nothing() {
        let mut connection = database();
        let (mut child, holder) = holding_child();
        lease_to(&connection, &Holder { started: "another time".into(), ..holder });
        let taken = take(&mut connection, session());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(taken.is_ok());
    }

    #[test]
    fn a_process_may_lease_again_what_it_holds_and_gives_it_back() {
        let mut connection = database();
        assert!(take(&mut connection, session()).is_ok() && take(&mut connection, session()).is_ok());
        release(&connection, session()).unwrap();
        assert_eq!(holder(&connection, session()).unwrap(), None);
    }
}
