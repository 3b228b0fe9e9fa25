//! The 256 indexed colors: which of them is nearest to a color.
//! Leaves out the first 16, which every terminal draws in its own way.

use contracts::{decreases, ensures, invariant, lemma, requires, spec};

/// A color by its three sRGB channels, each 0 to 255.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Color {
    pub red: u64,
    pub green: u64,
    pub blue: u64,
}

/// Returns the nearest of the indexes 16 to 255 by squared distance of the channels; the lower one on a tie.
#[requires(is_color(color))]
#[ensures(index_nearest: 16 <= result && result <= 255)]
#[ensures(index_nearest: (16..256).all(|i| distance(color, result) <= distance(color, i)))]
#[ensures(index_nearest: (16..result).all(|i| distance(color, result) < distance(color, i)))]
pub fn nearest_index(color: Color) -> u64 {
    let cube = nearest_in_cube(color);
    let gray = nearest_gray(color);
    if distance(color, cube) <= distance(color, gray) { cube } else { gray }
}

/// Returns what xterm draws for an index: a cube of 6 levels a channel, then 24 grays.
#[requires(16 <= index && index <= 255)]
#[ensures(index_nearest: result.red == red_of(index) && result.green == green_of(index) && result.blue == blue_of(index))]
pub fn color_of_index(index: u64) -> Color {
    Color { red: red_of(index), green: green_of(index), blue: blue_of(index) }
}

/// Whether each channel is one.
pub fn is_color(color: Color) -> bool {
    color.red <= 255 && color.green <= 255 && color.blue <= 255
}

/// Returns the nearest index of the color cube; the lower one on a tie.
#[requires(is_color(color))]
#[ensures(index_nearest: 16 <= result && result <= 231)]
#[ensures(index_nearest: (16..232).all(|i| distance(color, result) <= distance(color, i)))]
#[ensures(index_nearest: (16..result).all(|i| distance(color, result) < distance(color, i)))]
fn nearest_in_cube(color: Color) -> u64 {
    let red = nearest_step(color.red);
    let green = nearest_step(color.green);
    let blue = nearest_step(color.blue);
    let index = 16 + 36 * red + 6 * green + blue;
    lemma!(red_of(index) == level(red) && green_of(index) == level(green) && blue_of(index) == level(blue));
    lemma!((16..232).all(|i| square(color.red, level(red)) <= square(color.red, red_of(i))));
    lemma!((16..232).all(|i| square(color.green, level(green)) <= square(color.green, green_of(i))));
    lemma!((16..232).all(|i| square(color.blue, level(blue)) <= square(color.blue, blue_of(i))));
    index
}

/// Returns the nearest index of the 24 grays; the lower one on a tie.
#[requires(is_color(color))]
#[ensures(index_nearest: 232 <= result && result <= 255)]
#[ensures(index_nearest: (232..256).all(|i| distance(color, result) <= distance(color, i)))]
#[ensures(index_nearest: (232..result).all(|i| distance(color, result) < distance(color, i)))]
fn nearest_gray(color: Color) -> u64 {
    let mut nearest = 232;
    let mut index = 233;
    while index <= 255 {
        invariant!(232 <= nearest && nearest < index && index <= 256);
        invariant!((232..index).all(|i| distance(color, nearest) <= distance(color, i)));
        invariant!((232..nearest).all(|i| distance(color, nearest) < distance(color, i)));
        decreases!(256 - index);
        if distance(color, index) < distance(color, nearest) {
            nearest = index;
        }
        index += 1;
    }
    nearest
}

/// Returns the step of the color cube that is nearest to a channel; the lower one on a tie.
#[requires(channel <= 255)]
#[ensures(index_nearest: result <= 5)]
#[ensures(index_nearest: (0..6).all(|step| square(channel, level(result)) <= square(channel, level(step))))]
#[ensures(index_nearest: (0..result).all(|step| square(channel, level(result)) < square(channel, level(step))))]
fn nearest_step(channel: u64) -> u64 {
    if channel <= 47 {
        0
    } else if channel <= 115 {
        1
    } else if channel <= 155 {
        2
    } else if channel <= 195 {
        3
    } else if channel <= 235 {
        4
    } else {
        5
    }
}

/// Returns how far a color is from an indexed one: the sum of the squares of what their channels differ by.
#[requires(is_color(color) && 16 <= index && index <= 255)]
fn distance(color: Color, index: u64) -> u64 {
    square(color.red, red_of(index)) + square(color.green, green_of(index)) + square(color.blue, blue_of(index))
}

#[requires(16 <= index && index <= 255)]
#[ensures(index_nearest: result <= 255)]
fn red_of(index: u64) -> u64 {
    if index < 232 { level((index - 16) / 36) } else { gray(index - 232) }
}

#[requires(16 <= index && index <= 255)]
#[ensures(index_nearest: result <= 255)]
fn green_of(index: u64) -> u64 {
    if index < 232 { level((index - 16) / 6 % 6) } else { gray(index - 232) }
}

#[requires(16 <= index && index <= 255)]
#[ensures(index_nearest: result <= 255)]
fn blue_of(index: u64) -> u64 {
    if index < 232 { level((index - 16) % 6) } else { gray(index - 232) }
}

/// Returns the channel at a step of the color cube.
#[requires(step <= 5)]
#[ensures(index_nearest: result <= 255)]
fn level(step: u64) -> u64 {
    if step == 0 { 0 } else { 55 + 40 * step }
}

/// Returns each channel of one of the grays.
#[requires(step <= 23)]
#[ensures(index_nearest: result <= 238)]
fn gray(step: u64) -> u64 {
    8 + 10 * step
}

/// Returns the square of what two channels differ by, multiplied out.
#[requires(one <= 255 && two <= 255)]
#[ensures(index_nearest: result <= 65_025)]
fn square(one: u64, two: u64) -> u64 {
    lemma!(one.abs_diff(two) as i128 * one.abs_diff(two) as i128 <= 255 * one.abs_diff(two) as i128);
    lemma!(one as i128 * one as i128 <= 255 * one as i128 && two as i128 * two as i128 <= 255 * two as i128);
    lemma!(one as i128 * two as i128 <= 255 * one as i128);
    lemma!(is_square(one, two, one.abs_diff(two)));
    one * one + two * two - 2 * one * two
}

/// Whether the square of what two channels differ by, multiplied out, is that of a number.
#[spec]
fn is_square(one: u64, two: u64, apart: u64) -> bool {
    one as i128 * one as i128 + two as i128 * two as i128
        == 2 * one as i128 * two as i128 + apart as i128 * apart as i128
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A channel, the levels of the cube and of the grays and what is halfway between them often.
    fn channel() -> impl Strategy<Value = u64> {
        let level = prop::sample::select(vec![0, 47, 48, 95, 115, 116, 135, 155, 175, 195, 215, 235, 255]);
        prop_oneof![0..=255_u64, level, (0..24_u64, 0..=10_u64).prop_map(|(step, off)| 3 + 10 * step + off)]
    }

    fn color() -> impl Strategy<Value = Color> {
        let mixed = (channel(), channel(), channel()).prop_map(|(red, green, blue)| Color { red, green, blue });
        let grayish = (channel(), 0..3_u64, 0..3_u64).prop_map(|(gray, more, less)| Color {
            red: gray,
            green: (gray + more).min(255),
            blue: gray.saturating_sub(less),
        });
        prop_oneof![3 => mixed, 1 => grayish]
    }

    /// The six levels of the cube, as xterm has them.
    const CUBE: [u64; 6] = [0, 95, 135, 175, 215, 255];

    /// The palette as a list, index 16 first.
    fn palette() -> Vec<Color> {
        let cube = |at: usize| Color { red: CUBE[at / 36], green: CUBE[at / 6 % 6], blue: CUBE[at % 6] };
        let gray = |at: u64| Color { red: 8 + 10 * at, green: 8 + 10 * at, blue: 8 + 10 * at };
        (0..216).map(cube).chain((0..24).map(gray)).collect()
    }

    fn apart(one: Color, two: Color) -> u64 {
        [(one.red, two.red), (one.green, two.green), (one.blue, two.blue)]
            .map(|(one, two)| one.abs_diff(two).pow(2))
            .iter()
            .sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn index_nearest(color in color()) {
            let palette = palette();
            // The first of the smallest.
            let nearest = (16..=255).min_by_key(|index| apart(color, palette[*index as usize - 16]));
            prop_assert_eq!(Some(nearest_index(color)), nearest);
        }
    }

    #[test]
    fn the_colors_of_the_indexes_are_those_of_xterm() {
        let colors: Vec<Color> = (16..=255).map(color_of_index).collect();
        assert_eq!(colors, palette());
    }

    #[test]
    fn the_lower_index_wins_a_tie() {
        let gray = |level| nearest_index(Color { red: level, green: level, blue: level });
        assert_eq!([0, 4, 5, 13, 14, 255].map(gray), [16, 16, 232, 232, 233, 231]);
        assert_eq!(nearest_index(Color { red: 115, green: 0, blue: 255 }), 16 + 36 + 5);
    }
}
