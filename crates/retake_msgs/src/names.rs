//! Names of topics and services, as the table in `docs/guide/transport.md` lists them.

/// Topic of the simulated clock: [`crate::Clock`].
pub const CLOCK: &str = "/clock";

/// Service that says who the server is: [`crate::ServerInfoRequest`] → [`crate::ServerInfo`].
pub const SERVER_INFO: &str = "/server/info";

/// Topic of statistics: [`crate::WorldStatistics`].
pub fn stats(world: &str) -> String {
    format!("/world/{world}/stats")
}

/// Service for the statistics: [`crate::StatisticsRequest`] → [`crate::WorldStatistics`].
pub fn stats_get(world: &str) -> String {
    format!("/world/{world}/stats/get")
}

/// Topic of the world poses of everything that moves: [`crate::PoseV`].
pub fn poses(world: &str) -> String {
    format!("/world/{world}/pose/info")
}

/// Topic of jumps in time: [`crate::TimeJumped`].
pub fn time_jumped(world: &str) -> String {
    format!("/world/{world}/time_jumped")
}

/// Topic of what every client should know: [`crate::Notification`].
pub fn notifications(world: &str) -> String {
    format!("/world/{world}/notifications")
}

/// Topic of state deltas: [`crate::StampedState`].
pub fn state_delta(world: &str) -> String {
    format!("/world/{world}/state")
}

/// Service for the state, whole or since a tick: [`crate::StateRequest`] →
/// [`crate::StampedState`].
pub fn state(world: &str) -> String {
    format!("/world/{world}/state/get")
}

/// Service for the description of everything seen: [`crate::StateRequest`] →
/// [`crate::StampedState`], with the visual components alone.
pub fn scene(world: &str) -> String {
    format!("/world/{world}/scene/info")
}

/// Service for play, pause and step: [`crate::WorldControl`] → [`crate::UserCmdReply`].
pub fn control(world: &str) -> String {
    format!("/world/{world}/control")
}

/// Service for every user command: [`crate::UserCmd`] → [`crate::UserCmdReply`].
pub fn user_command(world: &str) -> String {
    format!("/world/{world}/user_command")
}

/// Service that inserts an entity: [`crate::EntityFactory`] → [`crate::UserCmdReply`].
pub fn create(world: &str) -> String {
    format!("/world/{world}/create")
}

/// Service that deletes an entity: [`crate::EntityRef`] → [`crate::UserCmdReply`].
pub fn remove(world: &str) -> String {
    format!("/world/{world}/remove")
}

/// Service that moves an entity: [`crate::SetPose`] → [`crate::UserCmdReply`].
pub fn set_pose(world: &str) -> String {
    format!("/world/{world}/set_pose")
}

/// Service for the state hash: [`crate::HashRequest`] → [`crate::HashReply`].
pub fn hash(world: &str) -> String {
    format!("/world/{world}/hash")
}

/// Topic of a model's joints: [`crate::JointStateV`].
pub fn joint_state(model: &str) -> String {
    format!("/model/{model}/joint_state")
}

/// Topic of velocity commands to a model: [`crate::Twist`].
pub fn cmd_vel(model: &str) -> String {
    format!("/model/{model}/cmd_vel")
}

/// Topic of a model's odometry: [`crate::Odometry`].
pub fn odometry(model: &str) -> String {
    format!("/model/{model}/odometry")
}

/// Topic of position commands to one axis of a joint: [`crate::Double`].
pub fn joint_cmd_pos(model: &str, joint: &str, axis: usize) -> String {
    format!("/model/{model}/joint/{joint}/{axis}/cmd_pos")
}
