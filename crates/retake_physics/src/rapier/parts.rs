//! Meshes as convex parts.
//!
//! The library cuts a grid of voxels in two where that helps most, again and again, which gives a
//! power of two of parts. Neighbours that hardly grow when they are joined are joined then, until
//! there are as few as asked for.

use rapier3d_f64::parry::transformation::try_convex_hull;
use rapier3d_f64::parry::transformation::vhacd::{VHACD, VHACDParameters};
use retake_description::ConvexParts;
use retake_math::{Vec3, mesh_mass_properties};

use super::solids::{Made, hull, is_solid, outermost, together};
use crate::MeshData;

/// Most convex parts of one mesh.
const MAX_PARTS: u32 = 64;
/// Most voxels along the longest edge, and the fewest.
const RESOLUTION: (f64, f64) = (16.0, 128.0);
/// Most triangles that are cut up; beyond it a hull does as well.
const MAX_TRIANGLES: usize = 500_000;
/// Most corners of a part while parts are joined.
const MAX_PART_CORNERS: usize = 256;

/// Cuts a mesh into convex parts.
pub(super) fn decompose(mesh: &MeshData, wanted: ConvexParts) -> Result<Made, String> {
    let triangles = mesh.indices.len();
    if triangles > MAX_TRIANGLES {
        return Err(format!(
            "it has {triangles} triangles, and at most {MAX_TRIANGLES} are cut into convex parts; simplify the mesh"
        ));
    }
    let most = wanted.most_parts.clamp(1, MAX_PARTS);
    let parameters = VHACDParameters {
        resolution: f64::from(wanted.voxels).cbrt().clamp(RESOLUTION.0, RESOLUTION.1) as u32,
        max_convex_hulls: most,
        ..VHACDParameters::default()
    };
    let cut = VHACD::decompose(&parameters, &mesh.positions, &mesh.indices, true);
    let hulls = cut.compute_exact_convex_hulls(&mesh.positions, &mesh.indices);
    let parts = hulls.into_iter().filter_map(|(corners, _)| Part::of(&corners)).collect();
    let parts = joined(parts, most as usize);
    let hulls = parts.iter().map(|part| hull(&part.corners)).collect::<Result<Vec<_>, _>>()?;
    let mut made = together(hulls)?;
    if wanted.most_parts > MAX_PARTS {
        let asked = wanted.most_parts;
        made.remarks
            .push(format!("{asked} convex parts are asked for; at most {MAX_PARTS} are made"));
    }
    Ok(made)
}

/// A convex part.
struct Part {
    corners: Vec<Vec3>,
    volume: f64,
    low: Vec3,
    high: Vec3,
}

impl Part {
    /// Makes the hull of points; none when they enclose next to nothing.
    fn of(points: &[Vec3]) -> Option<Self> {
        let (corners, _) = try_convex_hull(points).ok()?;
        let few = corners.len() > MAX_PART_CORNERS;
        let corners = if few { outermost(&corners) } else { corners };
        let (corners, faces) = try_convex_hull(&corners).ok()?;
        let volume = mesh_mass_properties(&corners, &faces)?.mass_kg;
        let low = corners.iter().copied().reduce(Vec3::min)?;
        let high = corners.iter().copied().reduce(Vec3::max)?;
        is_solid(&corners, &faces).then_some(Self { corners, volume, low, high })
    }

    fn with(&self, other: &Self) -> Option<Self> {
        let both: Vec<Vec3> = self.corners.iter().chain(&other.corners).copied().collect();
        Self::of(&both)
    }

    fn touches(&self, other: &Self) -> bool {
        let reach = (self.high - self.low).max(other.high - other.low) * 0.05;
        self.low.cmple(other.high + reach).all() && other.low.cmple(self.high + reach).all()
    }
}

/// Joins parts until there are at most `most`.
fn joined(parts: Vec<Part>, most: usize) -> Vec<Part> {
    let mut parts: Vec<Option<Part>> = parts.into_iter().map(Some).collect();
    let mut left = parts.len();
    if left <= most {
        return parts.into_iter().flatten().collect();
    }
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for b in 0..parts.len() {
        add_pairs(&parts, b, 0..b, &mut pairs);
    }
    while left > most {
        // Equal costs are decided by the order of the parts.
        let best = pairs.iter().copied().min_by(|x, y| x.0.total_cmp(&y.0));
        let Some((_, a, b)) = best else { break };
        let both = parts[a].as_ref().zip(parts[b].as_ref()).and_then(|(a, b)| a.with(b));
        pairs.retain(|(_, x, y)| ![*x, *y].iter().any(|at| *at == a || *at == b));
        // A pair that cannot be joined keeps its larger half rather than staying for ever.
        parts[a] = both.or_else(|| larger(parts[a].take(), parts[b].take()));
        parts[b] = None;
        left -= 1;
        let others = (0..parts.len()).filter(|at| *at != a);
        add_pairs(&parts, a, others, &mut pairs);
    }
    parts.into_iter().flatten().collect()
}

fn larger(a: Option<Part>, b: Option<Part>) -> Option<Part> {
    let volume = |part: &Option<Part>| part.as_ref().map_or(0.0, |part| part.volume);
    if volume(&a) >= volume(&b) { a } else { b }
}

/// Adds what joining part `at` with each of `others` would cost: the volume that is solid then and
/// was not before. Parts far apart cost more than any that touch.
fn add_pairs(
    parts: &[Option<Part>],
    at: usize,
    others: impl Iterator<Item = usize>,
    pairs: &mut Vec<(f64, usize, usize)>,
) {
    let Some(part) = &parts[at] else { return };
    for other in others {
        let Some(there) = &parts[other] else { continue };
        let cost = match part.touches(there) {
            true => {
                part.with(there).map_or(f64::MAX, |both| both.volume - part.volume - there.volume)
            }
            false => {
                let span = part.high.max(there.high) - part.low.min(there.low);
                span.element_product() * FAR
            }
        };
        pairs.push((cost, at.min(other), at.max(other)));
    }
}

/// How much dearer the bounding box of two parts that are apart is than volume.
const FAR: f64 = 10.0;
