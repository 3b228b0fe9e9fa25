//! Theme files to palettes: the only place that makes a color.
//! Reads no file and no environment (`store` and `app` bring what is there) and paints nothing.

mod color;
mod depth;
mod file;
mod palette;
mod standing;
mod theme;

pub use color::Rgb;
pub use depth::{Depth, DepthInputs, depth};
pub use palette::{Canvas, canvas, palette};
pub use theme::{Mode, Theme, ThemeFile, Value, name_for, resolve};

#[cfg(test)]
mod laws_of_themes;
