//! Wavefront OBJ: triangles, quads and polygons; materials are left aside.

use super::{Fault, MAX_TRIANGLES, TriMesh};

/// Most named parts of one file; each costs the reader some hundred bytes.
const MAX_PARTS: u64 = 100_000;

/// Reads the triangles of an OBJ file: all of them, or those of one object or group.
pub(super) fn parse(bytes: &[u8], submesh: Option<&str>) -> Result<TriMesh, Fault> {
    check_size(bytes)?;
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..tobj::LoadOptions::default()
    };
    // Material files are not opened: their names come from the file and could lead anywhere.
    let no_materials = |_: &std::path::Path| Ok(Default::default());
    let (parts, _) = tobj::load_obj_buf(&mut &*bytes, &options, no_materials)
        .map_err(|error| Fault::Malformed(error.to_string()))?;
    let mut mesh = TriMesh::default();
    for part in parts.iter().filter(|part| submesh.is_none_or(|name| part.name == name)) {
        append(&mut mesh, &part.mesh)?;
    }
    match submesh {
        Some(name) if mesh.indices.is_empty() => Err(no_such_part(name, &parts)),
        _ => Ok(mesh),
    }
}

/// Bounds what the reader will reserve, from the first letters of the lines.
fn check_size(bytes: &[u8]) -> Result<(), Fault> {
    let (mut triangles, mut parts) = (0_u64, 0_u64);
    for line in bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start) {
        match line.first() {
            // A face with n corners becomes n - 2 triangles.
            Some(b'f') => {
                let corners = line.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).count();
                triangles += (corners as u64).saturating_sub(3);
            }
            Some(b'o' | b'g' | b'u') => parts += 1,
            _ => {}
        }
    }
    if triangles > MAX_TRIANGLES {
        return Err(Fault::TooManyTriangles(triangles));
    }
    if parts > MAX_PARTS {
        let what = format!("the mesh has {parts} parts, more than the limit of {MAX_PARTS}");
        return Err(Fault::Malformed(what));
    }
    Ok(())
}

fn append(mesh: &mut TriMesh, part: &tobj::Mesh) -> Result<(), Fault> {
    let base = mesh.positions.len();
    for corner in part.positions.chunks_exact(3) {
        if corner.iter().any(|value| !value.is_finite()) {
            let number = mesh.positions.len() + 1;
            let what = format!("vertex {number} has a number that is not finite");
            return Err(Fault::Malformed(what));
        }
        mesh.positions.push([corner[0], corner[1], corner[2]]);
    }
    let corners = mesh.positions.len() - base;
    for triangle in part.indices.chunks_exact(3) {
        if triangle.iter().any(|&index| index as usize >= corners) {
            return Err(Fault::Malformed("a face names a vertex that is not there".to_owned()));
        }
        // The limit on triangles keeps the number of corners far below u32.
        let shifted = |index: u32| base as u32 + index;
        mesh.indices.push([shifted(triangle[0]), shifted(triangle[1]), shifted(triangle[2])]);
    }
    Ok(())
}

fn no_such_part(name: &str, parts: &[tobj::Model]) -> Fault {
    let mut names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).take(20).collect();
    names.dedup();
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Fault::NoSuchSubmesh { name: name.to_owned(), known }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TWO_PARTS: &str = "# two parts\nmtllib ../../etc/passwd\nv 0 0 0\nv 1 0 0\nv 1 1 0\n\
         v 0 1 0\nv 0 0 1\nvn 0 0 1\no floor\nusemtl grey\nf 1//1 2//1 3//1 4//1\ng tip\nf -1 -5 -4\n";

    fn shape(submesh: Option<&str>) -> (usize, Vec<[u32; 3]>) {
        let mesh = parse(TWO_PARTS.as_bytes(), submesh).ok().unwrap();
        (mesh.positions.len(), mesh.indices)
    }

    #[test]
    fn quads_split_and_parts_are_chosen() {
        assert_eq!(shape(None), (7, vec![[0, 1, 2], [0, 2, 3], [4, 5, 6]]));
        assert_eq!(shape(Some("floor")), (4, vec![[0, 1, 2], [0, 2, 3]]));
        assert_eq!(shape(Some("tip")), (3, vec![[0, 1, 2]]));
    }

    #[test]
    fn too_many_faces_are_refused_before_they_are_read() {
        let text = "f 1 1 1\n".repeat(MAX_TRIANGLES as usize + 1);
        assert!(matches!(parse(text.as_bytes(), None), Err(Fault::TooManyTriangles(5_000_001))));
    }

    proptest! {
        #[test]
        fn damaged_files_never_panic(cut in 0..200usize, at in 0..200usize, byte in any::<u8>()) {
            let mut bytes = TWO_PARTS.as_bytes().to_vec();
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(length - cut % length);
            if let Ok(mesh) = parse(&bytes, None) {
                let corners = mesh.positions.len() as u32;
                prop_assert!(mesh.indices.iter().flatten().all(|&index| index < corners));
            }
        }
    }
}
