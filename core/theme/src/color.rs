//! A color by its three channels, and as one of the 256 indexed ones.
//! Knows no role and no theme; what is light, what contrasts and which index is nearest is decided by `laws`.

use laws::{contrast, indexed, luminance};

/// A color by its three channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

/// A contrast to be reached, in hundredths: 450 is 4.5:1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ratio(pub u64);

impl Rgb {
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue }
    }

    /// Reads `#rrggbb`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        // A sign would be taken for part of the number.
        let number =
            digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())??;
        let [_, red, green, blue] = number.to_be_bytes();
        Some(Self { red, green, blue })
    }

    /// What xterm draws for an index.
    pub(crate) fn of_index(index: u8) -> Self {
        match index {
            0..=15 => XTERM_16[usize::from(index)],
            16..=255 => {
                let color = indexed::color_of_index(index.into());
                Self::new(byte(color.red), byte(color.green), byte(color.blue))
            }
        }
    }

    /// The nearest of the indexes 16 to 255 by squared distance; the lower one on a tie.
    pub(crate) fn nearest_index(self) -> u8 {
        let Self { red, green, blue } = self;
        byte(indexed::nearest_index(indexed::Color { red: red.into(), green: green.into(), blue: blue.into() }))
    }

    /// True when the relative luminance is over a half.
    pub(crate) fn is_light(self) -> bool {
        contrast::is_light(self.luminance())
    }

    /// True when the two stand in at least this contrast, as WCAG defines it.
    pub(crate) fn holds(self, ratio: Ratio, other: Self) -> bool {
        contrast::holds(self.luminance(), other.luminance(), ratio.0)
    }

    fn luminance(self) -> u64 {
        luminance::luminance(self.red.into(), self.green.into(), self.blue.into())
    }
}

fn byte(number: u64) -> u8 {
    u8::try_from(number).expect("channels and indexes are at most 255")
}

const XTERM_16: [Rgb; 16] = [
    Rgb::new(0, 0, 0),
    Rgb::new(205, 0, 0),
    Rgb::new(0, 205, 0),
    Rgb::new(205, 205, 0),
    Rgb::new(0, 0, 238),
    Rgb::new(205, 0, 205),
    Rgb::new(0, 205, 205),
    Rgb::new(229, 229, 229),
    Rgb::new(127, 127, 127),
    Rgb::new(255, 0, 0),
    Rgb::new(0, 255, 0),
    Rgb::new(255, 255, 0),
    Rgb::new(92, 92, 255),
    Rgb::new(255, 0, 255),
    Rgb::new(0, 255, 255),
    Rgb::new(255, 255, 255),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_on_white_is_21_to_1_and_the_bound_itself_holds() {
        let (black, white) = (Rgb::new(0, 0, 0), Rgb::new(255, 255, 255));
        assert!(black.holds(Ratio(2100), white) && white.holds(Ratio(2100), black));
        assert!(!black.holds(Ratio(2101), white));
        let gray = |level| Rgb::new(level, level, level);
        assert!(gray(118).holds(Ratio(450), white) && !gray(119).holds(Ratio(450), white));
    }

    #[test]
    fn the_nearest_index_is_the_lower_one_on_a_tie() {
        assert_eq!(Rgb::new(0, 0, 0).nearest_index(), 16);
        assert_eq!(Rgb::new(255, 255, 255).nearest_index(), 231);
        assert_eq!(Rgb::new(13, 13, 13).nearest_index(), 232);
        for index in 16..=255 {
            let nearest = Rgb::of_index(index).nearest_index();
            assert_eq!(Rgb::of_index(nearest), Rgb::of_index(index), "index {index}");
        }
    }

    #[test]
    fn a_color_is_six_hexadecimal_digits_after_a_sign() {
        assert_eq!(Rgb::parse("#1a2B3c"), Some(Rgb::new(0x1a, 0x2b, 0x3c)));
        for bad in ["1a2b3c", "#1a2b3", "#1a2b3c4", "#+a2b3c", "#ééé", "#gggggg", ""] {
            assert_eq!(Rgb::parse(bad), None, "{bad}");
        }
    }
}
