//! Which files the model has read, and what they looked like. Keeps fingerprints, not contents.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ports::SeenFiles;

/// Beyond this all files are forgotten, and must be read again before they are changed.
const FILES_MAX: usize = 10_000;

/// The files of one session, in memory.
#[derive(Default)]
pub struct Seen {
    /// Keyed at random in each process, so that no file can be made to look like another.
    hasher: RandomState,
    files: Mutex<HashMap<PathBuf, u64>>,
}

impl Seen {
    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, u64>> {
        // A panic elsewhere leaves the map whole: each change of it is one insertion.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SeenFiles for Seen {
    fn note(&self, path: &Path, content: &[u8]) {
        let mut files = self.files();
        if files.len() >= FILES_MAX {
            files.clear();
        }
        files.insert(path.to_owned(), self.hasher.hash_one(content));
    }

    fn is_unchanged(&self, path: &Path, content: &[u8]) -> Option<bool> {
        self.files().get(path).map(|seen| *seen == self.hasher.hash_one(content))
    }
}
