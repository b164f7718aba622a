//! Pictures of plots and tables of their data, without a browser.
//!
//! A [`Sheet`] of [`Picture`]s says what is to be seen; [`svg`] draws it, [`png`] and [`pdf`] turn
//! the drawing into the other formats. The font is part of the program and those of the system are
//! never read, so that a picture is the same on every machine. A [`Table`] holds the numbers behind
//! a plot; [`csv()`] and [`parquet()`] write them without losing a bit, and [`read_csv`] and
//! [`read_parquet`] read them back.
//!
//! Nothing here opens a file, knows where samples come from or evaluates expressions.

mod color;
mod error;
mod font;
mod picture;
mod range;
mod render;
mod svg;
mod table;
mod theme;
mod thin;
mod ticks;

pub use color::{Color, ColorError, PALETTE};
pub use error::PictureError;
pub use picture::{
    AxisSpec, CurveStyle, CurveTrace, Mark, MarkKind, Picture, Sheet, Side, Size, Theme,
};
pub use render::{pdf, png};
pub use svg::svg;
pub use table::{Table, TableColumn, TableError, csv, read_csv};
#[cfg(feature = "parquet")]
pub use table::{parquet, read_parquet};
pub use thin::MAX_POINTS;
