//! A square of our own making in all three forms, and damaged ones.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::tests::{described, folder, parts};
use super::super::{MeshError, Texture};

/// Positions, normals, texture places and indices of a square, then some bytes as an image.
fn data() -> Vec<u8> {
    let mut bytes = Vec::new();
    let positions: [[f32; 3]; 4] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    positions.iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
    [[0.0_f32, 0.0, 1.0]; 4].iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
    // Texture places as whole numbers that stand for 0 to 1.
    for place in [[0, 65535], [65535, 65535], [65535, 0], [0, 0_u16]] {
        place.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    bytes.extend([0, 1, 2, 0, 2, 3]);
    bytes.extend([0, 0]);
    bytes.extend(b"\x89PNG");
    bytes
}

fn document(buffer: Value) -> Value {
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [
            { "name": "Stand", "translation": [0.0, 2.0, 0.0], "children": [1] },
            { "name": "Board", "mesh": 0, "scale": [2.0, 1.0, 1.0] },
        ],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2 },
            "indices": 3, "material": 0,
        }] }],
        "materials": [{
            "name": "Paint", "doubleSided": true, "alphaMode": "BLEND",
            "pbrMetallicRoughness": {
                "baseColorFactor": [1.0, 0.0, 0.0, 0.5], "baseColorTexture": { "index": 0 },
                "metallicFactor": 0.0, "roughnessFactor": 0.75,
            },
        }],
        "textures": [{ "source": 0 }],
        "images": [{ "bufferView": 4, "mimeType": "image/png" }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC3" },
            { "bufferView": 2, "componentType": 5123, "count": 4, "type": "VEC2", "normalized": true },
            { "bufferView": 3, "componentType": 5121, "count": 6, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 96, "byteLength": 16 },
            { "buffer": 0, "byteOffset": 112, "byteLength": 6 },
            { "buffer": 0, "byteOffset": 120, "byteLength": 4 },
        ],
        "buffers": [buffer],
    })
}

/// The square with its data inside of the text.
pub(in super::super) fn square_gltf() -> String {
    let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(data()));
    document(json!({ "byteLength": 124, "uri": uri })).to_string()
}

/// The square as one binary file.
pub(in super::super) fn square_glb() -> Vec<u8> {
    glb(&document(json!({ "byteLength": 124 })))
}

fn glb(document: &Value) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let data = data();
    let mut bytes = b"glTF".to_vec();
    let length = 12 + 8 + text.len() + 8 + data.len();
    bytes.extend([2, length as u32].iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(text);
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(data);
    bytes
}

#[test]
fn all_three_forms_are_the_same_square() {
    let apart = document(json!({ "byteLength": 124, "uri": "my%20data.bin" })).to_string();
    let folder = folder(&[
        ("inside.gltf", square_gltf().as_bytes()),
        ("apart.gltf", apart.as_bytes()),
        ("my data.bin", &data()),
        ("whole.glb", &square_glb()),
    ]);
    let mesh = parts(&folder, "whole.glb").unwrap();
    expect_test::expect![[r#"
        "Board" 4 corners [[0, 1, 2], [0, 2, 3]] normals uvs Paint [0.99999994, 0.0, 0.0, 0.5] 4 bytes
    "#]].assert_eq(&described(&mesh, folder.path()));
    assert_eq!(mesh.parts[0].positions[2], [2.0, 3.0, 0.0]);
    assert_eq!(mesh.parts[0].uvs, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    let look = &mesh.materials[0];
    assert!(look.double_sided && look.roughness == Some(0.75));
    assert_eq!(parts(&folder, "inside.gltf").unwrap(), mesh);
    assert_eq!(parts(&folder, "apart.gltf").unwrap(), mesh);
}

fn refusal(change: impl Fn(&mut Value)) -> String {
    let mut document = document(json!({ "byteLength": 124 }));
    change(&mut document);
    let folder = folder(&[("a.glb", &glb(&document))]);
    match parts(&folder, "a.glb") {
        Ok(mesh) => described(&mesh, folder.path()),
        Err(MeshError::Malformed { what, .. }) => what,
        Err(other) => other.to_string(),
    }
}

#[test]
fn faults_are_said() {
    let huge = u64::MAX / 2;
    let cases: [(&str, Value, &str); 13] = [
        ("/accessors/0/count", json!(huge), "the mesh has more than 15000000 vertices"),
        (
            "/accessors/3/count",
            json!(huge),
            "an accessor claims 9223372036854775807 items, past 15000000",
        ),
        ("/accessors/0/count", json!(5), "5 items do not fit into the 48 bytes of their view"),
        (
            "/accessors/0/byteOffset",
            json!(huge),
            "4 items do not fit into the 48 bytes of their view",
        ),
        ("/accessors/0/bufferView", json!(9), "there is no buffer view 9"),
        (
            "/bufferViews/0/byteStride",
            json!(4),
            "4 items do not fit into the 48 bytes of their view",
        ),
        (
            "/bufferViews/1/byteOffset",
            json!(100),
            "buffer view 1 reaches past the 124 bytes of its buffer",
        ),
        ("/bufferViews/3/byteOffset", json!(100), "a triangle names vertex 255 of 4"),
        ("/nodes/1/children", json!([0]), "nodes are nested deeper than 128, or in a circle"),
        ("/nodes/1/mesh", json!(7), "there is no mesh 7"),
        ("/scene", json!(3), "the scene that is shown is not there"),
        ("/asset/version", json!("1.0"), "glTF version \"1.0\" is not read, only 2.0"),
        (
            "/extensionsRequired",
            json!(["KHR_draco_mesh_compression"]),
            "the file needs the extension \"KHR_draco_mesh_compression\", which is not read",
        ),
    ];
    for (place, value, expected) in cases {
        let said = refusal(|document| {
            let (parent, key) = place.rsplit_once('/').unwrap();
            document.pointer_mut(parent).unwrap()[key] = value.clone();
        });
        assert_eq!(said, expected, "{place}");
    }
}

#[test]
fn a_number_that_is_not_finite_is_refused() {
    let mut document = document(json!({ "byteLength": 48 }));
    let mut bytes = data();
    bytes[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let uri = format!("data:;base64,{}", STANDARD.encode(bytes));
    document["buffers"][0] = json!({ "byteLength": 124, "uri": uri });
    let folder = folder(&[("a.gltf", document.to_string().as_bytes())]);
    let said = parts(&folder, "a.gltf").unwrap_err().to_string();
    assert!(said.starts_with("accessor 0 has a number that is not finite"), "{said}");
}

#[test]
fn buffers_come_from_the_own_folder_only() {
    for uri in ["../data.bin", "file:///etc/passwd", "http://example.org/a.bin", "data:,abc"] {
        let document = document(json!({ "byteLength": 124, "uri": uri })).to_string();
        let folder = folder(&[("in/a.gltf", document.as_bytes()), ("data.bin", &data())]);
        let said = parts(&folder, "in/a.gltf").unwrap_err().to_string();
        let expected = match uri {
            "data:,abc" => "a data: address is not in base64".to_owned(),
            uri => {
                format!("the file {uri:?} is not beside the mesh nor under the resource folders")
            }
        };
        assert!(said.starts_with(&expected), "{said}");
    }
}

#[test]
fn a_sparse_accessor_changes_single_items() {
    let said = refusal(|document| {
        document["accessors"][0]["sparse"] = json!({
            "count": 1,
            "indices": { "bufferView": 3, "byteOffset": 2, "componentType": 5121 },
            "values": { "bufferView": 1 },
        });
        document["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    });
    assert!(said.contains("4 corners [[0, 1, 2], [0, 2, 3]]"), "{said}");
}

/// The square with its material `count` times, each with its own image that is `length` bytes of
/// the same data, starting `step` bytes after the one before.
fn with_images(count: usize, length: usize, step: usize) -> TempDir {
    let mut document = document(json!({ "byteLength": 124 }));
    let primitive = document["meshes"][0]["primitives"][0].clone();
    let material = document["materials"][0].clone();
    for list in ["textures", "images", "materials"] {
        document[list] = json!([]);
    }
    document["meshes"][0]["primitives"] = json!([]);
    document["buffers"][0] = json!({ "byteLength": 124, "uri": "square.bin" });
    document["buffers"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "byteLength": length + step * count, "uri": "images.bin" }));
    for number in 0..count {
        let mut add = |list: &str, item: Value| {
            document.pointer_mut(list).unwrap().as_array_mut().unwrap().push(item);
        };
        let at = json!({ "buffer": 1, "byteOffset": number * step, "byteLength": length });
        add("/bufferViews", at);
        add("/images", json!({ "bufferView": 5 + number, "mimeType": "image/png" }));
        add("/textures", json!({ "source": number }));
        let (mut material, mut primitive) = (material.clone(), primitive.clone());
        material["pbrMetallicRoughness"]["baseColorTexture"]["index"] = json!(number);
        primitive["material"] = json!(number);
        add("/materials", material);
        add("/meshes/0/primitives", primitive);
    }
    folder(&[
        ("many.gltf", document.to_string().as_bytes()),
        ("square.bin", &data()),
        ("images.bin", &vec![0; length + step * count]),
    ])
}

#[test]
fn overlapping_images_past_the_budget_are_left_out_and_said() {
    let mesh = parts(&with_images(80, 4 << 20, 1), "many.gltf").unwrap();
    let bytes = mesh.textures.iter().map(|texture| match texture {
        Texture::Embedded(bytes) => bytes.len(),
        Texture::File(_) => 0,
    });
    assert_eq!(bytes.sum::<usize>(), 256 << 20);
    assert_eq!(
        mesh.warnings,
        ["the images inside of many.gltf take more than 268435456 bytes together; those past the \
          limit are left out"]
    );
    // The shapes stay, those without their image in their own colour.
    assert_eq!((mesh.parts.len(), mesh.materials.len()), (80, 80));
    let textured = mesh.materials.iter().filter(|material| material.texture.is_some());
    assert_eq!(textured.count(), 64);
}

#[test]
fn images_of_the_same_bytes_share_them() {
    let mesh = parts(&with_images(80, 4 << 20, 0), "many.gltf").unwrap();
    assert_eq!((mesh.textures.len(), mesh.materials.len()), (1, 80));
    assert!(mesh.materials.iter().all(|material| material.texture == Some(0)));
    assert!(mesh.warnings.is_empty(), "{:?}", mesh.warnings);
}
