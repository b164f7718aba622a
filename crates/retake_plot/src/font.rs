//! The font of all pictures: Noto Sans, which comes with the program.
//!
//! Widths are sums of the characters' own; kerning, which is small and mostly negative, is left to
//! the renderer.

use std::sync::{Arc, LazyLock};

use resvg::usvg::fontdb::{Database, Source};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// Families to name in a drawing: browsers without the first take another.
pub(crate) const FAMILIES: &str = "Noto Sans, Open Sans, DejaVu Sans, sans-serif";
/// The family that is always there.
pub(crate) const FAMILY: &str = "Noto Sans";

/// Weight of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

struct Faces {
    regular: FontRef<'static>,
    bold: FontRef<'static>,
}

static FACES: LazyLock<Faces> = LazyLock::new(|| Faces {
    regular: FontRef::new(notosans::REGULAR_TTF).expect("the bundled font is a font"),
    bold: FontRef::new(notosans::BOLD_TTF).expect("the bundled font is a font"),
});

static DATABASE: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut database = Database::new();
    for bytes in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
        database.load_font_source(Source::Binary(Arc::new(bytes)));
    }
    database.set_sans_serif_family(FAMILY);
    Arc::new(database)
});

/// Returns the bundled fonts for the renderers.
pub(crate) fn database() -> Arc<Database> {
    Arc::clone(&DATABASE)
}

/// Returns how wide `text` is in `size_px`.
pub(crate) fn width_px(text: &str, size_px: f64, weight: Weight) -> f64 {
    let face = match weight {
        Weight::Regular => &FACES.regular,
        Weight::Bold => &FACES.bold,
    };
    let characters = face.charmap();
    let metrics = face.glyph_metrics(Size::new(size_px as f32), LocationRef::default());
    let advance = |character: char| {
        let glyph = characters.map(character).unwrap_or_default();
        f64::from(metrics.advance_width(glyph).unwrap_or_default())
    };
    text.chars().map(advance).sum()
}

/// Returns `text`, with its middle left out when it is wider than `most_px`.
///
/// Names of signals differ at both ends: the model in front, the field behind.
pub(crate) fn shortened(text: &str, size_px: f64, weight: Weight, most_px: f64) -> String {
    if width_px(text, size_px, weight) <= most_px {
        return text.to_owned();
    }
    let characters: Vec<char> = text.chars().collect();
    let kept = |count: usize| {
        let front = count / 2;
        let back = characters.len() - (count - front);
        let mut short: String = characters[..front].iter().collect();
        short.push('…');
        short.extend(&characters[back..]);
        short
    };
    let mut fitting = 0;
    let mut too_many = characters.len();
    while too_many - fitting > 1 {
        let middle = fitting.midpoint(too_many);
        if width_px(&kept(middle), size_px, weight) <= most_px {
            fitting = middle;
        } else {
            too_many = middle;
        }
    }
    kept(fitting)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_shortened_name_fits_and_keeps_its_ends(text in "[a-z:.\u{e4}-\u{f6}]{1,60}", most in 30.0..400.0) {
            let short = shortened(&text, 11.0, Weight::Regular, most);
            prop_assert!(width_px(&short, 11.0, Weight::Regular) <= most);
            if let Some((front, back)) = short.split_once('…') {
                prop_assert!(text.starts_with(front) && text.ends_with(back));
                prop_assert!(width_px(&text, 11.0, Weight::Regular) > most);
            } else {
                prop_assert_eq!(short, text);
            }
        }
    }

    #[test]
    fn the_font_has_what_axes_need() {
        for character in "0123456789−×·°µμΩΔθ²³[]/…".chars() {
            assert!(FACES.regular.charmap().map(character).is_some(), "no {character}");
        }
    }
}
