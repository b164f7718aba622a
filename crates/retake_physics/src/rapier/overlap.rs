//! How deep rigid bodies are in one another, at any poses, without a world.
//!
//! For questions beside a simulation, as whether a robot would get in its own way: the shapes are
//! those that the engine makes, and nothing moves. Triangles of a mesh have no inside, as in the
//! engine: one that lies wholly within another mesh is not found.

use rapier3d_f64::math::Pose as RapierPose;
use rapier3d_f64::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d_f64::parry::query;
use rapier3d_f64::prelude::{Shape, SharedShape};
use retake_math::{Pose, Vec3};

use super::convert::to_rapier;
use super::shapes;
use crate::{ColliderSpec, EngineNote};

/// Rigid bodies that are looked at in pairs.
pub struct Overlaps {
    bodies: Vec<Vec<Solid>>,
    pairs: Vec<(usize, usize)>,
    /// Where the bodies are, kept between questions.
    placed: Vec<Placed>,
}

/// A shape of a body.
struct Solid {
    shape: SharedShape,
    body_from_shape: Pose,
    /// Shapes whose masks have no bit in common pass through each other.
    mask: u32,
}

/// A body at a pose.
struct Placed {
    around: Aabb,
    solids: Vec<(RapierPose, Aabb)>,
}

impl Overlaps {
    /// Makes the shapes of bodies; of those that cannot be made, the notes tell why.
    ///
    /// `pairs` are the places of the bodies that are compared. Pairs of bodies that are not there,
    /// or of which one has no shape, are never deep in each other.
    pub fn new(
        bodies: &[Vec<ColliderSpec>],
        pairs: Vec<(usize, usize)>,
        notes: &mut Vec<EngineNote>,
    ) -> Self {
        let mut solid = |spec: &ColliderSpec| match shapes::shape(spec, notes) {
            Ok(shape) => shape.map(|shape| Solid {
                shape: shape.shape,
                body_from_shape: spec.link_from_collision * shape.collision_from_shape,
                mask: spec.surface.contact.collide_bitmask,
            }),
            Err(error) => {
                let (entity, message) = (spec.collision, error.to_string());
                notes.push(EngineNote { entity, message });
                None
            }
        };
        let made: Vec<Vec<Solid>> =
            bodies.iter().map(|body| body.iter().filter_map(&mut solid).collect()).collect();
        let has_shape = |body: usize| made.get(body).is_some_and(|solids| !solids.is_empty());
        let pairs = pairs.into_iter().filter(|(a, b)| has_shape(*a) && has_shape(*b)).collect();
        Self { bodies: made, pairs, placed: Vec::new() }
    }

    /// Returns the pairs that can be deep in each other.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// Takes pairs out of what is looked at.
    pub fn keep_pairs(&mut self, mut keep: impl FnMut((usize, usize)) -> bool) {
        self.pairs.retain(|pair| keep(*pair));
    }

    /// Tells of each pair that is in one place with bodies at these poses how deep, in m: the pair by
    /// its place in [`Overlaps::pairs`].
    ///
    /// Poses that are missing or no numbers are where nothing is.
    pub fn find(&mut self, world_from_body: &[Pose], tell: &mut dyn FnMut(usize, f64)) {
        self.place(world_from_body);
        for (place, (first, second)) in self.pairs.iter().enumerate() {
            let deepest = self.depth(*first, *second);
            if deepest > 0.0 {
                tell(place, deepest);
            }
        }
    }

    fn place(&mut self, world_from_body: &[Pose]) {
        self.placed.clear();
        for (place, solids) in self.bodies.iter().enumerate() {
            let pose = world_from_body.get(place).filter(|pose| pose.is_finite());
            let put = |solid: &Solid| {
                let pose = to_rapier((*pose? * solid.body_from_shape).normalized());
                Some((pose, solid.shape.compute_aabb(&pose)))
            };
            let solids: Vec<(RapierPose, Aabb)> = solids.iter().filter_map(put).collect();
            let around = solids.iter().map(|(_, around)| *around);
            let around = around.reduce(|a, b| a.merged(&b)).unwrap_or_else(Aabb::new_invalid);
            self.placed.push(Placed { around, solids });
        }
    }

    /// How deep two bodies are in each other; 0 when they are not.
    fn depth(&self, first: usize, second: usize) -> f64 {
        let (a, b) = (&self.placed[first], &self.placed[second]);
        if a.solids.is_empty() || b.solids.is_empty() || !a.around.intersects(&b.around) {
            return 0.0;
        }
        let mut deepest = 0.0_f64;
        for (one, (one_pose, one_around)) in self.bodies[first].iter().zip(&a.solids) {
            for (other, (other_pose, other_around)) in self.bodies[second].iter().zip(&b.solids) {
                if one.mask & other.mask == 0 || !one_around.intersects(other_around) {
                    continue;
                }
                let (one, other) = (one.shape.as_ref(), other.shape.as_ref());
                deepest = deepest.max(depth_of((one_pose, one), (other_pose, other)));
            }
        }
        deepest
    }
}

/// How far a shape is moved aside where it lies so evenly in another that no way out is found, in m.
const ASIDE: f64 = 1e-5;

/// How deep two shapes are in each other; 0 when they are not, or have no depth as half spaces.
fn depth_of(one: (&RapierPose, &dyn Shape), other: (&RapierPose, &dyn Shape)) -> f64 {
    if let (Some(first), Some(second)) = (one.1.as_capsule(), other.1.as_capsule()) {
        let apart = query::distance(one.0, &first.segment, other.0, &second.segment);
        return apart.map_or(0.0, |apart| first.radius + second.radius - apart.distance);
    }
    let touch = |pose: &RapierPose| {
        let touch = query::contact(one.0, one.1, pose, other.1, 0.0).ok().flatten();
        touch.map(|touch| -touch.dist).filter(|depth| *depth > 0.0)
    };
    if let Some(depth) = touch(other.0) {
        return depth;
    }
    let meet = query::intersection_test(one.0, one.1, other.0, other.1);
    if !meet.is_ok_and(|meet| meet.intersecting) {
        return 0.0;
    }
    let aside = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE].map(|way| {
        let mut pose = *other.0;
        pose.translation += to_rapier(Pose::from_position(way * ASIDE)).translation;
        touch(&pose)
    });
    // They just touch when nothing else is found.
    aside.into_iter().flatten().fold(0.0, f64::max)
}
