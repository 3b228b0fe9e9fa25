//! Where the log goes: `logs/agent.jsonl` in the agent directory, never the terminal.

use store::{Home, LogFile};
use tracing_subscriber::EnvFilter;

/// Starts logging at the level that `EUKHE_LOG` names; without a file there is no log.
pub fn start(home: &Home) {
    let level = std::env::var("EUKHE_LOG").unwrap_or_default();
    let known = ["error", "warn", "info", "debug", "trace"].contains(&level.as_str());
    let filter = EnvFilter::new(if known { level.as_str() } else { "warn" });
    if let Ok(file) = LogFile::open(&home.logs()) {
        let writer = std::sync::Mutex::new(file);
        // Only a second start in one process could fail, and there is none.
        let _ = tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(writer).try_init();
    }
}
