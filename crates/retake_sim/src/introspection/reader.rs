//! Reads quantities of a world.

use retake_components::{
    BodyTwist, Inertia, JointEffort, JointPosition, JointSpec, JointVelocity, LocalPose,
    WorldClock, world_entity,
};
use retake_ecm::{Column, Ecm, EntityId, Parent};
use retake_math::{Pose, SimTime, Twist, Vec3};
use retake_physics::Readings;

use super::quantity::{Motion, Point, Quantity};
use crate::systems::motion::MotionRobot;
use crate::systems::script::ScriptItems;

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
    locals: &'a Column<LocalPose>,
    parents: &'a Column<Parent>,
    /// Poses of the entity that was asked for last and of all that hold it, it last: what is asked
    /// for in a row mostly shares them.
    chain: Vec<(EntityId, Pose)>,
}

impl<'a> Reader<'a> {
    /// Reads from a state and what was measured in its last step.
    pub fn new(ecm: &'a Ecm, readings: &'a Readings, measured: Measured) -> Self {
        Self {
            ecm,
            readings,
            measured,
            twists: ecm.column(),
            inertias: ecm.column(),
            locals: ecm.column(),
            parents: ecm.column(),
            chain: Vec::new(),
        }
    }

    /// Adds the numbers of a quantity; none when there are none at this instant.
    pub fn read(&mut self, reading: &Reading, numbers: &mut Vec<f64>) {
        let entity = reading.entity;
        match reading.quantity {
            Quantity::Pose => push_pose(numbers, self.pose(entity)),
            Quantity::JointPose => {
                if let Some(joint) = self.ecm.get::<JointSpec>(entity) {
                    push_pose(numbers, self.pose(joint.child) * joint.child_from_joint);
                }
            }
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
            Quantity::Reference => {
                numbers.extend(MotionRobot::reference(self.ecm, entity).map(|told| told.position));
            }
            Quantity::ReferenceVelocity => {
                numbers.extend(MotionRobot::reference(self.ecm, entity).map(|told| told.velocity));
            }
            Quantity::JointForce => push(numbers, self.wrench(entity).map(|(force, _)| force)),
            Quantity::JointTorque => push(numbers, self.wrench(entity).map(|(_, torque)| torque)),
            Quantity::ScriptItem(at) => {
                let items = self.ecm.get::<ScriptItems>(entity).map(|items| &items.0);
                numbers.extend(items.and_then(|items| items.get(at)));
            }
            Quantity::SimTime => numbers.push(self.clock().sim_time.as_secs_f64()),
            Quantity::Iterations => numbers.push(self.clock().iterations as f64),
            Quantity::RealTime => numbers.push(self.measured.real_time.as_secs_f64()),
            Quantity::RealTimeFactor => numbers.push(self.measured.real_time_factor),
        }
    }

    /// Returns the pose of an entity in the world, from what is known of those that hold it.
    fn pose(&mut self, entity: EntityId) -> Pose {
        self.pose_within(entity, Parent::MAX_DEPTH)
    }

    fn pose_within(&mut self, entity: EntityId, depth: usize) -> Pose {
        if let Some((_, pose)) = self.chain.iter().rev().find(|(known, _)| *known == entity) {
            return *pose;
        }
        let parent = self.parents.get(entity).map(|parent| parent.0);
        let world_from_parent = match parent {
            // A ring of parents can only come from a broken replica.
            Some(parent) if depth > 0 => self.pose_within(parent, depth - 1),
            _ => Pose::IDENTITY,
        };
        // What hangs beside it is not asked for again, mostly.
        let kept = parent.and_then(|p| self.chain.iter().position(|(known, _)| *known == p));
        self.chain.truncate(kept.map_or(0, |at| at + 1));
        let pose = match (self.locals.get(entity), parent) {
            (Some(local), Some(_)) => world_from_parent * local.0,
            (Some(local), None) => local.0,
            (None, _) => world_from_parent,
        };
        self.chain.push((entity, pose));
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
