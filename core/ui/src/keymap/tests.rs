//! Tests of the keymap: the table itself, and keys as they come from terminals and layouts.

use std::collections::BTreeSet;

use super::*;

fn action(context: Context, text: &str) -> Option<Action> {
    resolve(context, parse(text).expect("the test names a key"))
}

#[test]
fn no_key_has_two_actions_in_one_context() {
    let mut taken = BTreeSet::new();
    for binding in BINDINGS {
        for key in binding.keys {
            assert!(taken.insert((format!("{:?}", binding.context), *key)), "{key} twice in {:?}", binding.context);
        }
    }
}

#[test]
fn every_key_of_the_table_is_written_in_its_one_form_and_means_its_action() {
    for binding in BINDINGS {
        for key in binding.keys {
            let parsed = parse(key).unwrap_or_else(|| panic!("{key} is no key"));
            assert_eq!(format(parsed), **key);
            assert_eq!(resolve(binding.context, parsed), Some(binding.action), "{key}");
        }
        assert!(!binding.help.is_empty() && !binding.keys.is_empty(), "{:?}", binding.action);
    }
}

#[test]
fn no_plain_character_is_taken_from_the_composer() {
    let plain = |key: &&str| parse(key).is_some_and(|key| key.typed().is_some());
    let taken: Vec<&str> = BINDINGS
        .iter()
        .filter(|binding| matches!(binding.context, Context::Global | Context::Composer | Context::Viewport))
        .flat_map(|binding| binding.keys.iter().copied().filter(plain))
        .collect();
    assert_eq!(taken, Vec::<&str>::new());
}

#[test]
fn keys_are_read_whatever_the_order_the_case_and_the_name_of_their_modifiers() {
    for text in ["ctrl+shift+z", "Shift+Control+z", "ctrl+Z", "SHIFT+CTRL+Z"] {
        assert_eq!(format(parse(text).unwrap()), "ctrl+shift+z", "{text}");
    }
    let written = [
        ("esc", "escape"),
        ("Return", "enter"),
        ("cmd+left", "super+left"),
        ("meta+plus", "alt+plus"),
        ("shift+?", "?"),
        ("F12", "f12"),
        ("shift+space", "shift+space"),
        ("option+PAGEUP", "alt+pageUp"),
    ];
    for (text, form) in written {
        assert_eq!(format(parse(text).unwrap()), form, "{text}");
    }
    for text in ["", "ctrl+", "hyper+a", "f13", "f0", "ctrl+ab"] {
        assert_eq!(parse(text), None, "{text}");
    }
}

#[test]
fn an_answer_to_a_gate_needs_the_bare_key() {
    assert_eq!(action(Context::Gate, "y"), Some(Action::Gate(GateKey::ApproveOnce)));
    for text in ["Y", "shift+y", "ctrl+y", "alt+y", "super+y", "shift+enter", "a"] {
        assert_eq!(action(Context::Gate, text), None, "{text}");
    }
    let cyrillic = Key { base: Some('y'), ..Key::char('н') };
    assert_eq!(resolve(Context::Gate, cyrillic), None);
}

#[test]
fn case_56_a_newline_has_a_key_in_every_terminal() {
    let told_apart = Key::new(KeyCode::Enter, Modifiers::SHIFT);
    assert_eq!(resolve(Context::Composer, told_apart), Some(Action::Edit(Edit::NewLine)));
    assert_eq!(resolve(Context::Composer, Key::ctrl('j')), Some(Action::Edit(Edit::NewLine)));
    assert_eq!(resolve(Context::Composer, Key::plain(KeyCode::Enter)), Some(Action::Submit));
    assert_eq!(hint(Action::Edit(Edit::NewLine)), "Ctrl+J");
}

#[test]
fn case_59_shortcuts_work_in_layouts_without_latin_letters() {
    let by_letter = [
        ('с', Context::Global, Action::Clear),
        ('С', Context::Global, Action::Clear),
        ('в', Context::EmptyPrompt, Action::Exit),
        ('ц', Context::Composer, Action::Edit(Edit::DeleteWordBackward)),
        ('ъ', Context::Composer, Action::Edit(Edit::JumpForward)),
        ('ψ', Context::Global, Action::Clear),
    ];
    for (letter, context, action) in by_letter {
        let key = Key::ctrl(letter);
        let expected = (letter != 'С').then_some(action);
        assert_eq!(resolve(context, key), expected, "{letter}");
    }
    let by_report = Key { base: Some('k'), ..Key::ctrl('ㅏ') };
    assert_eq!(resolve(Context::Composer, by_report), Some(Action::Edit(Edit::DeleteToLineEnd)));
    let redo = Key { base: None, ..Key::ctrl('Я') };
    assert_eq!(resolve(Context::Composer, redo), Some(Action::Edit(Edit::Redo)));
    assert_eq!(resolve(Context::Composer, Key::char('с')), None);
}

#[test]
fn a_latin_letter_means_itself_wherever_it_lies() {
    let french_w = Key { base: Some('z'), ..Key::ctrl('w') };
    assert_eq!(resolve(Context::Global, french_w), None);
    assert_eq!(resolve(Context::Composer, french_w), Some(Action::Edit(Edit::DeleteWordBackward)));
}

#[test]
fn hints_are_made_from_the_table() {
    let shown: Vec<String> =
        main_bindings().map(|binding| format!("{} {}", label(binding.keys[0]), binding.help)).collect();
    assert_eq!(shown.len(), MAIN_ACTIONS.len());
    assert_eq!(shown[0], "Enter send the prompt");
    assert_eq!(hint(Action::CycleDetail), "Ctrl+O");
    assert_eq!(hint(Action::Escape), "Esc");
    assert_eq!(label("ctrl+alt+plus"), "Ctrl+Alt++");
}
