//! The panels of `/help` and `?`, made from the tables of commands and keys.

use screen::{Role, Row, Span, Style, text};

use crate::keymap::{self, BINDINGS, Binding, Context};
use crate::overlay::{Overlay, PanelKind};
use crate::slash::{COMMANDS, Group};

/// The headings of `/help`, in order.
const GROUPS: &[(Group, &str)] = &[(Group::Session, "Session"), (Group::Interface, "Interface")];
const CONTEXTS: &[(Context, &str)] = &[
    (Context::Global, "Everywhere"),
    (Context::EmptyPrompt, "With nothing written"),
    (Context::Composer, "Writing"),
    (Context::Viewport, "Transcript, fullscreen"),
    (Context::Gate, "Answering an approval"),
    (Context::Menu, "Menus"),
];

/// All commands, grouped, then all keys.
pub fn commands() -> Overlay {
    let mut rows = Vec::new();
    for (group, heading) in GROUPS {
        rows.push(title(heading));
        let of_group = COMMANDS.rows().iter().filter(|row| row.group == *group);
        rows.extend(of_group.map(|row| {
            let aliases: String = row.aliases.iter().map(|alias| format!(", /{}", alias.name)).collect();
            line(&format!("{}{aliases}", row.usage()), row.help)
        }));
    }
    for (context, heading) in CONTEXTS {
        rows.push(title(heading));
        rows.extend(BINDINGS.iter().filter(|binding| binding.context == *context).map(of_binding));
    }
    Overlay::Panel { kind: PanelKind::Help, rows, first_row: 0 }
}

/// The main keys.
pub fn keys() -> Overlay {
    let rows = keymap::main_bindings().map(of_binding).collect();
    Overlay::Panel { kind: PanelKind::Keys, rows, first_row: 0 }
}

fn of_binding(binding: &Binding) -> Row {
    let keys: Vec<String> = binding.keys.iter().map(|key| keymap::label(key)).collect();
    line(&keys.join(", "), binding.help)
}

/// Columns that commands and keys take; longer ones push their help to the right.
const NAME_COLS: usize = 28;

fn line(name: &str, help: &str) -> Row {
    let gap = NAME_COLS.saturating_sub(text::width_cols(name)).max(2);
    Row::new(vec![
        Span::new(Role::Accent, format!("  {name}")),
        Span::new(Role::Text, format!("{}{help}", " ".repeat(gap))),
    ])
}

fn title(heading: &str) -> Row {
    Row::of(Style::new(Role::Muted).bold(), format!(" {heading}"))
}
