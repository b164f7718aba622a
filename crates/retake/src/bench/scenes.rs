//! Worlds for the step benchmark, made here so that it runs anywhere.

use retake_description::{
    Collision, Friction, Geometry, Joint, JointAxis, JointKind, Link, Model, Surface, Visual,
    WORLD_LINK, World,
};
use retake_math::{Inertial, Pose, Vec3};

/// Length of a step in seconds.
pub(super) const STEP_SECS: f64 = 0.001;

/// Columns of boxes above a ground, a little apart so that they fall and pile up.
pub(super) fn falling_boxes(count: u32) -> World {
    columns(count, 0.6, 0.3)
}

/// Ten stacks of ten boxes that stand.
pub(super) fn stacks() -> World {
    columns(100, 0.5, 0.25)
}

/// Ten arms of six joints, each on its own base, held up by springs.
pub(super) fn arms() -> World {
    let mut world = empty();
    world.models.extend((0..10).map(arm));
    world
}

/// A body on four legs of three joints, each held by a spring.
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
    const PER_COLUMN: u32 = 10;
    let columns = count.div_ceil(PER_COLUMN).max(1);
    let side = f64::from(columns).sqrt().ceil() as u32;
    let mut world = empty();
    world.models.extend((0..count).map(|index| {
        let (column, level) = (index / PER_COLUMN, index % PER_COLUMN);
        let (x, y) = (f64::from(column % side), f64::from(column / side));
        let position = Vec3::new(x * 1.5, y * 1.5, lowest + gap * f64::from(level));
        let geometry = Geometry::Box { size: Vec3::splat(0.5) };
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
    for number in 0..6 {
        let geometry = Geometry::Cylinder { radius: 0.04, length: REACH * 0.8 };
        let place = Vec3::Z * (0.5 + REACH * f64::from(number));
        let name = format!("link_{number}");
        let parent = match number {
            0 => WORLD_LINK.to_owned(),
            _ => format!("link_{}", number - 1),
        };
        let xyz = if number % 2 == 0 { Vec3::Z } else { Vec3::Y };
        model.joints.push(sprung(&format!("joint_{number}"), (&parent, &name), -REACH / 2.0, xyz));
        model.links.push(link(&name, place, geometry, 2.0 - 0.25 * f64::from(number)));
    }
    model
}

fn add_leg(robot: &mut Model, leg: usize, hip: Vec3) {
    let mut parent = "body".to_owned();
    let parts = [("hip", 0.0, Vec3::X), ("thigh", 0.2, Vec3::Y), ("shank", 0.2, Vec3::Y)];
    let mut top = hip;
    for (part, length, xyz) in parts {
        let name = format!("{part}_{leg}");
        let foot = part == "shank";
        // The foot is the end of the shank; the other parts do not collide.
        let geometry = if foot { Geometry::Sphere { radius: 0.05 } } else { Geometry::Empty };
        let place = top - Vec3::Z * length;
        robot.joints.push(sprung(&format!("{name}_joint"), (&parent, &name), length, xyz));
        robot.links.push(link(&name, place, geometry, 0.4));
        (parent, top) = (name, place);
    }
}

/// A hinge `above` the child's origin that a spring holds at zero.
fn sprung(name: &str, (parent, child): (&str, &str), above: f64, xyz: Vec3) -> Joint {
    let mut axis = JointAxis { xyz, ..JointAxis::default() };
    (axis.dynamics.spring_stiffness, axis.dynamics.damping) = (500.0, 10.0);
    Joint {
        name: name.to_owned(),
        kind: JointKind::Revolute,
        parent: parent.to_owned(),
        child: child.to_owned(),
        child_from_joint: Pose::from_position(Vec3::Z * above),
        axes: vec![axis],
        thread_pitch: 1.0,
        gearbox_ratio: 1.0,
        extras: Vec::new(),
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
