//! Color arithmetic in whole numbers: luminance, contrast, and the nearest of the 256 indexed colors.
//! Knows no role and no theme.

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

/// The luminance of white: the weights of the channels come to 10,000.
const WHITE: u64 = 10_000 * LINEAR[255];

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
            16..=231 => {
                let place = index - 16;
                Self::new(CUBE[usize::from(place / 36)], CUBE[usize::from(place / 6 % 6)], CUBE[usize::from(place % 6)])
            }
            232..=255 => {
                let level = 8 + 10 * (index - 232);
                Self::new(level, level, level)
            }
        }
    }

    /// The nearest of the indexes 16 to 255 by squared distance; the lower one on a tie.
    pub(crate) fn nearest_index(self) -> u8 {
        (16..=255).min_by_key(|&index| self.squared_distance(Self::of_index(index))).expect("the range is not empty")
    }

    /// True when the relative luminance is over a half.
    pub(crate) fn is_light(self) -> bool {
        self.luminance() * 2 > WHITE
    }

    /// True when the two stand in at least this contrast, as WCAG defines it.
    pub(crate) fn holds(self, ratio: Ratio, other: Self) -> bool {
        let (one, two) = (self.luminance(), other.luminance());
        // The definition adds 0.05 to both.
        let offset = WHITE / 20;
        (one.max(two) + offset) * 100 >= (one.min(two) + offset) * ratio.0
    }

    /// Relative luminance, from 0 to [`WHITE`].
    fn luminance(self) -> u64 {
        let linear = |channel: u8| LINEAR[usize::from(channel)];
        2126 * linear(self.red) + 7152 * linear(self.green) + 722 * linear(self.blue)
    }

    fn squared_distance(self, other: Self) -> u32 {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(self.red, other.red) + square(self.green, other.green) + square(self.blue, other.blue)
    }
}

const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

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

/// The linear light of each sRGB level in millionths.
#[rustfmt::skip]
const LINEAR: [u64; 256] = [
    0, 304, 607, 911, 1214, 1518, 1821, 2125, 2428, 2732,
    3035, 3347, 3677, 4025, 4391, 4777, 5182, 5605, 6049, 6512,
    6995, 7499, 8023, 8568, 9134, 9721, 10_330, 10_960, 11_612, 12_286,
    12_983, 13_702, 14_444, 15_209, 15_996, 16_807, 17_642, 18_500, 19_382, 20_289,
    21_219, 22_174, 23_153, 24_158, 25_187, 26_241, 27_321, 28_426, 29_557, 30_713,
    31_896, 33_105, 34_340, 35_601, 36_889, 38_204, 39_546, 40_915, 42_311, 43_735,
    45_186, 46_665, 48_172, 49_707, 51_269, 52_861, 54_480, 56_128, 57_805, 59_511,
    61_246, 63_010, 64_803, 66_626, 68_478, 70_360, 72_272, 74_214, 76_185, 78_187,
    80_220, 82_283, 84_376, 86_500, 88_656, 90_842, 93_059, 95_307, 97_587, 99_899,
    102_242, 104_616, 107_023, 109_462, 111_932, 114_435, 116_971, 119_538, 122_139, 124_772,
    127_438, 130_136, 132_868, 135_633, 138_432, 141_263, 144_128, 147_027, 149_960, 152_926,
    155_926, 158_961, 162_029, 165_132, 168_269, 171_441, 174_647, 177_888, 181_164, 184_475,
    187_821, 191_202, 194_618, 198_069, 201_556, 205_079, 208_637, 212_231, 215_861, 219_526,
    223_228, 226_966, 230_740, 234_551, 238_398, 242_281, 246_201, 250_158, 254_152, 258_183,
    262_251, 266_356, 270_498, 274_677, 278_894, 283_149, 287_441, 291_771, 296_138, 300_544,
    304_987, 309_469, 313_989, 318_547, 323_143, 327_778, 332_452, 337_164, 341_914, 346_704,
    351_533, 356_400, 361_307, 366_253, 371_238, 376_262, 381_326, 386_429, 391_572, 396_755,
    401_978, 407_240, 412_543, 417_885, 423_268, 428_690, 434_154, 439_657, 445_201, 450_786,
    456_411, 462_077, 467_784, 473_531, 479_320, 485_150, 491_021, 496_933, 502_886, 508_881,
    514_918, 520_996, 527_115, 533_276, 539_479, 545_724, 552_011, 558_340, 564_712, 571_125,
    577_580, 584_078, 590_619, 597_202, 603_827, 610_496, 617_207, 623_960, 630_757, 637_597,
    644_480, 651_406, 658_375, 665_387, 672_443, 679_542, 686_685, 693_872, 701_102, 708_376,
    715_694, 723_055, 730_461, 737_910, 745_404, 752_942, 760_525, 768_151, 775_822, 783_538,
    791_298, 799_103, 806_952, 814_847, 822_786, 830_770, 838_799, 846_873, 854_993, 863_157,
    871_367, 879_622, 887_923, 896_269, 904_661, 913_099, 921_582, 930_111, 938_686, 947_307,
    955_973, 964_686, 973_445, 982_251, 991_102, 1_000_000,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_linear_light_is_the_srgb_curve() {
        for (level, linear) in LINEAR.iter().enumerate() {
            let part = level as f64 / 255.0;
            let light = if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
            assert_eq!(*linear, (light * 1e6).round() as u64, "level {level}");
        }
    }

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
