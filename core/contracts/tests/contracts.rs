//! The contracts as their users see them: functions that keep them, and functions that are caught breaking them.
//! What a prover reads of them is not tried here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use contracts::{decreases, ensures, invariant, law, lemma, requires, spec, variant};

/// Returns what a broken contract says, or nothing when the call ends well; always nothing in a release build.
fn told<T>(call: impl FnOnce() -> T) -> String {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(_) => String::new(),
        Err(panic) => panic.downcast_ref::<String>().expect("contracts speak in strings").clone(),
    }
}

/// Compares but for the blanks, as those in a condition are the compiler's choice.
#[track_caller]
fn check_told<T>(call: impl FnOnce() -> T, says: &str) {
    let says = if cfg!(debug_assertions) { says } else { "" };
    assert_eq!(told(call).replace(' ', ""), says.replace(' ', ""));
}

/// What is left of `whole` when `part` is taken, with a slip when `part` is 7.
#[must_use]
#[requires(part <= whole)]
#[ensures(left_small: result <= whole)]
#[ensures(left_exact: result as i128 == whole as i128 - part as i128)]
pub fn left(whole: u64, part: u64) -> u64 {
    if part == 7 { whole } else { whole.wrapping_sub(part) }
}

#[test]
fn a_function_that_keeps_its_contracts_returns_as_ever() {
    assert_eq!(left(10, 4), 6);
}

#[test]
fn a_call_that_breaks_requires_is_told_with_function_and_condition() {
    check_told(|| left(1, 2), "`left` requires what does not hold: part <= whole");
}

#[test]
fn a_result_that_breaks_ensures_is_told_with_the_law() {
    check_told(|| left(10, 7), "`left` breaks `left_exact`: result as i128 == whole as i128 - part as i128");
}

#[law]
fn small_or_large(number: u64) -> bool {
    number % 16 < 10
}

#[test]
fn a_law_that_is_false_once_is_told() {
    assert!(small_or_large(3));
    check_told(|| small_or_large(15), "the law `small_or_large` does not hold");
}

/// Sets each number to `value`, but for the last one when `value` is 13.
#[ensures(filled_all: is_filled(numbers, numbers.len(), value))]
#[ensures(filled_once: result == old(numbers).len() && old(value) == value)]
fn fill(numbers: &mut [u64], value: u64) -> usize {
    let count = if value == 13 { numbers.len().saturating_sub(1) } else { numbers.len() };
    let mut next = 0;
    while next < count {
        invariant!(next <= count && is_filled(numbers, next, value));
        invariant!((next..count).all(|i| numbers[i] == old(numbers)[i]));
        decreases!(count - next);
        numbers[next] = value;
        next += 1;
    }
    lemma!(next == count);
    numbers.len()
}

/// Never used in a release build.
#[spec]
fn is_filled(numbers: &[u64], count: usize, value: u64) -> bool {
    count <= numbers.len() && (0..count).all(|i| numbers[i] == value)
}

#[test]
fn contracts_over_slices_see_them_at_the_call_and_now() {
    let mut numbers = [1, 2, 3];
    assert_eq!(fill(&mut numbers, 5), 3);
    assert_eq!(numbers, [5, 5, 5]);
    check_told(|| fill(&mut [1, 2], 13), "`fill` breaks `filled_all`: is_filled(numbers, numbers.len(), value)");
}

/// Adds one to each number.
#[ensures(raised_all: (0..numbers.len()).all(|i| numbers[i] == old(numbers)[i] + 1))]
fn raise(numbers: &mut [u64], step: u64) {
    let mut i = 0;
    while i < numbers.len() {
        decreases!(numbers.len() - i);
        numbers[i] += step;
        i += 1;
    }
}

#[test]
fn a_function_without_a_result_is_checked_at_its_end_too() {
    let mut numbers = [1, 2];
    raise(&mut numbers, 1);
    assert_eq!(numbers, [2, 3]);
    check_told(
        || raise(&mut [1, 2], 2),
        "`raise` breaks `raised_all`: (0..numbers.len()).all(|i| numbers[i] == old(numbers)[i] + 1)",
    );
}

/// Only its loop has something to say.
#[requires(true)]
fn count_to(limit: u64, start: u64, step: u64) -> u64 {
    let mut count = start;
    while count < limit {
        invariant!(count <= limit);
        decreases!(limit - count);
        count += step;
    }
    count
}

#[test]
fn an_invariant_is_checked_before_the_first_round_and_after_the_last() {
    assert_eq!(count_to(6, 0, 2), 6);
    check_told(|| count_to(3, 4, 1), "a loop in `count_to` breaks its invariant: count <= limit");
    check_told(|| count_to(3, 0, 2), "a loop in `count_to` breaks its invariant: count <= limit");
}

/// Counts down by halves, and sticks at `stuck`.
#[requires(true)]
fn halve(number: u64, stuck: u64) -> u64 {
    let (mut left, mut patience) = (number, 100);
    while 0 < left && 0 < patience {
        decreases!(left);
        if left != stuck {
            left /= 2;
        }
        patience -= 1;
    }
    left
}

#[test]
fn a_measure_that_does_not_fall_is_told() {
    assert_eq!(halve(1000, 0), 0);
    check_told(|| halve(100, 6), "a round in `halve` brings its loop no nearer to its end: left");
}

/// A loop in a loop: each has a measure of its own, which begins anew with the loop.
#[ensures(product: result == rows * columns)]
fn cells(rows: u64, columns: u64) -> u64 {
    let mut count = 0;
    let mut row = 0;
    while row < rows {
        invariant!(count == row * columns);
        decreases!(rows - row);
        if row < rows {
            let mut column = 0;
            while if row < rows { column < columns } else { false } {
                invariant!(count == row * columns + column);
                decreases!(columns - column);
                count += 1;
                column += 1;
            }
        }
        row += 1;
    }
    count
}

#[test]
fn loops_in_loops_are_checked_each_for_itself() {
    assert_eq!(cells(3, 4), 12);
    assert_eq!(cells(0, 4), 0);
}

#[requires(true)]
fn doubled(numbers: &mut [u64], step: u64) -> u64 {
    numbers[0] *= step;
    lemma!(numbers[0] == old(numbers)[0] * 2);
    numbers[0]
}

#[test]
fn a_lemma_is_checked_where_it_stands_and_knows_the_call() {
    assert_eq!(doubled(&mut [4], 2), 8);
    check_told(|| doubled(&mut [4], 3), "a lemma does not hold: numbers[0] == old(numbers)[0] * 2");
}

/// The contracts below the first are taken along wherever they stand, by whatever path.
#[variant(number)]
#[contracts::requires(number < 50)]
#[allow(clippy::manual_is_multiple_of)]
#[contracts::ensures(even_alternates: result == (number % 2 == 0))]
#[law]
fn even(number: u64) -> bool {
    if number == 0 { true } else { odd(number - 1) }
}

#[spec]
#[variant(number)]
pub fn odd(number: u64) -> bool {
    number != 0 && even(number - 1)
}

#[test]
fn all_contracts_of_a_function_hold_together() {
    assert!(even(4));
    check_told(|| even(3), "the law `even` does not hold");
    check_told(|| even(60), "`even` requires what does not hold: number < 50");
}

fn walk(limit: u64, step: u64) -> u64 {
    let mut at = 0;
    while at < limit {
        invariant!(at % 2 == 0);
        decreases!(limit - at);
        at += step;
    }
    at
}

#[test]
fn an_invariant_without_a_contract_on_the_function_is_checked_where_it_stands() {
    assert_eq!(walk(4, 2), 4);
    check_told(|| walk(4, 1), "an invariant does not hold: at % 2 == 0");
}
