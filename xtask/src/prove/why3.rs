//! Why3 on this machine: whether it is there, its configuration, and one run over a session.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, bail};

use super::session::{PROVERS, Session};

/// Why3 with both provers, working in a folder of its own.
pub struct Why3 {
    folder: PathBuf,
}

impl Why3 {
    /// Looks for Why3 and the provers; `None` where one of them is not installed.
    pub fn find(folder: PathBuf) -> anyhow::Result<Option<Self>> {
        let there = |program: &str| Command::new(program).arg("--version").output().is_ok();
        if !["why3", "z3", "cvc4"].iter().all(|program| there(program)) {
            return Ok(None);
        }
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("prelude.mlw"), lawc::PRELUDE)?;
        let why3 = Why3 { folder };
        let conf = why3.folder.join("why3.conf");
        if !conf.is_file() {
            why3.run(&["config", "detect"])?;
            let text = std::fs::read_to_string(&conf).context("why3 wrote no configuration")?;
            std::fs::write(
                &conf,
                text.replace("running_provers_max = 2", &format!("running_provers_max = {}", cores())),
            )?;
        }
        let text = std::fs::read_to_string(&conf)?;
        for (name, version) in PROVERS {
            if !text.contains(&format!("name = \"{name}\"")) || !text.contains(&format!("version = \"{version}\"")) {
                bail!("the sessions were made with {name} {version}, which why3 does not find here");
            }
        }
        Ok(Some(why3))
    }

    /// The same provers in a folder below, so that two runs do not meet.
    pub fn within(&self, name: &str) -> anyhow::Result<Self> {
        let folder = self.folder.join(name);
        std::fs::create_dir_all(&folder)?;
        for file in ["prelude.mlw", "why3.conf"] {
            std::fs::copy(self.folder.join(file), folder.join(file))?;
        }
        Ok(Why3 { folder })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a file where its session can find it.
    pub fn put(&self, stem: &str, text: &str) -> anyhow::Result<()> {
        let path = self.folder.join(format!("{stem}.mlw"));
        std::fs::write(&path, text).with_context(|| path.display().to_string())
    }

    /// Runs each attempt of a session again, over the file as it is now, and returns what came of it.
    pub fn replay(&self, stem: &str, session: &Session) -> anyhow::Result<Session> {
        let folder = self.folder.join(stem);
        std::fs::create_dir_all(&folder)?;
        let path = folder.join("why3session.xml");
        let asked = session.unjudged().write();
        std::fs::write(&path, &asked)?;
        let output = self.run(&["replay", "--force", "--no-stats", stem])?;
        let answer = std::fs::read_to_string(&path)?;
        // A replay that only fails to prove something says so in the session; any other failure leaves it as it was.
        if !output.status.success() && answer == asked {
            bail!("why3 does not understand {stem}.mlw:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        Session::parse(&answer)
    }

    /// Runs `why3` with these words, in its folder.
    pub fn run(&self, words: &[&str]) -> anyhow::Result<Output> {
        let (command, rest) = words.split_first().context("why3 without a command")?;
        Command::new("why3")
            .arg(command)
            .args(["-C", "why3.conf", "-L", "."])
            .args(rest)
            .current_dir(&self.folder)
            .output()
            .context("why3 did not start")
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
}
