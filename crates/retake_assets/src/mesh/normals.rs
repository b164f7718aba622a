//! Normals for parts that have none.

use std::collections::HashMap;

use glam::Vec3;

use super::parts::MeshPart;

/// Where more faces than this meet, each has its own normal: looking at all pairs would be slow.
const MOST_FACES: usize = 64;

impl MeshPart {
    /// Gives the part normals unless it has some: smooth ones, except across edges where the
    /// surface turns by more than `crease_rad`. Corners on such edges are doubled.
    pub fn add_normals(&mut self, crease_rad: f32) {
        if !self.normals.is_empty() {
            return;
        }
        let faces: Vec<Vec3> = self.indices.iter().map(|face| self.face_normal(face)).collect();
        let meeting = Meeting::new(self);
        let least = crease_rad.cos();
        let old = std::mem::take(self);
        let mut corners = HashMap::new();
        for (number, face) in old.indices.iter().enumerate() {
            let triangle = face.map(|corner| {
                let normal = smooth(&faces, number, meeting.faces(corner), least).to_array();
                let key = (corner, normal.map(f32::to_bits));
                *corners.entry(key).or_insert_with(|| {
                    self.positions.push(old.positions[corner as usize]);
                    self.normals.push(normal);
                    self.uvs.extend(old.uvs.get(corner as usize));
                    // No more than three for each triangle, whose number is bounded.
                    self.positions.len() as u32 - 1
                })
            });
            self.indices.push(triangle);
        }
        self.name = old.name;
        self.material = old.material;
    }

    /// Returns the normal of a triangle, as long as twice its area.
    fn face_normal(&self, face: &[u32; 3]) -> Vec3 {
        let [a, b, c] = face.map(|corner| Vec3::from_array(self.positions[corner as usize]));
        (b - a).cross(c - a)
    }
}

/// Sums the normals of the faces that meet in a corner and turn little; large faces count more.
fn smooth(faces: &[Vec3], own: usize, meeting: &[u32], least: f32) -> Vec3 {
    let direction = faces[own].normalize_or_zero();
    if meeting.len() > MOST_FACES {
        return direction;
    }
    let near = meeting.iter().map(|&face| faces[face as usize]);
    let near = near.filter(|normal| normal.normalize_or_zero().dot(direction) >= least);
    near.sum::<Vec3>().try_normalize().unwrap_or(direction)
}

/// Which faces meet in each place, whether their corners are shared or not.
struct Meeting {
    /// Place of each corner.
    places: Vec<u32>,
    /// Where the faces of each place start in `faces`; one more than there are places.
    starts: Vec<u32>,
    faces: Vec<u32>,
}

impl Meeting {
    fn new(part: &MeshPart) -> Self {
        let mut known = HashMap::new();
        let mut place = |position: &[f32; 3]| {
            let next = known.len() as u32;
            *known.entry(position.map(|number| (number + 0.0).to_bits())).or_insert(next)
        };
        let places: Vec<u32> = part.positions.iter().map(&mut place).collect();
        let mut starts = vec![0; known.len() + 1];
        for &corner in part.indices.iter().flatten() {
            starts[places[corner as usize] as usize + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut next = starts.clone();
        let mut faces = vec![0; part.indices.len() * 3];
        for (number, face) in (0..).zip(&part.indices) {
            for &corner in face {
                let at = &mut next[places[corner as usize] as usize];
                faces[*at as usize] = number;
                *at += 1;
            }
        }
        Self { places, starts, faces }
    }

    fn faces(&self, corner: u32) -> &[u32] {
        let place = self.places[corner as usize] as usize;
        &self.faces[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares that share an edge along y, folded by an angle.
    fn folded(angle_rad: f32) -> MeshPart {
        let (z, x) = angle_rad.sin_cos();
        let positions = vec![
            [-1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [-1.0, 1.0, 0.0],
            [x, 0.0, -z],
            [x, 1.0, -z],
        ];
        let indices = vec![[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]];
        let mut part = MeshPart { positions, indices, ..MeshPart::default() };
        part.add_normals(0.7);
        part
    }

    #[test]
    fn gentle_folds_are_smooth_and_sharp_ones_sharp() {
        let gentle = folded(0.4);
        assert_eq!(gentle.positions.len(), 6);
        // The normal on the fold lies between the two, nearer to the side with more faces there.
        let fold = gentle.normals[1];
        assert!(0.2_f32.sin() < fold[0] && fold[0] < 0.3_f32.sin(), "{fold:?}");
        let sharp = folded(1.0);
        assert_eq!((sharp.positions.len(), sharp.normals.len()), (8, 8));
        assert_eq!(sharp.normals[1], [0.0, 0.0, 1.0]);
        assert_eq!(sharp.indices.len(), 4);
    }

    #[test]
    fn triangles_without_area_have_no_direction() {
        let indices = vec![[0, 0, 0]];
        let mut part = MeshPart { positions: vec![[1.0; 3]], indices, ..MeshPart::default() };
        part.add_normals(0.7);
        assert_eq!(part.normals, [[0.0; 3]]);
    }
}
