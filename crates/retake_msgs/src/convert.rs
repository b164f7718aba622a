//! Conversions between messages and our own value types.

use retake_math::{Pose, Quat, SimTime, Twist, Vec3};

use crate::generated as msgs;

const NANOS_PER_SEC: i64 = 1_000_000_000;

impl From<SimTime> for msgs::Time {
    fn from(time: SimTime) -> Self {
        let nanos = time.as_nanos();
        Self { sec: nanos.div_euclid(NANOS_PER_SEC), nsec: nanos.rem_euclid(NANOS_PER_SEC) as i32 }
    }
}

impl From<&msgs::Time> for SimTime {
    fn from(time: &msgs::Time) -> Self {
        let nanos = time.sec.saturating_mul(NANOS_PER_SEC).saturating_add(i64::from(time.nsec));
        Self::from_nanos(nanos)
    }
}

impl From<Vec3> for msgs::Vector3 {
    fn from(v: Vec3) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}

impl From<&msgs::Vector3> for Vec3 {
    fn from(v: &msgs::Vector3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<Quat> for msgs::Quaternion {
    fn from(q: Quat) -> Self {
        Self { x: q.x, y: q.y, z: q.z, w: q.w }
    }
}

impl From<&msgs::Quaternion> for Quat {
    fn from(q: &msgs::Quaternion) -> Self {
        Self::from_xyzw(q.x, q.y, q.z, q.w)
    }
}

impl From<Pose> for msgs::Pose {
    fn from(pose: Pose) -> Self {
        Self { position: Some(pose.position.into()), orientation: Some(pose.rotation.into()) }
    }
}

impl From<&msgs::Pose> for Pose {
    /// What is absent is zero or the identity.
    fn from(pose: &msgs::Pose) -> Self {
        Self {
            position: pose.position.as_ref().map_or(Vec3::ZERO, Vec3::from),
            rotation: pose.orientation.as_ref().map_or(Quat::IDENTITY, Quat::from),
        }
    }
}

impl From<Twist> for msgs::Twist {
    fn from(twist: Twist) -> Self {
        Self { linear: Some(twist.linear.into()), angular: Some(twist.angular.into()) }
    }
}

impl From<&msgs::Twist> for Twist {
    fn from(twist: &msgs::Twist) -> Self {
        Self {
            linear: twist.linear.as_ref().map_or(Vec3::ZERO, Vec3::from),
            angular: twist.angular.as_ref().map_or(Vec3::ZERO, Vec3::from),
        }
    }
}

impl msgs::UserCmdReply {
    /// Says what was done.
    pub fn done(message: impl Into<String>) -> Self {
        Self { ok: true, message: message.into(), ..Self::default() }
    }

    /// Says why nothing was done.
    pub fn refused(reason: impl Into<String>) -> Self {
        Self { ok: false, message: reason.into(), ..Self::default() }
    }
}

impl msgs::EntityRef {
    /// Names an entity by its path.
    pub fn named(name: impl Into<String>) -> Self {
        Self { by: Some(msgs::entity_ref::By::Name(name.into())) }
    }

    /// Names an entity by its id.
    pub fn with_id(id: u64) -> Self {
        Self { by: Some(msgs::entity_ref::By::Id(id)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_times_keep_their_value() {
        let time = SimTime::from_nanos(-1_500_000_000);
        let message = msgs::Time::from(time);
        assert_eq!((message.sec, message.nsec), (-2, 500_000_000));
        assert_eq!(SimTime::from(&message), time);
    }
}
