//! The retake binary.
fn main() {}
