//! Terrain from images: heights on a grid.
//!
//! Reads PNG (8 and 16 bit) and JPEG as Gazebo does: the first channel counts, and the brightest
//! pixel of the image is the top. Elevation files such as GeoTIFF are named, not read.

use std::io::Cursor;
use std::panic;
use std::path::{Path, PathBuf};

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::TriMesh;
use crate::file::{ReadError, read_file};

/// Longest image file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 128 << 20;
/// Most pixels in a row or column.
const MAX_SIDE: usize = 16_385;
/// Most pixels: a square terrain of Gazebo's largest usual size.
const MAX_PIXELS: usize = 4_097 * 4_097;
/// Most bytes that the PNG reader may take: every pixel with four channels of 16 bit.
const MAX_PNG_BYTES: usize = MAX_PIXELS * 8;

/// Heights on a grid, row by row from the top of the image.
///
/// The first row lies at the greatest y and the first column at the least x. Heights are fractions
/// of the terrain's height: 0 for black, 1 for the brightest pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    columns: usize,
    heights: Vec<f32>,
}

/// Why a heightmap was not loaded.
#[derive(Debug, thiserror::Error)]
pub enum HeightmapError {
    /// The file was not read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file is of a format that is not read.
    #[error("Retake does not read {format} as terrain; export a grey PNG instead of {path}")]
    UnreadFormat {
        /// Name of the format.
        format: String,
        /// The file.
        path: PathBuf,
    },
    /// The content is not what the format asks for.
    #[error("{what}, in {path}")]
    Malformed {
        /// What is wrong.
        what: String,
        /// The file.
        path: PathBuf,
    },
    /// The image has too few or too many pixels.
    #[error(
        "the image has {columns} x {rows} pixels; terrain takes 2 x 2 to {MAX_PIXELS} of them, {MAX_SIDE} in a row, in {path}"
    )]
    BadSize {
        /// Pixels in a row.
        columns: usize,
        /// Pixels in a column.
        rows: usize,
        /// The file.
        path: PathBuf,
    },
}

/// What a decoder found wrong; the file's name is added by [`load_heightmap`].
enum Fault {
    Malformed(String),
    BadSize(usize, usize),
}

/// Reads the heights of terrain from an image, told apart by its first bytes.
///
/// # Errors
/// [`HeightmapError`] when the file is missing, too large, of another format or malformed.
pub fn load_heightmap(path: &Path) -> Result<Heightmap, HeightmapError> {
    let bytes = read_file(path, MAX_FILE_BYTES)?;
    let decode: fn(&[u8]) -> Result<Heightmap, Fault> = match bytes.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => png,
        [0xff, 0xd8, ..] => jpeg,
        other => return Err(unread_format(other, path)),
    };
    // An image is a stranger's: a fault inside a decoder must not end the process.
    let decoded = panic::catch_unwind(|| decode(&bytes));
    let decoded = decoded.unwrap_or_else(|_| malformed("the image reader gave up"));
    decoded.map_err(|fault| match fault {
        Fault::Malformed(what) => HeightmapError::Malformed { what, path: path.to_owned() },
        Fault::BadSize(columns, rows) => {
            HeightmapError::BadSize { columns, rows, path: path.to_owned() }
        }
    })
}

impl Heightmap {
    /// Makes terrain from brightnesses, row by row from the top of the image.
    fn of_pixels(columns: usize, pixels: Vec<u16>) -> Self {
        let brightest = pixels.iter().copied().max().unwrap_or(0).max(1);
        let heights = pixels.into_iter().map(|pixel| f32::from(pixel) / f32::from(brightest));
        Self { columns, heights: heights.collect() }
    }

    /// Returns the number of grid points along x; at least two.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of grid points along y; at least two.
    pub fn rows(&self) -> usize {
        self.heights.len() / self.columns
    }

    /// Returns the heights as fractions of the terrain's height, row by row.
    pub fn fractions(&self) -> &[f32] {
        &self.heights
    }

    /// Returns the height above the lowest possible point for terrain `size_z` metres high.
    ///
    /// A negative `size_z` turns the meaning of bright and dark around, as in Gazebo.
    ///
    /// # Panics
    /// When the point is outside of the grid.
    pub fn height_m(&self, row: usize, column: usize, size_z: f64) -> f64 {
        let fraction = f64::from(self.heights[row * self.columns + column]);
        if size_z < 0.0 { (1.0 - fraction) * -size_z } else { fraction * size_z }
    }

    /// Returns the triangles of terrain of the given extent with its middle at `position`.
    ///
    /// Every cell is cut from its lower left to its upper right corner as seen in the image, which
    /// is also how it collides.
    pub fn to_mesh(&self, size: [f64; 3], position: [f64; 3]) -> TriMesh {
        let (columns, rows) = (self.columns, self.rows());
        let step = [size[0] / (columns - 1) as f64, size[1] / (rows - 1) as f64];
        let point = |row: usize, column: usize| {
            let x = position[0] - size[0] / 2.0 + step[0] * column as f64;
            let y = position[1] + size[1] / 2.0 - step[1] * row as f64;
            let z = position[2] + self.height_m(row, column, size[2]);
            [x as f32, y as f32, z as f32]
        };
        let grid = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let positions = grid.map(|(row, column)| point(row, column)).collect();
        let cells = (0..rows - 1)
            .flat_map(|row| (0..columns - 1).map(move |column| row * columns + column));
        // The bound on pixels is far below the range of an index.
        let indices = cells.flat_map(|at| {
            let corner = |offset: usize| (at + offset) as u32;
            let [here, right, below, across] =
                [corner(0), corner(1), corner(columns), corner(columns + 1)];
            [[here, below, right], [below, across, right]]
        });
        TriMesh { positions, indices: indices.collect() }
    }
}

fn unread_format(start: &[u8], path: &Path) -> HeightmapError {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let ending = ending.to_ascii_lowercase();
    let is_tiff = start.starts_with(b"II*\0") || start.starts_with(b"MM\0*");
    let format = match ending.as_str() {
        _ if is_tiff => "GeoTIFF".to_owned(),
        "dem" | "hgt" | "asc" | "bil" | "nc" | "grd" => format!("elevation data (.{ending})"),
        "" => "a file without an ending".to_owned(),
        other => format!("this .{other} file"),
    };
    HeightmapError::UnreadFormat { format, path: path.to_owned() }
}

fn malformed<T>(what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Malformed(what.into()))
}

fn check_size(columns: usize, rows: usize) -> Result<(), Fault> {
    let sides = 2..=MAX_SIDE;
    let fits = sides.contains(&columns) && sides.contains(&rows) && columns * rows <= MAX_PIXELS;
    if fits { Ok(()) } else { Err(Fault::BadSize(columns, rows)) }
}

fn png(bytes: &[u8]) -> Result<Heightmap, Fault> {
    let wrong = |error: png::DecodingError| Fault::Malformed(format!("not a sound PNG: {error}"));
    let limits = png::Limits { bytes: MAX_PNG_BYTES };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    // Palettes become colours, and fewer than eight bits become eight.
    decoder.set_transformations(png::Transformations::EXPAND);
    let header = decoder.read_header_info().map_err(wrong)?;
    let (columns, rows) = (header.width as usize, header.height as usize);
    check_size(columns, rows)?;
    let mut reader = decoder.read_info().map_err(wrong)?;
    let (colours, depth) = reader.output_color_type();
    let Some(length) = reader.output_buffer_size().filter(|length| *length <= MAX_PNG_BYTES) else {
        return Err(Fault::BadSize(columns, rows));
    };
    let mut raw = vec![0; length];
    reader.next_frame(&mut raw).map_err(wrong)?;
    let first = match depth {
        png::BitDepth::Sixteen => |pixel: &[u8]| u16::from_be_bytes([pixel[0], pixel[1]]),
        _ => |pixel: &[u8]| u16::from(pixel[0]),
    };
    let width = colours.samples() * if depth == png::BitDepth::Sixteen { 2 } else { 1 };
    Ok(Heightmap::of_pixels(columns, raw.chunks_exact(width).map(first).collect()))
}

fn jpeg(bytes: &[u8]) -> Result<Heightmap, Fault> {
    // Without the fast paths of each processor: they round differently, and terrain is state.
    let options = DecoderOptions::default()
        .set_use_unsafe(false)
        .set_strict_mode(true)
        .set_max_width(MAX_SIDE)
        .set_max_height(MAX_SIDE);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let wrong = |error| Fault::Malformed(format!("not a sound JPEG: {error}"));
    decoder.decode_headers().map_err(wrong)?;
    let Some((columns, rows)) = decoder.dimensions() else {
        return malformed("not a sound JPEG: it has no size");
    };
    check_size(columns, rows)?;
    let raw = decoder.decode().map_err(wrong)?;
    let channels = raw.len() / (columns * rows);
    if channels == 0 {
        return malformed("not a sound JPEG: it ends too early");
    }
    let pixels = raw.chunks_exact(channels).take(columns * rows);
    Ok(Heightmap::of_pixels(columns, pixels.map(|pixel| u16::from(pixel[0])).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png_of(size: [u32; 2], colour: png::ColorType, depth: png::BitDepth, raw: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(raw).unwrap();
        bytes
    }

    /// Two blocks of eight by eight, of brightness 28 and 228: by hand, because the decoder comes
    /// without an encoder.
    fn two_block_jpeg() -> Vec<u8> {
        let mut bytes = vec![0xff, 0xd8, 0xff, 0xdb, 0, 67, 0];
        bytes.extend([8; 64]);
        bytes.extend([0xff, 0xc0, 0, 11, 8, 0, 8, 0, 16, 1, 1, 0x11, 0]);
        // Two codes of two bits for steps of brightness of 7 and 8 bits, one code for "no more".
        bytes.extend([0xff, 0xc4, 0, 21, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 8]);
        bytes.extend([0xff, 0xc4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
        bytes.extend([0b0000_1101, 0b1001_1100, 0b1000_0111, 0xff, 0xd9]);
        bytes
    }

    fn load(name: &str, bytes: &[u8]) -> Result<Heightmap, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let shorter = |error: HeightmapError| {
            error.to_string().replace(&format!("{}/", folder.path().display()), "")
        };
        load_heightmap(&path).map_err(shorter)
    }

    #[test]
    fn the_brightest_pixel_is_the_top_in_either_depth() {
        let grey = png::ColorType::Grayscale;
        let eight = png_of([3, 2], grey, png::BitDepth::Eight, &[0, 50, 100, 200, 150, 0]);
        let map = load("a.png", &eight).unwrap();
        assert_eq!((map.columns(), map.rows()), (3, 2));
        assert_eq!(map.heights, [0.0, 0.25, 0.5, 1.0, 0.75, 0.0]);
        let raw: Vec<u8> = [0u16, 300, 600, 1200].iter().flat_map(|v| v.to_be_bytes()).collect();
        let sixteen = png_of([2, 2], grey, png::BitDepth::Sixteen, &raw);
        assert_eq!(load("a.png", &sixteen).unwrap().heights, [0.0, 0.25, 0.5, 1.0]);
    }

    #[test]
    fn of_colours_the_first_channel_counts_and_black_is_flat() {
        let raw = [10, 90, 0, 20, 0, 0, 30, 5, 5, 40, 1, 1];
        let colours = png_of([2, 2], png::ColorType::Rgb, png::BitDepth::Eight, &raw);
        assert_eq!(load("a.png", &colours).unwrap().heights, [0.25, 0.5, 0.75, 1.0]);
        let black = png_of([2, 2], png::ColorType::Grayscale, png::BitDepth::Eight, &[0; 4]);
        assert_eq!(load("a.png", &black).unwrap().heights, [0.0; 4]);
        let bits = png_of([2, 2], png::ColorType::Grayscale, png::BitDepth::One, &[0x40, 0x80]);
        assert_eq!(load("a.png", &bits).unwrap().heights, [0.0, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn reads_jpeg_whatever_the_file_is_called() {
        let map = load("terrain.png", &two_block_jpeg()).unwrap();
        assert_eq!((map.columns(), map.rows()), (16, 8));
        assert_eq!((map.heights[0], map.heights[15]), (28.0 / 228.0, 1.0));
    }

    #[test]
    fn the_image_lies_with_its_top_left_at_the_least_x_and_greatest_y() {
        let raw = [0, 100, 200, 0];
        let bytes = png_of([2, 2], png::ColorType::Grayscale, png::BitDepth::Eight, &raw);
        let mesh = load("a.png", &bytes).unwrap().to_mesh([4.0, 2.0, 8.0], [10.0, 0.0, 1.0]);
        let expected = [[8.0, 1.0, 1.0], [12.0, 1.0, 5.0], [8.0, -1.0, 9.0], [12.0, -1.0, 1.0]];
        assert_eq!(mesh.positions, expected);
        assert_eq!(mesh.indices, [[0, 2, 1], [2, 3, 1]]);
        let dug = load("a.png", &bytes).unwrap().to_mesh([4.0, 2.0, -8.0], [0.0; 3]);
        let z: Vec<f32> = dug.positions.iter().map(|point| point[2]).collect();
        assert_eq!(z, [8.0, 4.0, 0.0, 8.0]);
    }

    #[test]
    fn says_what_is_wrong() {
        let grey = png::ColorType::Grayscale;
        let line = png_of([3, 1], grey, png::BitDepth::Eight, &[1, 2, 3]);
        let mut huge = png_of([2, 2], grey, png::BitDepth::Eight, &[0; 4]);
        huge[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
        for (name, bytes, expected) in [
            (
                "dem.tif",
                b"II*\0rest".to_vec(),
                "Retake does not read GeoTIFF as terrain; export a grey PNG instead of dem.tif",
            ),
            (
                "a.dem",
                b"text".to_vec(),
                "Retake does not read elevation data (.dem) as terrain; export a grey PNG instead of a.dem",
            ),
            (
                "a.bmp",
                b"BM".to_vec(),
                "Retake does not read this .bmp file as terrain; export a grey PNG instead of a.bmp",
            ),
            (
                "a.png",
                line,
                "the image has 3 x 1 pixels; terrain takes 2 x 2 to 16785409 of them, 16385 in a row, in a.png",
            ),
        ] {
            assert_eq!(load(name, &bytes).unwrap_err(), expected);
        }
        // The size is a claim of the header; its checksum is wrong by now.
        assert!(load("a.png", &huge).is_err());
    }

    #[test]
    fn every_cut_and_every_flipped_byte_is_read_or_refused() {
        let grey = png::ColorType::Grayscale;
        let png = png_of([3, 2], grey, png::BitDepth::Eight, &[0, 50, 100, 200, 150, 0]);
        for good in [png, two_block_jpeg()] {
            for at in 0..good.len() {
                load("cut", &good[..at]).ok();
                let mut damaged = good.clone();
                damaged[at] ^= 0xff;
                if let Ok(map) = load("damaged", &damaged) {
                    assert!(map.heights.iter().all(|height| (0.0..=1.0).contains(height)));
                }
            }
        }
    }
}
