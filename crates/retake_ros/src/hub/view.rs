//! What a view of the world is for those who listen.

use retake_math::SimTime;
use serde_json::json;

use super::graph::{CLOCK, DESCRIPTION, FIXED_FRAMES, FRAMES, JOINT_STATES};
use super::worker::Worker;
use crate::robot::{fixed_poses, fixed_transforms, loose_transforms, moved, transforms};

impl Worker {
    /// Tells clock, joints and frames of the present view, all with one stamp.
    ///
    /// An instant is told once, for those who keep the past by stamps; while the world stands, again
    /// and again, for those who come.
    pub(super) fn tell_view(&mut self, sim_time: SimTime) {
        let stamp = self.clock.told(sim_time);
        let again = self.told.replace(stamp) == Some(stamp);
        let Some(view) = self.view.as_ref().filter(|view| !again || view.stats.paused) else {
            return;
        };
        let ecm = &view.ecm;
        self.set_now(stamp);
        self.publish(CLOCK, "rosgraph_msgs/Clock", false, || json!({"clock": stamp.message()}));
        for robot in &self.robots {
            let topic = robot.topic(JOINT_STATES);
            self.publish(&topic, "sensor_msgs/JointState", false, || {
                robot.joint_states(ecm, stamp)
            });
        }
        self.publish(FRAMES, "tf2_msgs/TFMessage", false, || {
            let robots = self.robots.iter().flat_map(|robot| transforms(robot, ecm, stamp));
            let others = loose_transforms(&self.robots, ecm, stamp);
            json!({"transforms": robots.chain(others).collect::<Vec<_>>()})
        });
    }

    /// Tells of frames that do not move; again when somebody has moved them.
    pub(super) fn tell_fixed_frames(&mut self, sim_time: SimTime) {
        let Some(view) = &self.view else { return };
        let poses = fixed_poses(&self.robots, &view.ecm);
        if self.fixed_frames.as_ref().is_some_and(|told| !moved(told, &poses)) {
            return;
        }
        let stamp = self.clock.told(sim_time);
        self.publish(
            FIXED_FRAMES,
            "tf2_msgs/TFMessage",
            true,
            || json!({"transforms": fixed_transforms(&self.robots, &poses, stamp)}),
        );
        self.fixed_frames = Some(poses);
    }

    /// Tells what robots look like; kept for whoever comes later.
    pub(super) fn tell_descriptions(&self) {
        for robot in &self.robots {
            let topic = robot.topic(DESCRIPTION);
            self.publish(&topic, "std_msgs/String", true, || json!({"data": &*robot.urdf}));
        }
    }
}
