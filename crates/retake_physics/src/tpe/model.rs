//! One model: links that follow joints, and roots that keep their velocity.

use retake_description::{JointAxis, JointKind};
use retake_ecm::EntityId;
use retake_math::{Pose, Quat, Twist, Vec3};
use serde::{Deserialize, Serialize};

use crate::{
    AfterTeleport, Assembly, BodyState, EngineError, EngineNote, JointDrive, JointSpec, JointState,
};

/// A model.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Model {
    is_static: bool,
    bodies: Vec<Body>,
    /// Each comes after the joint that carries its parent.
    joints: Vec<Joint>,
}

/// A link.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Body {
    link: EntityId,
    pub(super) pose: Pose,
    twist: Twist,
    /// Whether a joint decides about it.
    held: bool,
    /// Whether it moved in the last step or was moved since.
    pub(super) moved: bool,
}

/// A joint that carries a link.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Joint {
    pub(super) entity: EntityId,
    kind: JointKind,
    /// Index of the parent; none is the world.
    parent: Option<usize>,
    child: usize,
    /// Frame of the joint at zero in the parent.
    parent_from_near: Pose,
    far_from_child: Pose,
    /// Radians for each metre of a screw.
    pitch: f64,
    pub(super) axes: Vec<Axis>,
}

/// An axis of a joint.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Axis {
    pub(super) axis: JointAxis,
    pub(super) position: f64,
    pub(super) velocity: f64,
    pub(super) drive: JointDrive,
    leader: Option<EntityId>,
}

impl Axis {
    pub(super) fn state(&self) -> JointState {
        JointState { position: self.position, velocity: self.velocity, effort: 0.0 }
    }

    /// Goes where the drive says, no faster and no farther than the limits allow.
    fn advance(&mut self, dt_secs: f64) {
        let limits = &self.axis.limits;
        let wanted = match self.drive {
            JointDrive::Free | JointDrive::Effort(_) => self.velocity,
            JointDrive::Velocity { target, .. } => target,
            JointDrive::Position { target, .. } => (target - self.position) / dt_secs,
        };
        let velocity = wanted.clamp(-limits.velocity, limits.velocity);
        let free = self.position + velocity * dt_secs;
        let position = free.clamp(limits.lower, limits.upper);
        self.velocity = if position == free { velocity } else { 0.0 };
        self.position = position;
    }

    fn direction(&self) -> Vec3 {
        self.axis.xyz.normalize()
    }
}

impl Body {
    pub(super) fn state(&self) -> BodyState {
        BodyState { world_from_link: self.pose, twist: self.twist, asleep: false }
    }

    fn place(&mut self, pose: Pose, twist: Twist) {
        self.moved |= self.pose != pose || self.twist != twist;
        (self.pose, self.twist) = (pose, twist);
    }
}

impl Joint {
    /// Where the child's side of the joint is, seen from the parent's side.
    fn displacement(&self) -> Pose {
        let axes: Vec<(Vec3, f64)> =
            self.axes.iter().map(|axis| (axis.axis.xyz, axis.position)).collect();
        self.kind.displacement(self.pitch, &axes)
    }

    /// Velocity of the child's side against the parent's, in the axes of the parent's side.
    fn relative_twist(&self) -> Twist {
        let speed = |axis: &Axis| axis.direction() * axis.velocity;
        match (self.kind, self.axes.as_slice()) {
            (JointKind::Prismatic, [axis]) => Twist { linear: speed(axis), angular: Vec3::ZERO },
            (JointKind::Screw, [axis]) => {
                Twist { linear: speed(axis) / self.pitch, angular: speed(axis) }
            }
            (JointKind::Revolute | JointKind::Continuous, [axis]) => {
                Twist { linear: Vec3::ZERO, angular: speed(axis) }
            }
            (_, [first, second]) => {
                let turned = Quat::from_axis_angle(first.direction(), first.position);
                Twist { linear: Vec3::ZERO, angular: speed(first) + turned * speed(second) }
            }
            _ => Twist::ZERO,
        }
    }
}

impl Model {
    pub(super) fn new(
        assembly: &Assembly,
        notes: &mut Vec<EngineNote>,
    ) -> Result<Self, EngineError> {
        let body = |spec: &crate::BodySpec| Body {
            link: spec.link,
            pose: spec.world_from_link.normalized(),
            twist: if assembly.is_static { Twist::ZERO } else { spec.twist },
            held: false,
            moved: true,
        };
        let mut model = Self {
            is_static: assembly.is_static,
            bodies: assembly.bodies.iter().map(body).collect(),
            joints: Vec::new(),
        };
        let mut waiting: Vec<&JointSpec> = assembly.joints.iter().collect();
        // Whatever cannot come after its parent closes a ring; it is added last and holds nothing.
        while let Some(next) = model.next_joint(&waiting) {
            model.add_joint(waiting.remove(next), notes)?;
        }
        for spec in waiting {
            model.add_joint(spec, notes)?;
        }
        model.place_links();
        Ok(model)
    }

    /// The first joint whose parent no other waiting joint carries.
    fn next_joint(&self, waiting: &[&JointSpec]) -> Option<usize> {
        let carried = |link: EntityId| waiting.iter().any(|joint| joint.child == link);
        waiting.iter().position(|joint| joint.parent.is_none_or(|parent| !carried(parent)))
    }

    fn add_joint(
        &mut self,
        spec: &JointSpec,
        notes: &mut Vec<EngineNote>,
    ) -> Result<(), EngineError> {
        let place = |link: EntityId| {
            let what = "a link of the joint is not part of its model".to_owned();
            let unknown = EngineError::Unsupported { entity: spec.joint, what };
            self.bodies.iter().position(|body| body.link == link).ok_or(unknown)
        };
        let (parent, child) = (spec.parent.map(place).transpose()?, place(spec.child)?);
        let couples = spec.kind == JointKind::Gearbox;
        if self.bodies[child].held || couples {
            let what = if couples { "couples others" } else { "closes a loop" };
            let message = format!("the joint {what}; it is not followed by tpe");
            notes.push(EngineNote { entity: spec.joint, message });
        }
        let axes = spec.axes.iter().map(|given| Axis {
            axis: given.axis.clone(),
            position: given.position,
            velocity: given.velocity,
            drive: JointDrive::Free,
            leader: given.leader,
        });
        let world_from_far = self.bodies[child].pose * spec.child_from_joint.normalized();
        let mut joint = Joint {
            entity: spec.joint,
            kind: spec.kind,
            parent,
            child,
            parent_from_near: Pose::IDENTITY,
            far_from_child: spec.child_from_joint.normalized().inverse(),
            pitch: if spec.thread_pitch == 0.0 { 1.0 } else { spec.thread_pitch },
            axes: axes.collect(),
        };
        let world_from_parent = parent.map_or(Pose::IDENTITY, |parent| self.bodies[parent].pose);
        joint.parent_from_near =
            world_from_parent.inverse() * world_from_far * joint.displacement().inverse();
        if self.bodies[child].held || couples {
            // It shows where it stands and moves nothing: a fixed joint of a link to itself.
            joint.kind = JointKind::Fixed;
        } else {
            self.bodies[child].held = true;
        }
        self.joints.push(joint);
        Ok(())
    }

    pub(super) fn bodies(&self) -> impl Iterator<Item = (EntityId, &Body)> {
        self.bodies.iter().map(|body| (body.link, body))
    }

    pub(super) fn joints(&self) -> impl Iterator<Item = &Joint> {
        self.joints.iter()
    }

    pub(super) fn body(&self, link: EntityId) -> Option<&Body> {
        self.bodies.iter().find(|body| body.link == link)
    }

    pub(super) fn joint_mut(&mut self, joint: EntityId) -> Option<&mut Joint> {
        self.joints.iter_mut().find(|known| known.entity == joint)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bodies.len() * size_of::<Body>()
            + self
                .joints
                .iter()
                .map(|joint| size_of::<Joint>() + joint.axes.len() * size_of::<Axis>())
                .sum::<usize>()
    }

    /// Says whether every joint is between bodies that are there.
    pub(super) fn is_whole(&self) -> bool {
        let is_there = |at: usize| at < self.bodies.len();
        self.joints.iter().all(|joint| joint.parent.is_none_or(is_there) && is_there(joint.child))
    }

    /// Everything that decides about the future.
    pub(super) fn hashed(&self) -> impl Serialize {
        let bodies: Vec<_> = self.bodies.iter().map(|body| (body.pose, body.twist)).collect();
        let axes = self.joints.iter().flat_map(|joint| &joint.axes);
        let axes: Vec<_> = axes.map(|axis| (axis.position, axis.velocity, axis.drive)).collect();
        (bodies, axes)
    }

    pub(super) fn step(&mut self, dt_secs: f64) {
        self.bodies.iter_mut().for_each(|body| body.moved = false);
        if self.is_static {
            return;
        }
        for axis in self.joints.iter_mut().flat_map(|joint| &mut joint.axes) {
            axis.advance(dt_secs);
        }
        self.follow_leaders();
        for body in self.bodies.iter_mut().filter(|body| !body.held) {
            let Twist { linear, angular } = body.twist;
            let turn = Quat::from_scaled_axis(angular * dt_secs);
            let pose = Pose::new(body.pose.position + linear * dt_secs, turn * body.pose.rotation);
            body.place(pose.normalized(), body.twist);
        }
        self.place_links();
    }

    fn follow_leaders(&mut self) {
        let led: Vec<(EntityId, f64, f64)> = self
            .joints
            .iter()
            .filter_map(|joint| joint.axes.first().map(|a| (joint.entity, a.position, a.velocity)))
            .collect();
        for axis in self.joints.iter_mut().flat_map(|joint| &mut joint.axes) {
            let (Some(mimic), Some(leader)) = (&axis.axis.mimic, axis.leader) else { continue };
            let Some((_, position, velocity)) = led.iter().find(|(id, ..)| *id == leader) else {
                continue;
            };
            axis.position = mimic.multiplier * (position - mimic.reference) + mimic.offset;
            axis.velocity = mimic.multiplier * velocity;
        }
    }

    /// Puts every held link where its joints say.
    pub(super) fn place_links(&mut self) {
        if self.is_static {
            return;
        }
        for index in 0..self.joints.len() {
            let joint = &self.joints[index];
            if joint.kind == JointKind::Fixed && !self.carries(index) {
                continue;
            }
            let (parent_pose, parent_twist) = match joint.parent {
                Some(parent) => (self.bodies[parent].pose, self.bodies[parent].twist),
                None => (Pose::IDENTITY, Twist::ZERO),
            };
            let world_from_near = parent_pose * joint.parent_from_near;
            let world_from_far = world_from_near * joint.displacement();
            let pose = (world_from_far * joint.far_from_child).normalized();
            let own = joint.relative_twist();
            let (slide, spin) = (
                world_from_near.transform_vector(own.linear),
                world_from_near.transform_vector(own.angular),
            );
            let from_parent = pose.position - parent_pose.position;
            let linear = parent_twist.linear
                + parent_twist.angular.cross(from_parent)
                + slide
                + spin.cross(pose.position - world_from_far.position);
            let twist = Twist { linear, angular: parent_twist.angular + spin };
            let child = joint.child;
            self.bodies[child].place(pose, twist);
        }
    }

    /// Says whether a joint is the one that carries its child.
    fn carries(&self, index: usize) -> bool {
        let child = self.joints[index].child;
        self.joints.iter().position(|joint| joint.child == child) == Some(index)
    }

    /// Moves everything rigidly so that a link gets a pose.
    pub(super) fn teleport(&mut self, link: EntityId, pose: Pose, velocities: AfterTeleport) {
        let Some(old) = self.body(link).map(|body| body.pose) else { return };
        let moved_by = pose * old.inverse();
        for body in &mut self.bodies {
            let new = if body.link == link { pose } else { (moved_by * body.pose).normalized() };
            let twist = match velocities {
                AfterTeleport::KeepVelocities => body.twist,
                AfterTeleport::Rest => Twist::ZERO,
            };
            body.place(new, twist);
        }
        for joint in &mut self.joints {
            if joint.parent.is_none() {
                joint.parent_from_near = (moved_by * joint.parent_from_near).normalized();
            }
            if velocities == AfterTeleport::Rest {
                joint.axes.iter_mut().for_each(|axis| axis.velocity = 0.0);
            }
        }
        self.place_links();
    }

    /// Sets the velocity of a link and says whether that can be.
    pub(super) fn set_twist(&mut self, link: EntityId, twist: Twist) -> bool {
        let is_static = self.is_static;
        let Some(body) = self.bodies.iter_mut().find(|body| body.link == link) else {
            return false;
        };
        if body.held || is_static {
            return false;
        }
        body.place(body.pose, twist);
        self.place_links();
        true
    }
}
