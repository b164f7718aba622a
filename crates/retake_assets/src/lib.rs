//! Resource roots, URI resolution and mesh files.
