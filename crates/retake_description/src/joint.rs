//! Joints.

use retake_math::{Pose, Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::Element;

/// Parent of a joint that is fixed to the world.
pub const WORLD_LINK: &str = "world";

/// A joint between two links, or between the world and a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Name, unique in its model.
    pub name: String,
    /// Kind.
    pub kind: JointKind,
    /// Parent link, scoped by `::` from the model (or world) that holds the joint, or
    /// [`WORLD_LINK`].
    pub parent: String,
    /// Child link, scoped likewise.
    pub child: String,
    /// Pose of the joint in the child link's frame.
    pub child_from_joint: Pose,
    /// Axes in the joint's frame: none, one or two, as the kind asks.
    pub axes: Vec<JointAxis>,
    /// Turns per metre of a screw joint: radians turned for each metre moved.
    pub thread_pitch: f64,
    /// Ratio of a gearbox joint.
    pub gearbox_ratio: f64,
    /// What the file says beyond that.
    pub extras: Vec<Element>,
}

/// Kind of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JointKind {
    /// No freedom.
    Fixed,
    /// Turns about one axis within limits.
    Revolute,
    /// Turns about one axis without end.
    Continuous,
    /// Slides along one axis.
    Prismatic,
    /// Turns about every axis.
    Ball,
    /// Turns about two crossing axes.
    Universal,
    /// Two revolute joints in a row.
    Revolute2,
    /// Turns and slides together.
    Screw,
    /// Couples two revolute joints by a ratio.
    Gearbox,
}

impl JointKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Fixed,
        Self::Revolute,
        Self::Continuous,
        Self::Prismatic,
        Self::Ball,
        Self::Universal,
        Self::Revolute2,
        Self::Screw,
        Self::Gearbox,
    ];

    /// The name of every kind, in the order of [`JointKind::ALL`].
    pub const NAMES: [&str; 9] = {
        let mut names = [""; 9];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].name();
            at += 1;
        }
        names
    };

    /// Returns the name by which SDF calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute => "revolute",
            Self::Continuous => "continuous",
            Self::Prismatic => "prismatic",
            Self::Ball => "ball",
            Self::Universal => "universal",
            Self::Revolute2 => "revolute2",
            Self::Screw => "screw",
            Self::Gearbox => "gearbox",
        }
    }

    /// Finds the kind that SDF calls `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns how many axes the kind has.
    pub fn axis_count(self) -> usize {
        match self {
            Self::Fixed | Self::Ball => 0,
            Self::Revolute | Self::Continuous | Self::Prismatic | Self::Screw => 1,
            Self::Universal | Self::Revolute2 | Self::Gearbox => 2,
        }
    }

    /// Returns how many coordinates of a tree it takes, those of a screw's turn and way among them.
    pub fn freedoms(self) -> usize {
        match self {
            Self::Fixed | Self::Gearbox => 0,
            Self::Revolute | Self::Continuous | Self::Prismatic => 1,
            Self::Universal | Self::Revolute2 | Self::Screw => 2,
            Self::Ball => 3,
        }
    }

    /// Returns where the child's side of a joint is, seen from the parent's side, when its axes with
    /// these directions stand at these positions.
    ///
    /// `thread_pitch` is that of a screw, in radians for each metre; 0 counts as 1. A ball joint
    /// has no positions, so that nothing is known of it.
    pub fn displacement(self, thread_pitch: f64, axes: &[(Vec3, f64)]) -> Pose {
        let direction = |xyz: Vec3| xyz.normalize_or(Vec3::Z);
        let turn = |(xyz, angle): (Vec3, f64)| Quat::from_axis_angle(direction(xyz), angle);
        match (self, axes) {
            (Self::Prismatic, &[(xyz, way)]) => Pose::from_position(direction(xyz) * way),
            (Self::Screw, &[(xyz, angle)]) => {
                let pitch = if thread_pitch == 0.0 { 1.0 } else { thread_pitch };
                Pose::new(direction(xyz) * (angle / pitch), turn((xyz, angle)))
            }
            (_, &[only]) => Pose::new(Vec3::ZERO, turn(only)),
            (_, &[first, second]) => Pose::new(Vec3::ZERO, turn(first) * turn(second)),
            _ => Pose::IDENTITY,
        }
    }

    /// Says whether its one coordinate is a length in metres rather than an angle.
    pub fn is_linear(self) -> bool {
        self == Self::Prismatic
    }
}

/// One axis of a joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointAxis {
    /// Unit direction in the joint's frame.
    pub xyz: Vec3,
    /// Limits.
    pub limits: JointLimits,
    /// Passive forces.
    pub dynamics: JointDynamics,
    /// The joint that this one follows.
    pub mimic: Option<Mimic>,
}

impl Default for JointAxis {
    fn default() -> Self {
        Self {
            xyz: Vec3::Z,
            limits: JointLimits::default(),
            dynamics: JointDynamics::default(),
            mimic: None,
        }
    }
}

/// Limits of an axis; angles in radians, lengths in metres. Infinite means none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointLimits {
    /// Lowest position.
    pub lower: f64,
    /// Highest position.
    pub upper: f64,
    /// Greatest effort of a motor, in N or N m.
    pub effort: f64,
    /// Greatest speed, in m/s or rad/s.
    pub velocity: f64,
}

impl Default for JointLimits {
    fn default() -> Self {
        Self {
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            effort: f64::INFINITY,
            velocity: f64::INFINITY,
        }
    }
}

/// Passive forces of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointDynamics {
    /// Viscous damping, in N s/m or N m s/rad.
    pub damping: f64,
    /// Dry friction, in N or N m.
    pub friction: f64,
    /// Position at which the spring is at rest.
    pub spring_reference: f64,
    /// Stiffness of the spring, in N/m or N m/rad.
    pub spring_stiffness: f64,
}

/// Follows another joint: `multiplier * (leader - reference) + offset`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mimic {
    /// Name of the joint that leads.
    pub joint: String,
    /// Factor.
    pub multiplier: f64,
    /// Offset added at the end.
    pub offset: f64,
    /// Position of the leader that counts as zero.
    pub reference: f64,
}
