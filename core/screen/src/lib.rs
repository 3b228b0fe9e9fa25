//! What a terminal shows and takes, as values: keys, rows of roles, frames.
//! Knows no theme file, no transcript and no escape sequence.

pub mod frame;
pub mod key;
pub mod role;
pub mod row;
pub mod text;
pub mod wrap;

pub use frame::{Caret, Frame, Palette, Size, Surface};
pub use key::{Key, KeyCode, Modifiers, Mouse, MouseKind};
pub use role::{Role, RoleKind};
pub use row::{Row, RowEnd, Span, Style};
pub use wrap::{WrapOptions, fit_indent, wrap, wrap_cells};
