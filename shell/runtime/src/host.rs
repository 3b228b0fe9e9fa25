//! Opens built-in agents: journal, session, prompts, actor.
//! Waits for nothing on the caller's thread; the interface paints meanwhile.

use std::sync::Arc;

use agent::{Config, Effect, Session};
use ports::{
    Agent, Backlog, Clock, Host, Journal, JournalError, Opening, Presentation, Provider, Tool, ToolContext, Which,
};
use protocol::{AccessProfile, Enduring, Event, Failure, FailureKind, ModelRef};
use tokio::sync::{mpsc, oneshot};

use crate::Home;
use crate::actor::Actor;
use crate::builtin::{BuiltinAgent, REQUESTS_MAX};
use crate::work::{OUTCOMES_MAX, Work};

/// Prompts of the workspace that the composer's history starts with; older ones are left out.
const PROMPTS_MAX: usize = 100;

/// What every session of this process is made of.
pub struct HostParts {
    pub config: Config,
    pub model_choice: ModelChoice,
    /// What the model is told before any message.
    pub system: String,
    /// Rows below the splash.
    pub notices: Vec<String>,
    pub provider: Arc<dyn Provider>,
    pub tools: Arc<Vec<Box<dyn Tool>>>,
    /// Makes what the tools of one session share.
    pub tool_context: Box<dyn Fn() -> ToolContext + Send + Sync>,
    /// Opens the journal; called where the agent lives, since it may take a while.
    pub journal: Box<dyn Fn() -> Result<Box<dyn Journal>, JournalError> + Send + Sync>,
    pub clock: Arc<dyn Clock>,
    pub home: Home,
}

/// Whether a session that is opened again keeps the model it had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelChoice {
    /// Named for this run: every session takes it.
    Named,
    /// Found by settings and environment: only new sessions take it.
    Found,
}

pub struct BuiltinHost {
    parts: Arc<HostParts>,
}

impl BuiltinHost {
    pub fn new(parts: HostParts) -> Self {
        Self { parts: Arc::new(parts) }
    }
}

impl Host for BuiltinHost {
    fn open(&self, which: Which) -> Opening {
        let parts = Arc::clone(&self.parts);
        Box::pin(async move {
            let (answer, opened) = oneshot::channel();
            let home = parts.home;
            home.start(Box::pin(live(parts, which, answer))).map_err(|error| {
                Failure::new(
                    FailureKind::Other,
                    format!("no thread for the agent: {error}"),
                    "close other programs and start eukhe again",
                )
            })?;
            opened.await.unwrap_or_else(|_| {
                Err(Failure::new(FailureKind::Other, "opening the session crashed", "the log has the details"))
            })
        })
    }
}

/// An agent's whole life: opened, announced, served until it is closed.
async fn live(parts: Arc<HostParts>, which: Which, answer: oneshot::Sender<Result<Box<dyn Agent>, Failure>>) {
    match open(&parts, which) {
        Ok((agent, actor)) => {
            // Nobody there to take the agent: its handle is dropped, and the actor ends by itself.
            drop(answer.send(Ok(Box::new(agent))));
            actor.run().await;
        }
        Err(failure) => drop(answer.send(Err(failure))),
    }
}

fn open(parts: &HostParts, which: Which) -> Result<(BuiltinAgent, Actor), Failure> {
    let mut journal = (parts.journal)().map_err(|error| storage_failure(&error))?;
    let workspace = &parts.config.workspace;
    let stored = match which {
        Which::New => None,
        Which::Newest => newest(&mut *journal, workspace)?,
    };
    let prompts = journal.prompts(workspace, PROMPTS_MAX).map_err(|error| storage_failure(&error))?;
    let restored = stored.is_some();
    let (session, mending, model) = start_session(parts, stored);
    journal.lease(session.id())?;

    let (requests_in, requests) = mpsc::channel(REQUESTS_MAX);
    let (outcomes_in, outcomes) = mpsc::channel(OUTCOMES_MAX);
    let agent = BuiltinAgent {
        session: session.id(),
        presentation: presentation(parts, model, restored, prompts),
        requests: requests_in,
    };
    let work = Work::new(
        Arc::clone(&parts.provider),
        Arc::clone(&parts.tools),
        (parts.tool_context)(),
        parts.system.clone(),
        outcomes_in,
    );
    let mut actor = Actor::new(session, journal, Arc::clone(&parts.clock), work, requests, outcomes);
    // Before anyone can read the backlog: what a killed process left open is closed in it.
    actor.carry_out(mending);
    Ok((agent, actor))
}

/// The stored events of the workspace's newest session; none if it has no session that can be read.
fn newest(journal: &mut dyn Journal, workspace: &str) -> Result<Option<Backlog>, Failure> {
    let failed = |error: JournalError| storage_failure(&error);
    let Some(row) = journal.newest(workspace).map_err(failed)? else { return Ok(None) };
    let backlog = journal.read(row.session, 0).map_err(failed)?;
    Ok(Some(backlog).filter(|backlog| !backlog.events.is_empty()))
}

fn start_session(parts: &HostParts, stored: Option<Backlog>) -> (Session, Vec<Effect>, ModelRef) {
    let (mut config, stamp) = (parts.config.clone(), parts.clock.stamp());
    if let (Some(backlog), ModelChoice::Found) = (&stored, parts.model_choice) {
        config.model = model_of(backlog).unwrap_or(config.model);
    }
    let model = config.model.clone();
    let (session, mending) = match stored {
        Some(backlog) => {
            let events: Vec<Event> = backlog.events.into_iter().map(|stored| stored.event).collect();
            Session::restore(config, &events, stamp)
        }
        None => (Session::new(stamp.ids().make(), config, parts.clock.stamp()), Vec::new()),
    };
    (session, mending, model)
}

/// The model a stored session had last.
pub fn model_of(backlog: &Backlog) -> Option<ModelRef> {
    backlog.events.iter().rev().find_map(|stored| match stored.event.enduring() {
        Some(Enduring::ModelChanged { to, .. }) => Some(to.clone()),
        Some(Enduring::LoopStarted { model, .. }) => Some(model.clone()),
        Some(_) | None => None,
    })
}

fn presentation(parts: &HostParts, model: ModelRef, restored: bool, prompts: Vec<String>) -> Presentation {
    let Config { agent_name, workspace, profile, .. } = &parts.config;
    Presentation {
        agent_name: agent_name.clone(),
        workspace: workspace.clone(),
        profile: match profile {
            AccessProfile::Trusted => "trusted".to_owned(),
        },
        model: model.to_string(),
        restored,
        notices: parts.notices.clone(),
        prompts,
    }
}

/// What a person is told when the journal fails.
pub(crate) fn storage_failure(error: &JournalError) -> Failure {
    Failure::new(
        FailureKind::Storage,
        error.to_string(),
        "check that the disk has room and the file can be written, then start eukhe again with -c",
    )
}
