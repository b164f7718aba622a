//! What a world offers of each entity, and what it is called.

use retake_components::{Finder, Inertia, JointSpec, Kind, world_entity};
use retake_description::JointKind;
use retake_ecm::{Ecm, EntityId};
use retake_introspection::{Item, ItemType};

use crate::systems::motion::MotionRobot;
use crate::systems::script::ScriptItemNames;

/// A quantity of an entity that can be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Where it is.
    Pose,
    /// How a link moves, at its origin or its centre of mass.
    Motion(Motion, Point),
    /// Where the centre of mass is.
    CentrePose,
    /// Where a joint is, on its child.
    JointPose,
    /// Position of a joint's axis.
    AxisPosition(u32),
    /// Velocity of a joint's axis.
    AxisVelocity(u32),
    /// Effort that drives a joint's axis.
    AxisEffort(u32),
    /// Where players want a joint to be.
    Reference,
    /// How fast players want a joint to be.
    ReferenceVelocity,
    /// What a joint passes on to its child.
    JointForce,
    /// The same about its origin.
    JointTorque,
    /// A number that a script shows, counted in the order of their names.
    ScriptItem(u32),
    /// Of the world: simulated time.
    SimTime,
    /// Of the world: how long it ran on the clock on the wall.
    RealTime,
    /// Of the world: steps made.
    Iterations,
    /// Of the world: simulated seconds for each real second.
    RealTimeFactor,
}

/// How a link moves or is pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Linear velocity.
    LinearVelocity,
    /// Angular velocity.
    AngularVelocity,
    /// Linear acceleration.
    LinearAcceleration,
    /// Angular acceleration.
    AngularAcceleration,
    /// Net force.
    Force,
    /// Net torque.
    Torque,
}

/// Where a link's motion is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// At its origin.
    Origin,
    /// At its centre of mass.
    Centre,
}

/// What stands in front of quantities at a link's centre of mass.
const INERTIAL: &str = "inertial::";

const MOTIONS: [(&str, Motion, &str); 6] = [
    ("linear_velocity", Motion::LinearVelocity, "m/s"),
    ("angular_velocity", Motion::AngularVelocity, "rad/s"),
    ("linear_acceleration", Motion::LinearAcceleration, "m/s^2"),
    ("angular_acceleration", Motion::AngularAcceleration, "rad/s^2"),
    ("force", Motion::Force, "N"),
    ("torque", Motion::Torque, "N m"),
];

/// A quantity with what is known of it besides the entity.
pub struct Offered {
    /// Name, without that of the entity.
    pub name: String,
    /// The quantity.
    pub quantity: Quantity,
    /// Type of its values.
    pub kind: ItemType,
    /// Unit of its numbers.
    pub unit: &'static str,
    /// Frame that it is expressed in.
    pub frame: &'static str,
}

/// Lists what a world offers of an entity, in the order in which people look for it.
pub fn offered(ecm: &Ecm, entity: EntityId) -> Vec<Offered> {
    match ecm.get::<Kind>(entity) {
        Some(Kind::Model | Kind::Collision | Kind::Visual) => vec![pose("pose", Quantity::Pose)],
        Some(Kind::Link) => of_link(ecm, entity),
        Some(Kind::Joint) => of_joint(ecm, entity),
        Some(Kind::World) => of_world(),
        Some(Kind::Plugin) => of_plugin(ecm, entity),
        Some(Kind::Light | Kind::Sensor | Kind::Frame) | None => Vec::new(),
    }
}

/// Finds what an item's name means: `model::link::linear_velocity`, `sim_time`.
pub fn find(ecm: &Ecm, name: &str) -> Option<(EntityId, Offered)> {
    find_by(ecm, &mut Finder::of(ecm), name)
}

/// Finds what the names of many items mean, one after the other.
pub(super) fn find_by(
    ecm: &Ecm,
    finder: &mut Finder<'_>,
    name: &str,
) -> Option<(EntityId, Offered)> {
    let (entity, quantity) = match name.rsplit_once("::") {
        None => (world_entity(ecm)?, name),
        Some((path, quantity)) => match path.strip_suffix("::inertial") {
            Some(link) => match finder.find(link).filter(|e| is_link(ecm, *e)) {
                Some(link) => (link, &name[name.len() - quantity.len() - INERTIAL.len()..]),
                None => (finder.find(path)?, quantity),
            },
            None => (finder.find(path)?, quantity),
        },
    };
    let offered = offered(ecm, entity).into_iter().find(|offered| offered.name == quantity)?;
    Some((entity, offered))
}

impl Offered {
    /// Describes the item of an entity; `path` is empty for the world.
    pub fn item(&self, path: &str) -> Item {
        let name = match path {
            "" => self.name.clone(),
            path => format!("{path}::{}", self.name),
        };
        Item { name, kind: self.kind, unit: self.unit, frame: self.frame }
    }
}

fn is_link(ecm: &Ecm, entity: EntityId) -> bool {
    ecm.get::<Kind>(entity) == Some(&Kind::Link)
}

fn pose(name: &str, quantity: Quantity) -> Offered {
    let name = name.to_owned();
    Offered { name, quantity, kind: ItemType::Pose, unit: "m", frame: "world" }
}

fn of_link(ecm: &Ecm, link: EntityId) -> Vec<Offered> {
    let mut all = vec![pose("pose", Quantity::Pose)];
    all.extend(motions("", Point::Origin));
    if ecm.get::<Inertia>(link).is_some() {
        all.push(pose("inertial::pose", Quantity::CentrePose));
        all.extend(motions(INERTIAL, Point::Centre));
    }
    all
}

fn motions(prefix: &str, point: Point) -> impl Iterator<Item = Offered> {
    MOTIONS.iter().map(move |(name, motion, unit)| Offered {
        name: format!("{prefix}{name}"),
        quantity: Quantity::Motion(*motion, point),
        kind: ItemType::Vector3,
        unit,
        frame: "world",
    })
}

fn of_joint(ecm: &Ecm, joint: EntityId) -> Vec<Offered> {
    let mut all = vec![pose("pose", Quantity::JointPose)];
    let Some(spec) = ecm.get::<JointSpec>(joint) else { return all };
    let count = spec.axes.len() as u32;
    for axis in 0..count {
        let (position, units) = match spec.kind {
            JointKind::Prismatic => ("position", ["m", "m/s", "N"]),
            _ => ("angle", ["rad", "rad/s", "N m"]),
        };
        // One axis needs no number.
        let numbered = |name: &str| match count {
            1 => name.to_owned(),
            _ => format!("{name}_{axis}"),
        };
        let number = |name: &str, quantity, unit| Offered {
            name: numbered(name),
            quantity,
            kind: ItemType::Double,
            unit,
            frame: "",
        };
        all.push(number(position, Quantity::AxisPosition(axis), units[0]));
        all.push(number("velocity", Quantity::AxisVelocity(axis), units[1]));
        all.push(number("effort", Quantity::AxisEffort(axis), units[2]));
        if MotionRobot::moves(ecm, joint) {
            all.push(number("reference", Quantity::Reference, units[0]));
            all.push(number("reference_velocity", Quantity::ReferenceVelocity, units[1]));
        }
    }
    for (name, quantity, unit) in
        [("force", Quantity::JointForce, "N"), ("torque", Quantity::JointTorque, "N m")]
    {
        let name = name.to_owned();
        all.push(Offered { name, quantity, kind: ItemType::Vector3, unit, frame: "world" });
    }
    all
}

/// What a script shows.
fn of_plugin(ecm: &Ecm, plugin: EntityId) -> Vec<Offered> {
    let names = ecm.get::<ScriptItemNames>(plugin).map_or(&[][..], |names| &names.0);
    let item = |(at, name): (usize, &String)| Offered {
        name: name.clone(),
        quantity: Quantity::ScriptItem(at as u32),
        kind: ItemType::Double,
        unit: "",
        frame: "",
    };
    names.iter().enumerate().map(item).collect()
}

fn of_world() -> Vec<Offered> {
    let number = |name: &str, quantity, kind, unit| Offered {
        name: name.to_owned(),
        quantity,
        kind,
        unit,
        frame: "",
    };
    vec![
        number("sim_time", Quantity::SimTime, ItemType::Time, "s"),
        number("real_time", Quantity::RealTime, ItemType::Time, "s"),
        number("iterations", Quantity::Iterations, ItemType::Int, ""),
        number("real_time_factor", Quantity::RealTimeFactor, ItemType::Double, ""),
    ]
}
