//! Where a broken contract says it is. Alone in its file: what hears panics hears those of all tests in it.

use std::panic::{catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicU32, Ordering};

use contracts::{ensures, requires};

static LINE: AtomicU32 = AtomicU32::new(0);

#[requires(number < 10)]
#[ensures(place_small: result < 10)]
#[ensures(place_even: result % 2 == 0)] // the line that is told
fn twice(number: u64) -> u64 {
    number * 2 + 1
}

#[test]
fn a_broken_contract_tells_its_own_line() {
    let before = take_hook();
    set_hook(Box::new(|panic| LINE.store(panic.location().map_or(0, |place| place.line()), Ordering::SeqCst)));
    let outcome = catch_unwind(|| twice(1));
    set_hook(before);
    let told = include_str!("place.rs").lines().position(|line| line.ends_with("// the line that is told"));
    let line = told.map_or(0, |at| at as u32 + 1);
    assert_eq!(outcome.is_err(), cfg!(debug_assertions));
    assert_eq!(LINE.load(Ordering::SeqCst), if cfg!(debug_assertions) { line } else { 0 });
}
