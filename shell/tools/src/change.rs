//! A change of one file: what it was, what it becomes, and the diff a person sees.
//! Does not know how the new content came about: `edit` and `write` do.

use std::borrow::Cow;
use std::time::Duration;

use ports::SeenFiles;
use similar::{ChangeTag, TextDiff};

use crate::file::{self, Existing};
use crate::paths::Target;
use crate::work::Done;

/// A diff that takes longer is finished coarser.
const DIFF_MS_MAX: u64 = 500;

/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 3;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    target: Target,
    /// None: there was no file.
    before: Option<Vec<u8>>,
    after: Vec<u8>,
    /// Unified.
    pub(crate) diff: String,
    /// The added and removed lines with their signs.
    lines: Vec<String>,
}

impl Change {
    pub(crate) fn new(target: Target, before: Option<Vec<u8>>, after: Vec<u8>) -> Self {
        let (old, new) = (plain(before.as_deref().unwrap_or_default()), plain(&after));
        let timeout = Duration::from_millis(DIFF_MS_MAX);
        let text_diff = TextDiff::configure().timeout(timeout).diff_lines(old.as_ref(), new.as_ref());
        let lines = text_diff.iter_all_changes().filter_map(|change| match change.tag() {
            ChangeTag::Equal => None,
            ChangeTag::Insert => Some(format!("+{}", change.value())),
            ChangeTag::Delete => Some(format!("-{}", change.value())),
        });
        let lines: Vec<String> = lines.collect();
        let old_name = if before.is_some() { format!("a/{}", target.name) } else { "/dev/null".to_owned() };
        let mut unified = text_diff.unified_diff();
        unified.context_radius(CONTEXT_LINES).header(&old_name, &format!("b/{}", target.name));
        let diff = if lines.is_empty() { "only the ends of lines change".to_owned() } else { unified.to_string() };
        Self { target, before, after, diff, lines }
    }

    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    pub(crate) fn is_new(&self) -> bool {
        self.before.is_none()
    }

    /// Added and removed lines, as in `+12 -3`.
    pub(crate) fn counts(&self) -> String {
        let added = self.lines.iter().filter(|line| line.starts_with('+')).count();
        format!("+{added} -{}", self.lines.len() - added)
    }

    /// Whether the file is still what the change was made from.
    pub(crate) fn starts_from(&self, content: Option<&[u8]>) -> bool {
        self.before.as_deref() == content
    }

    /// Whether the same lines go and come, wherever they stand.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        self.lines == other.lines
    }

    /// Reads what the file holds now, if its path still leads to it.
    pub(crate) fn current(&self) -> Result<Option<Vec<u8>>, String> {
        if !self.target.still_holds() {
            return Err(format!("{} leads elsewhere by now, through a link; look at it again", self.target.name));
        }
        file::load(&self.target.path, &self.target.name)
    }

    /// Writes the new content; the caller holds the writer and has compared the old one.
    pub(crate) fn carry_out(self, seen: &dyn SeenFiles, text: String, facts: Vec<String>) -> Result<Done, String> {
        let existing = if self.is_new() { Existing::MustBeNone } else { Existing::Replaced };
        file::store(&self.target.path, &self.after, existing)
            .map_err(|error| format!("{} cannot be written: {error}", self.target.name))?;
        seen.note(&self.target.path, &self.after);
        Ok(Done { text, shown: Some(self.diff), facts })
    }
}

/// Refuses to change a file that the model has not read, or that somebody changed since.
pub(crate) fn must_be_known(seen: &dyn SeenFiles, target: &Target, content: &[u8]) -> Result<(), String> {
    match seen.is_unchanged(&target.path, content) {
        Some(true) => Ok(()),
        Some(false) => Err(changed(target)),
        None => Err(format!("{} was not read yet; read it first, then change it", target.name)),
    }
}

pub(crate) fn changed(target: &Target) -> String {
    format!("{} has changed since it was read; read it again, then change it", target.name)
}

/// Whether most lines of a text end in CR LF.
pub(crate) fn has_crlf(content: &str) -> bool {
    2 * content.matches("\r\n").count() > content.matches('\n').count()
}

/// Ends every line in CR LF.
pub(crate) fn to_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// Returns content as lines to compare: as text, without carriage returns.
fn plain(content: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(content) {
        text if text.contains('\r') => Cow::Owned(text.replace("\r\n", "\n")),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_shows_as_a_unified_diff_with_its_counts() {
        let directory = tempfile::tempdir().unwrap();
        let workspace = directory.path().canonicalize().unwrap();
        let target = Target::resolve("a.txt", &workspace).unwrap();
        let change = Change::new(target.clone(), Some(b"one\r\ntwo\r\nthree".to_vec()), b"one\r\n2\r\nthree".to_vec());
        let wanted =
            "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n\\ No newline at end of file\n";
        assert_eq!((change.diff.as_str(), change.counts()), (wanted, "+1 -1".to_owned()));
        let new = Change::new(target, None, b"x\n".to_vec());
        let wanted = "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n";
        assert_eq!((new.diff.as_str(), new.counts()), (wanted, "+1 -0".to_owned()));
    }
}
