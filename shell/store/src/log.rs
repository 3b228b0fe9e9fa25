//! A log file that cannot grow without end. What is written to it is the caller's business.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

/// A log that would grow beyond this becomes the older one, and the one before that is gone.
const LOG_BYTES_MAX: u64 = 5 << 20;

/// The file `agent.jsonl` of a directory, with one older file `agent.1.jsonl` beside it.
/// Each write is one record and is never split.
pub struct LogFile {
    path: PathBuf,
    older: PathBuf,
    bytes_max: u64,
    file: File,
}

impl LogFile {
    pub fn open(directory: &std::path::Path) -> io::Result<Self> {
        Self::with_limit(directory, LOG_BYTES_MAX)
    }

    fn with_limit(directory: &std::path::Path, bytes_max: u64) -> io::Result<Self> {
        let path = directory.join("agent.jsonl");
        Ok(Self { file: append_to(&path)?, older: directory.join("agent.1.jsonl"), path, bytes_max })
    }

    fn make_room(&mut self) -> io::Result<()> {
        // Another process may have moved the file aside already.
        let is_ours =
            self.path.metadata().is_ok_and(|other| self.file.metadata().is_ok_and(|own| own.ino() == other.ino()));
        if is_ours {
            std::fs::rename(&self.path, &self.older)?;
        }
        self.file = append_to(&self.path)?;
        Ok(())
    }
}

impl Write for LogFile {
    fn write(&mut self, record: &[u8]) -> io::Result<usize> {
        if self.file.metadata()?.len().saturating_add(record.len() as u64) > self.bytes_max {
            self.make_room()?;
        }
        self.file.write_all(record)?;
        Ok(record.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn append_to(path: &std::path::Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_becomes_the_older_one() {
        let directory = tempfile::tempdir().unwrap();
        let mut log = LogFile::with_limit(directory.path(), 10).unwrap();
        for record in ["one\n", "two\n", "three\n", "four\n"] {
            assert_eq!(log.write(record.as_bytes()).unwrap(), record.len());
        }
        let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
        assert_eq!((read("agent.1.jsonl"), read("agent.jsonl")), ("three\n".into(), "four\n".into()));
    }

    #[test]
    fn two_writers_do_not_throw_each_others_records_away() {
        let directory = tempfile::tempdir().unwrap();
        let mut first = LogFile::with_limit(directory.path(), 10).unwrap();
        let mut second = LogFile::with_limit(directory.path(), 10).unwrap();
        first.write_all(b"one two\n").unwrap();
        first.write_all(b"three\n").unwrap();
        second.write_all(b"four\n").unwrap();
        let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
        assert_eq!((read("agent.1.jsonl"), read("agent.jsonl")), ("one two\n".into(), "three\nfour\n".into()));
    }
}
