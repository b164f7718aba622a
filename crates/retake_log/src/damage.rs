//! What is missing in a log.

use std::fmt;

/// Most places of damage that are kept; further ones are counted in the last.
pub(crate) const MAX_DAMAGE: usize = 1000;

/// A part of a log that is damaged or missing, and not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Place in the file, in bytes from its start.
    pub offset: u64,
    /// Bytes that are not used.
    pub bytes: u64,
    /// What is lost and why, for people to read.
    pub text: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} bytes at {})", self.text, self.bytes, self.offset)
    }
}

/// Adds damage to a list with a bound: once for each place, and not beyond [`MAX_DAMAGE`].
pub(crate) fn note(list: &mut Vec<Damage>, damage: Damage) {
    let known = list.iter().any(|d| d.offset == damage.offset && d.text == damage.text);
    if known || list.len() > MAX_DAMAGE {
        return;
    }
    if list.len() == MAX_DAMAGE {
        let text = "There is more damage than is listed".to_owned();
        list.push(Damage { text, ..damage });
        return;
    }
    list.push(damage);
}
