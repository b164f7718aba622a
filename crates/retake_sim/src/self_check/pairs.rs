//! Which links of a robot can get in each other's way.

use std::collections::{BTreeMap, BTreeSet};

use retake_components::JointSpec;
use retake_description::JointKind;
use retake_ecm::{Ecm, EntityId};

/// Returns the pairs of `links`, by their places, that no joint connects.
///
/// Links that are fixed to each other count as one.
pub(super) fn apart(ecm: &Ecm, model: EntityId, links: &[EntityId]) -> Vec<(usize, usize)> {
    let places: BTreeMap<EntityId, usize> =
        links.iter().enumerate().map(|(place, link)| (*link, place)).collect();
    let joints = ecm.with_descendants(model);
    let joints = joints.into_iter().filter_map(|joint| ecm.get::<JointSpec>(joint));
    let between = |spec: &JointSpec| {
        let parent = places.get(&spec.parent?)?;
        Some((*parent, *places.get(&spec.child)?, spec.kind == JointKind::Fixed))
    };
    let joined: Vec<(usize, usize, bool)> = joints.filter_map(between).collect();
    let solid = solid(links.len(), &joined);
    let ordered = |a: usize, b: usize| (a.min(b), a.max(b));
    let neighbours: BTreeSet<(usize, usize)> =
        joined.iter().map(|(a, b, _)| ordered(solid[*a], solid[*b])).collect();
    let all = (0..links.len()).flat_map(|a| (a + 1..links.len()).map(move |b| (a, b)));
    all.filter(|(a, b)| {
        let (a, b) = (solid[*a], solid[*b]);
        a != b && !neighbours.contains(&ordered(a, b))
    })
    .collect()
}

/// Gives links that are fixed to each other the same number.
fn solid(links: usize, joined: &[(usize, usize, bool)]) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..links).collect();
    for (a, b, _) in joined.iter().filter(|(.., is_fixed)| *is_fixed) {
        let (kept, gone) = (numbers[*a], numbers[*b]);
        numbers.iter_mut().filter(|number| **number == gone).for_each(|number| *number = kept);
    }
    numbers
}
