//! Poses in the world that were computed at one instant.
//!
//! What is watched of a body is mostly at one place: its link, what it collides with and what is
//! drawn of it. Here is what makes that cheap without a single bit that differs.

use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};

/// How many poses are kept; those of a robot with all its parts fit.
const KEPT: usize = 64;

/// The poses of some entities, each in the place that the number of its entity says: neighbours
/// never take one another's.
pub(super) struct KnownPoses([(EntityId, PlainPose); KEPT]);

impl KnownPoses {
    pub(super) fn new() -> Self {
        // No entity has this id, and where nothing is is the identity.
        let nothing = (EntityId::from_raw(0), PlainPose::of(Pose::IDENTITY));
        Self([nothing; KEPT])
    }

    #[inline]
    pub(super) fn has(&self, entity: EntityId) -> bool {
        self.0[place(entity)].0 == entity
    }

    /// Returns what was put last into the place of an entity: its pose, if it is known.
    #[inline]
    pub(super) fn kept(&self, entity: EntityId) -> &PlainPose {
        &self.0[place(entity)].1
    }

    #[inline]
    pub(super) fn put(&mut self, entity: EntityId, pose: PlainPose) {
        self.0[place(entity)] = (entity, pose);
    }

    /// Puts an entity where another one is, whose pose is known.
    #[inline]
    pub(super) fn put_at(&mut self, entity: EntityId, other: EntityId) {
        self.0[place(entity)] = (entity, self.0[place(other)].1);
    }
}

#[inline]
fn place(entity: EntityId) -> usize {
    entity.raw() as usize % KEPT
}

/// A pose, and whether it is plain: the identity leaves it as it is to the last bit.
#[derive(Clone, Copy)]
pub(super) struct PlainPose {
    pub(super) pose: Pose,
    plain: bool,
}

impl PlainPose {
    #[inline]
    pub(super) fn of(pose: Pose) -> Self {
        Self { pose, plain: is_plain(&pose) }
    }

    /// Says whether `self.pose * inner` has the bits of `self.pose`.
    #[inline]
    pub(super) fn absorbs(&self, inner: &Pose) -> bool {
        self.plain && *inner == Pose::IDENTITY
    }

    /// Returns the bits of `self.pose * inner`, without the product where it is known.
    pub(super) fn times(&self, inner: &Pose) -> Self {
        if self.absorbs(inner) {
            return *self;
        }
        if self.pose == Pose::IDENTITY && is_plain(inner) {
            return Self { pose: *inner, plain: true };
        }
        Self::of(self.pose * *inner)
    }

    /// Returns the bits of `twist.linear + twist.angular.cross(self.pose.rotation * point)`: the
    /// velocity of a point of what is here and moves so.
    #[inline]
    pub(super) fn velocity_at(&self, point: Vec3, twist: &Twist) -> Vec3 {
        // Zeros, too, are all that is added for the origin.
        let still = self.plain && point == Vec3::ZERO;
        if still && is_plain_vector(twist.linear) && twist.angular.is_finite() {
            return twist.linear;
        }
        self.turned_velocity_at(point, twist)
    }

    #[inline(never)]
    fn turned_velocity_at(&self, point: Vec3, twist: &Twist) -> Vec3 {
        twist.linear + twist.angular.cross(self.pose.transform_vector(point))
    }
}

/// Says whether a product with the identity, on either side, has the bits of this pose.
///
/// All that the identity adds are zeros. They change the sign of a negative zero, and become
/// something else where a number is not finite or its square is not.
#[inline]
fn is_plain(pose: &Pose) -> bool {
    let turn = pose.rotation;
    is_plain_vector(pose.position) & are_plain([turn.x, turn.y, turn.z, turn.w])
}

#[inline]
fn is_plain_vector(vector: Vec3) -> bool {
    are_plain(vector.to_array())
}

#[inline]
fn are_plain<const N: usize>(numbers: [f64; N]) -> bool {
    const MOST: f64 = 1e100;
    let is_plain = |x: &f64| (x.abs() <= MOST) & (x.to_bits() != (-0.0_f64).to_bits());
    // All at once: to stop at the first that is not plain would be slower than the rest.
    numbers.iter().fold(true, |plain, x| plain & is_plain(x))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use retake_math::Quat;

    use super::*;

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => Just(0.0),
            2 => Just(-0.0),
            2 => Just(1.0),
            1 => Just(f64::NAN),
            1 => Just(f64::INFINITY),
            1 => Just(1e200),
            1 => Just(f64::MIN_POSITIVE / 4.0),
            4 => -2.0..2.0f64,
        ]
    }

    /// Poses that need not be turned by a unit quaternion: those of a broken replica are not.
    fn any_pose() -> impl Strategy<Value = Pose> {
        let near_identity = prop::array::uniform6(prop_oneof![Just(0.0), Just(-0.0)])
            .prop_map(|[x, y, z, i, j, k]| [x, y, z, i, j, k, 1.0]);
        prop_oneof![prop::array::uniform7(number()), near_identity].prop_map(|n| {
            Pose::new(Vec3::new(n[0], n[1], n[2]), Quat::from_xyzw(n[3], n[4], n[5], n[6]))
        })
    }

    fn bits(pose: &Pose) -> [Option<u64>; 7] {
        let (p, q) = (pose.position, pose.rotation);
        bits_of([p.x, p.y, p.z, q.x, q.y, q.z, q.w])
    }

    fn bits_of<const N: usize>(numbers: [f64; N]) -> [Option<u64>; N] {
        // Which of two numbers that are none comes out of a sum is up to the compiler.
        numbers.map(|x| (!x.is_nan()).then(|| x.to_bits()))
    }

    proptest! {
        #[test]
        fn a_product_that_is_known_has_the_bits_of_one_that_is_computed(
            outer in any_pose(),
            inner in any_pose(),
        ) {
            let known = PlainPose::of(outer).times(&inner);
            prop_assert_eq!(bits(&known.pose), bits(&(outer * inner)));
            prop_assert_eq!(known.plain, is_plain(&known.pose));
        }

        #[test]
        fn so_has_the_velocity_of_a_point(pose in any_pose(), of in any_pose(), by in any_pose()) {
            let twist = Twist { linear: of.position, angular: by.position };
            let point = Vec3::new(of.rotation.x, of.rotation.y, of.rotation.z);
            let known = PlainPose::of(pose).velocity_at(point, &twist);
            let computed = twist.linear + twist.angular.cross(pose.rotation * point);
            prop_assert_eq!(bits_of(known.to_array()), bits_of(computed.to_array()));
        }
    }
}
