//! Texts of numbers: which words changed, and putting only these into the author's text.

/// Says whether two texts mean the same: they are equal, or equal number by number.
pub(super) fn same_text(a: &str, b: &str) -> bool {
    a == b || a.split_whitespace().eq_by_number(b)
}

trait EqByNumber {
    fn eq_by_number(self, other: &str) -> bool;
}

impl<'a, I: Iterator<Item = &'a str>> EqByNumber for I {
    fn eq_by_number(mut self, other: &str) -> bool {
        let mut others = other.split_whitespace();
        loop {
            match (self.next(), others.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) if same_word(a, b) => {}
                _ => return false,
            }
        }
    }
}

fn same_word(a: &str, b: &str) -> bool {
    let number = |word: &str| word.parse::<f64>().ok();
    a == b || number(a).is_some_and(|value| number(b) == Some(value))
}

/// Puts the words of `after` that differ from `before` into `written`, the author's text for
/// `before`; everything else of it stays. None when the words do not stand one for one.
pub(super) fn reworded(written: &str, before: &str, after: &str) -> Option<String> {
    let before: Vec<&str> = before.split_whitespace().collect();
    let after: Vec<&str> = after.split_whitespace().collect();
    let spans: Vec<(usize, &str)> = word_spans(written).collect();
    if before.len() != after.len() || spans.is_empty() || spans.len() > after.len() {
        return None;
    }
    let changed = |index: usize| !same_word(before[index], after[index]);
    // What the author left to a default must stay that.
    if (spans.len()..after.len()).any(changed) || written.contains(['<', '&']) {
        return None;
    }
    let mut text = String::with_capacity(written.len());
    let mut copied = 0;
    for (index, (start, word)) in spans.iter().enumerate().filter(|(index, _)| changed(*index)) {
        text.push_str(&written[copied..*start]);
        text.push_str(after[index]);
        copied = start + word.len();
    }
    text.push_str(&written[copied..]);
    Some(text)
}

/// Returns the words of a text with where each starts.
fn word_spans(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - start, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_written() {
        let written = " 1.0  2.50\t3 ";
        assert_eq!(reworded(written, "1 2.5 3", "1 7 3").unwrap(), " 1.0  7\t3 ");
        assert_eq!(reworded("1 0 0", "1 0 0 1", "0 0 1 1").unwrap(), "0 0 1");
        assert_eq!(reworded("1 0 0", "1 0 0 1", "1 0 0 0.5"), None);
        assert_eq!(reworded("1 <!-- x -->", "1", "2"), None);
    }

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        assert!(same_text("-0 1e3", "0  1000"));
        assert!(!same_text("1 2", "1 2 3"));
        assert!(!same_text("a", "b"));
    }
}
