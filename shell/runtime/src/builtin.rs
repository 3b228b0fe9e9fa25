//! The built-in agent as an interface holds it: a handle to its actor.
//! Owns no state of the session; every method is one message.

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use ports::{Agent, Delivery, Presentation};
use protocol::{Command, CommandId, Failure, FailureKind, SessionId};
use tokio::sync::{mpsc, oneshot};

/// Requests waiting for the actor; the next command is refused, and its text stays with the sender.
pub(crate) const REQUESTS_MAX: usize = 64;

pub(crate) struct BuiltinAgent {
    pub(crate) session: SessionId,
    pub(crate) presentation: Presentation,
    pub(crate) requests: mpsc::Sender<Request>,
}

/// All that a client can ask of the actor, answered in the order it came.
pub(crate) enum Request {
    Command { id: CommandId, command: Command },
    Subscribe { answer: oneshot::Sender<mpsc::Receiver<Delivery>> },
    Backlog { after: u64, answer: oneshot::Sender<Result<(Vec<Delivery>, usize), Failure>> },
    Close { answer: oneshot::Sender<()> },
}

impl Agent for BuiltinAgent {
    fn session_id(&self) -> SessionId {
        self.session
    }

    fn presentation(&self) -> Presentation {
        self.presentation.clone()
    }

    fn send(&self, id: CommandId, command: Command) -> Result<(), Failure> {
        self.requests.try_send(Request::Command { id, command }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => Failure::new(
                FailureKind::Limit,
                format!("the agent has {REQUESTS_MAX} commands waiting"),
                "wait a moment and send it again",
            ),
            mpsc::error::TrySendError::Closed(_) => ended(),
        })
    }

    fn subscribe(&self) -> BoxStream<'static, Delivery> {
        let (answer, receiver) = oneshot::channel();
        // Taken now, not when the stream is first polled: a backlog asked for after this leaves no gap.
        if self.requests.try_send(Request::Subscribe { answer }).is_err() {
            return futures::stream::empty().boxed();
        }
        let queue = async move { receiver.await.ok() };
        futures::stream::once(queue).filter_map(std::future::ready).flat_map(deliveries).boxed()
    }

    fn backlog(&self, after: u64) -> BoxFuture<'static, Result<(Vec<Delivery>, usize), Failure>> {
        let requests = self.requests.clone();
        Box::pin(async move {
            let (answer, receiver) = oneshot::channel();
            requests.send(Request::Backlog { after, answer }).await.map_err(|_| ended())?;
            receiver.await.map_err(|_| ended())?
        })
    }

    fn close(&self) -> BoxFuture<'static, ()> {
        let requests = self.requests.clone();
        Box::pin(async move {
            let (answer, receiver) = oneshot::channel();
            if requests.send(Request::Close { answer }).await.is_ok() {
                // An actor that is gone before it answers has let go of everything, too.
                let _ = receiver.await;
            }
        })
    }
}

fn deliveries(queue: mpsc::Receiver<Delivery>) -> impl futures::Stream<Item = Delivery> {
    futures::stream::unfold(queue, |mut queue| async move { queue.recv().await.map(|delivery| (delivery, queue)) })
}

fn ended() -> Failure {
    Failure::new(
        FailureKind::Other,
        "the agent has ended",
        "start eukhe again with -c; the session is kept up to its last event",
    )
}
