//! What there is to listen to, to publish, to call and to ask for.

use crate::robot::Robot;

/// A topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicEntry {
    /// Name, with leading slash.
    pub name: String,
    /// Type, `package/Name`.
    pub type_name: &'static str,
    /// Whether whoever comes later gets the last message.
    pub keeps_last: bool,
    /// Whether each message counts, not just the newest.
    pub counts_each: bool,
    /// Whether it is there for ROS 1 alone.
    pub only_ros1: bool,
}

/// A service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceEntry {
    /// Name, with leading slash.
    pub name: String,
    /// Type, `package/Name`.
    pub type_name: &'static str,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionEntry {
    /// Name, with leading slash.
    pub name: String,
    /// Type, `package/Name`.
    pub type_name: &'static str,
    /// Path of the model that it moves.
    pub(super) robot: String,
}

/// Everything that a world has for others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Topics that the world publishes.
    pub topics: Vec<TopicEntry>,
    /// Topics that the world listens to.
    pub inputs: Vec<TopicEntry>,
    /// Services.
    pub services: Vec<ServiceEntry>,
    /// Actions.
    pub actions: Vec<ActionEntry>,
}

/// Type of trajectories that are followed as an action.
pub(crate) const FOLLOW: &str = "control_msgs/FollowJointTrajectory";
/// Type of words to a robot.
pub(crate) const TEXT: &str = "sweetie_bot_text_msgs/TextAction";

pub(super) const CLOCK: &str = "/clock";
pub(super) const FRAMES: &str = "/tf";
pub(super) const FIXED_FRAMES: &str = "/tf_static";
pub(super) const JUMPS: &str = "/retake/time_jumped";
pub(super) const JOINT_STATES: &str = "joint_states";
pub(super) const DESCRIPTION: &str = "robot_description";

impl Graph {
    /// Lists what a world with these robots has.
    pub(super) fn of(robots: &[Robot]) -> Self {
        let stream = topic;
        let mut graph = Self {
            topics: vec![
                stream(CLOCK, "rosgraph_msgs/Clock"),
                stream(FRAMES, "tf2_msgs/TFMessage"),
                kept(FIXED_FRAMES, "tf2_msgs/TFMessage"),
                TopicEntry { counts_each: true, ..stream(JUMPS, "std_msgs/String") },
            ],
            services: super::services::entries(),
            ..Self::default()
        };
        for robot in robots {
            graph.topics.push(stream(&robot.topic(JOINT_STATES), "sensor_msgs/JointState"));
            graph.topics.push(kept(&robot.topic(DESCRIPTION), "std_msgs/String"));
            let trajectory = format!("/{}/joint_trajectory", robot.name);
            graph.inputs.push(stream(&trajectory, "trajectory_msgs/JointTrajectory"));
            for (name, type_name) in [("follow_joint_trajectory", FOLLOW), ("text_action", TEXT)] {
                let name = format!("/{}/{name}", robot.name);
                graph.add_actionlib(&name, type_name);
                graph.actions.push(ActionEntry { name, type_name, robot: robot.path.clone() });
            }
        }
        graph
    }

    /// Adds the five topics that an action has in ROS 1.
    fn add_actionlib(&mut self, action: &str, type_name: &str) {
        let of = |name: &str, type_name, keeps_last| TopicEntry {
            keeps_last,
            counts_each: true,
            only_ros1: true,
            ..topic(&format!("{action}/{name}"), type_name)
        };
        let [goal, result, feedback] = actionlib_types(type_name);
        self.inputs.push(of("goal", goal, false));
        self.inputs.push(of("cancel", "actionlib_msgs/GoalID", false));
        self.topics.push(of("status", "actionlib_msgs/GoalStatusArray", true));
        self.topics.push(of("result", result, false));
        self.topics.push(of("feedback", feedback, false));
    }

    /// Finds a topic that the world publishes.
    pub fn topic(&self, name: &str) -> Option<&TopicEntry> {
        self.topics.iter().find(|topic| topic.name == name)
    }

    /// Finds a topic that the world listens to.
    pub fn input(&self, name: &str) -> Option<&TopicEntry> {
        self.inputs.iter().find(|topic| topic.name == name)
    }

    /// Finds a service by name.
    pub fn service(&self, name: &str) -> Option<&ServiceEntry> {
        self.services.iter().find(|service| service.name == name)
    }

    /// Finds an action by name.
    pub fn action(&self, name: &str) -> Option<&ActionEntry> {
        self.actions.iter().find(|action| action.name == name)
    }
}

fn topic(name: &str, type_name: &'static str) -> TopicEntry {
    let (keeps_last, counts_each, only_ros1) = (false, false, false);
    TopicEntry { name: name.to_owned(), type_name, keeps_last, counts_each, only_ros1 }
}

/// A topic whose last message whoever comes later gets.
fn kept(name: &str, type_name: &'static str) -> TopicEntry {
    TopicEntry { keeps_last: true, counts_each: true, ..topic(name, type_name) }
}

/// Types that carry goal, result and feedback of an action in ROS 1.
pub(super) fn actionlib_types(action: &str) -> [&'static str; 3] {
    match action {
        TEXT => [
            "sweetie_bot_text_msgs/TextActionActionGoal",
            "sweetie_bot_text_msgs/TextActionActionResult",
            "sweetie_bot_text_msgs/TextActionActionFeedback",
        ],
        _ => [
            "control_msgs/FollowJointTrajectoryActionGoal",
            "control_msgs/FollowJointTrajectoryActionResult",
            "control_msgs/FollowJointTrajectoryActionFeedback",
        ],
    }
}
