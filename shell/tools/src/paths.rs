//! Paths as the model writes them, to the file they really mean. Opens nothing.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use protocol::{Requirement, RequirementKind};

/// A path that goes through more links than this is refused, as the system itself does.
const LINKS_MAX: usize = 40;

/// The file a written path means, with all links followed; it need not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub(crate) path: PathBuf,
    /// For people: relative to the workspace if it is inside, on one line.
    pub(crate) name: String,
    pub(crate) place: Place,
    /// What the model wrote, if that is not what the file is called.
    written: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Inside,
    Outside,
}

impl Target {
    /// Follows a written path from the workspace, which is canonical.
    pub(crate) fn resolve(written: &str, workspace: &Path) -> Result<Self, String> {
        if written.is_empty() || written.contains('\0') {
            return Err("the path is empty or holds a zero byte; give the path of a file".to_owned());
        }
        let path = follow(&workspace.join(from_home(written)))?;
        let relative = path.strip_prefix(workspace);
        let place = if relative.is_ok() { Place::Inside } else { Place::Outside };
        let name = match relative {
            Ok(relative) if relative.as_os_str().is_empty() => ".".to_owned(),
            Ok(relative) => one_line(&relative.to_string_lossy()),
            Err(_) => one_line(&path.to_string_lossy()),
        };
        let written = (Path::new(written) != path && place == Place::Outside).then(|| one_line(written));
        Ok(Self { path, name, place, written })
    }

    /// Whether the path still means the same file: no link has been put in its way.
    pub(crate) fn still_holds(&self) -> bool {
        follow(&self.path).is_ok_and(|path| path == self.path)
    }

    pub(crate) fn reading(&self) -> Requirement {
        let kind = match self.place {
            Place::Inside => RequirementKind::ReadInside,
            Place::Outside => RequirementKind::ReadOutside,
        };
        self.requirement(kind, "read")
    }

    pub(crate) fn writing(&self) -> Requirement {
        let kind = match self.place {
            Place::Inside => RequirementKind::WriteInside,
            Place::Outside => RequirementKind::WriteOutside,
        };
        self.requirement(kind, "write")
    }

    fn requirement(&self, kind: RequirementKind, verb: &str) -> Requirement {
        let written = self.written.as_ref().map(|written| format!(", written as {written}"));
        Requirement { kind, description: format!("{verb} {}{}", self.name, written.unwrap_or_default()) }
    }
}

/// Returns text with its control characters visible, so that no name can forge a row.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// Reads a leading `~/` as the user's home, as a shell does.
fn from_home(written: &str) -> PathBuf {
    match (written.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        (Some(_) | None, _) => PathBuf::from(written),
    }
}

/// Follows every link of an absolute path; what does not exist is taken as it is written.
fn follow(path: &Path) -> Result<PathBuf, String> {
    let mut rest: VecDeque<OsString> = names(path);
    let mut followed = PathBuf::from("/");
    let mut links_left = LINKS_MAX;
    while let Some(name) = rest.pop_front() {
        if name == ".." {
            followed.pop();
            continue;
        }
        let next = followed.join(&name);
        let Ok(target) = std::fs::read_link(&next) else {
            followed = next;
            continue;
        };
        links_left = links_left.checked_sub(1).ok_or_else(|| format!("{} has too many links", path.display()))?;
        if target.is_absolute() {
            followed = PathBuf::from("/");
        }
        for name in names(&target).into_iter().rev() {
            rest.push_front(name);
        }
    }
    Ok(followed)
}

/// Splits a path into its names and its `..`.
fn names(path: &Path) -> VecDeque<OsString> {
    let name = |component: Component<'_>| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some(OsString::from("..")),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    };
    path.components().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A workspace beside a directory that does not belong to it.
    fn world() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let root = tempfile::tempdir().unwrap();
        let base = root.path().canonicalize().unwrap();
        let (workspace, outside) = (base.join("work"), base.join("outside"));
        std::fs::create_dir_all(workspace.join("src")).unwrap();
        std::fs::create_dir(&outside).unwrap();
        (root, workspace, outside)
    }

    fn place(written: &str, workspace: &Path) -> (String, Place) {
        let target = Target::resolve(written, workspace).unwrap();
        (target.name, target.place)
    }

    #[test]
    fn paths_inside_are_named_from_the_workspace() {
        let (_root, workspace, _) = world();
        let inside = |name: &str| (name.to_owned(), Place::Inside);
        for written in ["src/a.rs", "./src/../src/a.rs", "src//a.rs", "new/../src/a.rs"] {
            assert_eq!(place(written, &workspace), inside("src/a.rs"), "{written}");
        }
        let absolute = workspace.join("src/a.rs");
        assert_eq!(place(absolute.to_str().unwrap(), &workspace), inside("src/a.rs"));
        assert_eq!(place(".", &workspace), inside("."));
    }

    #[test]
    fn a_link_that_leads_outside_is_outside_whether_its_target_exists_or_not() {
        let (_root, workspace, outside) = world();
        symlink(&outside, workspace.join("away")).unwrap();
        symlink("../../outside/missing", workspace.join("src/dangling")).unwrap();
        symlink("loose", workspace.join("chain")).unwrap();
        symlink(outside.join("x"), workspace.join("loose")).unwrap();
        let wanted = |name: &str| (outside.join(name).display().to_string(), Place::Outside);
        assert_eq!(place("away/new/file", &workspace), wanted("new/file"));
        assert_eq!(place("src/dangling", &workspace), wanted("missing"));
        assert_eq!(place("chain", &workspace), wanted("x"));
        assert_eq!(place("away/../../work/src", &workspace).1, Place::Outside);
        assert_eq!(place("../work2", &workspace).1, Place::Outside);
        let requirement = Target::resolve("chain", &workspace).unwrap().writing();
        let description = format!("write {}, written as chain", outside.join("x").display());
        assert_eq!(requirement, Requirement { kind: RequirementKind::WriteOutside, description });
    }

    #[test]
    fn a_link_from_outside_to_the_inside_is_inside() {
        let (_root, workspace, outside) = world();
        symlink(&workspace, outside.join("back")).unwrap();
        assert_eq!(place("../outside/back/src/a", &workspace), ("src/a".into(), Place::Inside));
    }

    #[test]
    fn links_in_a_circle_are_refused() {
        let (_root, workspace, _) = world();
        symlink("b", workspace.join("a")).unwrap();
        symlink("a", workspace.join("b")).unwrap();
        let wanted = format!("{} has too many links", workspace.join("a").display());
        assert_eq!(Target::resolve("a", &workspace), Err(wanted));
    }

    #[test]
    fn a_link_put_in_the_way_later_is_noticed() {
        let (_root, workspace, outside) = world();
        let target = Target::resolve("src/a.rs", &workspace).unwrap();
        assert!(target.still_holds());
        std::fs::remove_dir(workspace.join("src")).unwrap();
        symlink(outside, workspace.join("src")).unwrap();
        assert!(!target.still_holds());
    }

    #[test]
    fn a_name_cannot_forge_a_row() {
        let (_root, workspace, _) = world();
        assert_eq!(place("a\n+evil\u{1b}[2J", &workspace).0, "a\\n+evil\\u{1b}[2J");
    }
}
