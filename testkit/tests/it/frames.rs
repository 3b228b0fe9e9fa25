//! When the window is painted, and when not.

use testkit::{Check, Testkit};

#[test]
fn a_window_at_rest_is_not_painted() {
    let mut kit = Testkit::start(Check::inline("60x16").setup());
    kit.play("hi <enter> «Hello.» «end» draft <wait 5s>");
    let before = kit.frame_count();
    kit.play("<wait 3600s>");
    assert_eq!(kit.frame_count(), before);
}

#[test]
fn a_window_that_waits_is_painted_four_times_a_second() {
    let mut kit = Testkit::start(Check::inline("60x16").setup());
    kit.play("hi <enter>");
    let before = kit.frame_count();
    kit.play("<wait 10s>");
    let painted = kit.frame_count() - before;
    assert!((40..=41).contains(&painted), "{painted} frames in 10 s of waiting");
}

#[test]
fn a_burst_of_four_hundred_characters_is_shown_in_nineteen_frames() {
    let mut kit = Testkit::start(Check::inline("60x16").setup());
    kit.play("hi <enter> «a»");
    let before = kit.frame_count();
    kit.play(&format!("«{}»", "b".repeat(400)));
    // 19 by the pace; the icon, which moves at its own time, shares their moments or adds one or two.
    let painted = kit.frame_count() - before;
    assert!((19..=21).contains(&painted), "{painted} frames for a burst");
}

#[test]
fn keys_that_come_together_share_a_frame() {
    let mut kit = Testkit::start(Check::inline("60x16").setup());
    let before = kit.frame_count();
    kit.play("a sentence of many keys that arrive at once");
    assert_eq!(kit.frame_count() - before, 1);
}
