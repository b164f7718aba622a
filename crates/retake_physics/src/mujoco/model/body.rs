//! Bodies of links that never move against each other.

use retake_description::VelocityDecay;
use retake_math::{Pose, Vec3};

use super::{Body, Geom, LinkOffset};
use crate::mujoco::forms::{self, Form};
use crate::mujoco::note;
use crate::plan::{self, Lump, Motion};
use crate::rapier::surface_remarks;
use crate::{Assembly, BodySpec, EngineError, EngineNote, check};

/// Makes a body of a lump, and says where it is in the world.
pub(super) fn body(
    assembly: &Assembly,
    lump: &Lump,
    notes: &mut Vec<EngineNote>,
) -> Result<(Body, Pose), EngineError> {
    let specs: Vec<&BodySpec> = lump.links.iter().map(|link| &assembly.bodies[*link]).collect();
    let world_from_first = specs[0].world_from_link.normalized();
    let first_from_link = |spec: &BodySpec| match spec.link == specs[0].link {
        true => Pose::IDENTITY,
        false => world_from_first.inverse() * spec.world_from_link.normalized(),
    };
    let inertial = plan::lumped_inertial(&specs, first_from_link);
    if lump.motion == Motion::Dynamic {
        check::physical(specs[0].link, &inertial)?;
    }
    let com =
        if lump.motion == Motion::Fixed { Vec3::ZERO } else { inertial.link_from_com.position };
    let world_from_body = world_from_first * Pose::from_position(com);
    let gravity = specs.iter().any(|spec| spec.gravity);
    if specs.iter().any(|spec| spec.gravity != gravity) {
        note(notes, specs[0].link, "links fixed together share gravity; it pulls all of them");
    }
    let greatest = |read: fn(&VelocityDecay) -> f64| {
        specs.iter().map(|spec| read(&spec.velocity_decay)).fold(0.0, f64::max)
    };
    let decay = VelocityDecay {
        linear: greatest(|decay| decay.linear),
        angular: greatest(|decay| decay.angular),
    };
    let mut body = Body {
        links: Vec::new(),
        motion: lump.motion,
        carrier: None,
        carrier_from_body: world_from_body,
        coords: Vec::new(),
        inertial: inertial.moved(Pose::from_position(-com)),
        gravity,
        decay,
        geoms: Vec::new(),
    };
    for spec in &specs {
        let body_from_link = Pose::from_position(-com) * first_from_link(spec);
        let body_com = body_from_link.transform_point(spec.inertial.link_from_com.position);
        body.links.push(LinkOffset { link: spec.link, body_from_link, body_com });
        add_geoms(&mut body, spec, body_from_link, notes)?;
    }
    Ok((body, world_from_body))
}

fn add_geoms(
    body: &mut Body,
    spec: &BodySpec,
    body_from_link: Pose,
    notes: &mut Vec<EngineNote>,
) -> Result<(), EngineError> {
    for collider in &spec.colliders {
        let Some(form) = forms::form(collider, notes)? else { continue };
        let only_still = matches!(form, Form::Plane(_) | Form::Terrain(_));
        if only_still && body.motion != Motion::Fixed {
            let reason = "mujoco has planes and terrain only on what never moves; make the model static or use a box";
            let collision = collider.collision;
            return Err(EngineError::BadShape { collision, reason: reason.to_owned() });
        }
        surface_remarks(&collider.surface, |said| note(notes, collider.collision, said));
        body.geoms.push(Geom {
            collision: collider.collision,
            body_from_collision: body_from_link * collider.link_from_collision.normalized(),
            form,
            surface: collider.surface,
            source: forms::source(collider),
        });
    }
    Ok(())
}
