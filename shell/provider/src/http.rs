//! Hosted and local models over HTTP: OpenAI chat completions and Anthropic Messages.
//! Knows which host a model is asked at; the exchange itself is in `exchange`.

use std::sync::Arc;
use std::time::Duration;

use futures::future::ready;
use futures::stream::{self, BoxStream, StreamExt};
use ports::{ModelRequest, Provider};
use protocol::{Chunk, Failure, FailureKind, ModelRef};

use crate::environment::Environment;
use crate::exchange::exchange;
use crate::host::Host;
use crate::wire::Wire;

/// Asks `openai/<id>` and `anthropic/<id>` at the hosts the environment names, else at the providers' own.
pub struct Http {
    hosts: [Arc<Host>; 2],
}

impl Http {
    /// Opens no connection yet; `connect_limit` is how long a host may take to accept one.
    pub fn new(environment: &Environment, connect_limit: Option<Duration>) -> Self {
        let host = |wire, access| Arc::new(Host::new(wire, access, connect_limit));
        Self { hosts: [host(Wire::Chat, &environment.openai), host(Wire::Messages, &environment.anthropic)] }
    }

    /// Tells whether a model runs on this machine, where a long silence is work and not a fault.
    pub fn is_local(&self, model: &ModelRef) -> bool {
        self.host(model).is_some_and(|host| host.is_local())
    }

    fn host(&self, model: &ModelRef) -> Option<&Arc<Host>> {
        self.hosts.iter().find(|host| host.name() == model.provider)
    }
}

impl Provider for Http {
    fn stream(&self, request: Arc<ModelRequest>) -> BoxStream<'static, Result<Chunk, Failure>> {
        match self.host(&request.model) {
            Some(host) => exchange(host.clone(), request),
            None => stream::once(ready(Err(unknown_provider(&request.model)))).boxed(),
        }
    }
}

fn unknown_provider(model: &ModelRef) -> Failure {
    Failure::new(
        FailureKind::UnknownModel,
        format!("no provider is called `{}`", model.provider),
        "name the model as openai/<id> or anthropic/<id>, with `--model` or the setting models.main.model",
    )
}
