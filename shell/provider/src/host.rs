//! One host that serves models: its address, its key, its client.
//! Knows nothing of what is sent there.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use protocol::{Failure, FailureKind};
use reqwest::header::HeaderValue;
use reqwest::{Client, RequestBuilder, Url};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::environment::{Access, Secret};
use crate::wire::Wire;

pub(crate) struct Host {
    pub(crate) wire: Wire,
    key: Option<Secret>,
    /// None if the variable holds no usable address.
    endpoint: Option<Url>,
    connect_limit: Option<Duration>,
    /// Made with the first request: reading the machine's certificates takes a while.
    client: OnceLock<Result<Client, Failure>>,
}

/// What the wires differ in besides their bodies.
struct WireTable {
    name: &'static str,
    base_url: &'static str,
    path: &'static str,
    key_variable: &'static str,
    base_variable: &'static str,
}

const CHAT: WireTable = WireTable {
    name: "openai",
    base_url: "https://api.openai.com/v1",
    path: "chat/completions",
    key_variable: "OPENAI_API_KEY",
    base_variable: "OPENAI_BASE_URL",
};
const MESSAGES: WireTable = WireTable {
    name: "anthropic",
    base_url: "https://api.anthropic.com/v1",
    path: "messages",
    key_variable: "ANTHROPIC_API_KEY",
    base_variable: "ANTHROPIC_BASE_URL",
};
const ANTHROPIC_VERSION: &str = "2023-06-01";

impl Host {
    pub(crate) fn new(wire: Wire, access: &Access, connect_limit: Option<Duration>) -> Self {
        let base = access.base_url.as_deref().unwrap_or(table(wire).base_url);
        Self { wire, key: access.key.clone(), endpoint: endpoint(wire, base), connect_limit, client: OnceLock::new() }
    }

    pub(crate) fn name(&self) -> &'static str {
        table(self.wire).name
    }

    pub(crate) fn key_variable(&self) -> &'static str {
        table(self.wire).key_variable
    }

    pub(crate) fn base_variable(&self) -> &'static str {
        table(self.wire).base_variable
    }

    pub(crate) fn key(&self) -> Option<&Secret> {
        self.key.as_ref()
    }

    /// The address as people write it, `name:port`; never a user name or a password in it.
    pub(crate) fn address(&self) -> String {
        let Some(url) = &self.endpoint else { return self.base_variable().to_owned() };
        let port = url.port_or_known_default().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}{port}", url.host_str().unwrap_or_default())
    }

    pub(crate) fn is_local(&self) -> bool {
        self.endpoint.as_ref().is_some_and(is_local)
    }

    /// Begins a request to the wire's endpoint, with the key in its header.
    pub(crate) fn post(&self) -> Result<RequestBuilder, Failure> {
        let endpoint = self.endpoint.clone().ok_or_else(|| self.no_address())?;
        if self.key.is_none() && !is_local(&endpoint) {
            return Err(self.missing_key());
        }
        let client = self.client.get_or_init(|| self.connect(&endpoint)).as_ref().map_err(Clone::clone)?;
        let request = client.post(endpoint);
        let request = match self.wire {
            Wire::Chat => request,
            Wire::Messages => request.header("anthropic-version", ANTHROPIC_VERSION),
        };
        let Some(key) = &self.key else { return Ok(request) };
        let (name, value) = match self.wire {
            Wire::Chat => ("authorization", format!("Bearer {}", key.reveal())),
            Wire::Messages => ("x-api-key", key.reveal().to_owned()),
        };
        let mut value = HeaderValue::from_str(&value).map_err(|_| self.unfit_key())?;
        value.set_sensitive(true);
        Ok(request.header(name, value))
    }

    pub(crate) fn missing_key(&self) -> Failure {
        Failure::new(
            FailureKind::MissingKey,
            format!("{} needs a key and {} is not set", self.name(), self.key_variable()),
            format!("set {} and start eukhe again", self.key_variable()),
        )
    }

    fn unfit_key(&self) -> Failure {
        Failure::new(
            FailureKind::Unauthorized,
            format!("{} holds signs that no key has", self.key_variable()),
            format!("set {} anew, without quotes and line ends in it, and start eukhe again", self.key_variable()),
        )
    }

    fn no_address(&self) -> Failure {
        Failure::new(
            FailureKind::BadRequest,
            format!("{} holds no http address", self.base_variable()),
            format!("set it to one, such as {}, and start eukhe again", table(self.wire).base_url),
        )
    }

    fn connect(&self, endpoint: &Url) -> Result<Client, Failure> {
        // A redirect would carry the key to wherever it points. A connection that rested may be dead without anybody
        // knowing, after a sleep of the machine for one: each step makes its own.
        let mut builder = Client::builder()
            .tls_backend_preconfigured(self.tls(endpoint)?)
            .redirect(reqwest::redirect::Policy::none())
            .pool_max_idle_per_host(0)
            .user_agent(concat!("eukhe/", env!("CARGO_PKG_VERSION")));
        if let Some(limit) = self.connect_limit {
            builder = builder.connect_timeout(limit);
        }
        if is_local(endpoint) {
            builder = builder.no_proxy();
        }
        builder.build().map_err(|_| {
            Failure::new(
                FailureKind::Other,
                "the HTTP client could not be set up",
                "check the proxy variables HTTP_PROXY, HTTPS_PROXY and ALL_PROXY",
            )
        })
    }

    fn tls(&self, endpoint: &Url) -> Result<rustls::ClientConfig, Failure> {
        let builder = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("ring speaks the default protocol versions");
        if endpoint.scheme() == "http" {
            return Ok(builder.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth());
        }
        match builder.with_platform_verifier() {
            Ok(builder) => Ok(builder.with_no_client_auth()),
            Err(_) => Err(Failure::new(
                FailureKind::Other,
                format!("this machine has no certificates to check {} with", self.address()),
                "install the package ca-certificates, or name a bundle in SSL_CERT_FILE",
            )),
        }
    }
}

fn table(wire: Wire) -> &'static WireTable {
    match wire {
        Wire::Chat => &CHAT,
        Wire::Messages => &MESSAGES,
    }
}

/// Completes a base address the way people shorten it: without a slash at the end, without `/v1`.
fn endpoint(wire: Wire, base: &str) -> Option<Url> {
    let mut url = Url::parse(base).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let path = url.path().trim_end_matches('/').trim_end_matches(table(wire).path).trim_end_matches('/').to_owned();
    let versioned = match wire {
        Wire::Chat => !path.is_empty(),
        Wire::Messages => path.ends_with("/v1"),
    };
    let version = if versioned { "" } else { "/v1" };
    url.set_path(&format!("{path}{version}/{}", table(wire).path));
    Some(url)
}

fn is_local(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => {
            address.is_loopback() || address.is_unspecified() || address.is_private() || address.is_link_local()
        }
        Ok(IpAddr::V6(address)) => {
            let own = address.is_unique_local() || address.is_unicast_link_local();
            address.is_loopback() || address.is_unspecified() || own
        }
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(wire: Wire, base: &str) -> Option<String> {
        endpoint(wire, base).map(|url| url.to_string())
    }

    #[test]
    fn a_base_address_may_come_with_and_without_its_version_and_slash() {
        for base in
            ["http://127.0.0.1:8080", "http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/"]
        {
            assert_eq!(
                completed(Wire::Chat, base).as_deref(),
                Some("http://127.0.0.1:8080/v1/chat/completions"),
                "{base}"
            );
            assert_eq!(completed(Wire::Messages, base).as_deref(), Some("http://127.0.0.1:8080/v1/messages"), "{base}");
        }
        assert_eq!(
            completed(Wire::Chat, "https://host/api/openai").as_deref(),
            Some("https://host/api/openai/chat/completions")
        );
        assert_eq!(completed(Wire::Chat, "127.0.0.1:8080"), None);
    }

    #[test]
    fn loopback_and_private_addresses_are_local_and_others_are_not() {
        let local = |text: &str| is_local(&Url::parse(text).expect("an address in a test"));
        for text in [
            "http://localhost:1",
            "http://127.0.0.1",
            "http://[::1]:8080",
            "http://0.0.0.0:8080",
            "http://192.168.0.2",
            "http://[fd00::2]",
        ] {
            assert!(local(text), "{text}");
        }
        for text in ["https://api.openai.com", "http://8.8.8.8", "http://localhost.example"] {
            assert!(!local(text), "{text}");
        }
    }

    #[test]
    fn a_provider_over_tls_is_checked_with_the_machines_certificates_or_says_that_there_are_none() {
        let access = Access { key: Some(Secret::new("k")), base_url: None };
        let host = Host::new(Wire::Chat, &access, None);
        if let Err(failure) = host.post() {
            assert_eq!(failure.next_step, "install the package ca-certificates, or name a bundle in SSL_CERT_FILE");
        }
        assert_eq!(host.address(), "api.openai.com:443");
    }
}
