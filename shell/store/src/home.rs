//! The agent directory and what lies in it. The files' contents are other modules' business.

use std::ffi::OsStr;
use std::fs::DirBuilder;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use protocol::{Failure, FailureKind};
use settings::{File, Origin, Settings, Warning};

/// A longer settings file is not read, with a warning.
const SETTINGS_BYTES_MAX: u64 = 1 << 20;

/// The agent directory, which is there and belongs to its owner alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Home {
    path: PathBuf,
}

impl Home {
    /// Returns where the agent directory is: `$EUKHE_DIR`, else `.eukhe` in the user's home.
    pub fn locate(eukhe_dir: Option<&OsStr>, user_home: Option<&Path>) -> Result<PathBuf, Failure> {
        let chosen = eukhe_dir.filter(|path| !path.is_empty()).map(PathBuf::from);
        let usual = || user_home.filter(|path| path.is_absolute()).map(|path| path.join(".eukhe"));
        let path = chosen.or_else(usual).and_then(|path| std::path::absolute(path).ok());
        path.ok_or_else(|| {
            Failure::new(
                FailureKind::Storage,
                "there is no home directory to keep sessions in",
                "set EUKHE_DIR to a directory that can be written",
            )
        })
    }

    /// Opens the agent directory, and makes it and its parts if they are missing.
    pub fn open(path: PathBuf) -> Result<Self, Failure> {
        let home = Self { path };
        for directory in [&home.path, &home.blobs(), &home.logs()] {
            DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(|error| {
                Failure::new(
                    FailureKind::Storage,
                    format!("the directory {} cannot be made: {error}", directory.display()),
                    "set EUKHE_DIR to a directory that can be written",
                )
            })?;
        }
        Ok(home)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The database of all sessions.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal.db")
    }

    /// Whole outputs that were cut.
    pub fn blobs(&self) -> PathBuf {
        self.path.join("blobs")
    }

    pub fn logs(&self) -> PathBuf {
        self.path.join("logs")
    }

    /// Reads the global settings and those of the project around a working directory.
    pub fn settings(&self, working_directory: &Path) -> (Settings, Vec<Warning>) {
        let global = (Origin::Global, self.path.clone());
        let own = self.project_of(working_directory).join(".eukhe");
        // In the home itself this is the agent directory, whose file has been read.
        let project = (!self.is_at(&own)).then_some((Origin::Project, own));
        let (mut files, mut unread) = (Vec::new(), Vec::new());
        for (origin, directory) in [Some(global), project].into_iter().flatten() {
            let path = directory.join("settings.json");
            let name = path.display().to_string();
            match read_small(&path) {
                Ok(Some(text)) => files.push(File { path: name, origin, text }),
                Ok(None) => {}
                Err(reason) => unread.push(Warning { sentence: format!("{name} is not used: {reason}") }),
            }
        }
        let (settings, mut warnings) = settings::read(&files);
        unread.append(&mut warnings);
        (settings, unread)
    }

    /// Returns the nearest directory that holds `.eukhe` or `.git`, else the working directory.
    fn project_of(&self, working_directory: &Path) -> PathBuf {
        let is_project = |directory: &&Path| {
            let own = directory.join(".eukhe");
            // The agent directory itself makes no project of the home around it.
            (own.is_dir() && !self.is_at(&own)) || directory.join(".git").exists()
        };
        working_directory.ancestors().find(is_project).unwrap_or(working_directory).to_owned()
    }

    fn is_at(&self, path: &Path) -> bool {
        path.canonicalize().ok() == self.path.canonicalize().ok()
    }
}

/// Reads a file, none if there is none, or says why not.
fn read_small(path: &Path) -> Result<Option<String>, String> {
    let describe = |error: std::io::Error| format!("it cannot be read: {error}");
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => return Err("it is no file".to_owned()),
        Ok(_) => {}
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(describe(error)),
    }
    let file = std::fs::File::open(path).map_err(describe)?;
    let mut bytes = Vec::new();
    file.take(SETTINGS_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(describe)?;
    if bytes.len() as u64 > SETTINGS_BYTES_MAX {
        return Err("it is longer than 1 MiB".to_owned());
    }
    String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn write(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn the_agent_directory_belongs_to_its_owner_alone() {
        let root = tempfile::tempdir().unwrap();
        let home = Home::open(root.path().join("a/.eukhe")).unwrap();
        for directory in [home.path(), &home.blobs(), &home.logs()] {
            assert_eq!(directory.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        }
    }

    #[test]
    fn a_home_that_cannot_be_made_says_what_to_do() {
        let root = tempfile::tempdir().unwrap();
        write(&root.path().join("file"), "");
        let path = root.path().join("file/home");
        let failure = Home::open(path.clone()).unwrap_err();
        let message = format!("the directory {} cannot be made: Not a directory (os error 20)", path.display());
        let next_step = "set EUKHE_DIR to a directory that can be written";
        assert_eq!(failure, Failure::new(FailureKind::Storage, message, next_step));
    }

    #[test]
    fn the_environment_wins_over_the_users_home() {
        let user = Some(Path::new("/home/ann"));
        assert_eq!(Home::locate(Some(OsStr::new("/x")), user).unwrap(), Path::new("/x"));
        assert_eq!(Home::locate(Some(OsStr::new("")), user).unwrap(), Path::new("/home/ann/.eukhe"));
        assert!(Home::locate(None, None).is_err());
    }

    #[test]
    fn settings_come_from_the_home_and_from_the_project_around_the_working_directory() {
        let root = tempfile::tempdir().unwrap();
        let home = Home::open(root.path().join(".eukhe")).unwrap();
        write(&root.path().join(".eukhe/settings.json"), r#"{"chatDetail": "all", "quietStartup": true}"#);
        write(&root.path().join("project/.eukhe/settings.json"), r#"{"chatDetail": "details"}"#);
        let deep = root.path().join("project/src/deep");
        std::fs::create_dir_all(&deep).unwrap();
        let wanted = Settings { quiet_start: true, detail: settings::Detail::Details, ..Settings::default() };
        assert_eq!(home.settings(&deep), (wanted, vec![]));
    }

    #[test]
    fn the_agent_directory_is_not_read_again_as_a_projects() {
        let root = tempfile::tempdir().unwrap();
        let home = Home::open(root.path().join(".eukhe")).unwrap();
        write(&root.path().join(".eukhe/settings.json"), r#"{"models": {"main": "a/b"}}"#);
        let deep = root.path().join("plain/deep");
        std::fs::create_dir_all(&deep).unwrap();
        let wanted = Settings { model: Some("a/b".into()), ..Settings::default() };
        assert_eq!(home.settings(&deep), (wanted, vec![]));
    }

    #[test]
    fn a_settings_file_that_cannot_be_read_is_a_warning() {
        let root = tempfile::tempdir().unwrap();
        let home = Home::open(root.path().join(".eukhe")).unwrap();
        let path = root.path().join(".eukhe/settings.json");
        std::fs::write(&path, b"{\"theme\": \"\xff\"}").unwrap();
        let sentence = format!("{} is not used: it is not UTF-8", path.display());
        assert_eq!(home.settings(root.path()), (Settings::default(), vec![Warning { sentence }]));
    }
}
