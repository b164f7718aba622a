//! The joints of a robot and the groups that goals take.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A joint that players can move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Its name in goals and motions.
    pub name: String,
    /// Whether it turns without end, so that a whole turn is no distance.
    pub continuous: bool,
    /// Lowest and highest position, in rad or m.
    pub limits: (f64, f64),
}

/// How far beyond a limit a measured joint may be and still be taken as at the limit, in rad or m:
/// stops give way, and encoders are a little off.
const BEYOND: f64 = 0.05;

impl Joint {
    /// Returns what to teach where the joint was measured: a little beyond a limit is at the limit,
    /// since players refuse what is beyond.
    pub fn taught(&self, measured: f64) -> f64 {
        let (lower, upper) = self.limits;
        let within = measured.max(lower).min(upper);
        let is_at_limit = !self.continuous && (measured - within).abs() <= BEYOND;
        if is_at_limit { within } else { measured }
    }
}

/// Joints that are taken together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// What people call it.
    pub name: String,
    /// Places in [`Robot::joints`].
    pub joints: Vec<usize>,
}

/// What players move: joints, each in exactly one group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Robot {
    joints: Vec<Joint>,
    groups: Vec<Group>,
    group_of: Vec<usize>,
}

/// Why groups do not fit the joints.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RobotError {
    /// Two joints have one name.
    #[error("two joints are called {joint:?}; rename one of them")]
    DoubleJoint {
        /// The name.
        joint: String,
    },
    /// A joint is in two groups.
    #[error("joint {joint:?} is in the groups {first:?} and {second:?}; take it out of one")]
    TwoGroups {
        /// The joint.
        joint: String,
        /// A group.
        first: String,
        /// Another.
        second: String,
    },
    /// A group names a joint that is not there.
    #[error("group {group:?} names joint number {joint}, which is not there")]
    NoJoint {
        /// The group.
        group: String,
        /// The place.
        joint: usize,
    },
}

impl Robot {
    /// Puts joints and groups together; a joint in no group gets one of its own.
    ///
    /// # Errors
    /// [`RobotError`].
    pub fn new(joints: Vec<Joint>, mut groups: Vec<Group>) -> Result<Self, RobotError> {
        for (at, joint) in joints.iter().enumerate() {
            if joints[..at].iter().any(|other| other.name == joint.name) {
                return Err(RobotError::DoubleJoint { joint: joint.name.clone() });
            }
        }
        let mut group_of: Vec<Option<usize>> = vec![None; joints.len()];
        for (number, group) in groups.iter().enumerate() {
            for &joint in &group.joints {
                let name = group.name.clone();
                let place = group_of.get_mut(joint);
                let place = place.ok_or(RobotError::NoJoint { group: name, joint })?;
                if let Some(first) = place.replace(number) {
                    return Err(RobotError::TwoGroups {
                        joint: joints[joint].name.clone(),
                        first: groups[first].name.clone(),
                        second: group.name.clone(),
                    });
                }
            }
        }
        let mut of_joint = Vec::with_capacity(joints.len());
        for (at, group) in group_of.into_iter().enumerate() {
            of_joint.push(group.unwrap_or_else(|| {
                groups.push(Group { name: joints[at].name.clone(), joints: vec![at] });
                groups.len() - 1
            }));
        }
        Ok(Self { joints, groups, group_of: of_joint })
    }

    /// Returns the joints, in the order of every list of drives.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Returns the groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns the group that a joint is in.
    pub fn group_of(&self, joint: usize) -> usize {
        self.group_of[joint]
    }

    /// Finds a joint by its name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }
}

impl Joint {
    /// Returns how far `wanted` is from `actual`: the shorter way round of a joint without end.
    pub fn error(&self, wanted: f64, actual: f64) -> f64 {
        let error = wanted - actual;
        match self.continuous {
            true => error - whole_turns(error),
            false => error,
        }
    }

    /// Returns the nearest position within the limits; any is of a joint without end.
    pub(crate) fn within_limits(&self, position: f64) -> f64 {
        match self.continuous {
            true => position,
            false => position.max(self.limits.0).min(self.limits.1),
        }
    }

    /// Returns the whole turns to add to `first` so that it is the shorter way from `present`.
    pub(crate) fn turns_towards(&self, present: f64, first: f64) -> f64 {
        match self.continuous {
            true => whole_turns(present - first),
            false => 0.0,
        }
    }
}

fn whole_turns(angle: f64) -> f64 {
    (angle / std::f64::consts::TAU).round() * std::f64::consts::TAU
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_beyond_a_limit_is_taught_as_at_the_limit() {
        let elbow = Joint { name: "elbow".to_owned(), continuous: false, limits: (-1.0, 0.5) };
        for (measured, taught) in [(0.2, 0.2), (0.54, 0.5), (-1.04, -1.0), (0.6, 0.6), (-2.0, -2.0)]
        {
            assert_eq!(elbow.taught(measured), taught, "{measured}");
        }
        let wheel = Joint { continuous: true, ..elbow };
        assert_eq!(wheel.taught(0.54), 0.54, "what turns without end has no limit");
    }
}
