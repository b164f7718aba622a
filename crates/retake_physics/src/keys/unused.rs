//! What a profile says that has no effect.

use retake_description::{Element, PhysicsProfile};

use super::{MUJOCO, NO_MUJOCO, ProfileKey, engine_for};

/// A part of a profile that its engine does not use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedSetting {
    /// Path below `<physics>`; an attribute stands behind `@`.
    pub key: String,
    /// What the profile says.
    pub value: String,
    /// Why it has no effect, one sentence without a period.
    pub reason: String,
}

/// Lists what a profile says and the engine that simulates it does not use.
pub fn unused_settings(profile: &PhysicsProfile) -> Vec<UnusedSetting> {
    let engine = engine_for(&profile.engine);
    let mut unused = Vec::new();
    if profile.engine != engine {
        unused.push(UnusedSetting {
            key: "type".to_owned(),
            value: profile.engine.clone(),
            reason: match profile.engine == MUJOCO {
                true => format!("{NO_MUJOCO}; {engine} stands in for it"),
                false => format!("it is not here; {engine} stands in for it"),
            },
        });
    }
    for element in &profile.extras {
        collect(element, &element.name, engine, &mut unused);
    }
    unused
}

fn collect(element: &Element, path: &str, engine: &str, unused: &mut Vec<UnusedSetting>) {
    for (name, value) in &element.attributes {
        let reason = "no engine here knows it".to_owned();
        unused.push(UnusedSetting { key: format!("{path}@{name}"), value: value.clone(), reason });
    }
    // What only holds other elements says nothing itself; nor does what holds mere attributes.
    let is_leaf = element.children.is_empty() && element.attributes.is_empty();
    if !element.text.is_empty() || is_leaf {
        unused.extend(reason_for(path, engine).map(|reason| UnusedSetting {
            key: path.to_owned(),
            value: element.text.clone(),
            reason,
        }));
    }
    for child in &element.children {
        collect(child, &format!("{path}/{}", child.name), engine, unused);
    }
}

fn reason_for(key: &str, engine: &str) -> Option<String> {
    match ProfileKey::find(key).map(|known| known.engines) {
        None => Some("no engine here knows it".to_owned()),
        Some([]) => Some("no engine here uses it".to_owned()),
        Some(engines) if engines.contains(&engine) => None,
        Some(engines) => Some(format!("only {} uses it", engines.join(" and "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_effect_is_listed_with_its_reason() {
        let mut profile = PhysicsProfile { engine: "ode".to_owned(), ..PhysicsProfile::default() };
        profile.set_extra("rapier/substeps", "3");
        profile.set_extra("ode/solver/iters", "50");
        profile.set_extra("iterations", "9");
        profile.extras.push(Element::own(vec![("mark".to_owned(), "m".to_owned())]));
        let said = |profile: &PhysicsProfile| {
            let unused = unused_settings(profile).into_iter();
            unused.map(|u| format!("{}={}: {}", u.key, u.value, u.reason)).collect::<Vec<_>>()
        };
        assert_eq!(
            said(&profile),
            [
                "type=ode: it is not here; rapier stands in for it",
                "ode/solver/iters=50: no engine here uses it",
                "iterations=9: no engine here knows it",
                "@mark=m: no engine here knows it",
            ]
        );
        profile.engine = "tpe".to_owned();
        assert_eq!(said(&profile)[0], "rapier/substeps=3: only rapier uses it");
    }
}
