//! Worlds for the benchmarks, made here so that they run anywhere.

use clap::ValueEnum;
use retake_description::{
    Collision, Friction, Geometry, Joint, JointAxis, JointKind, Link, Model, Surface, Visual,
    WORLD_LINK, World,
};
use retake_math::{Inertial, Pose, Vec3};

/// Length of a step in seconds.
pub(super) const STEP_SECS: f64 = 0.001;
/// Width of a box.
pub(super) const BOX_WIDTH: f64 = 0.5;
/// Boxes in a column.
pub(super) const PER_COLUMN: u32 = 10;
/// Angles that the springs of an arm pull to, from its base on: it swings as long as it is watched.
const ARM_REFERENCES: [f64; 6] = [0.4, 0.5, -0.3, -0.6, 0.2, 0.4];

/// The scenes whose steps are compared with those of other engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scene {
    /// 1,000 boxes that fall upon one another in columns
    Boxes,
    /// 10 stacks of 10 boxes
    Stacks,
    /// 10 arms of 6 joints that swing on springs
    Arms,
    /// A body on four legs of 3 joints that bends its knees
    Quadruped,
}

impl Scene {
    /// Makes the world of a scene.
    pub(super) fn world(self) -> World {
        match self {
            Self::Boxes => falling_boxes(1000),
            Self::Stacks => stacks(),
            Self::Arms => arms(),
            Self::Quadruped => quadruped(),
        }
    }
}

/// Columns of boxes above a ground, a little apart so that they fall and pile up.
pub(super) fn falling_boxes(count: u32) -> World {
    columns(count, 0.6, 0.3)
}

/// Ten stacks of ten boxes that stand.
pub(super) fn stacks() -> World {
    columns(100, 0.5, 0.25)
}

/// Ten arms of six joints, each on its own base, that swing on springs.
pub(super) fn arms() -> World {
    let mut world = empty();
    world.models.extend((0..10).map(arm));
    world
}

/// A body on four legs of three joints whose springs bend its knees.
pub(super) fn quadruped() -> World {
    let mut world = empty();
    let size = Vec3::new(0.6, 0.3, 0.1);
    let mut robot = Model {
        name: "quadruped".to_owned(),
        links: vec![link("body", Vec3::Z * 0.45, Geometry::Box { size }, 20.0)],
        ..Model::default()
    };
    for (leg, (x, y)) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].iter().enumerate() {
        add_leg(&mut robot, leg, Vec3::new(0.25 * x, 0.15 * y, 0.45));
    }
    world.models.push(robot);
    world
}

fn columns(count: u32, gap: f64, lowest: f64) -> World {
    let columns = count.div_ceil(PER_COLUMN).max(1);
    let side = f64::from(columns).sqrt().ceil() as u32;
    let mut world = empty();
    world.models.extend((0..count).map(|index| {
        let (column, level) = (index / PER_COLUMN, index % PER_COLUMN);
        let (x, y) = (f64::from(column % side), f64::from(column / side));
        let position = Vec3::new(x * 1.5, y * 1.5, lowest + gap * f64::from(level));
        let geometry = Geometry::Box { size: Vec3::splat(BOX_WIDTH) };
        Model {
            name: format!("box_{index}"),
            parent_from_model: Pose::from_position(position),
            links: vec![link("link", Vec3::ZERO, geometry, 1.0)],
            ..Model::default()
        }
    }));
    world
}

fn empty() -> World {
    let geometry = Geometry::Plane { normal: Vec3::Z, size: [100.0, 100.0] };
    let mut world = World { name: "bench".to_owned(), ..World::default() };
    world.profiles[0].max_step_size_secs = STEP_SECS;
    world.models.push(Model {
        name: "ground".to_owned(),
        is_static: true,
        links: vec![link("link", Vec3::ZERO, geometry, 1.0)],
        ..Model::default()
    });
    world
}

fn arm(index: u32) -> Model {
    const REACH: f64 = 0.25;
    let mut model = Model {
        name: format!("arm_{index}"),
        parent_from_model: Pose::from_position(Vec3::Y * f64::from(index)),
        ..Model::default()
    };
    for (number, reference) in (0..6).zip(ARM_REFERENCES) {
        let geometry = Geometry::Cylinder { radius: 0.04, length: REACH * 0.8 };
        let place = Vec3::Z * (0.5 + REACH * f64::from(number));
        let name = format!("link_{number}");
        let parent = match number {
            0 => WORLD_LINK.to_owned(),
            _ => format!("link_{}", number - 1),
        };
        let xyz = if number % 2 == 0 { Vec3::Z } else { Vec3::Y };
        let spring = Spring { above: -REACH / 2.0, xyz, reference };
        model.joints.push(spring.joint(&format!("joint_{number}"), (&parent, &name)));
        model.links.push(link(&name, place, geometry, 2.0 - 0.25 * f64::from(number)));
    }
    model
}

fn add_leg(robot: &mut Model, leg: usize, hip: Vec3) {
    let mut parent = "body".to_owned();
    let parts = [
        ("hip", 0.0, Vec3::X, 0.0),
        ("thigh", 0.2, Vec3::Y, 0.4),
        // Twice the angle of the thigh, so that the foot stays below the hip.
        ("shank", 0.2, Vec3::Y, -0.8),
    ];
    let mut top = hip;
    for (part, length, xyz, reference) in parts {
        let name = format!("{part}_{leg}");
        let foot = part == "shank";
        // The foot is the end of the shank; the other parts do not collide.
        let geometry = if foot { Geometry::Sphere { radius: 0.05 } } else { Geometry::Empty };
        let place = top - Vec3::Z * length;
        let spring = Spring { above: length, xyz, reference };
        robot.joints.push(spring.joint(&format!("{name}_joint"), (&parent, &name)));
        robot.links.push(link(&name, place, geometry, 0.4));
        (parent, top) = (name, place);
    }
}

/// A hinge `above` the child's origin that a spring pulls to an angle.
struct Spring {
    above: f64,
    xyz: Vec3,
    reference: f64,
}

impl Spring {
    fn joint(&self, name: &str, (parent, child): (&str, &str)) -> Joint {
        let mut axis = JointAxis { xyz: self.xyz, ..JointAxis::default() };
        (axis.dynamics.spring_stiffness, axis.dynamics.damping) = (500.0, 10.0);
        axis.dynamics.spring_reference = self.reference;
        Joint {
            name: name.to_owned(),
            kind: JointKind::Revolute,
            parent: parent.to_owned(),
            child: child.to_owned(),
            child_from_joint: Pose::from_position(Vec3::Z * self.above),
            axes: vec![axis],
            thread_pitch: 1.0,
            gearbox_ratio: 1.0,
            extras: Vec::new(),
        }
    }
}

fn link(name: &str, place: Vec3, geometry: Geometry, mass_kg: f64) -> Link {
    let friction = Friction { mu: 0.8, mu2: 0.8, ..Friction::default() };
    let surface = Surface { friction, ..Surface::default() };
    let collision = Collision {
        name: "collision".to_owned(),
        link_from_collision: Pose::IDENTITY,
        geometry: geometry.clone(),
        surface,
        extras: Vec::new(),
    };
    let visual = Visual {
        name: "visual".to_owned(),
        link_from_visual: Pose::IDENTITY,
        geometry,
        material: None,
        transparency: 0.0,
        cast_shadows: true,
        extras: Vec::new(),
    };
    Link {
        name: name.to_owned(),
        model_from_link: Pose::from_position(place),
        // About that of a box half a metre wide.
        inertial: Inertial { mass_kg, moments: Vec3::splat(mass_kg / 24.0), ..Inertial::default() },
        gravity: true,
        collisions: vec![collision],
        visuals: vec![visual],
        ..Link::default()
    }
}
