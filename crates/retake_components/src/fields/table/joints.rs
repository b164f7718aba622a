//! Joints.

use retake_description::JointKind;
use retake_description::bounds::{self, Bound};
use retake_ecm::Component;

use super::NOT_NEGATIVE;
use crate::fields::{EditableComponent, Field, FieldShape};
use crate::{JointPosition, JointSpec, Kind};

const KINDS: &[&str] = &JointKind::NAMES;

/// Beyond it a limit is none, as files have it.
const LIMIT: Bound = Bound { least: -1e16, most: 1e16, words: "-1e16 to 1e16, or infinite" };

pub(super) const JOINT: EditableComponent = EditableComponent {
    name: JointSpec::NAME,
    kinds: &[Kind::Joint],
    fields: &[
        Field::choice("kind", "Kind", KINDS).help("What it lets move"),
        Field::new("parent", "Parent link", FieldShape::Entity(&[Kind::Link]))
            .optional()
            .help("The link that carries the other; none is the world"),
        Field::new("child", "Child link", FieldShape::Entity(&[Kind::Link]))
            .help("The link that is carried"),
        Field::new("child_from_joint", "Pose in child", FieldShape::Pose)
            .unit("m")
            .help("Where the joint is in the child link"),
        Field::direction("axes.*.xyz", "Axis").help("Direction in the joint's frame"),
        Field::limit("axes.*.limits.lower", "Lower limit", LIMIT)
            .unit("rad|m")
            .help("Lowest position; -inf is none"),
        Field::limit("axes.*.limits.upper", "Upper limit", LIMIT)
            .unit("rad|m")
            .help("Highest position; inf is none"),
        Field::limit("axes.*.limits.effort", "Effort limit", NOT_NEGATIVE)
            .unit("N m|N")
            .help("Greatest effort of a motor; inf is none"),
        Field::limit("axes.*.limits.velocity", "Velocity limit", NOT_NEGATIVE)
            .unit("rad/s|m/s")
            .help("Greatest speed; inf is none"),
        Field::number("axes.*.dynamics.damping", "Damping", bounds::GAIN)
            .unit("N m s/rad|N s/m")
            .help("Viscous damping"),
        Field::number("axes.*.dynamics.friction", "Dry friction", bounds::GAIN)
            .unit("N m|N")
            .help("Dry friction of the joint"),
        Field::number(
            "axes.*.dynamics.spring_reference",
            "Spring reference",
            bounds::JOINT_POSITION,
        )
        .unit("rad|m")
        .help("Position at which the spring is at rest"),
        Field::number("axes.*.dynamics.spring_stiffness", "Spring stiffness", bounds::GAIN)
            .unit("N m/rad|N/m")
            .help("Stiffness of the spring"),
        Field::part("axes.*.mimic", "Mimic").help("Whether it follows another joint"),
        Field::text("axes.*.mimic.joint", "Leader").help("Name of the joint that leads"),
        Field::number("axes.*.mimic.multiplier", "Multiplier", bounds::RATIO)
            .help("How far it moves for each step of the leader"),
        Field::number("axes.*.mimic.offset", "Offset", bounds::JOINT_POSITION)
            .unit("rad|m")
            .help("Added at the end"),
        Field::number("axes.*.mimic.reference", "Reference", bounds::JOINT_POSITION)
            .unit("rad|m")
            .help("Position of the leader that counts as zero"),
        Field::number("thread_pitch", "Thread pitch", bounds::RATIO)
            .unit("rad/m")
            .help("How far a screw turns for each metre"),
        Field::number("gearbox_ratio", "Gearbox ratio", bounds::RATIO)
            .help("Turns of the parent, backwards, for each turn of the child"),
    ],
};

pub(super) const JOINT_POSITION: EditableComponent = EditableComponent {
    name: JointPosition::NAME,
    kinds: &[Kind::Joint],
    fields: &[Field::number("*", "Position", bounds::JOINT_POSITION)
        .unit("rad|m")
        .help("Where the axis stands, within its limits; it comes to rest there")],
};
