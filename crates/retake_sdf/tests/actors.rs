//! Actors stand still and keep what they say.

mod common;

use expect_test::expect;
use retake_math::Vec3;
use retake_sdf::print_world;

#[test]
fn an_actor_stands_at_its_first_waypoint() {
    let (world, said) = common::read(
        "<sdf version='1.9'><world name='w'>
<actor name='walker'><pose>1 0 0 0 0 0</pose>
  <skin><filename>walk.dae</filename><scale>2</scale></skin>
  <animation name='walk'><filename>walk.dae</filename></animation>
  <script><trajectory id='0' type='walk'>
    <waypoint><time>0</time><pose>0 3 1 0 0 0</pose></waypoint>
    <waypoint><time>2</time><pose>9 9 9 0 0 0</pose></waypoint></trajectory></script>
  <link name='head'><sensor name='ears' type='altimeter'/></link>
</actor></world></sdf>",
    );
    expect![[r#"
        w.sdf:2:1: warning[sdf-actor]: actor "walker" stands still: its animation and script are kept, not played
        w.sdf:3:9: warning[sdf-resource-not-found]: nothing under the resource folders is called "walk.dae". The shape is left out; check the name and --resource-path
    "#]]
    .assert_eq(&said);
    let world = world.unwrap();
    let actor = &world.models[0];
    assert!(actor.is_static && actor.actor.is_some());
    let names: Vec<&str> = actor.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["head", "skin"]);
    assert_eq!(actor.parent_from_model.position, Vec3::X);
    assert_eq!(actor.links[1].model_from_link.position, Vec3::new(0.0, 3.0, 1.0));
    let kept = actor.actor.as_ref().unwrap();
    let tags: Vec<&str> = kept.children.iter().map(|child| child.name.as_str()).collect();
    assert_eq!(tags, ["skin", "animation", "script", "link"]);
    let printed = print_world(&world);
    let (again, _) = common::read(&printed);
    assert_eq!(again.as_ref(), Some(&world), "{printed}");
}
