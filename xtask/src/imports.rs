//! Who may import whom: the table of docs/STYLE.md section 1, checked against every `Cargo.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

/// All crates of `core/`, for the two rows that may import the whole folder.
const CORE: &[&str] =
    &["contracts", "laws", "protocol", "settings", "agent", "transcript", "screen", "markup", "theme", "ui"];

/// Each crate with what it may import; `settings` is open to all. A crate that is missing here fails.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("contracts", &[]),
    ("protocol", &[]),
    ("settings", &[]),
    ("lawc", &[]),
    ("laws", &["contracts"]),
    ("screen", &["laws"]),
    ("theme", &["laws", "screen"]),
    ("agent", &["laws", "protocol"]),
    ("transcript", &["laws", "protocol"]),
    ("markup", &["protocol", "screen", "theme"]),
    ("ui", &["laws", "protocol", "transcript", "screen", "theme", "markup"]),
    ("ports", &["protocol", "screen"]),
    ("provider", &["ports", "protocol"]),
    ("tools", &["ports", "protocol"]),
    ("store", &["ports", "protocol"]),
    ("terminal", &["ports", "protocol", "screen"]),
    ("runtime", &["ports", "CORE"]),
    ("app", &["EVERYTHING"]),
    ("testkit", &["EVERYTHING"]),
    ("xtask", &["EVERYTHING"]),
];

/// Returns a sentence for each arrow that the table does not have.
pub fn check(root: &Path) -> anyhow::Result<Vec<String>> {
    let folders: BTreeMap<&str, String> = MAY_IMPORT.iter().map(|(name, _)| (*name, folder_of(root, name))).collect();
    let mut faults = Vec::new();
    for manifest in crate::tidy::files(root, "Cargo.toml")? {
        let name = manifest.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or("");
        if manifest.parent() == Some(root) {
            continue;
        }
        match MAY_IMPORT.iter().find(|(known, _)| *known == name) {
            None => faults.push(format!("{name} has no row in xtask/src/imports.rs: say there whom it may import")),
            Some((_, allowed)) => faults.extend(check_manifest(&manifest, name, allowed, &folders)?),
        }
    }
    Ok(faults)
}

fn check_manifest(
    manifest: &Path,
    name: &str,
    allowed: &[&str],
    folders: &BTreeMap<&str, String>,
) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(manifest).with_context(|| manifest.display().to_string())?;
    let table: toml::Table = text.parse().with_context(|| manifest.display().to_string())?;
    let dependencies = table.get("dependencies").and_then(toml::Value::as_table);
    let names = dependencies.into_iter().flat_map(|table| table.keys());
    let wrong = names.filter(|import| folders.contains_key(import.as_str())).filter(|import| !may(allowed, import));
    Ok(wrong
        .map(|import| {
            format!("{name} imports {import}: no such arrow in docs/STYLE.md section 1; move the code or the type")
        })
        .collect())
}

fn may(allowed: &[&str], import: &str) -> bool {
    let testkit = import == "testkit";
    import == "settings"
        || allowed.contains(&import)
        || (allowed.contains(&"CORE") && CORE.contains(&import))
        || (allowed.contains(&"EVERYTHING") && !testkit && import != "app")
}

fn folder_of(root: &Path, name: &str) -> String {
    let places = ["core", "shell", "xtask", "."].map(|place| root.join(place).join(name));
    places.iter().find(|place| place.is_dir()).map_or_else(String::new, |place| place.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lets_through_what_style_names_and_nothing_else() {
        assert!(may(&["laws"], "laws"));
        assert!(may(&[], "settings"));
        assert!(!may(&["laws", "protocol"], "ui"));
        assert!(may(&["ports", "CORE"], "agent"));
        assert!(!may(&["ports", "CORE"], "terminal"));
        assert!(!may(&["EVERYTHING"], "testkit"));
    }
}
