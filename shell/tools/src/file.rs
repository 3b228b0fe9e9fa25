//! Whole files, in and out: limits on the way in, nothing half written on the way out.
//! Knows nothing of what is in them.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

/// A larger file is not read as a whole; the model is told to use `bash`.
pub(crate) const FILE_BYTES_MAX: u64 = 16 << 20;

/// What a new file may be to others, before the user's umask.
const NEW_FILE_MODE: u32 = 0o666;

/// Reads a file, none if there is none, or says for the model why not.
pub(crate) fn load(path: &Path, name: &str) -> Result<Option<Vec<u8>>, String> {
    let describe = |error: io::Error| format!("{name} cannot be read: {error}");
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(describe(error)),
    };
    if metadata.is_dir() {
        return Err(format!("{name} is a directory; give the path of a file"));
    }
    // A pipe or a device may never end.
    if !metadata.is_file() {
        return Err(format!("{name} is a device or a pipe, no file"));
    }
    let file = File::open(path).map_err(describe)?;
    let mut content = Vec::new();
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut content).map_err(describe)?;
    if content.len() as u64 > FILE_BYTES_MAX {
        return Err(format!("{name} is larger than 16 MiB; use `bash` with sed, head or tail for parts of it"));
    }
    Ok(Some(content))
}

/// Puts content into a file in one step: it is there whole or not at all.
/// An existing file keeps its mode and owner; a file that must be new never replaces another.
pub(crate) fn store(path: &Path, content: &[u8], existing: Existing) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    if existing == Existing::MustBeNone {
        std::fs::create_dir_all(directory)?;
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".eukhe-").permissions(std::fs::Permissions::from_mode(NEW_FILE_MODE));
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(content)?;
    match existing {
        Existing::MustBeNone => {
            file.as_file().sync_all()?;
            file.persist_noclobber(path)?;
        }
        Existing::Replaced => {
            take_over(&path.metadata()?, file.as_file())?;
            file.as_file().sync_all()?;
            file.persist(path)?;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Existing {
    MustBeNone,
    Replaced,
}

fn take_over(old: &Metadata, new: &File) -> io::Result<()> {
    let made = new.metadata()?;
    if (made.uid(), made.gid()) != (old.uid(), old.gid()) {
        // Only root may give files away; for others the content counts more than the group.
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
    new.set_permissions(old.permissions())
}
