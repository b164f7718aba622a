//! Lift and drag of a wing, fin or propeller blade, as Gazebo's LiftDrag.

use retake_components::{
    BodyTwist, JointPosition, Kind, WorldText, path_of, world_entity, world_pose,
};
use retake_ecm::{Ecm, EntityId};
use retake_math::Vec3;

use super::joint_drive::find_joint;
use super::push::push_at;
use super::{Attachment, Params, SystemKind};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::LiftDrag", "ignition::gazebo::systems::LiftDrag"],
    // It remembers nothing: its forces follow from pose and velocity.
    register: |builder| builder,
    make: |attachment, ecm| LiftDrag::make(attachment, ecm),
};

/// Slower than this in m/s nothing lifts.
const SLOWEST: f64 = 0.01;

struct LiftDrag {
    link: EntityId,
    control_joint: Option<EntityId>,
    wing: Wing,
}

/// What a wing is; directions and places in the frame of its link.
#[derive(Clone, Copy)]
struct Wing {
    air_density: f64,
    area: f64,
    radial_symmetry: bool,
    reversible: bool,
    alpha_0: f64,
    alpha_stall: f64,
    lift: Slopes,
    drag: Slopes,
    moment: Slopes,
    centre_of_pressure: Vec3,
    forward: Vec3,
    upward: Vec3,
    /// Change of the lift and of the moment for each radian of the control joint.
    control: (f64, f64),
}

/// How a coefficient grows with the angle of attack, before and after stall.
#[derive(Clone, Copy)]
struct Slopes {
    before: f64,
    after: f64,
}

impl Slopes {
    /// Returns the coefficient at an angle of attack.
    fn at(&self, alpha: f64, stall: f64) -> f64 {
        let before = alpha.clamp(-stall, stall);
        self.before * before + self.after * (alpha - before)
    }

    /// Returns the coefficient, which stall brings to zero but not beyond.
    fn one_sided(&self, alpha: f64, stall: f64) -> f64 {
        let coefficient = self.at(alpha, stall);
        match alpha {
            alpha if alpha > stall => coefficient.max(0.0),
            alpha if alpha < -stall => coefficient.min(0.0),
            _ => coefficient,
        }
    }
}

impl Wing {
    fn read(params: &Params<'_>) -> Result<Self, SystemError> {
        let slopes = |before: &str, after: &str, otherwise: f64| {
            Ok::<_, SystemError>(Slopes {
                before: params.number_or(before, otherwise)?,
                after: params.number_or(after, 0.0)?,
            })
        };
        let vector = |name: &str, otherwise: Vec3| {
            let rows = params.rows::<3>(name, "three numbers, x, y and z")?;
            Ok::<_, SystemError>(rows.first().copied().map_or(otherwise, Vec3::from_array))
        };
        let direction = |name: &'static str, otherwise: Vec3| {
            vector(name, otherwise)?.try_normalize().ok_or_else(|| SystemError::BadParameter {
                parameter: name.to_owned(),
                text: params.text(name).unwrap_or_default().to_owned(),
                expected: "a direction, not zero",
            })
        };
        Ok(Self {
            air_density: params.number_or("air_density", 1.2041)?,
            area: params.number_or("area", 1.0)?,
            radial_symmetry: params.flag("radial_symmetry")?,
            reversible: params.flag("reversible")?,
            alpha_0: params.number_or("a0", 0.0)?,
            alpha_stall: params.at_least_zero("alpha_stall", std::f64::consts::FRAC_PI_2)?,
            lift: slopes("cla", "cla_stall", 1.0)?,
            drag: slopes("cda", "cda_stall", 0.01)?,
            moment: slopes("cma", "cma_stall", 0.0)?,
            centre_of_pressure: vector("cp", Vec3::ZERO)?,
            forward: direction("forward", Vec3::X)?,
            upward: direction("upward", Vec3::Z)?,
            control: (
                params.number_or("control_joint_rad_to_cl", 4.0)?,
                params.number_or("cm_delta", 0.0)?,
            ),
        })
    }

    /// Returns force and torque at the centre of pressure, of a wing that moves through air at
    /// `velocity`, with `forward` and `upward` in world axes and its control surface at an angle.
    fn wrench(
        &self,
        velocity: Vec3,
        (forward, upward): (Vec3, Vec3),
        control_rad: Option<f64>,
    ) -> Option<(Vec3, Vec3)> {
        let direction = velocity.try_normalize().filter(|_| velocity.length() > SLOWEST)?;
        if !self.reversible && forward.dot(velocity) <= 0.0 {
            return None;
        }
        let upward = match self.radial_symmetry {
            // Up is where the air comes from beside the forward direction.
            true => forward.cross(forward.cross(direction)).try_normalize()?,
            false => upward,
        };
        let spanwise = forward.cross(upward).try_normalize()?;
        let along_span = spanwise.dot(direction).clamp(-1.0, 1.0);
        let sweep = 1.0 - along_span * along_span;
        let in_plane = velocity - spanwise * velocity.dot(spanwise);
        let drag_direction = -in_plane.try_normalize()?;
        let lift_direction = spanwise.cross(in_plane).try_normalize()?;
        let alpha = self.angle_of_attack(lift_direction, forward, upward);
        let pressure = 0.5 * self.air_density * in_plane.length_squared() * self.area;
        let (per_rad, moment_per_rad) = self.control;
        let control_rad = control_rad.unwrap_or(0.0);
        let lift = self.lift.one_sided(alpha, self.alpha_stall) * sweep + per_rad * control_rad;
        let drag = (self.drag.at(alpha, self.alpha_stall) * sweep).abs();
        let moment =
            self.moment.one_sided(alpha, self.alpha_stall) * sweep + moment_per_rad * control_rad;
        let force = (lift_direction * lift + drag_direction * drag) * pressure;
        Some((force, spanwise * (moment * pressure)))
    }

    /// Returns the angle between the wing and the air, within a quarter turn.
    fn angle_of_attack(&self, lift: Vec3, forward: Vec3, upward: Vec3) -> f64 {
        use std::f64::consts::{FRAC_PI_2, PI};
        let angle = lift.dot(upward).clamp(-1.0, 1.0).acos();
        let mut alpha = match lift.dot(forward) >= 0.0 {
            true => self.alpha_0 + angle,
            false => self.alpha_0 - angle,
        };
        // A wing is the same turned by half a turn.
        alpha -= PI * ((alpha.abs() - FRAC_PI_2) / PI).ceil().max(0.0) * alpha.signum();
        alpha
    }
}

impl LiftDrag {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let name = params.required("link_name")?;
        let path = format!("{}::{name}", path_of(ecm, at.holder));
        let link = retake_components::find(ecm, &path)
            .filter(|link| ecm.get::<Kind>(*link) == Some(&Kind::Link));
        let unfit = || SystemError::Unfit { reason: format!("<link_name>: {path:?} is no link") };
        let control = params.text("control_joint_name").filter(|name| !name.is_empty());
        let control_joint = control.map(|name| find_joint(ecm, at.holder, name)).transpose()?;
        let wing = Wing::read(&params)?;
        Ok(Box::new(Self { link: link.ok_or_else(unfit)?, control_joint, wing }))
    }
}

impl System for LiftDrag {
    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(BodyTwist(twist)) = ecm.get(self.link).copied() else { return Ok(()) };
        let pose = world_pose(ecm, self.link);
        let lever = pose.transform_vector(self.wing.centre_of_pressure);
        let wind = world_entity(ecm).and_then(|world| ecm.get::<WorldText>(world));
        let wind = wind.map(|text| text.wind).unwrap_or_default();
        let velocity = twist.linear + twist.angular.cross(lever) - wind;
        let axes =
            (pose.transform_vector(self.wing.forward), pose.transform_vector(self.wing.upward));
        let control = self.control_joint.and_then(|joint| ecm.get::<JointPosition>(joint));
        let control = control.and_then(|position| position.0.first().copied());
        if let Some((force, torque)) = self.wing.wrench(velocity, axes, control) {
            push_at(ecm, self.link, pose.position + lever, force, torque);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WING: Wing = Wing {
        air_density: 1.2,
        area: 2.0,
        radial_symmetry: false,
        reversible: false,
        alpha_0: 0.0,
        alpha_stall: 0.3,
        lift: Slopes { before: 4.0, after: -4.0 },
        drag: Slopes { before: 0.5, after: 1.0 },
        moment: Slopes { before: 0.0, after: 0.0 },
        centre_of_pressure: Vec3::ZERO,
        forward: Vec3::X,
        upward: Vec3::Z,
        control: (4.0, 0.0),
    };

    /// A wing at an angle to the air that comes at 10 m/s along x.
    fn at(alpha: f64) -> Option<(Vec3, Vec3)> {
        let (sin, cos) = alpha.sin_cos();
        let axes = (Vec3::new(cos, 0.0, sin), Vec3::new(-sin, 0.0, cos));
        WING.wrench(Vec3::new(10.0, 0.0, 0.0), axes, None)
    }

    #[test]
    fn lift_and_drag_are_as_the_book_says() {
        // Half the density times speed squared times area is 120 N.
        let (force, torque) = at(0.1).unwrap();
        assert!((force - Vec3::new(-0.05 * 120.0, 0.0, 0.4 * 120.0)).length() < 1e-9, "{force}");
        assert_eq!(torque, Vec3::ZERO);
        let (force, _) = at(-0.1).unwrap();
        assert!((force.z + 0.4 * 120.0).abs() < 1e-9 && force.x < 0.0, "{force}");
    }

    #[test]
    fn stall_ends_the_lift() {
        let lift = |alpha| at(alpha).unwrap().0.z / 120.0;
        assert!((lift(0.3) - 1.2).abs() < 1e-9);
        assert!((lift(0.4) - 0.8).abs() < 1e-9);
        assert!(lift(0.7).abs() < 1e-9);
        assert!((at(0.4).unwrap().0.x / 120.0 + 0.25).abs() < 1e-9);
    }

    #[test]
    fn what_moves_backwards_or_hardly_at_all_is_not_lifted() {
        let axes = (Vec3::X, Vec3::Z);
        assert!(WING.wrench(Vec3::new(-5.0, 0.0, 0.1), axes, None).is_none());
        assert!(WING.wrench(Vec3::new(0.005, 0.0, 0.0), axes, None).is_none());
        let reversible = Wing { reversible: true, ..WING };
        assert!(reversible.wrench(Vec3::new(-5.0, 0.0, 0.1), axes, None).is_some());
    }

    #[test]
    fn air_along_the_span_does_not_lift() {
        let (sin, cos) = 0.1f64.sin_cos();
        let axes = (Vec3::new(cos, 0.0, sin), Vec3::new(-sin, 0.0, cos));
        let straight = WING.wrench(Vec3::new(10.0, 0.0, 0.0), axes, None).unwrap().0;
        let swept = WING.wrench(Vec3::new(10.0, 10.0, 0.0), axes, None).unwrap().0;
        assert!((swept.z - straight.z * 0.5).abs() < 1e-9, "{swept} {straight}");
    }
}
