//! All formats through the door that others use.

use std::path::Path;

use proptest::prelude::*;

use super::*;

/// A square of two quads' worth of corners, named parts, a material and its image.
pub(super) const OBJ: &str = "mtllib looks.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n\
    vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 2\no floor\nusemtl red\n\
    f 1/1/1 2/2/1 3/3/1 4/4/1\ng tip\nf -1 -5 -4\n";
const MTL: &str =
    "newmtl red\nKd 1 0 0\nd 0.5\nmap_Kd -s 1 1 1 red wall.png\nKe 0.2\nnewmtl blue\n";

/// Writes files into a folder of their own and gives it away.
pub(super) fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    folder
}

/// Loads a file of a folder with its looks; nothing but its own folder may be named.
pub(super) fn parts(folder: &tempfile::TempDir, name: &str) -> Result<Mesh, MeshError> {
    load_mesh_parts(&folder.path().join(name), None, &ResourceRoots::new())
}

/// Describes parts in a line each: name, corners, triangles, what they have, look.
pub(super) fn described(mesh: &Mesh, folder: &Path) -> String {
    let mut lines = String::new();
    for part in &mesh.parts {
        let look = part.material.map(|at| {
            let look = &mesh.materials[at];
            let image = look.texture.map(|at| match &mesh.textures[at] {
                Texture::File(path) => {
                    let folder = folder.canonicalize().unwrap();
                    let path = path.strip_prefix(folder).unwrap_or(path);
                    path.display().to_string()
                }
                Texture::Embedded(bytes) => format!("{} bytes", bytes.len()),
            });
            format!(" {} {:?} {}", look.name, look.base_color, image.unwrap_or_default())
        });
        lines += &format!(
            "{:?} {} corners {:?}{}{}{}\n",
            part.name,
            part.positions.len(),
            part.indices,
            if part.normals.is_empty() { "" } else { " normals" },
            if part.uvs.is_empty() { "" } else { " uvs" },
            look.unwrap_or_default(),
        );
    }
    mesh.warnings.iter().for_each(|warning| lines += &format!("warning: {warning}\n"));
    lines
}

fn refusal(name: &str, content: &[u8], submesh: Option<&str>) -> String {
    let folder = folder(&[(name, content)]);
    let submesh = submesh.map(|name| Submesh { name, center: false });
    let error = load_mesh(&folder.path().join(name), submesh).unwrap_err().to_string();
    error.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn says_what_is_wrong() {
    for (name, content, submesh, expected) in [
        (
            "a.fbx",
            "",
            None,
            "Retake does not read .fbx meshes; export COLLADA, glTF, OBJ or STL instead of a.fbx",
        ),
        (
            "a",
            "",
            None,
            "Retake does not read nameless meshes; export COLLADA, glTF, OBJ or STL instead of a",
        ),
        ("a.obj", "v 0 0 0\nf 1 2 3\n", None, "a face names item 2 of 1, in line 2, in a.obj"),
        ("a.obj", "v 0 nan 0\n", None, "nan is not a finite number, in line 1, in a.obj"),
        ("a.obj", "v 0 0\n", None, "\"\" is not a number, in line 1, in a.obj"),
        ("a.obj", OBJ, Some("box"), "no part called \"box\" in a.obj. Known: floor, tip"),
        ("a.stl", "short", None, "an STL file is at least 84 bytes long, in a.stl"),
        ("a.dae", "<a/>", None, "the file does not start with <COLLADA>, in a.dae"),
        (
            "a.gltf",
            "{}",
            None,
            "not readable glTF: missing field `asset` at line 1 column 2, in a.gltf",
        ),
        ("a.glb", "glTF\u{2}\0\0\0", None, "the file ends within its header, in a.glb"),
    ] {
        assert_eq!(refusal(name, content.as_bytes(), submesh), expected);
    }
    let missing = load_mesh(Path::new("/none/a.obj"), None).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read /none/a.obj: No such file"), "{missing}");
}

#[test]
fn an_obj_has_parts_looks_and_one_triangle_view() {
    let files: [(&str, &[u8]); 3] =
        [("a.obj", OBJ.as_bytes()), ("looks.mtl", MTL.as_bytes()), ("red wall.png", b"")];
    let folder = folder(&files);
    let mesh = parts(&folder, "a.obj").unwrap();
    expect_test::expect![[r#"
        "floor" 4 corners [[0, 1, 2], [0, 2, 3]] normals uvs red [1.0, 0.0, 0.0, 0.5] red wall.png
        "tip" 3 corners [[0, 1, 2]] red [1.0, 0.0, 0.0, 0.5] red wall.png
    "#]]
    .assert_eq(&described(&mesh, folder.path()));
    assert_eq!(mesh.materials[0].emissive, [0.2; 3]);
    assert_eq!(mesh.parts[0].normals[0], [0.0, 0.0, 1.0]);
    // The tip shares two corners with the floor.
    let joined = load_mesh(&folder.path().join("a.obj"), None).unwrap();
    assert_eq!(joined.positions.len(), 5);
    assert_eq!(joined.indices, [[0, 1, 2], [0, 2, 3], [4, 0, 1]]);
}

#[test]
fn a_library_outside_reads_like_a_missing_one() {
    let text = OBJ.replace("looks.mtl", "../looks.mtl");
    let folder = folder(&[("in/a.obj", text.as_bytes()), ("looks.mtl", MTL.as_bytes())]);
    let mesh = parts(&folder, "in/a.obj").unwrap();
    assert_eq!(
        mesh.warnings,
        [
            "the material library \"../looks.mtl\" is not beside the mesh nor under the resource folders"
        ]
    );
    let mut roots = ResourceRoots::new();
    roots.add(folder.path()).unwrap();
    let mesh = load_mesh_parts(&folder.path().join("in/a.obj"), None, &roots).unwrap();
    assert_eq!(mesh.materials.len(), 2);
}

#[test]
fn images_are_found_in_the_model_as_gazebo_does() {
    let files: [(&str, &[u8]); 3] = [
        ("m/meshes/a.obj", OBJ.as_bytes()),
        ("m/meshes/looks.mtl", MTL.as_bytes()),
        ("m/materials/textures/red wall.png", b""),
    ];
    let folder = folder(&files);
    let path = folder.path().join("m/meshes/a.obj");
    let mut roots = ResourceRoots::new();
    assert_eq!(load_mesh_parts(&path, None, &roots).unwrap().textures, []);
    roots.add(folder.path()).unwrap();
    let mesh = load_mesh_parts(&path, None, &roots).unwrap();
    let found = folder.path().canonicalize().unwrap().join("m/materials/textures/red wall.png");
    assert_eq!(mesh.textures, [Texture::File(found)]);
}

#[test]
fn damaged_libraries_cost_only_their_looks() {
    for damaged in
        ["newmtl red\nKd\n", "newmtl red\nKd 1 x 0\n", "Kd 1 0 0\nnewmtl\nd", "newmtl red\nTr nan"]
    {
        let folder = folder(&[("a.obj", OBJ.as_bytes()), ("looks.mtl", damaged.as_bytes())]);
        assert_eq!(parts(&folder, "a.obj").unwrap().parts.len(), 2, "{damaged}");
    }
}

#[test]
fn a_part_wider_than_any_number_can_be_centered() {
    let wide = b"o a\nv -3e38 0 0\nv 3e38 0 0\nv 0 1 0\nf 1 2 3\n";
    let folder = folder(&[("wide.obj", wide)]);
    let submesh = Some(Submesh { name: "a", center: true });
    let mesh = load_mesh(&folder.path().join("wide.obj"), submesh).unwrap();
    assert_eq!(mesh.positions, [[-3e38, -0.5, 0.0], [3e38, -0.5, 0.0], [0.0, 0.5, 0.0]]);
}

#[test]
fn a_part_can_be_centered() {
    let folder = folder(&[("A.OBJ", b"o a\nv 2 0 0\nv 4 0 0\nv 2 6 0\nf 1 2 3\no b\nf 3 2 1\n")]);
    let submesh = Some(Submesh { name: "a", center: true });
    let mesh = load_mesh(&folder.path().join("A.OBJ"), submesh).unwrap();
    assert_eq!(mesh.positions, [[-1.0, -3.0, 0.0], [1.0, -3.0, 0.0], [-1.0, 3.0, 0.0]]);
    assert_eq!(mesh.indices, [[0, 1, 2]]);
}

#[test]
fn too_many_faces_are_refused_before_memory_is_taken() {
    // One polygon of many corners makes as many triangles.
    let text = format!("v 0 0 0\nf {}\n", "1 ".repeat(MAX_TRIANGLES as usize + 3));
    let said = refusal("a.obj", text.as_bytes(), None);
    assert_eq!(said, "the mesh has 5000001 triangles or more, past the limit of 5000000, in a.obj");
}

/// Damages good bytes: one is changed, and the end is cut off.
fn damaged(good: &[u8], at: usize, byte: u8, cut: usize) -> Vec<u8> {
    let mut bytes = good.to_vec();
    let length = bytes.len();
    bytes[at % length] = byte;
    bytes.truncate(length - cut % (length / 4));
    bytes
}

/// Holds for every mesh that was accepted.
fn check(mesh: &Mesh) {
    for part in &mesh.parts {
        let corners = part.positions.len();
        assert!(part.indices.iter().flatten().all(|&index| (index as usize) < corners));
        assert!(part.positions.iter().flatten().all(|number| number.is_finite()));
        assert!(part.normals.is_empty() || part.normals.len() == corners);
        assert!(part.uvs.is_empty() || part.uvs.len() == corners);
        assert!(part.material.is_none_or(|material| material < mesh.materials.len()));
    }
    let textures = mesh.materials.iter().filter_map(|material| material.texture);
    assert!(textures.into_iter().all(|texture| texture < mesh.textures.len()));
    mesh.triangles();
}

fn try_all(bytes: &[u8]) {
    let files = Neighbours::new(Path::new("/none/a.x"), &ResourceRoots::new(), Looks::Wanted);
    for read in [
        obj::parse(bytes, &files),
        stl::parse(bytes.to_vec()),
        dae::parse(bytes, &files),
        gltf::parse(bytes, &files),
    ] {
        read.iter().for_each(check);
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(
        start in prop::sample::select(vec!["", "solid ", "<COLLADA>", "glTF\u{2}\0\0\0", "{\"", "f 1"]),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let mut all = start.as_bytes().to_vec();
        all.extend(bytes);
        try_all(&all);
    }

    #[test]
    fn damaged_files_never_panic(
        which in 0..4usize, at in any::<usize>(), byte in any::<u8>(), cut in any::<usize>(),
    ) {
        let glb = gltf::tests::square_glb();
        let gltf = gltf::tests::square_gltf();
        let good = [OBJ.as_bytes(), dae::tests::SCENE.as_bytes(), &glb, gltf.as_bytes()][which];
        try_all(&damaged(good, at, byte, cut));
    }

    #[test]
    fn damaged_numbers_never_panic(which in 0..2usize, at in 0..400usize, number in any::<i64>()) {
        // Numbers are where files lie: every run of digits is tried with other values.
        let gltf = gltf::tests::square_gltf();
        let good = [dae::tests::SCENE, &gltf][which];
        try_all(renumbered(good, at, &number.to_string()).as_bytes());
        try_all(renumbered(good, at, &(number % 8).to_string()).as_bytes());
    }

    #[test]
    fn damaged_materials_never_panic(at in any::<usize>(), byte in any::<u8>(), cut in any::<usize>()) {
        let folder = folder(&[
            ("a.obj", OBJ.as_bytes()), ("looks.mtl", &damaged(MTL.as_bytes(), at, byte, cut)),
        ]);
        check(&parts(&folder, "a.obj").unwrap());
    }
}

/// Replaces the `at`th run of digits.
fn renumbered(text: &str, at: usize, number: &str) -> String {
    let digits = |c: char| c.is_ascii_digit();
    let starts: Vec<usize> = text
        .match_indices(digits)
        .map(|(at, _)| at)
        .filter(|&at| at == 0 || !text[..at].ends_with(digits))
        .collect();
    let start = starts[at % starts.len()];
    let rest = &text[start..];
    let end = start + rest.find(|c: char| !digits(c)).unwrap_or(rest.len());
    format!("{}{number}{}", &text[..start], &text[end..])
}
