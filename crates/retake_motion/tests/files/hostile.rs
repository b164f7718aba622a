//! No bytes make a reader panic, and what it takes is whole.

use proptest::prelude::*;
use retake_diag::Diagnostics;
use retake_motion::Motion;
use retake_motion::file::{self, Format};

use crate::random;

/// Reads a text in every format; what comes out is whole, or something was found.
fn read_as_everything(text: &str) {
    for (format, ..) in Format::ALL {
        let mut found = Diagnostics::new();
        let motions = file::read_as(format, text, "m", &mut found);
        assert!(motions.is_empty() || !found.has_errors(), "{format:?} {found}");
        for motion in motions {
            motion.check().unwrap();
        }
    }
    let mut found = Diagnostics::new();
    file::read(text, "m", &mut found);
    let pose = file::read_pose(text, "m", &mut Diagnostics::new());
    assert!(pose.iter().flatten().all(|(_, value)| value.is_finite()));
}

/// A change of a text at a share of its length.
#[derive(Clone, Debug)]
enum Change {
    Cut(f64),
    Insert(f64, String),
    Remove(f64, usize),
    Repeat(f64, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = || 0.0..1.0;
    let sign = prop::sample::select(vec![
        "[", "]", "{", "}", ",", ":", "\"", "\n", "- ", "*", "&a ", "*a", "-", "1e999", "nan",
        "inf", "\t", "\\u", "\\ud800", "#", "=", "[[", "!!str", "|", "\u{0}", "é", "0x", "--- ",
        "'", "? ",
    ]);
    prop_oneof![
        at().prop_map(Change::Cut),
        (at(), sign).prop_map(|(at, sign)| Change::Insert(at, sign.to_owned())),
        (at(), 1usize..30).prop_map(|(at, count)| Change::Remove(at, count)),
        (at(), 1usize..30).prop_map(|(at, count)| Change::Repeat(at, count)),
    ]
}

fn apply(text: &str, change: &Change) -> String {
    let letters: Vec<char> = text.chars().collect();
    let index = |at: f64| (at * letters.len() as f64) as usize;
    let (start, middle, end) = match change {
        Change::Cut(at) => (index(*at), String::new(), letters.len()),
        Change::Insert(at, sign) => (index(*at), sign.clone(), index(*at)),
        Change::Remove(at, count) => {
            (index(*at), String::new(), (index(*at) + count).min(letters.len()))
        }
        Change::Repeat(at, count) => {
            let end = (index(*at) + count).min(letters.len());
            (index(*at), letters[index(*at)..end].iter().collect::<String>().repeat(2), end)
        }
    };
    letters[..start].iter().collect::<String>()
        + &middle
        + &letters[end..].iter().collect::<String>()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn changed_files_are_read_or_refused(
        motion in random::motion(),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let only_actions = Motion { name: "m".into(), actions: motion.actions.clone(), ..Motion::default() };
        for (format, ..) in Format::ALL {
            for motion in [&motion, &only_actions] {
                let Ok(written) = file::write(motion, format) else { continue };
                let text = changes.iter().fold(written.text, |text, change| apply(&text, change));
                read_as_everything(&text);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        read_as_everything(&text);
    }
}

/// Returns what is found first in a text that is far too deep or too long.
fn refused(format: Format, text: &str) -> String {
    let mut found = Diagnostics::new();
    assert!(file::read_as(format, text, "m", &mut found).is_empty());
    found.items()[0].code.to_owned()
}

#[test]
fn deep_texts_are_refused() {
    for opens in
        ["[", "{a: ", "{\"a\":", "- ", "? ", "- ? ", ": ", "- - [", "a: - ", "!t - ", "'k' : "]
    {
        let text = opens.repeat(100_000);
        for format in [Format::GoalJson, Format::PlayMotionYaml, Format::CompoundJson] {
            let code = refused(format, &text);
            assert!(["motion-limit", "motion-syntax"].contains(&code.as_str()), "{opens} {code}");
        }
        read_as_everything(&text);
    }
    let stairs: String = (0..2000).map(|step| format!("{}a:\n", " ".repeat(step))).collect();
    assert_eq!(refused(Format::PlayMotionYaml, &stairs), "motion-limit");
    let nested = format!("a = {}", "[".repeat(100_000));
    assert_eq!(refused(Format::Native, &nested), "motion-syntax");
    assert_eq!(
        refused(Format::Native, &format!("a = {}1{}", "[".repeat(200), "]".repeat(200))),
        "motion-syntax"
    );
    assert_eq!(refused(Format::Native, &"a.".repeat(100_000)), "motion-syntax");
}

#[test]
fn references_do_not_multiply() {
    let mut text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n".to_owned();
    for level in 1..12 {
        let before = vec![format!("*a{}", level - 1); 10].join(", ");
        text += &format!("a{level}: &a{level} [{before}]\n");
    }
    assert_eq!(refused(Format::PlayMotionYaml, &text), "motion-limit");
    let deep = |level: usize| format!("{}{}{}", "[".repeat(250), level, "]".repeat(250));
    let mut text = format!("a0: &a0 {}\n", deep(0));
    for level in 1..40 {
        let inner = format!("{}*a{}{}", "[".repeat(250), level - 1, "]".repeat(250));
        text += &format!("a{level}: &a{level} {inner}\n");
    }
    assert_eq!(refused(Format::PlayMotionYaml, &text), "motion-limit");
}

#[test]
fn long_files_are_refused() {
    let numbers = "1,".repeat(5 << 20);
    for format in [Format::GoalJson, Format::PlayMotionYaml] {
        assert_eq!(refused(format, &format!("[{numbers}1]")), "motion-limit");
    }
    assert_eq!(refused(Format::Native, &format!("a = [{numbers}1]")), "motion-limit");
    assert_eq!(refused(Format::Csv, &format!("time,{numbers}")), "motion-limit");
    assert_eq!(refused(Format::Webots, &format!("#WEBOTS_MOTION,V1.0,{numbers}")), "motion-limit");
    let long = " ".repeat(file::MAX_FILE_BYTES + 1);
    assert_eq!(refused(Format::Native, &long), "motion-limit");
    let joints: Vec<String> = (0..1025).map(|index| format!("\"j{index}\"")).collect();
    let joints = joints.join(", ");
    assert_eq!(
        refused(Format::Native, &format!("format = 1\njoints = [{joints}]")),
        "motion-limit"
    );
    let goal = format!("{{\"joint_names\": [{joints}], \"points\": []}}");
    assert_eq!(refused(Format::GoalJson, &goal), "motion-limit");
}

#[test]
fn findings_are_counted_on_when_there_are_too_many() {
    let lines: String = (0..3000).map(|index| format!("strange{index} = 1\n")).collect();
    let mut found = Diagnostics::new();
    assert!(file::read_as(Format::Native, &lines, "m", &mut found).is_empty());
    assert_eq!(found.items().len(), Diagnostics::LIMIT);
    // Each line, and that the format is not said.
    assert_eq!(found.not_kept(), 3001 - Diagnostics::LIMIT);
    assert!(found.has_errors());
}
