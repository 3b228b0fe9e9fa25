//! Contrast of two luminances as WCAG defines it, and what counts as light: comparisons of whole numbers.
//! Makes no luminance (`luminance` does), and does not say which contrast is needed where.

use contracts::{ensures, law, requires, spec};

/// The luminance of white, as `luminance` measures it. Black has 0.
const WHITE: u64 = 5_000_000_000_000_000;

/// What WCAG adds to both luminances of a contrast: 0.05, where white is 1.
const FLARE: u64 = 250_000_000_000_000;

/// The largest contrast there is, white on black, in hundredths.
const CONTRAST_MAX: u64 = 2_100;

/// Whether a background of this luminance is a light one: it has more than half of that of white.
#[requires(luminance <= WHITE)]
#[ensures(theme_mode_from_background: result == ((WHITE as i128) < luminance as i128 * 2))]
pub fn is_light(luminance: u64) -> bool {
    luminance > WHITE / 2
}

/// Whether two luminances stand in at least this contrast, in hundredths: 450 is 4.5:1.
/// WCAG defines the contrast as (lighter + 0.05) / (darker + 0.05).
#[requires(one <= WHITE && two <= WHITE)]
#[ensures(contrast_exact: result == is_apart(one.min(two), one.max(two), hundredths))]
pub fn holds(one: u64, two: u64, hundredths: u64) -> bool {
    // More than there is would overflow.
    hundredths <= CONTRAST_MAX && (one.min(two) + FLARE) * hundredths <= (one.max(two) + FLARE) * 100
}

/// Which of two colors is named first changes nothing.
#[law]
pub fn contrast_symmetric(one: u64, two: u64, hundredths: u64) -> bool {
    WHITE < one || WHITE < two || holds(one, two, hundredths) == holds(two, one, hundredths)
}

/// A pair with another pair between them holds each contrast that one holds, and each lower one.
#[law]
pub fn contrast_monotone(darker: u64, dark: u64, light: u64, lighter: u64, less: u64, more: u64) -> bool {
    if dark < darker || light < dark || lighter < light || WHITE < lighter || more < less {
        true
    } else {
        !holds(dark, light, more) || holds(darker, lighter, less)
    }
}

/// White on black is 21:1, and no more.
#[law]
pub fn contrast_black_white(hundredths: u64) -> bool {
    holds(0, WHITE, hundredths) == (hundredths <= 2_100)
}

/// The definition of the contrast, without its fractions.
#[spec]
fn is_apart(darker: u64, lighter: u64, hundredths: u64) -> bool {
    (darker as i128 + FLARE as i128) * hundredths as i128 <= (lighter as i128 + FLARE as i128) * 100
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexed::{Color, color_of_index};
    use crate::luminance;
    use proptest::prelude::*;

    /// What themes ask for, and what the selection band needs.
    const BARS: [u64; 3] = [115, 300, 450];

    fn light() -> impl Strategy<Value = u64> {
        prop_oneof![
            Just(0),
            Just(WHITE),
            0..=WHITE,
            0..100_u64,
            (WHITE - 100)..=WHITE,
            (WHITE / 2 - 2)..(WHITE / 2 + 3)
        ]
    }

    fn bar() -> impl Strategy<Value = u64> {
        prop_oneof![0..3_000_u64, prop::sample::select(&BARS), 2_099..2_103_u64, any::<u64>()]
    }

    fn color() -> impl Strategy<Value = Color> {
        let channel = || prop_oneof![3 => 0..=255_u64, 1 => 0..=12_u64];
        (channel(), channel(), channel()).prop_map(|(red, green, blue)| Color { red, green, blue })
    }

    fn gray(level: u64) -> Color {
        Color { red: level, green: level, blue: level }
    }

    fn measured(color: Color) -> u64 {
        luminance::luminance(color.red, color.green, color.blue)
    }

    /// The luminance by the curve itself, from 0 to 1.
    fn true_luminance(color: Color) -> f64 {
        let light = |level: u64| {
            let part = level as f64 / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * light(color.red) + 0.7152 * light(color.green) + 0.0722 * light(color.blue)
    }

    fn true_contrast(one: Color, two: Color) -> f64 {
        let (one, two) = (true_luminance(one) + 0.05, true_luminance(two) + 0.05);
        one.max(two) / one.min(two)
    }

    fn measured_contrast(one: Color, two: Color) -> f64 {
        let (one, two) = (measured(one) + FLARE, measured(two) + FLARE);
        one.max(two) as f64 / one.min(two) as f64
    }

    /// Each of the bars is held by two colors exactly when their true contrast reaches it.
    fn agrees(one: Color, two: Color) -> bool {
        let contrast = true_contrast(one, two);
        BARS.iter().all(|bar| holds(measured(one), measured(two), *bar) == (contrast * 100.0 >= *bar as f64))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn contrast_exact(one in light(), two in light(), bar in bar()) {
            let (darker, lighter) = (u128::from(one.min(two)), u128::from(one.max(two)));
            let flare = u128::from(WHITE) / 20;
            prop_assert_eq!(holds(one, two, bar), (lighter + flare) * 100 >= (darker + flare) * u128::from(bar));
        }

        #[test]
        fn contrast_symmetric(one in light(), two in light(), bar in bar()) {
            prop_assert!(super::contrast_symmetric(one, two, bar));
        }

        #[test]
        fn contrast_monotone(mut lights in [light(), light(), light(), light()], one in bar(), two in bar()) {
            lights.sort_unstable();
            let [darker, dark, light, lighter] = lights;
            prop_assert!(super::contrast_monotone(darker, dark, light, lighter, one.min(two), one.max(two)));
        }

        #[test]
        fn contrast_black_white(bar in bar()) {
            prop_assert!(super::contrast_black_white(bar));
        }

        #[test]
        fn theme_mode_from_background(luminance in light()) {
            prop_assert_eq!(is_light(luminance), u128::from(luminance) * 2 > u128::from(WHITE));
        }

        /// A luminance is off by less than 10^-12, so a contrast of c is off by less than (1 + c) * 2 * 10^-11.
        #[test]
        fn the_contrast_of_two_colors_is_the_true_one(one in color(), two in color()) {
            let contrast = true_contrast(one, two);
            prop_assert!((measured_contrast(one, two) - contrast).abs() < (1.0 + contrast) * 2e-11);
            prop_assert!(agrees(one, two));
        }
    }

    #[test]
    fn both_files_mean_the_same_white() {
        assert_eq!(WHITE, luminance::WHITE);
        assert_eq!((measured(gray(0)), measured(gray(255)), FLARE * 20), (0, WHITE, WHITE));
    }

    #[test]
    fn no_pair_of_grays_and_no_pair_of_indexed_colors_is_misjudged() {
        let grays: Vec<Color> = (0..=255).map(gray).collect();
        let indexed: Vec<Color> = (16..=255).map(color_of_index).collect();
        for colors in [grays, indexed] {
            for one in &colors {
                assert!(colors.iter().all(|two| agrees(*one, *two)), "{one:?}");
            }
        }
        assert!(holds(measured(gray(118)), measured(gray(255)), 450));
        assert!(!holds(measured(gray(119)), measured(gray(255)), 450));
    }

    /// Exhausted: every color.
    #[test]
    fn no_color_is_taken_for_light_that_is_dark() {
        let light = |level: u64| true_luminance(gray(level));
        let lights: Vec<f64> = (0..=255).map(light).collect();
        let mut nearest = f64::MAX;
        for red in &lights {
            for green in &lights {
                for blue in &lights {
                    let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
                    nearest = nearest.min((luminance - 0.5).abs());
                }
            }
        }
        // The color nearest to the half is further from it than a luminance can be off.
        assert!(nearest > 1e-12, "{nearest}");
    }
}
