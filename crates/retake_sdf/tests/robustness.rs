//! Damaged text never panics, and always gives a world or an error.

mod common;

use common::{RICH, read};
use proptest::prelude::*;

/// Reads a text; what comes of it must be a world or a reason.
fn survives(text: &str) -> Result<(), TestCaseError> {
    let (world, said) = read(text);
    prop_assert!(world.is_some() || said.contains("error["), "silence about {text:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bytes(flips in prop::collection::vec((0..RICH.len(), any::<u8>()), 1..8)) {
        let mut bytes = RICH.as_bytes().to_vec();
        for (at, byte) in flips {
            bytes[at] = byte;
        }
        survives(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn cut_and_joined(a in 0..RICH.len(), b in 0..RICH.len()) {
        let text = RICH.get(..a).unwrap_or_default().to_owned() + RICH.get(b..).unwrap_or_default();
        survives(&text)?;
    }

    /// Words change places, so that every value meets values it does not expect.
    #[test]
    fn exchanged_words(swaps in prop::collection::vec((0..400usize, 0..400usize), 1..10)) {
        let mut words: Vec<&str> = RICH.split_inclusive(['>', ' ', '\'', '"', '<']).collect();
        let count = words.len();
        for (a, b) in swaps {
            words.swap(a % count, b % count);
        }
        survives(&words.concat())?;
    }

    #[test]
    fn any_text(text in "(<|>|/|sdf|world|model|link| name=| version=|'a'|\"1.9\"|&|;|!|-|\\[|CDATA|\\?|ä|\\PC){0,60}") {
        survives(&text)?;
    }

    #[test]
    fn any_numbers(text in "[-+.0-9einfa ]{0,30}") {
        let inside = format!(
            "<gravity>{text}</gravity><model name='m'><pose>{text}</pose><link name='l'>
             <inertial><mass>{text}</mass><inertia><ixx>{text}</ixx></inertia></inertial>
             <collision name='c'><geometry><box><size>{text}</size></box></geometry></collision></link></model>"
        );
        let (world, _) = read(&format!("<sdf version='1.9'><world name='w'>{inside}</world></sdf>"));
        let world = world.unwrap();
        let model = &world.models[0];
        prop_assert!(world.gravity.is_finite() && model.parent_from_model.is_finite());
        prop_assert!(model.links[0].inertial.is_physical());
    }
}
