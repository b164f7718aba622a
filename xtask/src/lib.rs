//! Development checks.
