//! Colours of everything but the curves.

use crate::{Color, Theme};

/// The colours of a theme.
pub(crate) struct Paint {
    pub background: Color,
    /// Titles and the legend.
    pub text: Color,
    /// Tick labels and remarks.
    pub faint_text: Color,
    pub axis: Color,
    pub grid: Color,
    pub mark: Color,
}

const LIGHT: Paint = Paint {
    background: Color::rgb(0xff, 0xff, 0xff),
    text: Color::rgb(0x16, 0x1c, 0x26),
    faint_text: Color::rgb(0x47, 0x52, 0x64),
    axis: Color::rgb(0x7d, 0x88, 0x99),
    grid: Color::rgb(0xe6, 0xe9, 0xee),
    mark: Color::rgb(0x36, 0x41, 0x52),
};

const DARK: Paint = Paint {
    background: Color::rgb(0x16, 0x1a, 0x21),
    text: Color::rgb(0xe9, 0xed, 0xf3),
    faint_text: Color::rgb(0xb0, 0xb9, 0xc7),
    axis: Color::rgb(0x6b, 0x76, 0x88),
    grid: Color::rgb(0x2a, 0x31, 0x3d),
    mark: Color::rgb(0xc3, 0xca, 0xd6),
};

impl Theme {
    /// Returns the colours of this theme.
    pub(crate) fn paint(self) -> &'static Paint {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}
