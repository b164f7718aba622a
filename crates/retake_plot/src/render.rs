//! Pictures in pixels and on paper, from a drawing.

use krilla::Document;
use krilla::geom::Size as PageSize;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use crate::{PictureError, font};

/// Longest side of a picture in pixels.
const MOST_PX: u32 = 32_768;
/// Most pixels of a picture: 400 MB of memory while it is made.
const MOST_PIXELS: u64 = 100_000_000;
/// A pixel is 1/96 inch, a point 1/72 inch.
const POINTS_PER_PX: f32 = 0.75;

/// Turns a drawing into a PNG with `scale` pixels for each of its own.
///
/// # Errors
/// [`PictureError::Svg`] when `svg` is no drawing, [`PictureError::Size`] when the picture would
/// have no or too many pixels, [`PictureError::Png`] when it cannot be encoded.
pub fn png(svg: &str, scale: f64) -> Result<Vec<u8>, PictureError> {
    let tree = parse(svg)?;
    let mut pixels = pixmap(&tree, scale)?;
    let scale = scale as f32;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PictureError::Png { reason: error.to_string() })
}

/// Turns a drawing into a PDF of one page, with lines as lines and text as text.
///
/// The page has the size of the drawing, a pixel being 1/96 inch.
///
/// # Errors
/// [`PictureError::Svg`] when `svg` is no drawing, [`PictureError::Pdf`] when it cannot be written.
pub fn pdf(svg: &str) -> Result<Vec<u8>, PictureError> {
    let tree = parse(svg)?;
    let failed = |reason: &str| PictureError::Pdf { reason: reason.to_owned() };
    let (width, height) =
        (tree.size().width() * POINTS_PER_PX, tree.size().height() * POINTS_PER_PX);
    let size = PageSize::from_wh(width, height).ok_or_else(|| failed("the page has no area"))?;
    let mut document = Document::new();
    let mut page = document.start_page_with(PageSettings::new(size));
    let mut surface = page.surface();
    surface
        .draw_svg(&tree, size, SvgSettings::default())
        .ok_or_else(|| failed("the drawing holds what a PDF cannot"))?;
    surface.finish();
    page.finish();
    document.finish().map_err(|error| failed(&format!("{error:?}")))
}

fn parse(svg: &str) -> Result<Tree, PictureError> {
    let options = Options {
        font_family: font::FAMILY.to_owned(),
        fontdb: font::database(),
        // A drawing cannot make us open files.
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    Ok(Tree::from_str(svg, &options)?)
}

fn pixmap(tree: &Tree, scale: f64) -> Result<Pixmap, PictureError> {
    let side = |length: f32| (f64::from(length) * scale).round();
    let (width, height) = (side(tree.size().width()), side(tree.size().height()));
    let fits = |side: f64| (1.0..=f64::from(MOST_PX)).contains(&side);
    let refusal = PictureError::Size {
        width_px: width,
        height_px: height,
        most_px: MOST_PX,
        most_pixels: MOST_PIXELS,
    };
    if !fits(width) || !fits(height) || width * height > MOST_PIXELS as f64 {
        return Err(refusal);
    }
    Pixmap::new(width as u32, height as u32).ok_or(refusal)
}
