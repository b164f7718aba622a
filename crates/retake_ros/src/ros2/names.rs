//! Names of topics, services and types as ROS 2 writes them in DDS.

use crate::message::Library;

/// Name of a topic: `/joint_states` is `rt/joint_states`.
pub(super) fn topic(name: &str) -> String {
    format!("rt{name}")
}

/// Name of the topic that requests of a service come by.
pub(super) fn requests(service: &str) -> String {
    format!("rq{service}Request")
}

/// Name of the topic that replies of a service go by.
pub(super) fn replies(service: &str) -> String {
    format!("rr{service}Reply")
}

/// Name of a type: `sensor_msgs/JointState` is `sensor_msgs::msg::dds_::JointState_`.
pub(super) fn type_name(library: &Library, name: &str) -> String {
    let full = library.full_name(name);
    match full.rsplit_once('/') {
        Some((before, last)) => format!("{}::dds_::{last}_", before.replace('/', "::")),
        None => full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Flavour, library};

    #[test]
    fn names_are_those_of_ros() {
        let ros2 = library(Flavour::Ros2);
        let names = [
            topic("/arm/joint_states"),
            requests("/spawn_entity"),
            replies("/arm/follow_joint_trajectory/_action/send_goal"),
            type_name(ros2, "sensor_msgs/JointState"),
            type_name(ros2, "control_msgs/FollowJointTrajectory_SendGoal_Request"),
            type_name(ros2, "action_msgs/CancelGoal_Response"),
            type_name(ros2, "std_srvs/Trigger_Request"),
        ];
        expect_test::expect![[r"
            rt/arm/joint_states
            rq/spawn_entityRequest
            rr/arm/follow_joint_trajectory/_action/send_goalReply
            sensor_msgs::msg::dds_::JointState_
            control_msgs::action::dds_::FollowJointTrajectory_SendGoal_Request_
            action_msgs::srv::dds_::CancelGoal_Response_
            std_srvs::srv::dds_::Trigger_Request_
        "]]
        .assert_eq(&(names.join("\n") + "\n"));
    }
}
