//! What an edit from anywhere may and may not do to a world.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;

use retake_assets::ResourceRoots;
use retake_components::{
    AxisCommand, BodyTwist, CanonicalLink, EditRules, EntityName, FrameScope, Inertia,
    JointCommand, JointPosition, JointSpec, JointVelocity, Kind, LocalPose, PluginConfig, RestPose,
    Seed, Shape, ShapeSurface, VisualMaterial, WorldClock, check_edit, find, registry, spawn_world,
};
use retake_description::{Geometry, JointKind, Material, Pbr};
use retake_diag::Diagnostics;
use retake_ecm::{Component, Ecm, EntityId, Parent};
use retake_math::{Quat, Vec3};
use retake_msgs::{ComponentState, ComponentType, EntityState, SerializedState};
use retake_sdf::parse_world;

const WORLD: &str = r#"<sdf version="1.11"><world name="w">
  <light name="sun" type="directional"/>
  <plugin name="p" filename="f"/>
  <model name="m">
    <link name="a">
      <collision name="c"><geometry><box/></geometry></collision>
      <visual name="v"><geometry><mesh><uri>none.stl</uri></mesh></geometry></visual>
    </link>
    <link name="b"/>
    <frame name="f" attached_to="b"/>
    <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis/></joint>
  </model>
  <model name="n"><link name="l"/></model>
</world></sdf>"#;

fn world() -> Ecm {
    let roots = ResourceRoots::new();
    let world = parse_world(WORLD, "w", &roots, &mut Diagnostics::new()).unwrap();
    let mut ecm = Ecm::new(registry().build());
    spawn_world(&mut ecm, &world, 1).unwrap();
    ecm
}

/// Checks an edit of what is called `name`.
fn edited(name: &str, edit: impl FnOnce(&mut Ecm, EntityId)) -> Result<(), String> {
    let before = world();
    let mut after = before.clone();
    let entity = find(&after, name).unwrap();
    edit(&mut after, entity);
    judged(&before, &after, &[entity])
}

fn judged(before: &Ecm, after: &Ecm, touched: &[EntityId]) -> Result<(), String> {
    let allowed = |path: &Path| path.starts_with("/shapes");
    let rules = EditRules { may_use_file: &allowed, commanded: &["commanded"] };
    check_edit(before, after, touched, &rules).map_err(|error| error.to_string())
}

/// Checks an edit of one component.
fn changed<T: Component>(name: &str, change: impl FnOnce(&mut T)) -> Result<(), String> {
    edited(name, |ecm, entity| change(ecm.get_mut::<T>(entity).unwrap()))
}

fn set<T: Component>(name: &str, value: T) -> Result<(), String> {
    edited(name, |ecm, entity| ecm.set(entity, value).unwrap())
}

fn refused(outcome: Result<(), String>, expected: &str) {
    assert_eq!(outcome.unwrap_err(), expected);
}

fn id(name: &str) -> EntityId {
    find(&world(), name).unwrap()
}

#[test]
fn what_people_edit_is_taken() {
    changed("m::a::c", |s: &mut ShapeSurface| s.0.friction.mu = 0.3).unwrap();
    changed("m::a", |i: &mut Inertia| i.0.mass_kg = 3.0).unwrap();
    changed("m", |p: &mut LocalPose| p.0.position.x = 3.0).unwrap();
    changed("m::a", |t: &mut BodyTwist| t.0.linear.x = 3.0).unwrap();
    changed("m::j", |j: &mut JointSpec| j.axes[0].limits.upper = f64::INFINITY).unwrap();
    set("m::a::v", VisualMaterial(Material::default())).unwrap();
    edited("m::a::c", |ecm, entity| {
        ecm.set_value(entity, "pose", &ecm.value_of(entity, "pose").unwrap()).unwrap();
    })
    .unwrap();
}

#[test]
fn what_nobody_edits_stays() {
    refused(
        changed("w", |clock: &mut WorldClock| clock.iterations = 7),
        "w: clock of a world cannot be edited",
    );
    refused(set("w", Seed(7)), "w: seed of a world cannot be edited");
    refused(set("m", Kind::Link), "m: kind of a link cannot be edited");
    refused(set("m::a", Seed(7)), "m::a: seed of a link cannot be edited");
    refused(set("w", EntityName("x".to_owned())), "x: name of a world cannot be edited");
    let gone = edited("m::a::c", |ecm, entity| assert!(ecm.remove::<Shape>(entity)));
    refused(gone, "m::a::c: a collision without geometry is none");
    let another = |kind: Kind| {
        let before = world();
        let mut after = before.clone();
        let entity = after.create();
        after.set(entity, kind).unwrap();
        judged(&before, &after, &[entity])
    };
    refused(another(Kind::World), "A world has one world entity, which nobody can add or delete");
    refused(another(Kind::Light), ": a light without name is none");
    let (before, mut after) = (world(), world());
    let entity = id("w");
    after.remove_entity(entity);
    refused(
        judged(&before, &after, &[entity]),
        "A world has one world entity, which nobody can add or delete",
    );
}

#[test]
fn numbers_are_what_the_table_says() {
    refused(
        changed("m::a::c", |s: &mut ShapeSurface| s.0.friction.mu = f64::NAN),
        "m::a::c: surface.friction.mu is NaN; it must be 0 to 1e16",
    );
    refused(
        changed("m::a::c", |s: &mut ShapeSurface| s.0.friction.mu = f64::INFINITY),
        "m::a::c: surface.friction.mu is inf; it must be 0 to 1e16",
    );
    refused(
        set("m::a::c", Shape(Geometry::Sphere { radius: 0.0 })),
        "m::a::c: geometry.sphere.radius is 0; it must be 1e-6 to 1e6 m",
    );
    refused(
        changed("m", |p: &mut LocalPose| p.0.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)),
        "m: pose, length of the rotation, is 2; it must be 1",
    );
    refused(
        changed("m::a", |r: &mut RestPose| r.0.position.x = f64::INFINITY),
        "m::a: rest_pose is inf; it must be -1e9 to 1e9 m",
    );
    refused(
        changed("m::a", |t: &mut BodyTwist| t.0.angular.x = 1e9),
        "m::a: twist is 1000000000; it must be -1e7 to 1e7 per second",
    );
    refused(
        changed("m::a", |i: &mut Inertia| i.0.products = Vec3::splat(2.0)),
        "m::a: inertial, ixx * iyy - ixy², is -3; it must be greater than 0",
    );
    refused(
        changed("m::a", |i: &mut Inertia| i.0.moments = Vec3::new(1.0, 1.0, 3.0)),
        "m::a: inertial.moments is 1 1 3 about its principal axes; no real body has moments of \
         which one is more than the other two together",
    );
}

#[test]
fn joints_fit_their_kind_and_their_links() {
    refused(
        changed("m::j", |j: &mut JointSpec| j.kind = JointKind::Universal),
        "m::j: joint is given for 1 axes; a universal joint has 2 axes",
    );
    refused(
        set("m::j", JointVelocity(Vec::new())),
        "m::j: joint_velocity is given for 0 axes; a revolute joint has 1 axes",
    );
    refused(
        set("m::j", JointPosition(vec![f64::NAN])),
        "m::j: joint_position.0 is NaN; it must be -1e9 to 1e9",
    );
    let command = AxisCommand::Effort { effort: f64::NAN };
    refused(
        set("m::j", JointCommand(vec![command])),
        "m::j: joint_command is not usable; gains and efforts must be numbers that are not negative",
    );
    refused(
        changed("m::j", |j: &mut JointSpec| j.child = id("m::a")),
        "m::j: joint.child is m::a; it must be another link than parent",
    );
    refused(
        changed("m::j", |j: &mut JointSpec| j.child = id("n::l")),
        "m::j: joint.child is n::l; it must be a link in what holds the joint",
    );
    refused(
        changed("m::j", |j: &mut JointSpec| j.child = id("m")),
        "m::j: joint.child is m; it must be a link",
    );
    refused(
        changed("m::j", |j: &mut JointSpec| j.child = EntityId::from_raw(999)),
        "m::j: joint.child is #999; no such entity is there",
    );
    refused(
        set("m", CanonicalLink(id("n::l"))),
        "m: canonical_link is n::l; it must be a link of the model",
    );
    // Whoever removes a link has to remove what names it as well.
    let (before, mut after) = (world(), world());
    let link = find(&after, "m::b").unwrap();
    let gone = after.with_descendants(link);
    after.remove_entity(link);
    refused(
        judged(&before, &after, &gone),
        &format!(
            "m::j: joint.child is {link}, which is not there; it must be a link that is there"
        ),
    );
}

#[test]
fn names_and_holders_are_those_of_sdf() {
    refused(
        set("m", EntityName("n".to_owned())),
        "There is an entity named \"n\" already. Choose another name or allow renaming",
    );
    refused(
        set("m::b", EntityName("f".to_owned())),
        "There is an entity named \"f\" already. Choose another name or allow renaming",
    );
    // A collision may be called as a visual is.
    set("m::a::c", EntityName("v".to_owned())).unwrap();
    let long = "x".repeat(300);
    for name in ["", "a::b", "a/b", "#1", "a\nb", "a\u{202e}b", &long] {
        let error = set("m", EntityName(name.to_owned())).unwrap_err();
        assert!(error.contains("is no name") || error.contains("at most 256 bytes"), "{error}");
    }
    refused(set("p", EntityName("q".to_owned())), "q: name is q; a plugin's name is plugin.name");
    edited("p", |ecm, plugin| {
        ecm.get_mut::<PluginConfig>(plugin).unwrap().0.name = "q".to_owned();
        ecm.set(plugin, EntityName("q".to_owned())).unwrap();
    })
    .unwrap();
    refused(
        set("m::a::c", Parent(id("m"))),
        "m::c: a collision cannot be in m (a model); it needs a link",
    );
    refused(
        set("m", Parent(id("n::l"))),
        "n::l::m: a model cannot be in n::l (a link); it needs a world or model",
    );
    let error = set("m", Parent(id("m"))).unwrap_err();
    assert!(error.ends_with("is held by itself, or models are nested deeper than 60"), "{error}");
    refused(
        edited("m::b::f", |ecm, frame| assert!(ecm.remove::<FrameScope>(frame))),
        "m::b::f: frame_scope is missing; a frame on a link must say whose frame it is",
    );
    refused(
        set("m::b::f", FrameScope(id("n"))),
        "m::b::f: frame_scope is n; it must be a model around the link",
    );
}

#[test]
fn only_files_that_may_be_named_are_taken() {
    let mesh = |path: &'static str| {
        changed("m::a::v", move |shape: &mut Shape| {
            if let Geometry::Mesh { path: file, .. } = &mut shape.0 {
                *file = path.into();
            }
        })
    };
    mesh("/shapes/box.stl").unwrap();
    refused(
        mesh("/etc/passwd"),
        "m::a::v: geometry.mesh.uri is \"/etc/passwd\"; name a file under the resource folders",
    );
    let painted = |path: &str| {
        let albedo_map = Some("x.png".to_owned());
        let pbr = Pbr { albedo_map, albedo_path: Some(path.into()), ..Pbr::default() };
        set("m::a::v", VisualMaterial(Material { pbr: Some(pbr), ..Material::default() }))
    };
    painted("/shapes/x.png").unwrap();
    refused(
        painted("/etc/shadow"),
        "m::a::v: material.pbr.albedo_map is \"/etc/shadow\"; name a file under the resource folders",
    );
}

#[test]
fn components_of_others_are_let_through_up_to_a_size() {
    let stranger = |bytes: usize| {
        let before = world();
        let mut after = before.clone();
        let entity = find(&after, "m").unwrap();
        let value = ComponentState { value: vec![0xc0; bytes], ..ComponentState::default() };
        let kind = ComponentType { name: "stranger".to_owned(), version: 1 };
        let state =
            EntityState { id: entity.raw(), components: vec![value], ..EntityState::default() };
        let state = SerializedState {
            types: vec![kind],
            entities: vec![state],
            ..SerializedState::default()
        };
        after.apply(&state).unwrap();
        judged(&before, &after, &[entity])
    };
    stranger(1).unwrap();
    refused(stranger(100_000), "m: stranger has 100000 bytes; at most 65536 are taken");
}
