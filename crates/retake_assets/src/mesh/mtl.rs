//! MTL: the materials of OBJ files.

use std::collections::BTreeMap;

use super::neighbours::Neighbours;
use super::parts::{Mesh, MeshMaterial, Texture};

/// Longest material library that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;
/// Most materials of one mesh.
const MAX_MATERIALS: usize = 10_000;

/// Reads the libraries that an OBJ file names, and returns the places of the materials by name.
///
/// What cannot be read is a warning: a mesh without its colours is still a mesh.
pub(super) fn read(
    names: &[String],
    files: &Neighbours,
    mesh: &mut Mesh,
) -> BTreeMap<String, usize> {
    let mut places = BTreeMap::new();
    for name in names {
        match files.read_library(name, MAX_BYTES) {
            Ok(bytes) => parse(&String::from_utf8_lossy(&bytes), files, mesh, &mut places),
            Err(warning) => mesh.warn(warning),
        }
    }
    places
}

fn parse(text: &str, files: &Neighbours, mesh: &mut Mesh, places: &mut BTreeMap<String, usize>) {
    for (number, line) in text.lines().enumerate() {
        let (word, rest) = split_word(line);
        if word == "newmtl" {
            if mesh.materials.len() >= MAX_MATERIALS {
                mesh.warn(format!("materials past the limit of {MAX_MATERIALS} are left out"));
                return;
            }
            places.entry(rest.to_owned()).or_insert(mesh.materials.len());
            mesh.materials.push(MeshMaterial { name: rest.to_owned(), ..MeshMaterial::default() });
        } else if let Some(material) = mesh.materials.len().checked_sub(1) {
            let read = property(word, rest, files, mesh, material);
            if let Err(what) = read {
                mesh.warn(format!("{what}, in line {} of the material library", number + 1));
            }
        }
    }
}

/// Sets one property; what is not known is passed over.
fn property(
    word: &str,
    rest: &str,
    files: &Neighbours,
    mesh: &mut Mesh,
    material: usize,
) -> Result<(), String> {
    let look = &mut mesh.materials[material];
    match word {
        "Kd" => {
            let [red, green, blue] = color(rest)?;
            look.base_color = [red, green, blue, look.base_color[3]];
        }
        "Ke" => look.emissive = color(rest)?,
        "d" => look.base_color[3] = number(rest.trim_start_matches("-halo"))?.clamp(0.0, 1.0),
        "Tr" => look.base_color[3] = 1.0 - number(rest)?.clamp(0.0, 1.0),
        "Pr" => look.roughness = Some(number(rest)?.clamp(0.0, 1.0)),
        "Pm" => look.metalness = Some(number(rest)?.clamp(0.0, 1.0)),
        "map_Kd" => {
            let path = files.image(without_options(rest))?;
            mesh.materials[material].texture = Some(mesh.texture(Texture::File(path)));
        }
        _ => {}
    }
    Ok(())
}

fn color(text: &str) -> Result<[f32; 3], String> {
    let mut words = text.split_whitespace();
    let red = number(words.next().unwrap_or_default())?;
    let mut next = || words.next().map_or(Ok(red), number);
    // One number alone is a grey.
    Ok([red, next()?, next()?].map(|value| value.clamp(0.0, 1.0)))
}

fn number(text: &str) -> Result<f32, String> {
    let parsed = text.trim().parse::<f32>().ok().filter(|value| value.is_finite());
    parsed.ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        format!("{shown:?} is not a number")
    })
}

/// Returns the file name behind options such as `-s 1 1 1`.
fn without_options(text: &str) -> &str {
    let mut rest = text.trim();
    while rest.starts_with('-') {
        let (_, after) = split_word(rest);
        rest = after;
        // The values of an option are numbers, or on and off.
        loop {
            let (value, after) = split_word(rest);
            let is_value = value.parse::<f32>().is_ok() || matches!(value, "on" | "off");
            if !is_value || after.is_empty() {
                break;
            }
            rest = after;
        }
    }
    rest
}

/// Splits a line into its first word and what follows.
pub(super) fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}
