//! Reads quantities of a world.

use retake_components::{
    BodyTwist, Inertia, JointEffort, JointPosition, JointSpec, JointVelocity, WorldClock,
    world_entity, world_pose,
};
use retake_ecm::{Column, Ecm, EntityId};
use retake_math::{Pose, SimTime, Twist, Vec3};
use retake_physics::Readings;

use super::quantity::{Motion, Point, Quantity};

/// What only a clock on the wall knows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// How long the world ran.
    pub real_time: SimTime,
    /// Simulated seconds for each real second.
    pub real_time_factor: f64,
}

/// A quantity of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The entity.
    pub entity: EntityId,
    /// The quantity.
    pub quantity: Quantity,
}

/// Reads quantities at one instant.
pub struct Reader<'a> {
    ecm: &'a Ecm,
    readings: &'a Readings,
    measured: Measured,
    twists: &'a Column<BodyTwist>,
    inertias: &'a Column<Inertia>,
    /// Pose of the entity that was asked for last: its quantities are asked for in a row.
    last_pose: Option<(EntityId, Pose)>,
}

impl<'a> Reader<'a> {
    /// Reads from a state and what was measured in its last step.
    pub fn new(ecm: &'a Ecm, readings: &'a Readings, measured: Measured) -> Self {
        let (twists, inertias) = (ecm.column(), ecm.column());
        Self { ecm, readings, measured, twists, inertias, last_pose: None }
    }

    /// Adds the numbers of a quantity; none when there are none at this instant.
    pub fn read(&mut self, reading: &Reading, numbers: &mut Vec<f64>) {
        let entity = reading.entity;
        match reading.quantity {
            Quantity::Pose => push_pose(numbers, self.pose(entity)),
            Quantity::CentrePose => {
                let inertia = self.inertias.get(entity);
                let local = inertia.map_or(Pose::IDENTITY, |inertia| inertia.0.link_from_com);
                push_pose(numbers, self.pose(entity) * local);
            }
            Quantity::Motion(motion, point) => {
                push(numbers, self.motion(entity, motion, point));
            }
            Quantity::AxisPosition(axis) => {
                let axes = self.ecm.get::<JointPosition>(entity).map(|axes| &axes.0);
                numbers.extend(axes.and_then(|axes| axes.get(axis)));
            }
            Quantity::AxisVelocity(axis) => {
                let axes = self.ecm.get::<JointVelocity>(entity).map(|axes| &axes.0);
                numbers.extend(axes.and_then(|axes| axes.get(axis)));
            }
            Quantity::AxisEffort(axis) => {
                let axes = self.ecm.get::<JointEffort>(entity).map(|axes| &axes.0);
                numbers.extend(axes.and_then(|axes| axes.get(axis)));
            }
            Quantity::JointForce => push(numbers, self.wrench(entity).map(|(force, _)| force)),
            Quantity::JointTorque => push(numbers, self.wrench(entity).map(|(_, torque)| torque)),
            Quantity::SimTime => numbers.push(self.clock().sim_time.as_secs_f64()),
            Quantity::Iterations => numbers.push(self.clock().iterations as f64),
            Quantity::RealTime => numbers.push(self.measured.real_time.as_secs_f64()),
            Quantity::RealTimeFactor => numbers.push(self.measured.real_time_factor),
        }
    }

    fn pose(&mut self, entity: EntityId) -> Pose {
        if let Some((known, pose)) = self.last_pose
            && known == entity
        {
            return pose;
        }
        let pose = match self.ecm.get::<JointSpec>(entity) {
            // A joint is where it is on its child.
            Some(joint) => world_pose(self.ecm, joint.child) * joint.child_from_joint,
            None => world_pose(self.ecm, entity),
        };
        self.last_pose = Some((entity, pose));
        pose
    }

    fn motion(&mut self, link: EntityId, motion: Motion, point: Point) -> Option<Vec3> {
        // What never moves has no velocity of its own, and none is what it has.
        let twist = self.twists.get(link).map_or(Twist::ZERO, |twist| twist.0);
        match motion {
            Motion::LinearVelocity => Some(match point {
                Point::Origin => twist.linear,
                Point::Centre => twist.linear + twist.angular.cross(self.lever(link)),
            }),
            Motion::AngularVelocity => Some(twist.angular),
            Motion::LinearAcceleration
            | Motion::AngularAcceleration
            | Motion::Force
            | Motion::Torque => self.pushed(link, motion, point),
        }
    }

    fn pushed(&mut self, link: EntityId, motion: Motion, point: Point) -> Option<Vec3> {
        let reading = self.readings.links.get(&link)?;
        Some(match (motion, point) {
            (Motion::LinearAcceleration, Point::Origin) => reading.acceleration.linear,
            (Motion::LinearAcceleration, Point::Centre) => reading.centre_acceleration,
            (Motion::AngularAcceleration, _) => reading.acceleration.angular,
            (Motion::Force, _) => reading.force,
            (Motion::Torque, Point::Centre) => reading.torque,
            (_, _) => reading.torque + self.lever(link).cross(reading.force),
        })
    }

    /// From the link's origin to its centre of mass, in world axes.
    fn lever(&mut self, link: EntityId) -> Vec3 {
        let centre = self.inertias.get(link).map(|inertia| inertia.0.link_from_com.position);
        self.pose(link).transform_vector(centre.unwrap_or_default())
    }

    fn wrench(&self, joint: EntityId) -> Option<(Vec3, Vec3)> {
        let wrench = self.readings.joints.get(&joint).filter(|wrench| wrench.known)?;
        Some((wrench.force, wrench.torque))
    }

    fn clock(&self) -> WorldClock {
        let clock = world_entity(self.ecm).and_then(|world| self.ecm.get::<WorldClock>(world));
        clock.copied().unwrap_or_default()
    }
}

fn push(numbers: &mut Vec<f64>, vector: Option<Vec3>) {
    if let Some(v) = vector {
        numbers.extend([v.x, v.y, v.z]);
    }
}

fn push_pose(numbers: &mut Vec<f64>, pose: Pose) {
    let (p, q) = (pose.position, pose.rotation);
    numbers.extend([p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
}
