//! Where a model is now: its coordinates, and the poses and velocities that follow from them.
//!
//! The coordinates are the state; MuJoCo integrates them. Poses are computed here from them in the
//! same way as MuJoCo does, so that reading needs neither its memory nor a compiled model.

use retake_ecm::EntityId;
use retake_math::{Pose, Quat, Twist, Vec3};
use serde::{Deserialize, Serialize};

use super::model::{Body, Coord, Freedom, LinkOffset, Model};
use super::ties::Place;
use crate::plan::Motion;
use crate::{AfterTeleport, Assembly, BodyState, JointDrive};

/// Everything of a model that varies.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Now {
    /// Positions: as in MuJoCo, with quaternions as w x y z.
    pub(super) positions: Vec<f64>,
    /// Velocities: of free bodies in the world's axes, but angular ones in the body's.
    pub(super) velocities: Vec<f64>,
    /// Accelerations that the solver begins with.
    pub(super) warm: Vec<f64>,
    /// Poses and velocities of bodies; those of what is fixed or kinematic are state of their own.
    pub(super) bodies: Vec<BodyNow>,
    /// Force at the centre of mass and torque of each pushed body until the next step.
    pub(super) pushes: Vec<(usize, Vec3, Vec3)>,
    /// What drives each axis, joint by joint.
    pub(super) drives: Vec<Drive>,
}

/// Pose and velocity of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct BodyNow {
    pub(super) pose: Pose,
    /// Velocity of the origin, in world axes.
    pub(super) twist: Twist,
}

/// What drives an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Drive {
    pub(super) drive: JointDrive,
    /// 1 or -1 while it gives all that it has in that direction.
    pub(super) at_limit: i8,
    /// Last position of an axis that is not a coordinate, so that turns count.
    pub(super) seen: f64,
}

impl BodyNow {
    /// State of a link of the body.
    pub(super) fn link(&self, offset: &LinkOffset) -> BodyState {
        let Twist { linear, angular } = self.twist;
        let lever = self.pose.transform_vector(offset.body_from_link.position);
        BodyState {
            world_from_link: self.pose * offset.body_from_link,
            twist: Twist { linear: linear + angular.cross(lever), angular },
            asleep: false,
        }
    }
}

impl Now {
    /// Begins where the assembly is.
    pub(super) fn of(model: &Model, assembly: &Assembly) -> Self {
        let mut now = Self {
            positions: vec![0.0; model.size.0],
            velocities: vec![0.0; model.size.1],
            warm: vec![0.0; model.size.1],
            bodies: vec![BodyNow::default(); model.bodies.len()],
            ..Self::default()
        };
        for joint in &model.joints {
            let spec = assembly.joints.iter().find(|spec| spec.joint == joint.entity);
            let given = spec.map_or(&[][..], |spec| &spec.axes);
            now.drives.extend(
                given.iter().map(|given| Drive { seen: given.position, ..Drive::default() }),
            );
        }
        now.begin(model, assembly);
        now.place(model);
        now
    }

    fn begin(&mut self, model: &Model, assembly: &Assembly) {
        let twist_of = |body: &Body| {
            let first = body.links.first()?;
            let spec = assembly.bodies.iter().find(|spec| spec.link == first.link)?;
            Some((spec.twist, first.body_from_link))
        };
        let mut world_from = Vec::new();
        for (index, body) in model.bodies.iter().enumerate() {
            let carrier = body.carrier.map_or(Pose::IDENTITY, |carrier| world_from[carrier]);
            let pose: Pose = carrier * body.carrier_from_body;
            world_from.push(pose);
            self.bodies[index].pose = pose;
            let twist = twist_of(body).filter(|_| body.motion != Motion::Fixed);
            let (twist, body_from_link) = twist.unwrap_or((Twist::ZERO, Pose::IDENTITY));
            // From the link's origin to the body's.
            let lever = -pose.transform_vector(body_from_link.position);
            let linear = twist.linear + twist.angular.cross(lever);
            self.bodies[index].twist = Twist { linear, angular: twist.angular };
            for coord in &body.coords {
                self.begin_coord(coord, pose, Twist { linear, angular: twist.angular });
            }
        }
        self.begin_balls(model);
        for joint in &assembly.joints {
            let known = model.joints.iter().find(|known| known.entity == joint.joint);
            for (axis, given) in known.iter().flat_map(|known| &known.axes).zip(&joint.axes) {
                if let super::model::AxisPlace::Coord { body, coord } = axis.place {
                    let at = model.bodies[body].coords[coord].at.1;
                    self.velocities[at] = given.velocity;
                }
            }
        }
        for tie in &model.ties {
            let at = |(body, coord): Place| model.bodies[body].coords[coord].at.1;
            self.velocities[at(tie.follower)] = tie.factor * self.velocities[at(tie.leader)];
        }
    }

    fn begin_coord(&mut self, coord: &Coord, pose: Pose, twist: Twist) {
        let (q, v) = coord.at;
        match coord.freedom {
            Freedom::Free => {
                write_pose(&mut self.positions[q..q + 7], pose);
                write_twist(&mut self.velocities[v..v + 6], pose, twist);
            }
            Freedom::Ball { .. } => self.positions[q] = 1.0,
            Freedom::Turn { zero, .. } | Freedom::Slide { zero, .. } => self.positions[q] = zero,
        }
    }

    /// A ball joint has no axes to say how fast it turns, so the links do.
    fn begin_balls(&mut self, model: &Model) {
        for (index, body) in model.bodies.iter().enumerate() {
            for coord in &body.coords {
                if !matches!(coord.freedom, Freedom::Ball { .. }) {
                    continue;
                }
                let carrier = body.carrier.map_or(Vec3::ZERO, |at| self.bodies[at].twist.angular);
                let own = self.bodies[index];
                let turning = own.pose.rotation.inverse() * (own.twist.angular - carrier);
                let v = coord.at.1;
                self.velocities[v..v + 3].copy_from_slice(&turning.to_array());
            }
        }
    }

    /// Computes where all bodies are and how fast.
    pub(super) fn place(&mut self, model: &Model) {
        for (index, body) in model.bodies.iter().enumerate() {
            if body.coords.is_empty() && body.carrier.is_none() {
                continue;
            }
            self.bodies[index] = self.placed(body);
        }
    }

    fn placed(&self, body: &Body) -> BodyNow {
        let carrier = body.carrier.map(|carrier| self.bodies[carrier]).unwrap_or_default();
        let mut pose = carrier.pose * body.carrier_from_body;
        // Velocity of whatever is at the world's origin if it moved with the body.
        let mut angular = carrier.twist.angular;
        let mut linear = carrier.twist.linear - angular.cross(carrier.pose.position);
        for coord in &body.coords {
            let (q, v) = coord.at;
            match coord.freedom {
                Freedom::Free => {
                    pose = read_pose(&self.positions[q..q + 7]);
                    let twist = read_twist(&self.velocities[v..v + 6], pose);
                    angular = twist.angular;
                    linear = twist.linear - angular.cross(pose.position);
                }
                Freedom::Turn { anchor, axis, zero } => {
                    let world_anchor = pose.transform_point(anchor);
                    let spin = pose.transform_vector(axis) * self.velocities[v];
                    let turn = Quat::from_axis_angle(axis, self.positions[q] - zero);
                    pose = turned(pose, turn, anchor, world_anchor);
                    angular += spin;
                    linear += world_anchor.cross(spin);
                }
                Freedom::Slide { axis, zero } => {
                    let along = pose.transform_vector(axis);
                    pose.position += along * (self.positions[q] - zero);
                    linear += along * self.velocities[v];
                }
                Freedom::Ball { anchor } => {
                    let world_anchor = pose.transform_point(anchor);
                    let turn = read_quat(&self.positions[q..q + 4]);
                    pose = turned(pose, turn, anchor, world_anchor);
                    let own = Vec3::from_slice(&self.velocities[v..v + 3]);
                    let spin = pose.transform_vector(own);
                    angular += spin;
                    linear += world_anchor.cross(spin);
                }
            }
        }
        let pose = pose.normalized();
        BodyNow { pose, twist: Twist { linear: linear + angular.cross(pose.position), angular } }
    }

    /// Moves everything rigidly.
    pub(super) fn teleport(&mut self, model: &Model, moved_by: Pose, velocities: AfterTeleport) {
        let rest = velocities == AfterTeleport::Rest;
        if rest {
            self.velocities.fill(0.0);
        }
        for (index, body) in model.bodies.iter().enumerate() {
            if body.carrier.is_some() {
                continue;
            }
            let now = &mut self.bodies[index];
            now.pose = (moved_by * now.pose).normalized();
            if rest {
                now.twist = Twist::ZERO;
            }
            for coord in body.coords.iter().filter(|coord| coord.freedom == Freedom::Free) {
                let (q, v) = coord.at;
                write_pose(&mut self.positions[q..q + 7], now.pose);
                write_twist(&mut self.velocities[v..v + 6], now.pose, now.twist);
            }
        }
        // Where it was pushed from is elsewhere now.
        self.warm.fill(0.0);
        self.place(model);
    }

    /// The body and offset of a link.
    pub(super) fn find(model: &Model, link: EntityId) -> Option<(usize, LinkOffset)> {
        model.bodies.iter().enumerate().find_map(|(index, body)| {
            let offset = body.links.iter().find(|offset| offset.link == link)?;
            Some((index, *offset))
        })
    }

    /// Sets one coordinate and those that follow it, all at rest.
    pub(super) fn put(&mut self, model: &Model, place: Place, position: f64) {
        let mut wanted = vec![(place, position)];
        let mut done: Vec<Place> = Vec::new();
        while let Some((place, position)) = wanted.pop() {
            let (q, v) = model.bodies[place.0].coords[place.1].at;
            (self.positions[q], self.velocities[v], self.warm[v]) = (position, 0.0, 0.0);
            done.push(place);
            let followers = model.ties.iter().filter(|tie| tie.leader == place);
            let new = followers.map(|tie| (tie.follower, tie.factor * position + tie.offset));
            // A ring of followers ends where it began.
            wanted.extend(new.filter(|(follower, _)| !done.contains(follower)));
        }
        self.place(model);
    }
}

fn turned(pose: Pose, turn: Quat, anchor: Vec3, world_anchor: Vec3) -> Pose {
    let rotation = pose.rotation * turn;
    Pose::new(world_anchor - rotation * anchor, rotation)
}

pub(super) fn read_quat(numbers: &[f64]) -> Quat {
    Quat::from_xyzw(numbers[1], numbers[2], numbers[3], numbers[0]).normalize()
}

/// A quaternion as MuJoCo writes it.
pub(super) fn quat(rotation: Quat) -> [f64; 4] {
    [rotation.w, rotation.x, rotation.y, rotation.z]
}

fn read_pose(numbers: &[f64]) -> Pose {
    Pose::new(Vec3::from_slice(&numbers[..3]), read_quat(&numbers[3..7]))
}

fn write_pose(numbers: &mut [f64], pose: Pose) {
    numbers[..3].copy_from_slice(&pose.position.to_array());
    numbers[3..7].copy_from_slice(&quat(pose.rotation));
}

fn read_twist(numbers: &[f64], pose: Pose) -> Twist {
    let angular = pose.transform_vector(Vec3::from_slice(&numbers[3..6]));
    Twist { linear: Vec3::from_slice(&numbers[..3]), angular }
}

/// Writes the velocity of a free body.
pub(super) fn write_twist(numbers: &mut [f64], pose: Pose, twist: Twist) {
    numbers[..3].copy_from_slice(&twist.linear.to_array());
    let own = pose.rotation.inverse() * twist.angular;
    numbers[3..6].copy_from_slice(&own.to_array());
}
