//! Outlines pushed up along z, as SDF's `<polyline>`: cut into triangles and convex pieces.
//!
//! An outline inside of another is a hole, one inside of a hole is solid again, as Gazebo has it.

use std::collections::{BTreeMap, BTreeSet};

use earcut::Earcut;

/// Most points of all outlines of one shape.
const MAX_POINTS: usize = 4096;
/// By how much, in parts of the area, triangles may miss the outline they were cut from.
const MAX_DEVIATION: f64 = 1e-6;

/// A flat area with holes, cut up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlatArea {
    /// Corners.
    pub corners: Vec<[f64; 2]>,
    /// Triangles that cover the area, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
    /// Convex pieces that cover the area, counter-clockwise: fewer than the triangles.
    pub pieces: Vec<Vec<u32>>,
}

/// Why outlines enclose no area.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OutlineError {
    /// There is no outline with three points.
    #[error("an outline needs at least three points that are not on one line")]
    TooFewPoints,
    /// There are more points than the reader accepts.
    #[error("the outlines have {points} points, more than the limit of {MAX_POINTS}")]
    TooManyPoints {
        /// How many there are.
        points: usize,
    },
    /// A number is infinite or not a number.
    #[error("point {point} of an outline is not finite")]
    NotFinite {
        /// The point, counted from zero.
        point: usize,
    },
    /// An outline crosses itself or another one.
    #[error("the outline crosses itself or another one")]
    Crossing,
}

/// Cuts the area inside of outlines into triangles and convex pieces.
///
/// # Errors
/// [`OutlineError`] when there is no such area.
pub fn cut_outlines(outlines: &[Vec<[f64; 2]>]) -> Result<FlatArea, OutlineError> {
    let points = outlines.iter().map(Vec::len).sum();
    if points > MAX_POINTS {
        return Err(OutlineError::TooManyPoints { points });
    }
    let loops: Vec<Vec<[f64; 2]>> =
        outlines.iter().map(|outline| without_repeats(outline)).collect();
    for outline in &loops {
        if let Some(point) = outline.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
            return Err(OutlineError::NotFinite { point });
        }
    }
    let loops: Vec<_> = loops.into_iter().filter(|outline| outline.len() >= 3).collect();
    let mut area = FlatArea::default();
    for solid in nest(&loops) {
        area.add(&solid)?;
    }
    if area.triangles.is_empty() {
        return Err(OutlineError::TooFewPoints);
    }
    area.pieces = convex_pieces(&area);
    Ok(area)
}

impl FlatArea {
    /// Returns the surface of the area pushed up to `height`: corners and outward triangles.
    pub fn extruded(&self, height: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let level = |z: f64| self.corners.iter().map(move |&[x, y]| [x, y, z]);
        let corners = level(0.0).chain(level(height)).collect();
        // The bound on points is far below the range of an index.
        let above = self.corners.len() as u32;
        let caps = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, c, b], [a + above, b + above, c + above]]);
        let walls = self
            .boundary()
            .into_iter()
            .flat_map(|(a, b)| [[a, b, b + above], [a, b + above, a + above]]);
        (corners, caps.chain(walls).collect())
    }

    /// Returns the edges that belong to one triangle only, with the area on their left.
    fn boundary(&self) -> Vec<(u32, u32)> {
        let edges: BTreeSet<(u32, u32)> =
            self.triangles.iter().flat_map(|triangle| edges_of(triangle)).collect();
        edges.iter().filter(|(a, b)| !edges.contains(&(*b, *a))).copied().collect()
    }

    /// Adds an outline, the first of the loops, with its holes, the others.
    fn add(&mut self, loops: &[&Vec<[f64; 2]>]) -> Result<(), OutlineError> {
        let corners: Vec<[f64; 2]> =
            loops.iter().flat_map(|outline| outline.iter().copied()).collect();
        let mut starts: Vec<u32> = Vec::new();
        let mut length = 0;
        for outline in loops {
            starts.push(length as u32);
            length += outline.len();
        }
        let holes = &starts[1..];
        let mut cut: Vec<u32> = Vec::new();
        Earcut::new().earcut(corners.iter().copied(), holes, &mut cut);
        if earcut::deviation(corners.iter().copied(), holes, &cut) > MAX_DEVIATION {
            return Err(OutlineError::Crossing);
        }
        let base = self.corners.len() as u32;
        self.corners.extend(corners);
        for triangle in cut.chunks_exact(3) {
            let [a, b, c] = [base + triangle[0], base + triangle[1], base + triangle[2]];
            match turn(&self.corners, a, b, c) {
                turned if turned > 0.0 => self.triangles.push([a, b, c]),
                turned if turned < 0.0 => self.triangles.push([a, c, b]),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Leaves out points that repeat the one before, and a last one that repeats the first.
fn without_repeats(outline: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut points = outline.to_vec();
    points.dedup();
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    points
}

/// Groups outlines: each group is a solid outline and then its holes.
fn nest(loops: &[Vec<[f64; 2]>]) -> Vec<Vec<&Vec<[f64; 2]>>> {
    let size = |at: usize| signed_area(&loops[at]).abs();
    let holders = |at: usize| {
        let inside = move |other: &usize| {
            *other != at && size(*other) >= size(at) && encloses(&loops[*other], loops[at][0])
        };
        (0..loops.len()).filter(inside).collect::<Vec<_>>()
    };
    let around: Vec<Vec<usize>> = (0..loops.len()).map(holders).collect();
    let is_solid = |at: usize| around[at].len().is_multiple_of(2);
    let of = |at: usize| {
        let nearest = around[at].iter().copied().filter(|holder| is_solid(*holder));
        nearest.min_by(|a, b| size(*a).total_cmp(&size(*b)))
    };
    let solids = (0..loops.len()).filter(|at| is_solid(*at));
    solids
        .map(|solid| {
            let holes = (0..loops.len()).filter(|at| !is_solid(*at) && of(*at) == Some(solid));
            std::iter::once(solid).chain(holes).map(|at| &loops[at]).collect()
        })
        .collect()
}

fn signed_area(outline: &[[f64; 2]]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
}

/// Says whether a point is inside of an outline: a ray from it crosses the outline an odd number
/// of times.
fn encloses(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let next = outline.iter().cycle().skip(1);
    let crossed = outline.iter().zip(next).filter(|(a, b)| {
        (a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]
    });
    crossed.count() % 2 == 1
}

/// Returns twice the area of a triangle, positive when it turns counter-clockwise.
fn turn(corners: &[[f64; 2]], a: u32, b: u32, c: u32) -> f64 {
    let [[ax, ay], [bx, by], [cx, cy]] = [a, b, c].map(|i| corners[i as usize]);
    (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
}

fn edges_of(piece: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    (0..piece.len()).map(|at| (piece[at], piece[(at + 1) % piece.len()]))
}

/// Joins triangles across their common edges as long as the result stays convex.
fn convex_pieces(area: &FlatArea) -> Vec<Vec<u32>> {
    let mut pieces: Vec<Vec<u32>> = area.triangles.iter().map(|t| t.to_vec()).collect();
    let mut owner: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (at, piece) in pieces.iter().enumerate() {
        owner.extend(edges_of(piece).map(|edge| (edge, at)));
    }
    let inner: Vec<(u32, u32)> =
        owner.keys().filter(|(a, b)| a < b && owner.contains_key(&(*b, *a))).copied().collect();
    for (a, b) in inner {
        let (left, right) = (owner[&(a, b)], owner[&(b, a)]);
        if left == right {
            continue;
        }
        let joined = joined(&pieces[left], &pieces[right], (a, b));
        if !is_convex(&area.corners, &joined) {
            continue;
        }
        owner.extend(edges_of(&pieces[right]).map(|edge| (edge, left)));
        pieces[left] = joined;
        pieces[right].clear();
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Joins two loops that share an edge: the first has it as `a` to `b`, the second as `b` to `a`.
fn joined(first: &[u32], second: &[u32], (a, b): (u32, u32)) -> Vec<u32> {
    let from = |piece: &[u32], start: u32| {
        let at = piece.iter().position(|corner| *corner == start).unwrap_or(0);
        let turned: Vec<u32> = piece[at..].iter().chain(&piece[..at]).copied().collect();
        turned
    };
    // Once around the first from b to a, then around the second from a to b without its ends.
    let mut around = from(first, b);
    let second = from(second, a);
    around.extend(&second[1..second.len() - 1]);
    around
}

fn is_convex(corners: &[[f64; 2]], piece: &[u32]) -> bool {
    let count = piece.len();
    (0..count)
        .all(|at| turn(corners, piece[at], piece[(at + 1) % count], piece[(at + 2) % count]) >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(from: f64, to: f64) -> Vec<[f64; 2]> {
        vec![[from, from], [to, from], [to, to], [from, to]]
    }

    fn area_of(area: &FlatArea, piece: &[u32]) -> f64 {
        let points: Vec<_> = piece.iter().map(|i| area.corners[*i as usize]).collect();
        signed_area(&points)
    }

    fn check(outlines: &[Vec<[f64; 2]>], expected_area: f64, expected_pieces: usize) -> FlatArea {
        let cut = cut_outlines(outlines).unwrap();
        let by_triangles: f64 = cut.triangles.iter().map(|t| area_of(&cut, t)).sum();
        let by_pieces: f64 = cut.pieces.iter().map(|piece| area_of(&cut, piece)).sum();
        assert!((by_triangles - expected_area).abs() < 1e-9, "{by_triangles}");
        assert!((by_pieces - expected_area).abs() < 1e-9, "{by_pieces}");
        assert!(cut.pieces.iter().all(|piece| is_convex(&cut.corners, piece)));
        assert_eq!(cut.pieces.len(), expected_pieces, "{:?}", cut.pieces);
        cut
    }

    #[test]
    fn a_convex_outline_is_one_piece_either_way_round_and_closed_or_not() {
        check(&[square(0.0, 2.0)], 4.0, 1);
        let mut turned = square(0.0, 2.0);
        turned.reverse();
        turned.push(turned[0]);
        check(&[turned], 4.0, 1);
    }

    #[test]
    fn an_angle_is_two_pieces() {
        let angle = vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        check(&[angle], 5.0, 2);
    }

    #[test]
    fn holes_are_empty_and_islands_in_them_solid() {
        let outlines = [square(4.0, 6.0), square(0.0, 10.0), square(1.0, 9.0)];
        let cut = check(&outlines, 4.0 + 100.0 - 64.0, 5);
        let covered = |at: [f64; 2]| {
            let points = |piece: &Vec<u32>| -> Vec<[f64; 2]> {
                piece.iter().map(|i| cut.corners[*i as usize]).collect()
            };
            cut.pieces.iter().any(|piece| encloses(&points(piece), at))
        };
        assert!(covered([0.5, 5.1]) && covered([5.0, 5.1]) && !covered([2.0, 5.1]));
    }

    #[test]
    fn two_outlines_apart_are_two_pieces() {
        check(&[square(0.0, 1.0), square(2.0, 3.0)], 2.0, 2);
    }

    #[test]
    fn pushed_up_the_surface_is_closed() {
        let cut = check(&[square(0.0, 10.0), square(2.0, 4.0)], 96.0, 4);
        let (corners, triangles) = cut.extruded(2.0);
        let volume: f64 = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| corners[i as usize]);
                a[0] * (b[1] * c[2] - b[2] * c[1])
                    + a[1] * (b[2] * c[0] - b[0] * c[2])
                    + a[2] * (b[0] * c[1] - b[1] * c[0])
            })
            .sum();
        assert!((volume / 6.0 - 192.0).abs() < 1e-9, "{volume}");
        let edges: Vec<_> =
            triangles.iter().flat_map(|t| edges_of(t).collect::<Vec<_>>()).collect();
        assert!(edges.iter().all(|(a, b)| edges.contains(&(*b, *a))));
    }

    #[test]
    fn says_why_there_is_no_area() {
        let bow = vec![[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
        let line = vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]];
        let many = vec![(0..5000).map(|i| [f64::from(i), f64::from(i * i)]).collect()];
        let wrong = |outlines: &[Vec<[f64; 2]>]| cut_outlines(outlines).unwrap_err();
        assert_eq!(wrong(&[]), OutlineError::TooFewPoints);
        assert_eq!(wrong(&[line]), OutlineError::TooFewPoints);
        assert_eq!(wrong(&[bow]), OutlineError::Crossing);
        assert_eq!(wrong(&many), OutlineError::TooManyPoints { points: 5000 });
        let nan = vec![[0.0, 0.0], [1.0, f64::NAN], [2.0, 0.0]];
        assert_eq!(wrong(&[nan]), OutlineError::NotFinite { point: 1 });
    }

    proptest::proptest! {
        #[test]
        fn any_points_are_cut_or_refused(
            outlines in proptest::collection::vec(
                proptest::collection::vec([-5i32..5, -5i32..5], 0..12), 0..4),
        ) {
            let points = |outline: &Vec<[i32; 2]>| -> Vec<[f64; 2]> {
                outline.iter().map(|point| point.map(f64::from)).collect()
            };
            let outlines: Vec<Vec<[f64; 2]>> = outlines.iter().map(points).collect();
            if let Ok(cut) = cut_outlines(&outlines) {
                let by_triangles: f64 = cut.triangles.iter().map(|t| area_of(&cut, t)).sum();
                let by_pieces: f64 = cut.pieces.iter().map(|piece| area_of(&cut, piece)).sum();
                proptest::prop_assert!((by_triangles - by_pieces).abs() < 1e-9);
            }
        }
    }
}
