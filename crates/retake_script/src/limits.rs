//! How much a script may take.

/// Bounds of one script; what passes one of them stops the script, not the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most turns of loops, calls and returns in one call of a handler; what goes through long texts
    /// and lists counts for as many turns as it takes the time of.
    pub work: u64,
    /// Most memory of its virtual machine, in bytes.
    pub memory_bytes: usize,
    /// Most bytes that `state` may take, counted as texts, numbers and keys.
    pub state_bytes: usize,
    /// Deepest nesting of tables in `state` and in what is handed over.
    pub depth: usize,
    /// Longest source text, in bytes.
    pub text_bytes: usize,
    /// Most lines that one call prints; those that come after are left out.
    pub printed_lines: usize,
    /// Longest line that is printed, in characters; what follows is cut off.
    pub printed_chars: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            work: 1_000_000,
            memory_bytes: 64 << 20,
            state_bytes: 256 << 10,
            depth: 16,
            text_bytes: 256 << 10,
            printed_lines: 16,
            printed_chars: 500,
        }
    }
}
