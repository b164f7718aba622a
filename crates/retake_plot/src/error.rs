//! What can go wrong with pictures.

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The drawing cannot be read.
    #[error("the drawing is not valid SVG")]
    Svg {
        /// What the reader says.
        #[from]
        source: resvg::usvg::Error,
    },
    /// The picture would have no or far too many pixels.
    #[error(
        "a picture of {width_px} × {height_px} pixels cannot be made: \
         at most {most_px} pixels a side and {most_pixels} in all; choose another scale"
    )]
    Size {
        /// Width asked for.
        width_px: f64,
        /// Height asked for.
        height_px: f64,
        /// Longest side.
        most_px: u32,
        /// Most pixels in all.
        most_pixels: u64,
    },
    /// The pixels cannot be written as PNG.
    #[error("the picture cannot be written as PNG: {reason}")]
    Png {
        /// What the writer says.
        reason: String,
    },
    /// The drawing cannot be written as PDF.
    #[error("the picture cannot be written as PDF: {reason}")]
    Pdf {
        /// What the writer says.
        reason: String,
    },
}
