//! Values in `<gazebo>` elements that have a place of their own in SDF.

use std::borrow::Cow;

use super::extension::{is_yes, value_of};
use super::value::{number_in, written};
use crate::sdf::Context;
use crate::xml::{NewElement, Node};

/// A value and its place in SDF.
pub(super) struct Setting<'d> {
    pub(super) target: Target,
    /// Elements around the value inside the target.
    path: &'static [&'static str],
    name: &'static str,
    text: Cow<'d, str>,
    offset: usize,
}

/// What a setting is put into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Robot,
    Link,
    Collision,
    Visual,
    Joint,
}

/// How a value is written.
#[derive(Clone, Copy)]
enum Form {
    Number,
    Whole,
    Flag,
    /// A flag that turns off what the element in SDF turns on.
    TurnedOff,
    Text,
}

type Slot = (Target, &'static [&'static str], &'static str);

const FRICTION: &[&str] = &["surface", "friction", "ode"];
const CONTACT: &[&str] = &["surface", "contact", "ode"];
const DECAY: &[&str] = &["velocity_decay"];
const ODE: &[&str] = &["physics", "ode"];
const STOP: &[&str] = &["physics", "ode", "limit"];
const DYNAMICS: &[&str] = &["axis", "dynamics"];
const SCRIPT: &[&str] = &["material", "script"];

/// What each element of `<gazebo>` sets.
const TABLE: [(&str, Form, &[Slot]); 21] = {
    use Target::{Collision, Joint, Link, Robot, Visual};
    [
        ("static", Form::Flag, &[(Robot, &[], "static")]),
        ("material", Form::Text, &[(Visual, SCRIPT, "name")]),
        ("turnGravityOff", Form::TurnedOff, &[(Link, &[], "gravity")]),
        ("dampingFactor", Form::Number, &[(Link, DECAY, "linear"), (Link, DECAY, "angular")]),
        ("selfCollide", Form::Flag, &[(Link, &[], "self_collide")]),
        ("mu1", Form::Number, &[(Collision, FRICTION, "mu")]),
        ("mu2", Form::Number, &[(Collision, FRICTION, "mu2")]),
        ("fdir1", Form::Text, &[(Collision, FRICTION, "fdir1")]),
        ("kp", Form::Number, &[(Collision, CONTACT, "kp")]),
        ("kd", Form::Number, &[(Collision, CONTACT, "kd")]),
        ("maxVel", Form::Number, &[(Collision, CONTACT, "max_vel")]),
        ("minDepth", Form::Number, &[(Collision, CONTACT, "min_depth")]),
        ("laserRetro", Form::Number, &[(Collision, &[], "laser_retro")]),
        ("maxContacts", Form::Whole, &[(Collision, &[], "max_contacts")]),
        ("springReference", Form::Number, &[(Joint, DYNAMICS, "spring_reference")]),
        ("springStiffness", Form::Number, &[(Joint, DYNAMICS, "spring_stiffness")]),
        ("stopCfm", Form::Number, &[(Joint, STOP, "cfm")]),
        ("stopErp", Form::Number, &[(Joint, STOP, "erp")]),
        ("fudgeFactor", Form::Number, &[(Joint, ODE, "fudge_factor")]),
        (
            "provideFeedback",
            Form::Flag,
            &[(Joint, &["physics"], "provide_feedback"), (Joint, ODE, "provide_feedback")],
        ),
        (
            "implicitSpringDamper",
            Form::Flag,
            &[(Joint, ODE, "implicit_spring_damper"), (Joint, ODE, "cfm_damping")],
        ),
    ]
};

/// Reads an element of `<gazebo>`; none when it is none of those that set a value.
///
/// A value that cannot be read is reported and sets nothing.
pub(super) fn setting<'d>(cx: &mut Context<'_>, node: Node<'d>) -> Option<Vec<Setting<'d>>> {
    let name = match node.name() {
        "cfmDamping" => "implicitSpringDamper",
        name => name,
    };
    let &(_, form, slots) = TABLE.iter().find(|(known, ..)| *known == name)?;
    let Some(text) = text_of(node, form) else {
        let message = format!("<{}> is {:?}, which is not a number", node.name(), value_of(node));
        cx.error("urdf-bad-number", node.place(), message);
        return Some(Vec::new());
    };
    if text.is_empty() {
        return Some(Vec::new());
    }
    let offset = node.offset();
    let settings = slots.iter().map(|&(target, path, name)| Setting {
        target,
        path,
        name,
        text: text.clone(),
        offset,
    });
    Some(settings.collect())
}

fn text_of(node: Node<'_>, form: Form) -> Option<Cow<'_, str>> {
    let flag = |on: bool| Some(Cow::Borrowed(if on { "true" } else { "false" }));
    let first_word = || value_of(node).split_whitespace().next().unwrap_or_default();
    match form {
        Form::Number => number_in(first_word()).map(|number| Cow::Owned(written([number]))),
        Form::Whole => {
            let number = number_in(first_word())?.trunc();
            Some(Cow::Owned(format!("{number:.0}")))
        }
        Form::Flag => flag(is_yes(node)),
        Form::TurnedOff => {
            let stays = value_of(node).to_ascii_lowercase();
            flag(matches!(stays.as_str(), "false" | "no" | "0"))
        }
        Form::Text => Some(Cow::Borrowed(value_of(node))),
    }
}

impl<'d> Setting<'d> {
    /// Puts the value into its target.
    pub(super) fn apply(&self, target: &mut NewElement<'d>) {
        let mut at = target;
        for step in self.path {
            at = at.child_or_new(step, self.offset);
        }
        at.set(self.name, self.text.clone(), self.offset);
    }
}
