//! Wavefront OBJ: triangles, quads and polygons, in parts by object, group and material.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::mtl::{self, split_word};
use super::neighbours::{Looks, Neighbours};
use super::parts::{Budget, Mesh, NONE, PartBuilder, Streams};
use super::{Fault, MAX_PARTS, push_part};

/// Reads an OBJ file and, when looks are wanted, the material libraries that it names.
pub(super) fn parse(bytes: &[u8], files: &Neighbours) -> Result<Mesh, Fault> {
    let text = joined_lines(&String::from_utf8_lossy(bytes)).into_owned();
    let mut mesh = Mesh::default();
    let materials = match files.looks() {
        Looks::Wanted => mtl::read(&libraries(&text), files, &mut mesh),
        Looks::Unwanted => BTreeMap::new(),
    };
    let mut reader = Reader { materials, ..Reader::default() };
    for (line, number) in text.lines().zip(1_u64..) {
        reader.line(line).map_err(|fault| in_line(fault, number))?;
    }
    for part in reader.parts.into_iter().filter_map(PartBuilder::finish) {
        push_part(&mut mesh, part)?;
    }
    Ok(mesh)
}

/// A backslash at the end of a line continues it.
fn joined_lines(text: &str) -> Cow<'_, str> {
    match text.contains("\\\n") || text.contains("\\\r\n") {
        true => text.replace("\\\r\n", " ").replace("\\\n", " ").into(),
        false => text.into(),
    }
}

fn libraries(text: &str) -> Vec<String> {
    let lines = text.lines().map(split_word);
    let named = lines.filter(|(word, rest)| *word == "mtllib" && !rest.is_empty());
    let mut names: Vec<String> = named.map(|(_, rest)| rest.to_owned()).take(64).collect();
    names.dedup();
    names
}

fn in_line(fault: Fault, number: u64) -> Fault {
    match fault {
        Fault::Malformed(what) => Fault::Malformed(format!("{what}, in line {number}")),
        other => other,
    }
}

#[derive(Default)]
struct Reader {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    materials: BTreeMap<String, usize>,
    parts: Vec<PartBuilder>,
    /// Places of parts by name and material.
    part_of: BTreeMap<(String, Option<usize>), usize>,
    name: String,
    material: Option<usize>,
    /// The part that faces go to; none until the next face after a new name or material.
    current: Option<usize>,
    corners: Vec<[u32; 3]>,
    budget: Budget,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Fault> {
        let (word, rest) = split_word(line);
        match word {
            "v" => self.positions.push(numbers(rest)?),
            "vn" => self.normals.push(numbers(rest)?),
            "vt" => self.uvs.push(texture_place(rest)?),
            "f" => self.face(rest)?,
            "o" | "g" => {
                rest.clone_into(&mut self.name);
                self.current = None;
            }
            "usemtl" => {
                self.material = self.materials.get(rest).copied();
                self.current = None;
            }
            _ => {}
        }
        Ok(())
    }

    fn face(&mut self, text: &str) -> Result<(), Fault> {
        self.corners.clear();
        for corner in text.split_whitespace() {
            let corner = self.corner(corner)?;
            self.corners.push(corner);
        }
        let part = self.part()?;
        let streams =
            Streams { positions: &self.positions, normals: &self.normals, uvs: &self.uvs };
        self.parts[part].polygon(&self.corners, streams, &mut self.budget)
    }

    /// Returns the part for the name and material that hold now.
    fn part(&mut self) -> Result<usize, Fault> {
        if let Some(part) = self.current {
            return Ok(part);
        }
        let key = (self.name.clone(), self.material);
        let part = match self.part_of.get(&key) {
            Some(&part) => part,
            None if self.parts.len() >= MAX_PARTS => {
                let what = format!("the mesh has more parts than the limit of {MAX_PARTS}");
                return Err(Fault::Malformed(what));
            }
            None => {
                self.parts.push(PartBuilder::new(self.name.clone(), self.material));
                self.part_of.insert(key, self.parts.len() - 1);
                self.parts.len() - 1
            }
        };
        self.current = Some(part);
        Ok(part)
    }

    /// Reads a corner: indices of position, texture place and normal with slashes between.
    fn corner(&self, text: &str) -> Result<[u32; 3], Fault> {
        let mut fields = text.split('/');
        let mut next = |held: usize| match fields.next().unwrap_or_default() {
            "" => Ok(NONE),
            field => index(field, held),
        };
        let position = next(self.positions.len())?;
        let uv = next(self.uvs.len())?;
        let normal = next(self.normals.len())?;
        if position == NONE || fields.next().is_some() {
            return Err(malformed("a corner of a face", text));
        }
        Ok([position, normal, uv])
    }
}

/// Reads an index that counts from one, or backwards from the last when it is negative.
fn index(text: &str, held: usize) -> Result<u32, Fault> {
    let number: i64 = text.parse().map_err(|_| malformed("an index", text))?;
    let place = if number < 0 { held as i64 + number } else { number - 1 };
    match u32::try_from(place) {
        Ok(place) if (place as usize) < held => Ok(place),
        _ => Err(Fault::Malformed(format!("a face names item {number} of {held}"))),
    }
}

fn numbers(text: &str) -> Result<[f32; 3], Fault> {
    let mut words = text.split_whitespace();
    let mut next = || finite(words.next().unwrap_or_default());
    Ok([next()?, next()?, next()?])
}

fn texture_place(text: &str) -> Result<[f32; 2], Fault> {
    let mut words = text.split_whitespace();
    let u = finite(words.next().unwrap_or_default())?;
    Ok([u, words.next().map_or(Ok(0.0), finite)?])
}

fn finite(text: &str) -> Result<f32, Fault> {
    match text.parse::<f32>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(Fault::Malformed(format!("{text} is not a finite number"))),
        Err(_) => Err(malformed("a number", text)),
    }
}

fn malformed(what: &str, text: &str) -> Fault {
    let shown: String = text.chars().take(40).collect();
    Fault::Malformed(format!("{shown:?} is not {what}"))
}
