//! The state as bytes, and back.
//!
//! Models are written as they were inserted, with where they are now; MuJoCo compiles them again and
//! comes to the same bits. Shapes of the library of shapes are named by what they are made from.

use std::collections::BTreeMap;
use std::sync::Arc;

use retake_ecm::EntityId;
use retake_math::Vec3;
use serde::{Deserialize, Serialize};

use super::contacts::Touch;
use super::forms::{self, Form};
use super::model::{AxisPlace, Closure, Model};
use super::place::Now;
use super::state::{Bond, Simulated, State, write};
use crate::saved::CapturedState;
use crate::{EngineError, EngineSettings, FindShape};

/// The bytes, before they are bytes.
#[derive(Serialize, Deserialize)]
struct Saved {
    settings: EngineSettings,
    gravity: Vec3,
    models: Vec<(Model, Now)>,
    bonds: Vec<(Closure, usize, f64)>,
    contacts: Vec<Touch>,
}

impl CapturedState for State {
    fn is_settled(&self) -> bool {
        // Edits leave nothing behind that a step would have to clear.
        true
    }

    fn encode(&self, sink: &mut Vec<u8>) -> Result<(), EngineError> {
        let saved = Saved {
            // Threads belong to the machine, not to the state.
            settings: EngineSettings { worker_threads: 1, ..self.settings },
            gravity: self.gravity,
            models: self
                .models
                .values()
                .map(|s| (without_files(&s.model), s.now.clone()))
                .collect(),
            bonds: self.bonds.values().map(|b| ((*b.closure).clone(), b.axes, b.seen)).collect(),
            contacts: self.contacts.clone(),
        };
        write(sink, &saved)
    }
}

fn without_files(model: &Model) -> Model {
    let mut model = model.clone();
    for geom in model.bodies.iter_mut().flat_map(|body| &mut body.geoms) {
        if let Some(source) = geom.source {
            geom.form = Form::Elsewhere(source);
        }
    }
    model
}

/// Reads a state; `shapes` finds those that are not in it.
pub(super) fn decode(bytes: &[u8], shapes: FindShape<'_>) -> Result<State, EngineError> {
    let bad = |reason: String| EngineError::BadState { reason };
    let saved: Saved = rmp_serde::from_slice(bytes).map_err(|error| bad(error.to_string()))?;
    saved.settings.validate()?;
    let (mut models, mut owners) = (BTreeMap::new(), BTreeMap::new());
    for (mut model, now) in saved.models {
        find_shapes(&mut model, shapes).map_err(bad)?;
        if !fits(&model, &now) {
            return Err(bad("its numbers do not fit its models".to_owned()));
        }
        owners.extend(entities(&model).map(|(entity, _)| (entity, model.entity)));
        models.insert(model.entity, Simulated { model: Arc::new(model), now });
    }
    let links: Vec<EntityId> = models.values().flat_map(|s| links(&s.model)).collect();
    let all = models.values().flat_map(|s| &s.model.closures);
    let known = |closure: &Closure| {
        let ends = [closure.parent.0, Some(closure.child.0)];
        ends.into_iter().flatten().all(|link| links.contains(&link))
    };
    if !all.chain(saved.bonds.iter().map(|(closure, ..)| closure)).all(known) {
        return Err(bad("a joint holds a link that is not there".to_owned()));
    }
    let bond = |(closure, axes, seen): (Closure, usize, f64)| {
        (closure.joint, Bond { closure: Arc::new(closure), axes, seen })
    };
    Ok(State {
        settings: saved.settings,
        gravity: saved.gravity,
        models,
        bonds: saved.bonds.into_iter().map(bond).collect(),
        owners: Arc::new(owners),
        contacts: saved.contacts,
    })
}

/// Links and joints of a model.
pub(super) fn entities(model: &Model) -> impl Iterator<Item = (EntityId, &'static str)> + '_ {
    let joints = model.joints.iter().map(|joint| (joint.entity, "joint"));
    links(model).map(|link| (link, "link")).chain(joints)
}

fn links(model: &Model) -> impl Iterator<Item = EntityId> + '_ {
    model.bodies.iter().flat_map(|body| &body.links).map(|offset| offset.link)
}

fn find_shapes(model: &mut Model, shapes: FindShape<'_>) -> Result<(), String> {
    for geom in model.bodies.iter_mut().flat_map(|body| &mut body.geoms) {
        let Form::Elsewhere(source) = geom.form else { continue };
        let collision = geom.collision;
        let shape = shapes(collision)
            .map_err(|reason| format!("the shape of collision {collision} is missing: {reason}"))?;
        if shape.source() != Some(source) {
            return Err(format!(
                "the shape of collision {collision} is another now; put the file that it is made from back as it was"
            ));
        }
        // What is not as asked was told when the model was inserted.
        let form = forms::ready(collision, &shape, &mut Vec::new());
        geom.form = form.map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Says whether every index is within its bounds: bytes may come from anywhere.
fn fits(model: &Model, now: &Now) -> bool {
    let coords = model.bodies.iter().flat_map(|body| &body.coords);
    let mut size = (0, 0);
    let in_order = coords.into_iter().all(|coord| {
        let (positions, velocities) = coord.freedom.size();
        let here = coord.at == size;
        size = (size.0 + positions, size.1 + velocities);
        here
    });
    let coord = |(body, coord): (usize, usize)| {
        model.bodies.get(body).is_some_and(|body| coord < body.coords.len())
    };
    let axis = |place: &AxisPlace| match *place {
        AxisPlace::Coord { body, coord: at } => coord((body, at)),
        AxisPlace::Closure { index } => index < model.closures.len(),
        AxisPlace::Frozen { .. } => true,
    };
    let axes: Vec<_> = model.joints.iter().flat_map(|joint| &joint.axes).collect();
    let bodies = model.bodies.len();
    in_order
        && size == model.size
        && now.positions.len() == size.0
        && now.velocities.len() == size.1
        && now.warm.len() == size.1
        && now.bodies.len() == bodies
        && now.drives.len() == axes.len()
        && now.pushes.iter().all(|(body, ..)| *body < bodies)
        && axes.iter().all(|known| axis(&known.place))
        && model.ties.iter().all(|tie| coord(tie.leader) && coord(tie.follower))
        && model.apart.iter().all(|(a, b)| *a < bodies && *b < bodies)
        && model.bodies.iter().enumerate().all(|(i, body)| body.carrier.is_none_or(|c| c < i))
}
