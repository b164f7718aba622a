//! Development checks: layers, confinement, sizes, words and promises.
//!
//! Everything here is a test: `cargo test -p xtask`. The rules are read from the documents that
//! people read, so that neither can drift from the code.

mod repository;

pub use repository::{CrateManifest, Repository, SourceFile};
