//! Terrain as a mesh that a browser can draw.

use std::path::Path;

use retake_assets::{Mesh, MeshPart, load_heightmap};
use retake_math::Vec3;

/// Most points along a side; finer terrain is drawn coarser than it collides.
const MAX_SIDE: usize = 513;

/// Reads terrain around the origin, with places for a texture that covers it once.
pub(super) fn read(path: &Path, size: Vec3) -> Result<Mesh, String> {
    let terrain = load_heightmap(path).map_err(|error| error.to_string())?;
    let (columns, rows) = (sampled(terrain.columns()), sampled(terrain.rows()));
    let mut part = MeshPart { name: "terrain".to_owned(), ..MeshPart::default() };
    for &row in &rows {
        for &column in &columns {
            let across = column as f64 / (terrain.columns() - 1) as f64;
            let down = row as f64 / (terrain.rows() - 1) as f64;
            let height = terrain.height_m(row, column, size.z);
            let position = [(across - 0.5) * size.x, (0.5 - down) * size.y, height];
            part.positions.push(position.map(|number| number as f32));
            part.uvs.push([across as f32, 1.0 - down as f32]);
        }
    }
    for row in 0..rows.len() - 1 {
        for column in 0..columns.len() - 1 {
            let corner = |row: usize, column: usize| (row * columns.len() + column) as u32;
            let [here, right] = [corner(row, column), corner(row, column + 1)];
            let [below, across] = [corner(row + 1, column), corner(row + 1, column + 1)];
            part.indices.extend([[here, below, right], [below, across, right]]);
        }
    }
    Ok(Mesh { parts: vec![part], ..Mesh::default() })
}

/// Picks which points of a side are drawn: all of them, or some at even distances with both ends.
fn sampled(points: usize) -> Vec<usize> {
    let drawn = points.min(MAX_SIDE);
    (0..drawn).map(|point| point * (points - 1) / (drawn - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fine_terrain_is_drawn_coarser_from_end_to_end() {
        assert_eq!(sampled(5), [0, 1, 2, 3, 4]);
        let drawn = sampled(4097);
        assert_eq!((drawn.len(), drawn[0], drawn[1], drawn[512]), (513, 0, 8, 4096));
    }
}
