//! STL, binary and ASCII.

use std::collections::HashMap;
use std::io::Cursor;

use super::parts::{Mesh, MeshPart};
use super::{Fault, MAX_TRIANGLES};

/// Bytes before the first triangle of a binary file.
const HEADER_BYTES: usize = 84;
/// Bytes of one triangle of a binary file.
const TRIANGLE_BYTES: u64 = 50;

/// Reads the triangles of an STL file and joins equal corners; they are one part without a name.
pub(super) fn parse(mut bytes: Vec<u8>) -> Result<Mesh, Fault> {
    if is_binary(&bytes) {
        check_claim(&bytes)?;
        // Some programs write `solid` into the header of binary files; the reader would take
        // them for ASCII.
        bytes[..5].fill(0);
    }
    let mut reader = Cursor::new(bytes);
    let triangles = stl_io::create_stl_reader(&mut reader).map_err(malformed)?;
    let mut builder = Builder::default();
    for triangle in triangles {
        let corners = triangle.map_err(malformed)?.vertices;
        builder.push(corners.map(|corner| corner.0))?;
    }
    Ok(Mesh { parts: vec![builder.part], ..Mesh::default() })
}

fn malformed(error: std::io::Error) -> Fault {
    Fault::Malformed(format!("not a readable STL file: {error}"))
}

/// A file is ASCII when it starts with `solid` and its length does not fit the binary form.
fn is_binary(bytes: &[u8]) -> bool {
    let starts_solid = bytes.trim_ascii_start().starts_with(b"solid");
    !starts_solid
        || claimed_triangles(bytes).is_some_and(|claimed| claimed == held_triangles(bytes))
}

fn claimed_triangles(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(HEADER_BYTES - 4..HEADER_BYTES)?;
    Some(u64::from(u32::from_le_bytes(count.try_into().ok()?)))
}

fn held_triangles(bytes: &[u8]) -> u64 {
    (bytes.len().saturating_sub(HEADER_BYTES)) as u64 / TRIANGLE_BYTES
}

/// Refuses a header that claims more triangles than the file holds, before memory is reserved.
fn check_claim(bytes: &[u8]) -> Result<(), Fault> {
    let Some(claimed) = claimed_triangles(bytes) else {
        return Err(Fault::Malformed("an STL file is at least 84 bytes long".to_owned()));
    };
    let held = held_triangles(bytes);
    if claimed > held {
        let what = format!("the header claims {claimed} triangles, but the file holds {held}");
        return Err(Fault::Malformed(what));
    }
    if claimed > MAX_TRIANGLES {
        return Err(Fault::TooManyTriangles(claimed));
    }
    Ok(())
}

/// Collects triangles and joins equal corners.
#[derive(Default)]
struct Builder {
    part: MeshPart,
    index_of: HashMap<[u32; 3], u32>,
}

impl Builder {
    fn push(&mut self, corners: [[f32; 3]; 3]) -> Result<(), Fault> {
        let number = self.part.indices.len() as u64 + 1;
        if number > MAX_TRIANGLES {
            return Err(Fault::TooManyTriangles(number));
        }
        if corners.iter().flatten().any(|value| !value.is_finite()) {
            let what = format!("triangle {number} has a number that is not finite");
            return Err(Fault::Malformed(what));
        }
        let triangle = corners.map(|corner| self.index(corner));
        self.part.indices.push(triangle);
        Ok(())
    }

    fn index(&mut self, corner: [f32; 3]) -> u32 {
        // Adding zero makes the two zeros one.
        let key = corner.map(|value| (value + 0.0).to_bits());
        *self.index_of.entry(key).or_insert_with(|| {
            self.part.positions.push(corner);
            // The limit on triangles keeps three times their number far below u32.
            self.part.positions.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ASCII: &str = "solid a b\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
         vertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\n\
         vertex 1 1 0\nvertex -0 1 0\nendloop\nendfacet\nendsolid a b\n";

    fn binary(header: &[u8], claimed: u32, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(80, b' ');
        bytes.extend(claimed.to_le_bytes());
        for triangle in triangles {
            bytes.extend([0; 12]);
            bytes.extend(triangle.iter().flatten().flat_map(|value| value.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    const SQUARE: [[[f32; 3]; 3]; 2] = [
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [-0.0, 1.0, 0.0]],
    ];

    fn text(result: Result<Mesh, Fault>) -> String {
        match result.map(|mesh| mesh.triangles()) {
            Ok(mesh) => format!("{} corners {:?}", mesh.positions.len(), mesh.indices),
            Err(Fault::Malformed(what)) => what,
            Err(other) => format!("{other:?}"),
        }
    }

    #[test]
    fn both_forms_join_corners() {
        let expected = "4 corners [[0, 1, 2], [1, 3, 2]]";
        assert_eq!(text(parse(ASCII.as_bytes().to_vec())), expected);
        assert_eq!(text(parse(binary(b"any", 2, &SQUARE))), expected);
        assert_eq!(text(parse(binary(b"solid but binary", 2, &SQUARE))), expected);
    }

    #[test]
    fn refuses_false_claims_and_bad_numbers() {
        assert_eq!(
            text(parse(binary(b"", u32::MAX, &SQUARE))),
            "the header claims 4294967295 triangles, but the file holds 2"
        );
        let mut bad = SQUARE;
        bad[1][2][0] = f32::NAN;
        assert_eq!(text(parse(binary(b"", 2, &bad))), "triangle 2 has a number that is not finite");
    }

    proptest! {
        #[test]
        fn damaged_files_never_panic(
            ascii in any::<bool>(), cut in 0..400usize, at in 0..400usize, byte in any::<u8>(),
        ) {
            let mut bytes = match ascii {
                true => ASCII.as_bytes().to_vec(),
                false => binary(b"x", 2, &SQUARE),
            };
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(length - cut % length);
            if let Ok(mesh) = parse(bytes) {
                let mesh = mesh.triangles();
                let corners = mesh.positions.len() as u32;
                prop_assert!(mesh.indices.iter().flatten().all(|&index| index < corners));
            }
        }
    }
}
