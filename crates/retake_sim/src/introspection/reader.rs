//! Reads quantities of a world.

use retake_components::{
    BodyTwist, Inertia, JointEffort, JointPosition, JointSpec, JointVelocity, LocalPose,
    WorldClock, world_entity,
};
use retake_ecm::{Cursor, Ecm, EntityId, Parent};
use retake_math::{Pose, SimTime, Twist, Vec3};
use retake_physics::Readings;

use super::known::{KnownPoses, PlainPose};
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
    twists: Cursor<'a, BodyTwist>,
    inertias: Cursor<'a, Inertia>,
    locals: Cursor<'a, LocalPose>,
    parents: Cursor<'a, Parent>,
    known: KnownPoses,
}

impl<'a> Reader<'a> {
    /// Reads from a state and what was measured in its last step.
    pub fn new(ecm: &'a Ecm, readings: &'a Readings, measured: Measured) -> Self {
        Self {
            ecm,
            readings,
            measured,
            twists: ecm.column().cursor(),
            inertias: ecm.column().cursor(),
            locals: ecm.column().cursor(),
            parents: ecm.column().cursor(),
            known: KnownPoses::new(),
        }
    }

    /// Adds the numbers of a quantity; none when there are none at this instant.
    // For some values of each body a call costs about as much as what it does.
    #[inline(always)]
    pub fn read(&mut self, reading: &Reading, numbers: &mut Vec<f64>) {
        let entity = reading.entity;
        match reading.quantity {
            Quantity::Pose => push_pose(numbers, &self.world_from_part(entity).pose),
            Quantity::CentrePose => {
                let inertia = self.inertias.get(entity);
                let local = inertia.map_or(&Pose::IDENTITY, |inertia| &inertia.0.link_from_com);
                let world_from_link = self.world_from(entity);
                match world_from_link.absorbs(local) {
                    true => push_pose(numbers, &world_from_link.pose),
                    false => push_pose(numbers, &world_from_link.times(local).pose),
                }
            }
            Quantity::Motion(motion, point) => {
                push(numbers, self.motion(entity, motion, point));
            }
            // Apart, so that what there is of every body is not slowed down by what is rare.
            _ => self.read_other(reading, numbers),
        }
    }

    #[inline(never)]
    fn read_other(&mut self, reading: &Reading, numbers: &mut Vec<f64>) {
        let entity = reading.entity;
        match reading.quantity {
            Quantity::Pose | Quantity::CentrePose | Quantity::Motion(..) => {}
            Quantity::JointPose => {
                if let Some(joint) = self.ecm.get::<JointSpec>(entity) {
                    let world_from_child = self.world_from(joint.child);
                    push_pose(numbers, &world_from_child.times(&joint.child_from_joint).pose);
                }
            }
            Quantity::AxisPosition(axis) => {
                let axes = self.ecm.get::<JointPosition>(entity).map(|axes| &axes.0);
                numbers.extend(axes.and_then(|axes| axes.get(axis as usize)));
            }
            Quantity::AxisVelocity(axis) => {
                let axes = self.ecm.get::<JointVelocity>(entity).map(|axes| &axes.0);
                numbers.extend(axes.and_then(|axes| axes.get(axis as usize)));
            }
            Quantity::AxisEffort(axis) => {
                let axes = self.ecm.get::<JointEffort>(entity).map(|axes| &axes.0);
                numbers.extend(axes.and_then(|axes| axes.get(axis as usize)));
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
                numbers.extend(items.and_then(|items| items.get(at as usize)));
            }
            Quantity::SimTime => numbers.push(self.clock().sim_time.as_secs_f64()),
            Quantity::Iterations => numbers.push(self.clock().iterations as f64),
            Quantity::RealTime => numbers.push(self.measured.real_time.as_secs_f64()),
            Quantity::RealTimeFactor => numbers.push(self.measured.real_time_factor),
        }
    }

    /// Returns the pose of an entity that others are asked for after.
    #[inline]
    fn world_from(&mut self, entity: EntityId) -> &PlainPose {
        if !self.known.has(entity) {
            self.keep_pose(entity, Parent::MAX_DEPTH);
        }
        self.known.kept(entity)
    }

    /// Returns the pose of an entity that is mostly asked for once, as a shape is: where it is
    /// just where its holder is, nothing is kept of it.
    #[inline]
    fn world_from_part(&mut self, entity: EntityId) -> &PlainPose {
        let known = match self.known.has(entity) {
            true => entity,
            false => self.find_pose(entity, Parent::MAX_DEPTH),
        };
        self.known.kept(known)
    }

    #[inline(never)]
    fn keep_pose(&mut self, entity: EntityId, depth: usize) {
        let known = self.find_pose(entity, depth);
        if known != entity {
            self.known.put_at(entity, known);
        }
    }

    /// Finds the pose of an entity, and returns which entity's is kept and has the same bits.
    #[inline(never)]
    fn find_pose(&mut self, entity: EntityId, depth: usize) -> EntityId {
        let local = self.locals.get(entity).map(|local| &local.0);
        // A ring of parents can only come from a broken replica.
        let Some(Parent(parent)) = self.parents.get(entity).filter(|_| depth > 0) else {
            self.known.put(entity, PlainPose::of(*local.unwrap_or(&Pose::IDENTITY)));
            return entity;
        };
        if !self.known.has(*parent) {
            self.keep_pose(*parent, depth - 1);
        }
        let world_from_parent = self.known.kept(*parent);
        match local.filter(|local| !world_from_parent.absorbs(local)) {
            Some(local) => {
                self.known.put(entity, world_from_parent.times(local));
                entity
            }
            None => *parent,
        }
    }

    #[inline]
    fn motion(&mut self, link: EntityId, motion: Motion, point: Point) -> Option<Vec3> {
        // What never moves has no velocity of its own, and none is what it has.
        let twist = self.twists.get(link).map_or(&Twist::ZERO, |twist| &twist.0);
        match motion {
            Motion::LinearVelocity => Some(match point {
                Point::Origin => twist.linear,
                Point::Centre => {
                    let centre = self.centre(link);
                    self.world_from(link).velocity_at(centre, twist)
                }
            }),
            Motion::AngularVelocity => Some(twist.angular),
            Motion::LinearAcceleration
            | Motion::AngularAcceleration
            | Motion::Force
            | Motion::Torque => self.pushed(link, motion, point),
        }
    }

    #[inline(never)]
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
        let centre = self.centre(link);
        self.world_from(link).pose.transform_vector(centre)
    }

    /// Where the centre of mass is in the link.
    #[inline]
    fn centre(&mut self, link: EntityId) -> Vec3 {
        let inertia = self.inertias.get(link);
        inertia.map_or(Vec3::ZERO, |inertia| inertia.0.link_from_com.position)
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

fn push_pose(numbers: &mut Vec<f64>, pose: &Pose) {
    let (p, q) = (pose.position, pose.rotation);
    numbers.extend([p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
}
