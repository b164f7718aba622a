//! Colours of curves.

use std::fmt;
use std::str::FromStr;

/// Colours to give to curves in turn.
///
/// They stand out on the light and on the dark background, and any two of them can be told apart
/// by people who do not see red or green; the first four differ most.
pub const PALETTE: [Color; 10] = [
    Color::rgb(0x5c, 0x85, 0xe7),
    Color::rgb(0xc2, 0x6c, 0x00),
    Color::rgb(0x1a, 0xa5, 0x8c),
    Color::rgb(0xb5, 0x31, 0x65),
    Color::rgb(0x79, 0x4f, 0xd3),
    Color::rgb(0x14, 0xae, 0xdb),
    Color::rgb(0x8a, 0x59, 0x18),
    Color::rgb(0xe5, 0x79, 0xb8),
    Color::rgb(0x5d, 0x6e, 0x92),
    Color::rgb(0xa5, 0xa5, 0x00),
];

/// An opaque colour in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red, of 255.
    pub red: u8,
    /// Green, of 255.
    pub green: u8,
    /// Blue, of 255.
    pub blue: u8,
}

/// A text is no colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a colour: write it as #rrggbb, for example #5c85e7")]
pub struct ColorError {
    /// What was to be a colour.
    pub text: String,
}

impl Color {
    /// Makes a colour of its three parts.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue }
    }

    /// Returns the palette's colour for the curve with this number; after the last comes the first.
    pub const fn of_curve(number: usize) -> Self {
        PALETTE[number % PALETTE.len()]
    }
}

impl FromStr for Color {
    type Err = ColorError;

    fn from_str(text: &str) -> Result<Self, ColorError> {
        let refusal = || ColorError { text: text.to_owned() };
        let digits = text.strip_prefix('#').ok_or_else(refusal)?;
        // The number parser would also take a sign.
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(refusal());
        }
        let [_, red, green, blue] =
            u32::from_str_radix(digits, 16).map_err(|_| refusal())?.to_be_bytes();
        Ok(Self { red, green, blue })
    }
}

impl fmt::Display for Color {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}
