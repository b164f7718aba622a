//! Left and right in names.

/// What stands for the same on the left and on the right. A word may have two partners; which
/// one is meant shows by what else there is.
const SIDES: [(&str, &str); 12] = [
    ("left", "right"),
    ("l", "r"),
    ("lf", "rf"),
    ("lm", "rm"),
    ("lh", "rh"),
    ("lb", "rb"),
    ("fl", "fr"),
    ("ml", "mr"),
    ("hl", "hr"),
    ("bl", "br"),
    ("rl", "rr"),
    ("lr", "rr"),
];

/// Finds the name that a thing has on the other side, among those that exist.
///
/// Words end at anything that is no letter, and where capitals begin: `left_arm`, `arm_l`,
/// `LShoulderPitch` and `FR_hip` all have a side.
pub(crate) fn other_side(name: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    let words = words(name);
    let choices = |word: &str| partners(word);
    let fits = |candidate: &String| candidate != name && exists(candidate);
    // Every word that has a side changes it; then, should no such thing exist, only one does.
    let whole = (0..2).map(|choice| {
        let change = |word: &&str| choices(word).into_iter().nth(choice).or(partners(word).pop());
        words.iter().map(|word| change(word).unwrap_or_else(|| (*word).to_owned())).collect()
    });
    let single = words.iter().enumerate().flat_map(|(place, word)| {
        let words = &words;
        choices(word).into_iter().map(move |other| {
            let changed = words.iter().enumerate();
            changed.map(|(at, word)| if at == place { other.as_str() } else { *word }).collect()
        })
    });
    let whole: Vec<String> = whole.collect();
    whole.into_iter().chain(single).find(fits)
}

/// Cuts a name into words and what is between them.
fn words(name: &str) -> Vec<&str> {
    let letters: Vec<(usize, char)> = name.char_indices().collect();
    let mut cuts = vec![0];
    for (place, pair) in letters.windows(2).enumerate() {
        let ((_, before), (at, here)) = (pair[0], pair[1]);
        let next = letters.get(place + 2).map(|(_, next)| *next);
        let is_end = before.is_alphabetic() != here.is_alphabetic();
        let begins_capital = before.is_lowercase() && here.is_uppercase();
        // `LShoulder` is L and Shoulder.
        let ends_capitals =
            before.is_uppercase() && here.is_uppercase() && next.is_some_and(char::is_lowercase);
        if is_end || begins_capital || ends_capitals {
            cuts.push(at);
        }
    }
    cuts.push(name.len());
    cuts.windows(2).map(|cut| &name[cut[0]..cut[1]]).collect()
}

/// Returns what a word is on the other side, written as the word is.
fn partners(word: &str) -> Vec<String> {
    let lower = word.to_lowercase();
    let pairs = SIDES.iter().flat_map(|(left, right)| [(*left, *right), (*right, *left)]);
    let same = pairs.filter(|(from, _)| *from == lower).map(|(_, to)| written_as(word, to));
    let mut found: Vec<String> = same.collect();
    if found.is_empty() {
        found.extend(glued(word, &lower));
    }
    found
}

/// `leftarm` has a side as well; of short words it would be a guess.
fn glued(word: &str, lower: &str) -> Option<String> {
    if lower.len() != word.len() {
        return None;
    }
    [("left", "right"), ("right", "left")].into_iter().find_map(|(from, to)| {
        if lower.starts_with(from) {
            let (side, rest) = word.split_at_checked(from.len())?;
            return Some(format!("{}{rest}", written_as(side, to)));
        }
        let before = lower.strip_suffix(from)?.len();
        let (rest, side) = word.split_at_checked(before)?;
        Some(format!("{rest}{}", written_as(side, to)))
    })
}

/// Writes `text` in capitals, or with one, as `like` is.
fn written_as(like: &str, text: &str) -> String {
    let is_upper = |letter: char| letter.is_uppercase();
    if like.chars().all(is_upper) {
        return text.to_uppercase();
    }
    if !like.starts_with(is_upper) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::other_side;

    fn other(name: &str, all: &[&str]) -> String {
        other_side(name, &|name| all.contains(&name)).unwrap_or_else(|| "none".to_owned())
    }

    #[test]
    fn sides_are_found_in_names_of_many_kinds() {
        let pairs = [
            ("left_knee", "right_knee"),
            ("knee_left", "knee_right"),
            ("KneeLeft", "KneeRight"),
            ("LEFT_KNEE", "RIGHT_KNEE"),
            ("l_knee", "r_knee"),
            ("knee_l", "knee_r"),
            ("LKneePitch", "RKneePitch"),
            ("LF_HAA", "RF_HAA"),
            ("lh_knee", "rh_knee"),
            ("FL_hip", "FR_hip"),
            ("hl.hip", "hr.hip"),
            ("bl-hip", "br-hip"),
            ("RL_hip", "RR_hip"),
            ("lr_wheel", "rr_wheel"),
            ("leftarm", "rightarm"),
            ("leg_l::joint1", "leg_r::joint1"),
            ("left_arm_l1", "right_arm_r1"),
            ("left_arm_l2", "right_arm_l2"),
        ];
        for (left, right) in pairs {
            assert_eq!(other(left, &[left, right]), right);
            assert_eq!(other(right, &[left, right]), left);
        }
    }

    #[test]
    fn what_has_no_side_has_no_partner() {
        for name in ["", "elbow", "_", "relay", "clutch", "ляпка", "left"] {
            assert_eq!(other(name, &[name]), "none", "{name}");
        }
    }
}
