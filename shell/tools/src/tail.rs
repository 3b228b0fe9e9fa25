//! The end of a long output in memory, and the whole of it in a file. Does not know where it comes from.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// So many last lines are kept.
const LINES_MAX: usize = 2_000;

/// So many last bytes are kept.
const BYTES_MAX: usize = 50 * 1_024;

/// The file of the whole grows to this; what comes after it is only in the end that is kept.
const WHOLE_BYTES_MAX: u64 = 256 << 20;

pub(crate) struct Tail {
    /// Where the whole goes when it is more than is kept.
    directory: PathBuf,
    kept: Vec<u8>,
    byte_count: u64,
    line_end_count: u64,
    whole: Whole,
}

enum Whole {
    /// All of it is still in memory.
    InMemory,
    InFile {
        path: PathBuf,
        file: File,
        room: u64,
    },
    Lost {
        reason: String,
    },
}

impl Tail {
    pub(crate) fn new(directory: &Path) -> Self {
        let directory = directory.to_owned();
        Self { directory, kept: Vec::new(), byte_count: 0, line_end_count: 0, whole: Whole::InMemory }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.kept.extend_from_slice(bytes);
        self.byte_count += bytes.len() as u64;
        self.line_end_count += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.save(bytes);
        if self.kept.len() > 2 * BYTES_MAX {
            self.kept.drain(..self.kept.len() - BYTES_MAX);
        }
    }

    /// Returns the end as text; if something is missing its last row says how much, and where the whole is.
    pub(crate) fn finish(self) -> String {
        if let Whole::InMemory = self.whole {
            return String::from_utf8_lossy(&self.kept).into_owned();
        }
        let end = &self.kept[start_of_end(&self.kept)..];
        let missing_bytes = self.byte_count - end.len() as u64;
        let missing_lines = self.line_end_count - line_ends(end) as u64;
        let whole = match &self.whole {
            Whole::InMemory => String::new(),
            Whole::InFile { path, room: 1.., .. } => format!("the whole output is in {}", path.display()),
            Whole::InFile { path, room: 0, .. } => format!("the first 256 MiB are in {}", path.display()),
            Whole::Lost { reason } => format!("the whole output could not be kept: {reason}"),
        };
        let end = String::from_utf8_lossy(end);
        let end = end.trim_end_matches('\n');
        format!("{end}\n[{missing_lines} earlier lines, {missing_bytes} bytes, are not shown; {whole}]\n")
    }

    fn is_too_long(&self) -> bool {
        self.byte_count > BYTES_MAX as u64 || self.line_end_count > LINES_MAX as u64
    }

    /// Keeps the whole, from the moment when it is more than fits.
    fn save(&mut self, bytes: &[u8]) {
        let is_too_long = self.is_too_long();
        let saved = match &mut self.whole {
            Whole::InMemory if is_too_long => self.begin_file(),
            Whole::InMemory | Whole::Lost { .. } => Ok(()),
            Whole::InFile { file, room, .. } => append(file, room, bytes),
        };
        if let Err(error) = saved {
            self.whole = Whole::Lost { reason: error.to_string() };
        }
    }

    fn begin_file(&mut self) -> io::Result<()> {
        let named = tempfile::Builder::new().prefix("output-").suffix(".txt").tempfile_in(&self.directory)?;
        let (mut file, path) = named.keep().map_err(|error| error.error)?;
        let mut room = WHOLE_BYTES_MAX;
        append(&mut file, &mut room, &self.kept)?;
        self.whole = Whole::InFile { path, file, room };
        Ok(())
    }
}

fn append(file: &mut File, room: &mut u64, bytes: &[u8]) -> io::Result<()> {
    let fitting = bytes.len().min(usize::try_from(*room).unwrap_or(usize::MAX));
    *room -= fitting as u64;
    file.write_all(&bytes[..fitting])
}

/// Returns where the kept end begins: on a line's start if it can, never inside a character.
fn start_of_end(bytes: &[u8]) -> usize {
    let earliest = bytes.len().saturating_sub(BYTES_MAX);
    let mut line_starts =
        bytes.iter().enumerate().rev().skip(1).filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let by_lines = line_starts.nth(LINES_MAX - 1).unwrap_or(0);
    if by_lines >= earliest {
        return by_lines;
    }
    let next_line = bytes[earliest..].iter().position(|byte| *byte == b'\n').map(|at| earliest + at + 1);
    match next_line {
        Some(start) if start < bytes.len() => start,
        Some(_) | None => next_character(bytes, earliest),
    }
}

fn next_character(bytes: &[u8], from: usize) -> usize {
    let is_start = |at: &usize| bytes[*at] & 0b1100_0000 != 0b1000_0000;
    (from..bytes.len()).take(4).find(is_start).unwrap_or(from)
}

fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row and the rest of an output, and what its file holds.
    fn finish(tail: Tail, directory: &Path) -> (String, String, String) {
        let text = tail.finish();
        let (end, row) = text.trim_end().rsplit_once('\n').unwrap();
        let file = std::fs::read_dir(directory).unwrap().next().unwrap().unwrap().path();
        let row = row.replace(&file.display().to_string(), "FILE");
        (row, end.to_owned(), std::fs::read_to_string(file).unwrap())
    }

    #[test]
    fn short_output_is_kept_as_it_is_and_makes_no_file() {
        let directory = tempfile::tempdir().unwrap();
        let mut tail = Tail::new(directory.path());
        tail.push("one\r\nt\u{e4}".as_bytes());
        tail.push(b"\xff\n");
        assert_eq!(tail.finish(), "one\r\nt\u{e4}\u{fffd}\n");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn of_many_lines_the_last_are_kept_and_the_whole_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let mut tail = Tail::new(directory.path());
        let lines: Vec<String> = (1..=5_000).map(|number| format!("{number}\n")).collect();
        lines.iter().for_each(|line| tail.push(line.as_bytes()));
        let row = "[3000 earlier lines, 13893 bytes, are not shown; the whole output is in FILE]".to_owned();
        assert_eq!(
            finish(tail, directory.path()),
            (row, lines[3_000..].concat().trim_end().to_owned(), lines.concat())
        );
    }

    #[test]
    fn one_endless_line_is_cut_between_characters() {
        let directory = tempfile::tempdir().unwrap();
        let mut tail = Tail::new(directory.path());
        let line = "\u{20ac}".repeat(60_000);
        line.as_bytes().chunks(1_000).for_each(|chunk| tail.push(chunk));
        let end = "\u{20ac}".repeat(BYTES_MAX / 3);
        let missing = line.len() - end.len();
        let row = format!("[0 earlier lines, {missing} bytes, are not shown; the whole output is in FILE]");
        assert_eq!(finish(tail, directory.path()), (row, end, line));
    }

    #[test]
    fn a_whole_that_cannot_be_kept_is_told_and_the_end_is_there() {
        let directory = tempfile::tempdir().unwrap();
        let mut tail = Tail::new(&directory.path().join("missing"));
        tail.push("x\n".repeat(3_000).as_bytes());
        let text = tail.finish();
        let row = "[1000 earlier lines, 2000 bytes, are not shown; the whole output could not be kept: ";
        assert!(text.starts_with(&"x\n".repeat(2_000)) && text.contains(row), "{}", text.replace("x\n", ""));
    }
}
