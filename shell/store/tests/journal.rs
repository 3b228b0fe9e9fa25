//! The journal on a real disk: what is stored comes back, whatever happens to the process or the file.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use ports::{Backlog, Journal, SessionRow, Stored};
use protocol::{
    AccessProfile, Agency, Block, Body, Cause, Enduring, Ephemeral, Event, Header, IdSource, ModelRef, Scope,
    SessionId, Source, Stamp, StopReason, StreamMarks, ToolOutcome, ToolOutput, Usage,
};
use rusqlite::Connection;
use store::SqliteJournal;

const WORKSPACE: &str = "/home/ann/project";

/// Makes the events of one session, a millisecond apart.
struct Talk {
    session: SessionId,
    ids: IdSource,
    at_ms: u64,
}

impl Talk {
    fn new(seed: u64) -> Self {
        let mut ids = Stamp { at_ms: 1_764_500_000_000, seed }.ids();
        Self { session: ids.make(), ids, at_ms: 1_764_500_000_000 + seed * 1_000_000 }
    }

    fn event(&mut self, agency: Agency, enduring: Enduring) -> Event {
        self.at_ms += 1;
        let scope = enduring.scope().expect("a known type has a scope");
        let header = Header {
            id: self.ids.make(),
            at_ms: self.at_ms,
            session: self.session,
            loop_id: (scope >= Scope::Loop).then(|| self.ids.make()),
            turn: (scope >= Scope::Turn).then(|| self.ids.make()),
            step: (scope >= Scope::Step).then(|| self.ids.make()),
            call: (scope >= Scope::Tool).then(|| self.ids.make()),
            cause: Cause { from: Source::Session, agency },
        };
        Event { header, body: Body::Enduring(enduring) }
    }

    fn started(&mut self) -> Event {
        let workspace = WORKSPACE.to_owned();
        self.event(
            Agency::Machine,
            Enduring::SessionStarted { workspace, profile: AccessProfile::Trusted, tour: false },
        )
    }

    fn prompt(&mut self, text: &str) -> Event {
        let started = Enduring::TurnStarted { input: self.ids.make(), blocks: vec![Block::text(text)] };
        self.event(Agency::Human, started)
    }

    fn answer(&mut self, text: &str) -> Event {
        let answered = Enduring::StepAnswered {
            blocks: vec![Block::text(text)],
            usage: Some(Usage::default()),
            marks: StreamMarks::default(),
            stop: StopReason::EndTurn,
            cut: None,
        };
        self.event(Agency::Machine, answered)
    }

    fn tool(&mut self, text: &str) -> Event {
        let output = ToolOutput {
            outcome: ToolOutcome::Done,
            text: text.to_owned(),
            shown: None,
            facts: vec!["exit 0".into()],
            duration_ms: 5,
        };
        let finished = Enduring::ToolFinished { name: "bash".into(), summary: "$ ls".into(), output };
        self.event(Agency::Machine, finished)
    }

    fn done(&mut self) -> Event {
        self.event(Agency::Machine, Enduring::TurnDone { usage: Usage::default(), duration_ms: 9 })
    }

    fn turn(&mut self, prompt: &str) -> Vec<Event> {
        vec![self.prompt(prompt), self.tool("src"), self.answer("there is src"), self.done()]
    }
}

fn numbered(events: &[Event]) -> Backlog {
    let stored = (1..).zip(events).map(|(seq, event)| Stored { seq, event: event.clone() });
    Backlog { events: stored.collect(), skipped_count: 0 }
}

fn reason(path: &Path) -> String {
    SqliteJournal::open(path).err().expect("it must not open").to_string()
}

#[test]
fn what_is_appended_is_read_back_by_another_process_of_the_same_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.db");
    let mut talk = Talk::new(1);
    let mut events = vec![talk.started()];
    events.extend(talk.turn("list the files"));
    let mut journal = SqliteJournal::open(&path).unwrap();
    assert_eq!(journal.append(&events[..1]).unwrap(), 1);
    assert_eq!(journal.append(&events[1..]).unwrap(), 2);
    let mut other = SqliteJournal::open(&path).unwrap();
    assert_eq!(other.read(talk.session, 0).unwrap(), numbered(&events));
    let rest = Backlog { events: numbered(&events).events.split_off(3), skipped_count: 0 };
    assert_eq!(other.read(talk.session, 3).unwrap(), rest);
    assert_eq!(other.read(Talk::new(9).session, 0).unwrap(), Backlog::default());
}

#[test]
fn each_session_counts_its_own_events() {
    let mut journal = SqliteJournal::in_memory();
    let (mut first, mut second) = (Talk::new(1), Talk::new(2));
    let (one, two, three) = (first.turn("one"), second.turn("two"), first.turn("three"));
    assert_eq!(journal.append(&one).unwrap(), 1);
    assert_eq!(journal.append(&two).unwrap(), 1);
    assert_eq!(journal.append(&three).unwrap(), 5);
    assert_eq!(journal.read(second.session, 0).unwrap(), numbered(&two));
}

#[test]
fn an_event_that_is_stored_already_changes_nothing() {
    let mut journal = SqliteJournal::in_memory();
    let mut talk = Talk::new(1);
    let events = talk.turn("once");
    journal.append(&events).unwrap();
    assert_eq!(journal.append(&events[1..3]).unwrap(), 2);
    assert_eq!(journal.read(talk.session, 0).unwrap(), numbered(&events));
}

#[test]
fn a_batch_with_a_live_event_stores_none_of_it() {
    let mut journal = SqliteJournal::in_memory();
    let mut talk = Talk::new(1);
    let mut live = talk.prompt("hi");
    live.body = Body::Ephemeral(Ephemeral::TextDelta { text: "x".into() });
    let batch = [talk.prompt("hi"), live];
    let error = journal.append(&batch).unwrap_err().to_string();
    assert_eq!(error, "the journal in memory: an event that is live only was to be stored");
    assert_eq!(journal.read(talk.session, 0).unwrap(), Backlog::default());
}

#[test]
fn rows_that_cannot_be_read_are_skipped_and_counted() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.db");
    let mut talk = Talk::new(1);
    let events = talk.turn("hi");
    let mut journal = SqliteJournal::open(&path).unwrap();
    journal.append(&events).unwrap();
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch(
        "DROP TRIGGER events_stay_as_they_are;
         UPDATE events SET body = substr(body, 1, 10) WHERE seq = 2;
         UPDATE events SET turn = 'no id' WHERE seq = 3;",
    )
    .unwrap();
    let mut wanted = numbered(&events);
    wanted.events.drain(1..3);
    wanted.skipped_count = 2;
    assert_eq!(journal.read(talk.session, 0).unwrap(), wanted);
    let next = talk.prompt("still here");
    assert_eq!(journal.append(std::slice::from_ref(&next)).unwrap(), 5);
}

#[test]
fn stored_events_can_neither_be_changed_nor_deleted() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.db");
    SqliteJournal::open(&path).unwrap().append(&Talk::new(1).turn("hi")).unwrap();
    let raw = Connection::open(&path).unwrap();
    for statement in ["UPDATE events SET body = '{}'", "DELETE FROM events"] {
        assert_eq!(raw.execute_batch(statement).unwrap_err().to_string(), "events are append-only");
    }
}

#[test]
fn the_newest_session_of_a_workspace_is_found_with_its_first_prompt_as_title() {
    let mut journal = SqliteJournal::in_memory();
    let (mut old, mut new) = (Talk::new(1), Talk::new(2));
    for talk in [&mut new, &mut old] {
        let events = [talk.started(), talk.prompt("fix\n  the   parser"), talk.prompt("and more")];
        journal.append(&events).unwrap();
    }
    let row = SessionRow { session: new.session, title: "fix the parser".into(), last_active_ms: new.at_ms };
    assert_eq!(journal.newest(WORKSPACE).unwrap(), Some(row));
    assert_eq!(journal.newest("/elsewhere").unwrap(), None);
}

#[test]
fn prompts_of_a_workspace_come_oldest_first_and_equal_neighbors_once() {
    let mut journal = SqliteJournal::in_memory();
    let (mut first, mut second) = (Talk::new(1), Talk::new(2));
    let one = [first.started(), first.prompt("a"), first.prompt("b"), first.prompt("b")];
    let two = [second.started(), second.prompt("b"), second.prompt("c")];
    journal.append(&one).unwrap();
    journal.append(&two).unwrap();
    assert_eq!(journal.prompts(WORKSPACE, 10).unwrap(), ["a", "b", "c"]);
    assert_eq!(journal.prompts(WORKSPACE, 2).unwrap(), ["b", "c"]);
    assert_eq!(journal.prompts("/elsewhere", 2).unwrap(), [""; 0]);
}

#[test]
fn the_catalog_tells_a_sessions_state() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.db");
    let mut journal = SqliteJournal::open(&path).unwrap();
    let raw = Connection::open(&path).unwrap();
    let state = || raw.query_row("SELECT state FROM sessions", [], |row| row.get::<_, String>(0)).unwrap();
    let mut talk = Talk::new(1);
    journal.append(&[talk.prompt("hi")]).unwrap();
    assert_eq!(state(), "running");
    journal.append(&[talk.answer("ok"), talk.done()]).unwrap();
    assert_eq!(state(), "idle");
}

#[test]
fn prompts_answers_and_tool_outputs_can_be_searched_from_the_first_day() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.db");
    let mut talk = Talk::new(1);
    let events = [talk.prompt("mend the gearbox"), talk.answer("the clutch slips"), talk.tool("piston 4 broken")];
    SqliteJournal::open(&path).unwrap().append(&events).unwrap();
    let raw = Connection::open(&path).unwrap();
    let select = "SELECT seq FROM talk JOIN events ON events.number = talk.rowid WHERE talk MATCH ?1";
    let found = |word: &str| raw.query_row(select, [word], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!([found("gearbox"), found("clutch"), found("piston")], [1, 2, 3]);
}

#[test]
fn a_database_of_a_newer_version_is_not_touched() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.db");
    drop(SqliteJournal::open(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 2).unwrap();
    let wanted = format!(
        "the journal {}: it has version 2, this program knows 1; update eukhe, or set EUKHE_DIR to another directory",
        path.display()
    );
    assert_eq!(reason(&path), wanted);
}

#[test]
fn a_damaged_file_is_named_with_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.db");
    let wanted = format!(
        "the journal {}: the file is damaged; move it away and a new one is begun, \
         `sqlite3 <file> .recover` may save what it holds",
        path.display()
    );
    std::fs::write(&path, "no database at all, but long enough to be looked at".repeat(100)).unwrap();
    assert_eq!(reason(&path), wanted);
}

#[test]
fn a_file_that_cannot_be_made_is_told() {
    let path = Path::new("/nowhere/journal.db");
    let wanted = "the journal /nowhere/journal.db: it cannot be opened: No such file or directory (os error 2); \
                  set EUKHE_DIR to a directory that can be written";
    assert_eq!(reason(path), wanted);
}

#[test]
fn leases_are_given_back_when_the_journal_is_dropped() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.db");
    let mut journal = SqliteJournal::open(&path).unwrap();
    let raw = Connection::open(&path).unwrap();
    let count = || raw.query_row("SELECT count(*) FROM leases", [], |row| row.get::<_, i64>(0)).unwrap();
    journal.lease(Talk::new(1).session).unwrap();
    assert_eq!(count(), 1);
    drop(journal);
    assert_eq!(count(), 0);
}

/// The other half of the next test: appends and tells each number, until it is killed.
#[test]
fn appends_until_killed() {
    let Some(path) = std::env::var_os("EUKHE_TEST_JOURNAL") else { return };
    let mut journal = SqliteJournal::open(Path::new(&path)).unwrap();
    let mut talk = Talk::new(1);
    loop {
        let seq = journal.append(&[talk.tool("some output")]).unwrap();
        writeln!(std::io::stdout(), "stored {seq}").unwrap();
    }
}

#[test]
fn a_kill_loses_nothing_that_was_told_as_stored() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.db");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["appends_until_killed", "--exact", "--nocapture"])
        .env("EUKHE_TEST_JOURNAL", &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let seqs = lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("stored ")?.parse::<u64>().ok());
    let told = seqs.take(200).last().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let backlog = SqliteJournal::open(&path).unwrap().read(Talk::new(1).session, 0).unwrap();
    let seqs: Vec<u64> = backlog.events.iter().map(|stored| stored.seq).collect();
    assert!(told >= 200 && seqs.len() as u64 >= told, "told {told}, read {}", seqs.len());
    assert_eq!((seqs.clone(), backlog.skipped_count), ((1..=seqs.len() as u64).collect(), 0));
}

#[test]
fn a_model_of_a_loop_survives_the_round_trip() {
    let mut journal = SqliteJournal::in_memory();
    let mut talk = Talk::new(1);
    let model = ModelRef { provider: "openai".into(), id: "org/model".into() };
    let events = [talk.event(Agency::Machine, Enduring::LoopStarted { agent_name: "eukhe".into(), model })];
    journal.append(&events).unwrap();
    assert_eq!(journal.read(talk.session, 0).unwrap(), numbered(&events));
}
