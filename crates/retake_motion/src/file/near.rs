//! The known word that is nearest to a mistyped one.

/// Words longer than this are not compared.
const LONGEST: usize = 64;

/// Returns the known word that `wanted` was probably meant to be.
pub(super) fn nearest<'a>(
    wanted: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let letters: Vec<char> = wanted.to_lowercase().chars().take(LONGEST + 1).collect();
    if letters.len() > LONGEST {
        return None;
    }
    let far = 1 + letters.len() / 3;
    let counted = known.into_iter().filter(|word| word.len() <= LONGEST);
    let counted = counted.map(|word| (distance(&letters, &word.to_lowercase()), word));
    counted.filter(|(count, _)| *count <= far).min_by_key(|(count, _)| *count).map(|(_, word)| word)
}

/// Returns what a finding adds: the nearest word, or all of them.
pub(super) fn hint(wanted: &str, known: &[&str]) -> String {
    match nearest(wanted, known.iter().copied()) {
        Some(word) => format!("Did you mean {word:?}?"),
        None => format!("Known: {}", known.join(", ")),
    }
}

/// Counts the letters that are to be changed, added or taken away.
fn distance(a: &[char], b: &str) -> usize {
    let mut row: Vec<usize> = (0..=a.len()).collect();
    for (i, letter) in b.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..a.len() {
            let changed = diagonal + usize::from(a[j] != letter);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[a.len()]
}
