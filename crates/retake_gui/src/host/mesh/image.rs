//! Images as they are: the browser decodes them.

use axum::body::Bytes;
use retake_assets::{Texture, read_file};

/// Longest image that is passed on, in bytes.
const MAX_IMAGE_BYTES: u64 = 64 << 20;

/// Reads an image and tells its type; only what browsers show is passed on.
pub(super) fn read(texture: Texture) -> Result<(&'static str, Bytes), String> {
    let bytes = match texture {
        Texture::File(path) => {
            let bytes = read_file(&path, MAX_IMAGE_BYTES).map_err(|error| error.to_string())?;
            let kind = kind(&bytes);
            let kind = kind.ok_or_else(|| format!("{} is not PNG or JPEG", path.display()))?;
            return Ok((kind, bytes.into()));
        }
        Texture::Embedded(bytes) => bytes,
    };
    let kind = kind(&bytes).ok_or("an image inside of a mesh is not PNG or JPEG")?;
    Ok((kind, Bytes::from_owner(bytes)))
}

/// Tells the type by the first bytes, because names may lie.
fn kind(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        _ => None,
    }
}
