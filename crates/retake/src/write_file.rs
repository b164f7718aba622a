//! Writing a file so that it is the old one or the new one, never a part.

pub(crate) use retake_assets::{write_whole, write_whole_bytes};
