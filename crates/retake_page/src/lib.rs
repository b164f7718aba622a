//! The built page, embedded in the binary.
