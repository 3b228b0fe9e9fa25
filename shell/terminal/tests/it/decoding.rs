//! Bytes from terminals to what they mean.

use ports::TerminalEvent;
use screen::{Key, KeyCode, Modifiers, Mouse, MouseKind};
use terminal::{Decoder, Fact, Input};

const ESCAPE_WAIT_MS: u64 = 25;

fn decode(pieces: &[&[u8]]) -> Vec<Input> {
    let mut decoder = Decoder::new(ESCAPE_WAIT_MS);
    let mut inputs = Vec::new();
    pieces.iter().for_each(|piece| decoder.feed(piece, &mut inputs));
    inputs
}

/// Each piece comes so late that the pause before it ends what it can.
fn decode_slowly(pieces: &[&[u8]]) -> Vec<Input> {
    let mut decoder = Decoder::new(ESCAPE_WAIT_MS);
    let mut inputs = Vec::new();
    for piece in pieces {
        decoder.feed(piece, &mut inputs);
        while decoder.wait_ms().is_some() {
            decoder.time_out(&mut inputs);
        }
    }
    inputs
}

fn event(event: TerminalEvent) -> Input {
    Input::Event(event)
}

fn key(code: KeyCode, modifiers: Modifiers) -> Input {
    event(TerminalEvent::Key(Key::new(code, modifiers)))
}

fn plain(code: KeyCode) -> Input {
    key(code, Modifiers::NONE)
}

fn typed(text: &str) -> Vec<Input> {
    text.chars().map(|character| plain(KeyCode::Char(character))).collect()
}

fn mouse(kind: MouseKind, row: u16, col: u16) -> Input {
    event(TerminalEvent::Mouse(Mouse { kind, row, col }))
}

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::CTRL;
const ALT: Modifiers = Modifiers::ALT;
const SHIFT: Modifiers = Modifiers::SHIFT;
const CTRL_ALT: Modifiers = Modifiers { alt: true, ..CTRL };
const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..CTRL };
const ALT_SHIFT: Modifiers = Modifiers { shift: true, ..ALT };
const SUPER: Modifiers = Modifiers { super_: true, ..NONE };

/// What terminals send, and the key that it is.
const KEYS: &[(&[u8], KeyCode, Modifiers)] = {
    use KeyCode::*;
    &[
        (b"a", Char('a'), NONE),
        (b"A", Char('A'), NONE),
        ("я".as_bytes(), Char('я'), NONE),
        ("漢".as_bytes(), Char('漢'), NONE),
        (b"\r", Enter, NONE),
        (b"\n", Char('j'), CTRL),
        (b"\t", Tab, NONE),
        (b"\x7f", Backspace, NONE),
        (b"\x08", Backspace, NONE),
        (b"\x00", Char(' '), CTRL),
        (b"\x01", Char('a'), CTRL),
        (b"\x1a", Char('z'), CTRL),
        (b"\x1d", Char(']'), CTRL),
        (b"\x1f", Char('-'), CTRL),
        // Alt is an ESC before.
        (b"\x1bx", Char('x'), ALT),
        ("\x1bя".as_bytes(), Char('я'), ALT),
        (b"\x1b\r", Enter, ALT),
        (b"\x1b\x7f", Backspace, ALT),
        (b"\x1b\x01", Char('a'), CTRL_ALT),
        (b"\x1b\x1b[A", Up, ALT),
        (b"\x1b\x1b[Z", Tab, ALT_SHIFT),
        (b"\x1b\x1bOA", Up, ALT),
        // Cursor and function keys, with and without application mode.
        (b"\x1b[A", Up, NONE),
        (b"\x1bOB", Down, NONE),
        (b"\x1b[1;5C", Right, CTRL),
        (b"\x1b[1;10D", Left, Modifiers { super_: true, ..SHIFT }),
        (b"\x1b[H", Home, NONE),
        (b"\x1b[F", End, NONE),
        (b"\x1b[Z", Tab, SHIFT),
        (b"\x1bOP", Function(1), NONE),
        (b"\x1b[1;2R", Function(3), SHIFT),
        (b"\x1b[[B", Function(2), NONE),
        (b"\x1b[3~", Delete, NONE),
        (b"\x1b[5;3~", PageUp, ALT),
        (b"\x1b[24~", Function(12), NONE),
        (b"\x1bOM", Enter, NONE),
        (b"\x1bOy", Char('9'), NONE),
        // rxvt.
        (b"\x1b[a", Up, SHIFT),
        (b"\x1bOd", Left, CTRL),
        (b"\x1b[3^", Delete, CTRL),
        (b"\x1b[7$", Home, SHIFT),
        // kitty.
        (b"\x1b[27u", Escape, NONE),
        (b"\x1b[13;2u", Enter, SHIFT),
        (b"\x1b[9;2u", Tab, SHIFT),
        (b"\x1b[127;5u", Backspace, CTRL),
        (b"\x1b[97;5u", Char('a'), CTRL),
        (b"\x1b[97:65;6u", Char('A'), CTRL),
        (b"\x1b[97;6u", Char('A'), CTRL),
        (b"\x1b[45:95;6u", Char('_'), CTRL),
        (b"\x1b[122;9u", Char('z'), SUPER),
        (b"\x1b[97;33u", Char('a'), ALT),
        (b"\x1b[97;5:2u", Char('a'), CTRL),
        (b"\x1b[57404u", Char('5'), NONE),
        (b"\x1b[57414;5u", Enter, CTRL),
        (b"\x1b[57419u", Up, NONE),
        (b"\x1b[1;1:1A", Up, NONE),
        // xterm's modifyOtherKeys.
        (b"\x1b[27;2;13~", Enter, SHIFT),
        (b"\x1b[27;5;99~", Char('c'), CTRL),
        (b"\x1b[27;2;33~", Char('!'), NONE),
        (b"\x1b[27;6;67~", Char('C'), CTRL),
        (b"\x1b[27;6;9~", Tab, CTRL_SHIFT),
    ]
};

#[test]
fn keys_are_read_from_every_way_terminals_send_them() {
    for (bytes, code, modifiers) in KEYS {
        let whole = decode(&[bytes]);
        assert_eq!(whole, [key(*code, *modifiers)], "{:?}", String::from_utf8_lossy(bytes));
        let pieces: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(decode(&pieces), whole, "in pieces: {:?}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn the_place_of_a_key_on_a_us_layout_comes_along() {
    let cyrillic = Key { base: Some('c'), ..Key::new(KeyCode::Char('с'), CTRL) };
    assert_eq!(decode(&[b"\x1b[1089::99;5u"]), [event(TerminalEvent::Key(cyrillic))]);
}

#[test]
fn releases_locks_and_unknown_sequences_are_nothing() {
    let cases: &[&[u8]] = &[
        b"\x1b[97;5:3u",
        b"\x1b[1;1:3A",
        b"\x1b[3;1:3~",
        b"\x1b[57358u",
        b"\x1b[57441;2u",
        b"\x1b[>1;4000;0c",
        b"\x1b[12;40R",
        b"\x1b[?2026;2$y",
        b"\x1bP>|term(1.0)\x1b\\",
        b"\x1b_Gi=31;OK\x1b\\",
        b"\x1b]52;c;aGVsbG8=\x07",
        b"\x1b[?997;1n",
        b"\x1b[<35;1;1M",
        b"\x1b[<2;1;1M",
        b"\x1b[200000000000000000000~",
    ];
    for bytes in cases {
        let mut followed = bytes.to_vec();
        followed.push(b'x');
        assert_eq!(decode(&[&followed]), typed("x"), "{:?}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn case_14_a_wheel_is_the_wheel() {
    let expected = [
        mouse(MouseKind::WheelUp, 16, 39),
        mouse(MouseKind::WheelDown, 0, 0),
        mouse(MouseKind::Press, 4, 9),
        mouse(MouseKind::Drag, 5, 9),
        mouse(MouseKind::Release, 5, 9),
    ];
    assert_eq!(decode(&[b"\x1b[<64;40;17M\x1b[<65;1;1M\x1b[<0;10;5M\x1b[<32;10;6M\x1b[<0;10;6m"]), expected);
    assert_eq!(decode(&[b"\x1b[M`!!"]), [mouse(MouseKind::WheelUp, 0, 0)]);
}

#[test]
fn case_27_a_mouse_report_in_pieces_or_without_its_esc_is_never_text() {
    let report = b"\x1b[<65;40;17M";
    let wheel = [mouse(MouseKind::WheelDown, 16, 39)];
    for start in [0, 1] {
        let pieces: Vec<&[u8]> = report[start..].chunks(1).collect();
        assert_eq!(decode(&pieces), wheel, "from byte {start}");
    }
    // A pause after ESC makes it the key, and one in the middle drops the report; text follows undisturbed.
    assert_eq!(
        decode_slowly(&[b"\x1b", b"[<65;40;17M", b"x"]),
        [[plain(KeyCode::Escape)].as_slice(), &wheel, &typed("x")].concat()
    );
    assert_eq!(decode_slowly(&[b"\x1b[<65;4", b"x"]), typed("x"));
    assert_eq!(decode_slowly(&[b"[<65;4", b"x"]), typed("x"));
}

#[test]
fn case_28_the_background_is_told_however_its_answer_comes() {
    let background = [event(TerminalEvent::Background { red: 0x1e, green: 0x20, blue: 0xff })];
    let answers: &[&[u8]] = &[
        b"\x1b]11;rgb:1e1e/2020/ffff\x1b\\",
        b"\x1b]11;rgb:1e1e/2020/ffff\x07",
        b"\x1b]11;rgb:1e/20/ff\x07",
        b"\x1b]11;#1e20ff\x07",
        b"]11;rgb:1e1e/2020/ffff\x1b\\",
        b"]11;rgb:1e1e/2020/ffff\x07",
    ];
    for answer in answers {
        assert_eq!(decode(&[answer]), background, "{:?}", String::from_utf8_lossy(answer));
        let pieces: Vec<&[u8]> = answer.chunks(1).collect();
        assert_eq!(decode(&pieces), background, "in pieces: {:?}", String::from_utf8_lossy(answer));
    }
}

#[test]
fn brackets_that_someone_types_are_text() {
    for text in ["[", "]", "[[x]](y)", "[<a", "[?why", "]11", "a[0] = b[1];", "[12]"] {
        assert_eq!(decode_slowly(&[text.as_bytes()]), typed(text));
    }
    let letters: Vec<&[u8]> = b"[<5;".chunks(1).collect();
    assert_eq!(decode_slowly(&letters), typed("[<5;"));
}

#[test]
fn a_lone_escape_is_the_key_after_its_wait_and_two_are_two() {
    let mut decoder = Decoder::new(ESCAPE_WAIT_MS);
    let mut inputs = Vec::new();
    decoder.feed(b"\x1b", &mut inputs);
    assert_eq!((decoder.wait_ms(), inputs.as_slice()), (Some(ESCAPE_WAIT_MS), [].as_slice()));
    decoder.time_out(&mut inputs);
    assert_eq!((decoder.wait_ms(), inputs), (None, vec![plain(KeyCode::Escape)]));
    let escape = plain(KeyCode::Escape);
    assert_eq!(decode_slowly(&[b"\x1b\x1b"]), [escape.clone(), escape.clone()]);
    assert_eq!(decode_slowly(&[b"\x1b\x1b\x1b"]), [escape.clone(), escape.clone(), escape]);
}

#[test]
fn alt_with_a_key_that_begins_sequences_is_that_key_after_a_pause() {
    for introducer in ['[', 'O', ']', 'P', '_'] {
        let bytes = format!("\x1b{introducer}");
        assert_eq!(
            decode_slowly(&[bytes.as_bytes(), b"x"]),
            [vec![key(KeyCode::Char(introducer), ALT)], typed("x")].concat()
        );
    }
    assert_eq!(decode(&[b"\x1bP\x03"]), [key(KeyCode::Char('P'), ALT), key(KeyCode::Char('c'), CTRL)]);
}

#[test]
fn a_paste_comes_as_it_is_wherever_it_is_cut() {
    let bytes = "\x1b[200~one\rtwo \x1b[31mred\x1b[m 漢字\x1b[201~x".as_bytes();
    let expected =
        [vec![event(TerminalEvent::Paste("one\rtwo \x1b[31mred\x1b[m 漢字".to_owned()))], typed("x")].concat();
    for size in [1, 2, 3, 7, 100] {
        let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
        assert_eq!(decode(&pieces), expected, "in pieces of {size}");
    }
    // The end mark may be lost: after a long silence the keys come through again.
    assert_eq!(
        decode_slowly(&[b"\x1b[200~abc", b"x"]),
        [vec![event(TerminalEvent::Paste("abc".to_owned()))], typed("x")].concat()
    );
}

#[test]
fn case_43_bytes_that_come_as_keys_are_put_together_again() {
    let korean = "한";
    let as_keys: String = korean.bytes().map(|byte| format!("\x1b[{byte}u")).collect();
    assert_eq!(decode(&[as_keys.as_bytes()]), typed(korean));
    let pasted = format!("\x1b[200~a{as_keys}\x1b[106;5ub\x1b[201~");
    assert_eq!(decode(&[pasted.as_bytes()]), [event(TerminalEvent::Paste(format!("a{korean}\nb")))]);
    assert_eq!(decode(&[b"\x1b[233u", b"a"]), typed("éa"));
}

#[test]
fn bytes_that_are_no_utf_8_are_read_as_latin_1_and_lose_nothing_around_them() {
    assert_eq!(decode(&[b"a\xe9b"]), typed("aéb"));
    assert_eq!(decode(&[b"\xff\x1b[A"]), [typed("ÿ"), vec![plain(KeyCode::Up)]].concat());
}

#[test]
fn what_the_terminal_can_do_is_told_once_it_answered() {
    let missing = [Input::Fact(Fact::NoKittyKeyboard)];
    assert_eq!(decode(&[b"\x1b[?62;22c"]), missing);
    assert_eq!(decode(&[b"\x1b[?0u\x1b[?62;22c"]), []);
    assert_eq!(decode(&[b"\x1b[?1007;1$y"]), [Input::Fact(Fact::AlternateScroll)]);
    assert_eq!(decode(&[b"\x1b[?1007;2$y"]), []);
    assert_eq!(decode(&[b"[?62;22c"]), missing);
    assert_eq!(decode(&[b"\x1b[I\x1b[O"]), [event(TerminalEvent::Focus(true)), event(TerminalEvent::Focus(false))]);
}

mod hostile {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_decode_the_same_however_they_are_cut(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"\x1b[]<?;0123~uMOP\\".as_slice())], 0..60),
            size in 1_usize..9,
        ) {
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            prop_assert_eq!(decode(&pieces), decode(&[&bytes]));
            decode_slowly(&pieces);
        }
    }
}
