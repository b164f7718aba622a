//! Hostile sizes end in an error, without a stack overflow and in little time.

mod common;

use common::read;
use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_sdf::parse_fragment;

fn world_with(inside: &str) -> String {
    format!("<sdf version='1.9'><world name='w'>{inside}</world></sdf>")
}

#[test]
fn ten_thousand_levels_are_refused() {
    let deep = "<model name='m'>".repeat(10_000) + &"</model>".repeat(10_000);
    let (world, said) = read(&world_with(&deep));
    assert!(world.is_none());
    assert_eq!(said, "w.sdf:1:3204: error[xml-too-deep]: elements are nested deeper than 200\n");
}

#[test]
fn a_hundred_models_inside_one_another_are_refused() {
    let open: String = (0..100).map(|i| format!("<model name='m{i}'><link name='l'/>")).collect();
    let (world, said) = read(&world_with(&(open + &"</model>".repeat(100))));
    assert_eq!(world.unwrap().models.len(), 1);
    assert_eq!(said, "w.sdf:1:2066: error[sdf-too-deep]: models are nested deeper than 60\n");
}

#[test]
fn a_million_elements_and_more_are_refused() {
    let (world, said) = read(&world_with(&"<a/>".repeat(1_000_000)));
    assert!(world.is_none());
    let expected = "w.sdf:1:4000028: error[xml-too-many-elements]: \
         more than 1000000 elements beside those of models, in all files\n";
    assert_eq!(said, expected);
}

#[test]
fn a_million_models_are_refused() {
    let (world, said) = read(&world_with(&"<model name='m'/>".repeat(1_000_000)));
    assert!(world.is_none());
    let expected =
        "w.sdf:1:8500036: error[xml-too-many-elements]: more than 500000 models and links\n";
    assert_eq!(said, expected);
}

#[test]
fn what_is_inserted_has_fewer_elements() {
    let text =
        |count| format!("<model name='m'><link name='l'/>{}</model>", "<x:a/>".repeat(count));
    let read = |text: &str| {
        let mut said = Diagnostics::new();
        (parse_fragment(text, "f", &ResourceRoots::new(), &mut said).is_some(), said.to_string())
    };
    assert_eq!(read(&text(49_998)), (true, String::new()));
    let (inserted, said) = read(&text(49_999));
    assert!(!inserted);
    let expected = "error[xml-too-many-elements]: more than 50000 elements";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_million_unknown_elements_are_said_once() {
    let (world, said) = read(&world_with(&"<a/>".repeat(999_998)));
    assert_eq!(world.unwrap().extras.len(), 999_998);
    assert_eq!(said.lines().count(), 1);
}

#[test]
fn long_chains_and_rings_of_frames_end() {
    let count = 50_000;
    let frame = |i: usize, next: usize| format!("<frame name='f{i}' attached_to='f{next}'/>");
    let chain: String = (0..count).map(|i| frame(i, i + 1)).collect();
    let joint = "<joint name='j' type='fixed'><parent>world</parent><child>f0</child></joint>";
    let end = format!("<frame name='f{count}' attached_to='l'/>{joint}");
    let model =
        |inside: &str| world_with(&format!("<model name='m'><link name='l'/>{inside}</model>"));
    let (world, said) = read(&model(&(chain.clone() + &end)));
    assert_eq!(said, "");
    assert_eq!(world.unwrap().models[0].joints[0].child, "l");
    let ring = format!("<frame name='f{count}' attached_to='f0'/>");
    let (world, said) = read(&model(&(chain + &ring)));
    assert!(world.is_some());
    assert!(said.contains("error[sdf-frame-cycle]: poses go round in a circle: f0 → f1"), "{said}");
    assert!(said.ends_with("more\n"));
}

#[test]
fn poses_stay_finite() {
    let link = |i: usize, far: &str| {
        format!("<link name='l{i}'><pose relative_to='l{}'>{far} 0 0 0 0 1</pose></link>", i + 1)
    };
    let chain: String = (0..1000).map(|i| link(i, "1e9")).collect();
    let inside = format!("<model name='m'>{chain}<link name='l1000'/></model>");
    let (world, said) = read(&world_with(&inside));
    assert_eq!(said, "");
    assert!(world.unwrap().models[0].links.iter().all(|link| link.model_from_link.is_finite()));
    let (_, said) = read(&world_with(
        "<model name='m'><link name='l'><pose>1e308 0 0 0 0 0</pose></link></model>",
    ));
    let expected = "sdf/world[w]/model[m]/link[l]/pose is \"1e308 0 0 0 0 0\". \
         It must be -1e9 to 1e9 m";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn many_unknown_names_are_bounded() {
    let links: String = (0..20_000)
        .map(|i| format!("<link name='l{i}'><pose relative_to='x{i}'/></link>"))
        .collect();
    let (world, said) = read(&world_with(&format!("<model name='m'>{links}</model>")));
    assert_eq!(world.unwrap().models[0].links.len(), 20_000);
    assert!(said.ends_with("… and 19000 more\n"));
}

#[test]
fn many_nameless_profiles_are_named() {
    let (world, said) = read(&world_with(&"<physics/>".repeat(20_000)));
    assert_eq!(world.unwrap().profiles[19_999].name, "default_physics_20000");
    assert_eq!(said, "");
}

#[test]
fn names_of_a_megabyte_are_only_names() {
    let name = "a::".repeat(300_000);
    let text =
        format!("<model name='m'><link name='l'><pose relative_to='{name}'/></link></model>");
    let (world, said) = read(&world_with(&text));
    assert!(world.is_some() && said.contains("sdf-unknown-frame"));
}

/// Links and what joins them: kind, parent and child by their numbers, where 0 is the world.
fn jointed(links: usize, joints: impl Iterator<Item = (&'static str, usize, usize)>) -> String {
    let name = |link: usize| if link == 0 { "world".to_owned() } else { format!("l{link}") };
    let joint = |(at, (kind, parent, child)): (usize, (&str, usize, usize))| {
        let axis = ["<axis/>", ""][usize::from(["fixed", "ball"].contains(&kind))];
        format!(
            "<joint name='j{at}' type='{kind}'><parent>{}</parent><child>{}</child>{axis}</joint>",
            name(parent),
            name(child)
        )
    };
    let links: String = (1..=links).map(|link| format!("<link name='l{link}'/>")).collect();
    links + &joints.enumerate().map(joint).collect::<String>()
}

#[test]
fn models_with_more_joints_in_one_tree_than_engines_take_are_named_with_their_place() {
    let said = |inside: &str| {
        let (world, said) = read(&world_with(&format!("\n<model name='m'>{inside}</model>")));
        assert!(world.is_some());
        said
    };
    let too_many = |count: usize| {
        format!(
            "w.sdf:2:1: warning[sdf-too-many-freedoms]: model \"m\" has {count} degrees of freedom in \
             one tree of joints; engines with forces take at most 1024 and do not simulate it. Make \
             several models of it, or fix joints that need not move\n"
        )
    };
    let star = |links: usize| (2..=links).map(|link| ("continuous", 1, link));
    assert_eq!(said(&jointed(1019, star(1019))), "");
    assert_eq!(said(&jointed(20_001, star(20_001))), too_many(20_006));
    // Whatever way a fixed root carries it, it is one tree; by itself it hangs on the world.
    let held = star(1025).chain([("fixed", 0, 1)]);
    assert_eq!(said(&jointed(1025, held)), "");
    let held = star(1026).map(|(kind, a, b)| (kind, b, a)).chain([("fixed", 0, 1)]);
    assert_eq!(said(&jointed(1026, held)), too_many(1025));
    assert_eq!(said(&jointed(3000, (1..=3000).map(|link| ("continuous", 0, link)))), "");
    let chain = (2..=400).map(|link| ("ball", link - 1, link));
    let rings = chain.clone().chain([("ball", 400, 1), ("ball", 0, 1), ("ball", 0, 9)]);
    assert_eq!(said(&jointed(400, rings)), too_many(1200));
    let stiff = chain.map(|(_, a, b)| (["ball", "fixed"][b % 2], a, b));
    assert_eq!(said(&jointed(400, stiff)), "");
    // The joints of nested models count; those of static ones do not move.
    let halves = (1..=2).map(|i| format!("<model name='n{i}'>{}</model>", jointed(600, star(600))));
    let joint = "<joint name='j' type='ball'><parent>n1::l7</parent><child>n2::l1</child></joint>";
    let halves = halves.collect::<String>();
    assert_eq!(said(&halves), "");
    assert_eq!(said(&format!("{halves}{joint}")), too_many(1207));
    assert_eq!(said(&format!("<static>1</static>{halves}{joint}")), "");
}
