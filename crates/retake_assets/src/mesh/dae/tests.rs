//! Scenes of our own making, through the loader.

use super::super::MeshError;
use super::super::tests::{described, folder, parts};

/// Two boards in centimetres: one of triangles, moved and bound to a textured material; one of
/// a polygon list inside a node without a name, mirrored.
pub(in super::super) const SCENE: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
  <library_images><image id="wood"><init_from>wood%20board.png</init_from></image></library_images>
  <library_effects>
    <effect id="wooden"><profile_COMMON>
      <newparam sid="surface"><surface type="2D"><init_from>wood</init_from></surface></newparam>
      <newparam sid="sampler"><sampler2D><source>surface</source></sampler2D></newparam>
      <technique sid="common"><lambert>
        <diffuse><texture texture="sampler" texcoord="UV"/></diffuse>
      </lambert></technique>
    </profile_COMMON></effect>
    <effect id="glassy"><profile_COMMON><technique sid="common"><phong>
      <emission><color>0 0 0.1 1</color></emission>
      <diffuse><color>0.2 0.4 0.6 1</color></diffuse>
      <transparent opaque="A_ONE"><color>1 1 1 1</color></transparent>
      <transparency><float>0.25</float></transparency>
    </phong></technique></profile_COMMON></effect>
  </library_effects>
  <library_materials>
    <material id="wood-material" name="Wood"><instance_effect url="#wooden"/></material>
    <material id="glass-material" name="Glass"><instance_effect url="#glassy"/></material>
  </library_materials>
  <library_geometries>
    <geometry id="board"><mesh>
      <source id="places"><float_array id="places-array" count="16">
        0 0 0 9  100 0 0 9  100 100 0 9  0 100 0 9</float_array>
        <technique_common><accessor source="#places-array" count="4" stride="4"/></technique_common>
      </source>
      <source id="upward"><float_array id="upward-array" count="3">0 0 1</float_array>
        <technique_common><accessor source="#upward-array" count="1" stride="3"/></technique_common>
      </source>
      <source id="spots"><float_array id="spots-array" count="8">0 0 1 0 1 1 0 1</float_array>
        <technique_common><accessor source="#spots-array" count="4" stride="2"/></technique_common>
      </source>
      <vertices id="corners"><input semantic="POSITION" source="#places"/></vertices>
      <triangles count="1" material="front">
        <input semantic="VERTEX" source="#corners" offset="0"/>
        <input semantic="NORMAL" source="#upward" offset="1"/>
        <input semantic="TEXCOORD" source="#spots" offset="2" set="0"/>
        <p>0 0 0 1 0 1 2 0 2</p>
      </triangles>
      <polylist count="2" material="back">
        <input semantic="VERTEX" source="#corners" offset="0"/>
        <vcount>4 3</vcount><p>0 1 2 3 0 2 3</p>
      </polylist>
    </mesh></geometry>
  </library_geometries>
  <library_nodes><node id="kept" name="Kept"><instance_geometry url="#board"/></node></library_nodes>
  <library_visual_scenes><visual_scene id="scene">
    <node name="Board">
      <translate>0 0 200</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale>
      <instance_geometry url="#board"><bind_material><technique_common>
        <instance_material symbol="front" target="#wood-material"/>
        <instance_material symbol="back" target="#glass-material"/>
      </technique_common></bind_material></instance_geometry>
    </node>
    <node name="Mirror"><node>
      <matrix>-1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1</matrix>
      <instance_node url="#kept"/>
    </node></node>
  </visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
"##;

fn read(text: &str) -> Result<super::Mesh, String> {
    let folder = folder(&[("a.dae", text.as_bytes()), ("wood board.png", b"")]);
    parts(&folder, "a.dae").map_err(|error| match error {
        MeshError::Malformed { what, .. } => what,
        other => other.to_string(),
    })
}

#[test]
fn a_scene_has_its_parts_where_they_belong() {
    let folder = folder(&[("a.dae", SCENE.as_bytes()), ("wood board.png", b"")]);
    let mesh = parts(&folder, "a.dae").unwrap();
    expect_test::expect![[r#"
        "Board" 3 corners [[0, 1, 2]] normals uvs Wood [1.0, 1.0, 1.0, 1.0] wood board.png
        "Board" 4 corners [[0, 1, 2], [0, 2, 3], [0, 2, 3]] Glass [0.2, 0.4, 0.6, 0.25] 
        "Kept" 3 corners [[0, 2, 1]] normals uvs
        "Kept" 4 corners [[0, 2, 1], [0, 3, 2], [0, 3, 2]]
    "#]]
    .assert_eq(&described(&mesh, folder.path()));
    let close = |at: [f32; 3], expected: [f32; 3]| {
        // Single precision of a rotation by a quarter turn.
        at.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6)
    };
    let board = &mesh.parts[0];
    assert!(close(board.positions[1], [0.0, 2.0, 2.0]), "{:?}", board.positions);
    assert!(close(board.positions[2], [-1.0, 2.0, 2.0]), "{:?}", board.positions);
    assert!(close(board.normals[0], [0.0, 0.0, 1.0]), "{:?}", board.normals);
    assert_eq!(board.uvs[1], [1.0, 0.0]);
    let mirrored = &mesh.parts[2];
    assert!(close(mirrored.positions[1], [-1.0, 0.0, 0.0]), "{:?}", mirrored.positions);
    assert_eq!(mesh.materials[1].emissive, [0.0, 0.0, 0.1]);
}

#[test]
fn a_skin_is_drawn_as_it_was_bound() {
    let skin = r##"<library_controllers><controller id="skinned"><skin source="#board">
        <bind_shape_matrix>1 0 0 0  0 1 0 0  0 0 1 300  0 0 0 1</bind_shape_matrix>
        </skin></controller></library_controllers><library_nodes>"##;
    let text = SCENE.replace("<library_nodes>", skin).replace(
        r##"<instance_geometry url="#board"/>"##,
        r##"<instance_controller url="#skinned"/>"##,
    );
    let mesh = read(&text).unwrap();
    let kept = mesh.parts.iter().find(|part| part.name == "Kept").unwrap();
    assert!(kept.positions.iter().all(|position| position[2] == 3.0), "{:?}", kept.positions);
}

#[test]
fn strips_fans_and_polygons_make_triangles() {
    let triangles = |body: &str| {
        let start = SCENE.find("<polylist").unwrap();
        let end = SCENE.find("</polylist>").unwrap() + "</polylist>".len();
        let text = format!("{}{body}{}", &SCENE[..start], &SCENE[end..]);
        read(&text).unwrap().parts[1].indices.clone()
    };
    let input = r##"<input semantic="VERTEX" source="#corners" offset="0"/>"##;
    let strip = format!("<tristrips count=\"1\">{input}<p>0 1 3 2</p></tristrips>");
    assert_eq!(triangles(&strip), [[0, 1, 2], [2, 1, 3]]);
    let fan = format!("<trifans count=\"1\">{input}<p>0 1 2 3</p></trifans>");
    assert_eq!(triangles(&fan), [[0, 1, 2], [0, 2, 3]]);
    let polygons = format!("<polygons count=\"2\">{input}<p>0 1 2</p><p>2 3 0</p></polygons>");
    assert_eq!(triangles(&polygons), [[0, 1, 2], [2, 3, 0]]);
}

#[test]
fn faults_are_said() {
    for (from, to, expected) in [
        (
            "<p>0 1 2 3 0 2 3</p>",
            "<p>0 1 2 3 0 2 4</p>",
            "a face names vertex 5, but the file has 4",
        ),
        ("<p>0 1 2 3 0 2 3</p>", "<p>0 1 2 3 0</p>", "<vcount> asks for more corners than <p> has"),
        ("<p>0 1 2 3 0 2 3</p>", "<p>0 -1 2</p>", "\"-1\" in <p> is not an index"),
        ("0 0 0 9", "0 NaN 0 9", "\"NaN\" in <float_array> is not a finite number"),
        ("stride=\"4\"", "stride=\"2\"", "a stride of 2 cannot hold 3 numbers"),
        ("#upward\" offset", "#gone\" offset", "no source is called \"#gone\""),
        ("0.01", "-1", "the unit is not a positive number of metres"),
        ("<matrix>-1", "<matrix>", "<matrix> has 15 numbers instead of 16"),
        ("</COLLADA>", "", "the file ends in the middle of an element"),
        (
            "<instance_geometry url=\"#board\"/>",
            "<instance_node url=\"#kept\"/>",
            "nodes are nested deeper than 128, or in a circle",
        ),
    ] {
        assert!(SCENE.contains(from), "{from}");
        assert_eq!(read(&SCENE.replace(from, to)).unwrap_err(), expected, "{from}");
    }
    let deep = format!("<COLLADA>{}", "<a>".repeat(10_000));
    assert_eq!(read(&deep).unwrap_err(), "elements are nested deeper than 256");
    let laughs = "<!DOCTYPE a [<!ENTITY a \"aa\">]><COLLADA>&a;</COLLADA>";
    assert_eq!(read(laughs).unwrap_err(), "the file uses entities of its own");
}

#[test]
fn instances_that_multiply_are_bounded() {
    // Each of 30 nodes holds the next one twice: a thousand million boards.
    let mut nodes = String::new();
    for level in 0..30 {
        let next = if level == 29 { "kept".to_owned() } else { format!("n{}", level + 1) };
        let twice = format!("<instance_node url=\"#{next}\"/>").repeat(2);
        nodes += &format!("<node id=\"n{level}\">{twice}</node>");
    }
    let text = SCENE
        .replace("<instance_node url=\"#kept\"/>", "<instance_node url=\"#n0\"/>")
        .replace("<library_nodes>", &format!("<library_nodes>{nodes}"));
    let said = read(&text).unwrap_err();
    assert!(said.starts_with("the mesh has more parts than the limit"), "{said}");
}

#[test]
fn what_is_missing_is_a_warning() {
    let text = SCENE.replace("wood%20board.png", "../../etc/passwd");
    let mesh = read(
        &text.replace("<instance_geometry url=\"#board\"/>", "<instance_geometry url=\"#x\"/>"),
    );
    assert_eq!(
        mesh.unwrap().warnings,
        [
            "the texture \"../../etc/passwd\" is not beside the mesh nor under the resource folders",
            "no geometry is called \"#x\"",
        ]
    );
}

#[test]
fn a_file_without_a_scene_shows_its_geometries() {
    let start = SCENE.find("<library_visual_scenes>").unwrap();
    let text = format!("{}</COLLADA>", &SCENE[..start]);
    let mesh = read(&text).unwrap();
    let names: Vec<&str> = mesh.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["board", "board"]);
}
