//! `<physics>`: the profiles of a world.

use std::collections::{BTreeMap, BTreeSet};

use retake_description::{PhysicsProfile, bounds};
use retake_diag::{Diagnostic, Place};

use super::context::Context;
use super::leftovers::leftovers;
use crate::xml::Node;

/// Name that a profile gets when the file gives none.
const LEGACY_NAME: &str = "default_physics";

/// Reads the profiles of a world; a world without any has the default one.
pub(super) fn profiles(cx: &mut Context<'_>, world: Node<'_>) -> Vec<PhysicsProfile> {
    let nodes: Vec<Node<'_>> = world.take_things("physics").collect();
    let profiles = profiles_of(cx, &nodes, &BTreeSet::new());
    if profiles.is_empty() { vec![PhysicsProfile::default()] } else { profiles }
}

/// Reads profiles; those without a name get one that is not `taken`.
pub(crate) fn profiles_of(
    cx: &mut Context<'_>,
    nodes: &[Node<'_>],
    taken: &BTreeSet<&str>,
) -> Vec<PhysicsProfile> {
    let mut places: BTreeMap<String, Place> = BTreeMap::new();
    let mut profiles = Vec::new();
    let mut legacy = None;
    let mut free_names = free_names(nodes, taken);
    for &node in nodes {
        let name = match node.attribute("name").filter(|name| !name.is_empty()) {
            Some(name) => {
                if !cx.is_usable_name(name, node, || node.attribute_place("name")) {
                    continue;
                }
                name.to_owned()
            }
            None => {
                legacy.get_or_insert(profiles.len());
                free_names.next().unwrap_or_default()
            }
        };
        if let Some(first) = places.get(&name) {
            duplicate(cx, node, &name, first);
            continue;
        }
        places.insert(name.clone(), node.place());
        profiles.push(profile(cx, node, name));
    }
    mark_default(cx, nodes, &mut profiles, legacy);
    profiles
}

fn profile(cx: &mut Context<'_>, node: Node<'_>, name: String) -> PhysicsProfile {
    let default = PhysicsProfile::default();
    let step = default.max_step_size_secs;
    warn_unknown_keys(cx, node);
    PhysicsProfile {
        name,
        is_default: cx.flag_attribute(node, "default", false),
        engine: node.attribute("type").unwrap_or(&default.engine).to_owned(),
        max_step_size_secs: cx.number_in(node, "max_step_size", step, &bounds::STEP_SECS),
        real_time_factor: real_time_factor(cx, node, default.real_time_factor),
        extras: leftovers(cx, node),
    }
}

fn real_time_factor(cx: &mut Context<'_>, node: Node<'_>, default: f64) -> f64 {
    let factor = cx.number(node, "real_time_factor", default);
    if factor == 0.0 || bounds::REAL_TIME_FACTOR.contains(factor) {
        return factor;
    }
    cx.out_of_range(node, "real_time_factor", &bounds::REAL_TIME_FACTOR);
    default
}

/// Warns of names in `<rapier>` that no setting has; the profile cannot be chosen with them.
fn warn_unknown_keys(cx: &mut Context<'_>, profile: Node<'_>) {
    let blocks = profile.children().filter(|child| child.name() == "rapier");
    for key in blocks.flat_map(Node::children) {
        let (name, known) = (key.name(), PhysicsProfile::RAPIER_KEYS);
        if known.contains(&name) {
            continue;
        }
        let message = format!("<rapier> has no setting <{name}>; the profile cannot be used");
        let warning = Diagnostic::warning("sdf-unknown-setting", message).at(key.place());
        cx.diagnostics.push(warning.help(format!("Known: {}", known.join(", "))));
    }
}

/// Makes names that no profile of the file has, and that are not `taken`.
fn free_names(nodes: &[Node<'_>], taken: &BTreeSet<&str>) -> impl Iterator<Item = String> + use<> {
    let written = nodes.iter().filter_map(|node| node.attribute("name"));
    let written: BTreeSet<String> =
        written.chain(taken.iter().copied()).map(str::to_owned).collect();
    let numbered = (2..).map(|number| format!("{LEGACY_NAME}_{number}"));
    let names = std::iter::once(LEGACY_NAME.to_owned()).chain(numbered);
    names.filter(move |name| !written.contains(name.as_str()))
}

fn duplicate(cx: &mut Context<'_>, node: Node<'_>, name: &str, first: &Place) {
    let message =
        format!("there is already a physics profile {name:?} at {first}; this one is left out");
    let error = Diagnostic::error("sdf-duplicate-profile", message).at(node.place());
    cx.diagnostics.push(error.help("Give each profile a name of its own"));
}

/// Sees to it that the file's choice of a default is plain: a nameless profile is the default
/// when none is marked, and marking several gets a warning.
fn mark_default(
    cx: &mut Context<'_>,
    nodes: &[Node<'_>],
    profiles: &mut [PhysicsProfile],
    legacy: Option<usize>,
) {
    let marked: Vec<String> = profiles
        .iter()
        .filter(|profile| profile.is_default)
        .map(|profile| profile.name.clone())
        .collect();
    match (marked.as_slice(), legacy) {
        // The first one needs no mark.
        ([], Some(legacy)) if legacy > 0 => profiles[legacy].is_default = true,
        ([first, others @ ..], _) if !others.is_empty() => {
            let message = format!(
                "more than one physics profile is marked as default: {first:?} is used, not {}",
                others.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
            );
            let place = nodes.iter().find(|node| node.attribute("name") == Some(first));
            let warning = Diagnostic::warning("sdf-several-default-profiles", message);
            cx.diagnostics.push(match place {
                Some(node) => warning.at(node.place()),
                None => warning,
            });
        }
        _ => {}
    }
}
