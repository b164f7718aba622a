//! A script's view of the world at one instant, and what it wants done.
//!
//! Scripts read a snapshot and write a list: what a call that fails wanted is never done.

use std::collections::BTreeMap;

use retake_components::{AxisCommand, EntityName, path_of, resolve};
use retake_ecm::{EcmSnapshot, EntityId, Parent, Tick};
use retake_math::{Twist, Vec3};
use retake_script::{Host, Value};

use crate::OutMessage;
use crate::systems::VelocityCommand;

/// The world as a script sees it.
pub(super) struct WorldHost {
    pub(super) ecm: EcmSnapshot,
    pub(super) holder: EntityId,
    pub(super) effects: Vec<Effect>,
    pub(super) names: Names,
}

/// What a script wants done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    Drive { joint: EntityId, axis: usize, command: AxisCommand },
    Push { link: EntityId, force: Vec3, torque: Vec3 },
    Move { link: EntityId, twist: Twist },
    Steer { model: EntityId, command: VelocityCommand },
    MeasureContacts { entity: EntityId },
    Publish(OutMessage),
    Show { name: String, number: f64 },
}

/// Most that one call may want done.
const MOST_EFFECTS: usize = 1024;

impl Host for WorldHost {
    fn begin_again(&mut self) {
        self.effects.clear();
    }
}

/// Entities that were found before: a cache over the names of the world.
#[derive(Default)]
pub(super) struct Names {
    found: BTreeMap<String, EntityId>,
    /// Names up to this tick are known.
    seen: Tick,
}

impl Names {
    /// Forgets what may be something else now.
    pub(super) fn follow(&mut self, ecm: &retake_ecm::Ecm) {
        let changed = ecm.removed_since(self.seen).is_none_or(|removed| !removed.is_empty())
            || ecm.column::<EntityName>().any_changed_since(self.seen)
            || ecm.column::<Parent>().any_changed_since(self.seen);
        if changed {
            self.found.clear();
        }
        // What is written in the present tick is looked at again.
        self.seen = ecm.tick().saturating_sub(1);
    }
}

impl WorldHost {
    /// Finds what a name means: below the holder, below what holds that, or from the world.
    pub(super) fn find(&mut self, name: &str) -> Result<EntityId, String> {
        if let Some(found) = self.names.found.get(name) {
            return Ok(*found);
        }
        let found = self.look_up(name)?;
        self.names.found.insert(name.to_owned(), found);
        Ok(found)
    }

    fn look_up(&self, name: &str) -> Result<EntityId, String> {
        for at in self.ecm.with_holders(self.holder) {
            // The world's own path is looked at last, as every other path begins there.
            if self.ecm.get::<Parent>(at).is_none() {
                break;
            }
            let scoped = format!("{}::{}", path_of(&self.ecm, at), name.replace('/', "::"));
            if let Ok(found) = resolve(&self.ecm, &scoped) {
                return Ok(found);
            }
        }
        resolve(&self.ecm, name).map_err(|error| error.to_string())
    }

    /// Adds what is to be done.
    pub(super) fn want(&mut self, effect: Effect) -> Result<Vec<Value>, String> {
        if self.effects.len() >= MOST_EFFECTS {
            return Err(format!("more than {MOST_EFFECTS} things are to be done at once"));
        }
        self.effects.push(effect);
        Ok(Vec::new())
    }
}

/// What a function was called with.
pub(super) struct Args<'a>(pub(super) &'a [Value]);

impl<'a> Args<'a> {
    /// Returns a text that must be there.
    pub(super) fn text(&self, at: usize, name: &str) -> Result<&'a str, String> {
        match self.0.get(at) {
            Some(Value::Text(text)) => Ok(text),
            other => Err(wrong(name, "a string", other)),
        }
    }

    /// Returns a text, or none when it is left out.
    pub(super) fn text_or_nothing(&self, at: usize, name: &str) -> Result<Option<&'a str>, String> {
        match self.0.get(at) {
            None | Some(Value::Nil) => Ok(None),
            Some(_) => self.text(at, name).map(Some),
        }
    }

    /// Returns a finite number that must be there.
    pub(super) fn number(&self, at: usize, name: &str) -> Result<f64, String> {
        match self.0.get(at) {
            Some(Value::Number(number)) if number.is_finite() => Ok(*number),
            Some(Value::Number(number)) => Err(format!("{name} is {number}; it must be finite")),
            other => Err(wrong(name, "a number", other)),
        }
    }

    /// Returns a finite number, or another when it is left out.
    pub(super) fn number_or(&self, at: usize, name: &str, otherwise: f64) -> Result<f64, String> {
        match self.0.get(at) {
            None | Some(Value::Nil) => Ok(otherwise),
            Some(_) => self.number(at, name),
        }
    }

    /// Returns three numbers; zeros when they are left out.
    pub(super) fn vector_or_zero(&self, at: usize, name: &str) -> Result<Vec3, String> {
        let number =
            |offset: usize, axis: &str| self.number_or(at + offset, &format!("{name} {axis}"), 0.0);
        Ok(Vec3::new(number(0, "x")?, number(1, "y")?, number(2, "z")?))
    }

    /// Returns an axis, which scripts count from 1.
    pub(super) fn axis(&self, at: usize) -> Result<usize, String> {
        match self.number_or(at, "axis", 1.0)? {
            1.0 => Ok(0),
            2.0 => Ok(1),
            3.0 => Ok(2),
            other => Err(format!("axis is {other}; axes are counted 1, 2, 3")),
        }
    }
}

fn wrong(name: &str, expected: &str, found: Option<&Value>) -> String {
    let found = found.map_or("missing", Value::kind);
    format!("{name} is {found}; write {expected}")
}
