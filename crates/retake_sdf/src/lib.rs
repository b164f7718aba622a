//! Lenient XML and SDF to the description and back.
