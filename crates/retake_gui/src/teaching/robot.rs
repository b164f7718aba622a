//! A robot that can be taught, as a view of the world shows it.

use std::sync::Arc;

use retake_components::{JointPosition, JointSpec, path_of};
use retake_description::{JointKind, JointLimits};
use retake_ecm::{Ecm, EntityId};
use retake_sim::systems::motion::{
    MotionPlayer, MotionProgress, MotionRobot, PlayerKind, TorqueOff,
};

/// A robot in one view of the world.
pub(super) struct SeenRobot<'a> {
    pub(super) ecm: &'a Ecm,
    pub(super) model: EntityId,
    robot: Arc<MotionRobot>,
}

/// What does not vary of a joint.
pub(super) struct JointFacts {
    pub(super) limits: JointLimits,
    pub(super) continuous: bool,
    pub(super) unit: &'static str,
}

impl<'a> SeenRobot<'a> {
    /// Returns all robots, each with the path of its model, in the order of the paths.
    pub(super) fn all(ecm: &'a Ecm) -> Vec<(String, Self)> {
        let models = ecm.iter::<MotionProgress>().map(|(model, _)| model);
        let robots = models.filter_map(|model| {
            let robot = MotionRobot::of(ecm, model)?;
            Some((path_of(ecm, model), Self { ecm, model, robot }))
        });
        let mut robots: Vec<_> = robots.collect();
        robots.sort_by(|(a, _), (b, _)| a.cmp(b));
        robots
    }

    /// Finds a robot by the path of its model.
    pub(super) fn find(ecm: &'a Ecm, path: &str) -> Option<Self> {
        let model = retake_components::resolve(ecm, path).ok()?;
        Some(Self { ecm, model, robot: MotionRobot::of(ecm, model)? })
    }

    /// Says whether it plays stored motions.
    pub(super) fn stores(&self) -> bool {
        let players = self.ecm.children(self.model).iter();
        let mut kinds = players.filter_map(|child| self.ecm.get::<MotionPlayer>(*child));
        kinds.any(|player| player.kind == PlayerKind::Stored)
    }

    /// Names its joints, in its own order.
    pub(super) fn joint_names(&self) -> impl Iterator<Item = &str> {
        self.robot.robot.joints().iter().map(|joint| joint.name.as_str())
    }

    /// Returns where a joint is, in rad or m.
    pub(super) fn position(&self, name: &str) -> Option<f64> {
        self.ecm.get::<JointPosition>(self.entity(name)?)?.0.first().copied()
    }

    /// Returns where all joints are.
    pub(super) fn pose(&self) -> Vec<(String, f64)> {
        let known = |name: &str| Some((name.to_owned(), self.position(name)?));
        self.joint_names().filter_map(known).collect()
    }

    /// Returns what to teach where a joint was measured.
    pub(super) fn taught(&self, name: &str, measured: f64) -> f64 {
        let joint = self.robot.robot.find(name).map(|place| &self.robot.robot.joints()[place]);
        joint.map_or(measured, |joint| joint.taught(measured))
    }

    /// Says whether the servo of a joint is off.
    pub(super) fn is_limp(&self, name: &str) -> bool {
        self.entity(name).is_some_and(|joint| self.ecm.get::<TorqueOff>(joint).is_some())
    }

    /// Returns what does not vary of a joint.
    pub(super) fn joint(&self, name: &str) -> Option<JointFacts> {
        let place = self.robot.robot.find(name)?;
        let spec = self.ecm.get::<JointSpec>(*self.robot.joints.get(place)?)?;
        let slides = spec.kind == JointKind::Prismatic;
        Some(JointFacts {
            limits: spec.axes.first().map(|axis| axis.limits).unwrap_or_default(),
            continuous: self.robot.robot.joints()[place].continuous,
            unit: if slides { "m" } else { "rad" },
        })
    }

    /// Says that there is no such joint, and which there are.
    pub(super) fn no_joint(&self, name: &str) -> String {
        let robot = path_of(self.ecm, self.model);
        let known: Vec<&str> = self.joint_names().collect();
        format!("{robot} has no joint {name:?}. Its joints: {}", known.join(", "))
    }

    fn entity(&self, name: &str) -> Option<EntityId> {
        self.robot.joints.get(self.robot.robot.find(name)?).copied()
    }
}
