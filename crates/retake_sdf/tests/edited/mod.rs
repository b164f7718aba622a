//! Any edits of any world, saved into a text with comments and odd layout all over it.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;
use retake_assets::ResourceRoots;
use retake_description::{Link, Model, PhysicsProfile, World};
use retake_diag::Diagnostics;
use retake_math::Vec3;
use retake_sdf::save::{Original, patched};
use retake_sdf::{parse_world, print_world};

use crate::generate;

/// One edit: what, where and how much.
type Edit = (u8, Index, f64);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    proptest::collection::vec((0..12u8, any::<Index>(), -5.0..5.0f64), 1..4)
}

/// Carries an edit out; returns the elements of the world that it concerns.
fn apply(world: &mut World, (kind, index, amount): &Edit, number: usize) -> Vec<String> {
    let at = |count: usize| (count > 0).then(|| index.index(count.max(1)));
    let model = at(world.models.len());
    match (kind, model) {
        (0, Some(model)) => {
            world.models[model].parent_from_model.position.y = *amount;
            vec![tag("model", &world.models[model].name)]
        }
        (1, Some(model)) => {
            let turn = retake_math::quat_from_rpy(Vec3::new(*amount, 0.3, 0.0));
            world.models[model].parent_from_model.rotation = turn;
            vec![tag("model", &world.models[model].name)]
        }
        (2, Some(model)) => rename(world, model, &format!("renamed {number}")),
        (3, Some(model)) => {
            let name = world.models.remove(model).name;
            let mut concerned = vec![tag("model", &name)];
            let held = format!("{name}::");
            concerned.extend(world.joints.iter().map(|joint| tag("joint", &joint.name)));
            world.joints.retain(|joint| !joint.child.starts_with(&held));
            concerned
        }
        (4, Some(model)) => {
            world.models[model].is_static ^= true;
            vec![tag("model", &world.models[model].name)]
        }
        (5, Some(model)) => {
            let model = &mut world.models[model];
            model.links[0].inertial.mass_kg = amount.abs() + 1.0;
            let last = model.links.len() - 1;
            model.links[last].model_from_link.position.z = *amount;
            vec![tag("model", &model.name)]
        }
        (6, Some(model)) => {
            let model = &mut world.models[model];
            for collision in &mut model.links[0].collisions {
                collision.surface.friction.mu = amount.abs();
                collision.link_from_collision.position.x = *amount;
            }
            vec![tag("model", &model.name)]
        }
        (7, Some(model)) => {
            let model = &mut world.models[model];
            model.joints.pop();
            model.plugins.clear();
            vec![tag("model", &model.name)]
        }
        (8, _) => {
            world.gravity.x = *amount;
            vec!["gravity".to_owned()]
        }
        (9, _) => {
            let profile = &mut world.profiles[0];
            profile.max_step_size_secs = 0.003;
            vec![tag("physics", &profile.name)]
        }
        (10, _) => {
            let name = format!("profile new {number}");
            world.profiles.push(PhysicsProfile { name, ..PhysicsProfile::default() });
            Vec::new()
        }
        _ => {
            let link = Link { name: "l".to_owned(), gravity: true, ..Link::default() };
            let name = format!("new {number}");
            world.models.push(Model { name, links: vec![link], ..Model::default() });
            Vec::new()
        }
    }
}

fn rename(world: &mut World, model: usize, new: &str) -> Vec<String> {
    let old = std::mem::replace(&mut world.models[model].name, new.to_owned());
    let mut concerned = vec![tag("model", &old)];
    for joint in &mut world.joints {
        if let Some(rest) = joint.child.strip_prefix(&format!("{old}::")) {
            joint.child = format!("{new}::{rest}");
            concerned.push(tag("joint", &joint.name));
        }
    }
    concerned
}

fn tag(kind: &str, name: &str) -> String {
    format!("{kind}[{name}]")
}

/// Puts remarks into a printed text; returns it with the element of the world that each is in.
fn decorated(text: &str, choices: &[u8]) -> (String, Vec<(String, String)>) {
    let mut result = String::new();
    let mut remarks = Vec::new();
    let mut owner = String::new();
    for (number, line) in text.lines().enumerate() {
        let choice = choices[number % choices.len()];
        let inner = line.strip_prefix("    ").filter(|rest| rest.starts_with('<'));
        let opens = inner.is_some_and(|rest| !rest.starts_with("</"));
        if opens {
            owner = owner_of(line.trim());
        }
        let remark = format!("<!-- remark {number} -->");
        let indent = &line[..line.len() - line.trim_start().len()];
        let line = format!("{}{}", indent.replace("  ", "\t"), line.trim_start());
        match choice {
            // A blank line keeps the remark from belonging to the element below.
            0 if number > 2 && !opens => {
                remarks.push((remark.clone(), owner.clone()));
                result.push_str(&format!("{indent}{remark}\n\n{line}\n"));
            }
            1 if number > 2 => {
                remarks.push((remark.clone(), owner.clone()));
                result.push_str(&format!("{line}   {remark}\n"));
            }
            2 => result.push_str(&format!("\n{line}\n")),
            _ => result.push_str(&format!("{line}\n")),
        }
    }
    (result, remarks)
}

fn owner_of(line: &str) -> String {
    let kind: String = line[1..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let name = line.split_once("name=\"").and_then(|(_, rest)| rest.split_once('"'));
    name.map_or(kind.clone(), |(name, _)| tag(&kind, name))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_edit_is_saved_and_nothing_else_changes(
        world in generate::world(),
        edits in edits(),
        choices in proptest::collection::vec(0..6u8, 40..90),
    ) {
        let (text, remarks) = decorated(&print_world(&world), &choices);
        let roots = ResourceRoots::new();
        let mut after = world.clone();
        let mut concerned = BTreeSet::new();
        for (number, edit) in edits.iter().enumerate() {
            concerned.extend(apply(&mut after, edit, number));
        }
        let original = Original { text: &text, path: Path::new(""), roots: &roots };
        let saved = patched(&original, &after);
        prop_assert_eq!(saved.reprinted, None, "{}", text);
        prop_assert!(saved.is_exact);
        let again = parse_world(&saved.text, "saved", &roots, &mut Diagnostics::new());
        prop_assert_eq!(again, Some(after));
        let mut from = 0;
        for (remark, _) in remarks.iter().filter(|(_, owner)| !concerned.contains(owner)) {
            let found = saved.text[from..].find(remark.as_str());
            prop_assert!(found.is_some(), "{} is lost:\n{}", remark, saved.text);
            from += found.unwrap_or(0);
        }
    }
}
