//! Names of topics and services, as the table in `docs/guide/transport.md` lists them.
//!
//! The name of a world, model or joint is one part of a topic: a `/` in it is written `%2F`.

use std::borrow::Cow;

/// Writes a name as one part of a topic.
fn part(name: &str) -> Cow<'_, str> {
    match name.contains(['/', '%']) {
        true => Cow::Owned(name.replace('%', "%25").replace('/', "%2F")),
        false => Cow::Borrowed(name),
    }
}

/// Says whether only a server speaks on a topic, so that what comes there is its word.
pub fn is_of_server(topic: &str) -> bool {
    let parts: Vec<&str> = topic.trim_start_matches('/').split('/').collect();
    match parts.as_slice() {
        ["clock" | "world" | "server" | "gui" | "introspection" | "script", ..] => true,
        // How a goal ended is for its player to say.
        ["model", _, "motion", "feedback" | "result"] => true,
        _ => LOG_TOPICS.contains(&topic),
    }
}

/// Topic of the simulated clock: [`crate::Clock`].
pub const CLOCK: &str = "/clock";

/// Service that says who the server is: [`crate::ServerInfoRequest`] → [`crate::ServerInfo`].
pub const SERVER_INFO: &str = "/server/info";

/// Topic of statistics: [`crate::WorldStatistics`].
pub fn stats(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/stats")
}

/// Service for the statistics: [`crate::StatisticsRequest`] → [`crate::WorldStatistics`].
pub fn stats_get(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/stats/get")
}

/// Topic of the world poses of everything that moves: [`crate::PoseV`].
pub fn poses(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/pose/info")
}

/// Topic of what a script prints: [`crate::Text`]; `plugin` is its path.
pub fn script_print(plugin: &str) -> String {
    let plugin = part(plugin);
    format!("/script/{plugin}/print")
}

/// Topic of jumps in time: [`crate::TimeJumped`].
pub fn time_jumped(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/time_jumped")
}

/// Service by which a controller joins a world that waits for it: [`crate::LockstepJoin`] →
/// [`crate::LockstepReply`].
pub fn lockstep_join(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/lockstep/join")
}

/// Service by which a controller answers its turn: [`crate::LockstepDone`] →
/// [`crate::LockstepReply`].
pub fn lockstep_done(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/lockstep/done")
}

/// Topic of the turns of a controller: [`crate::LockstepTurn`].
pub fn lockstep_turn(world: &str, controller: &str) -> String {
    let (world, controller) = (part(world), part(controller));
    format!("/world/{world}/lockstep/turn/{controller}")
}

/// Topic of what every client should know: [`crate::Notification`].
pub fn notifications(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/notifications")
}

/// Topic of state deltas: [`crate::StampedState`].
pub fn state_delta(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/state")
}

/// Service for the state, whole or since a tick: [`crate::StateRequest`] →
/// [`crate::StampedState`].
pub fn state(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/state/get")
}

/// Service for the description of everything seen: [`crate::StateRequest`] →
/// [`crate::StampedState`], with the visual components alone.
pub fn scene(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/scene/info")
}

/// Service for play, pause and step: [`crate::WorldControl`] → [`crate::UserCmdReply`].
pub fn control(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/control")
}

/// Service for every user command: [`crate::UserCmd`] → [`crate::UserCmdReply`].
pub fn user_command(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/user_command")
}

/// Service that inserts an entity: [`crate::EntityFactory`] → [`crate::UserCmdReply`].
pub fn create(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/create")
}

/// Service that deletes an entity: [`crate::EntityRef`] → [`crate::UserCmdReply`].
pub fn remove(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/remove")
}

/// Service that moves an entity: [`crate::SetPose`] → [`crate::UserCmdReply`].
pub fn set_pose(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/set_pose")
}

/// Service that sets step size and speed: [`crate::SetPhysics`] → [`crate::UserCmdReply`].
pub fn set_physics(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/set_physics")
}

/// Service for the physics profiles and the values in force:
/// [`crate::PhysicsProfilesRequest`] → [`crate::PhysicsState`].
pub fn physics(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/physics")
}

/// Service for where the world came from: [`crate::WorldSourceRequest`] → [`crate::WorldSource`].
pub fn source(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/source")
}

/// Service for what was found in the world's file: [`crate::FindingsRequest`] →
/// [`crate::Findings`].
pub fn findings(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/findings")
}

/// Service for the models that can be inserted: [`crate::ModelLibraryRequest`] →
/// [`crate::ModelLibrary`].
pub fn model_list(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/model/list")
}

/// Service for where things touch: [`crate::WorldContactsRequest`] → [`crate::WorldContacts`].
pub fn contacts(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/contacts/get")
}

/// Topic of the history, on each change: [`crate::UserCmdStats`].
pub fn history(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/history")
}

/// Service for the history: [`crate::UserCmdStatsRequest`] → [`crate::UserCmdStats`].
pub fn history_get(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/history/get")
}

/// Service for undo and redo: [`crate::UndoRedo`] → [`crate::UserCmdReply`].
pub fn undo_redo(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/undo_redo")
}

/// Topic of the timeline, on change: [`crate::Timeline`].
pub fn timeline(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/timeline")
}

/// Service for the timeline: [`crate::TimelineRequest`] → [`crate::Timeline`].
pub fn timeline_get(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/timeline/get")
}

/// Service for bookmarks, names and limits of the timeline: [`crate::TimelineEdit`] →
/// [`crate::UserCmdReply`].
pub fn timeline_edit(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/timeline/edit")
}

/// Service for how the world was: [`crate::PastRequest`] → [`crate::Past`].
pub fn timeline_past(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/timeline/past")
}

/// Service for how much is kept: [`crate::UndoSettings`] → [`crate::UserCmdReply`].
pub fn undo_settings(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/undo_settings")
}

/// Service where a GUI with an Ecm of its own makes itself known: [`crate::GuiJoin`] →
/// [`crate::GuiJoined`].
pub fn gui_join(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/gui/join")
}

/// Service where a GUI asks that its actions be taken over now: [`crate::TakeOverRequest`] →
/// [`crate::UserCmdReply`].
pub fn gui_take_over(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/gui/take_over")
}

/// Topic where a GUI tells what it holds: [`crate::GuiPending`].
pub fn gui_pending(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/gui/pending")
}

/// Topic of all actions that GUIs hold, on each change: [`crate::PendingActions`].
pub fn pending(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/pending")
}

/// Service for all actions that GUIs hold: [`crate::PendingActionsRequest`] →
/// [`crate::PendingActions`].
pub fn pending_get(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/pending/get")
}

/// Topic of fields that two clients gave different values: [`crate::EditConflict`].
pub fn conflicts(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/conflicts")
}

/// Service of a GUI that takes an action: [`crate::UserCmd`] → [`crate::UserCmdReply`].
pub fn gui_append(gui: u64) -> String {
    format!("/gui/{gui}/append")
}

/// Service of a GUI for all actions that it holds: [`crate::PausedActionsRequest`] →
/// [`crate::SerializedStateV`].
pub fn gui_actions(gui: u64) -> String {
    format!("/gui/{gui}/actions")
}

/// Service of a GUI that lets go of actions: [`crate::PausedActionsTaken`] →
/// [`crate::PausedActionsCleared`].
pub fn gui_clear(gui: u64) -> String {
    format!("/gui/{gui}/clear")
}

/// Service of a manager for what can be watched: [`crate::ItemsRequest`] →
/// [`crate::IntrospectionItems`].
pub fn introspection_items(manager: &str) -> String {
    let manager = part(manager);
    format!("/introspection/{manager}/items")
}

/// Service of a manager that makes or changes a filter: [`crate::SetFilter`] →
/// [`crate::IntrospectionFilter`].
pub fn introspection_set_filter(manager: &str) -> String {
    let manager = part(manager);
    format!("/introspection/{manager}/set_filter")
}

/// Service of a manager for a filter as it is: [`crate::GetFilter`] →
/// [`crate::IntrospectionFilter`].
pub fn introspection_get_filter(manager: &str) -> String {
    let manager = part(manager);
    format!("/introspection/{manager}/get_filter")
}

/// Service of a manager that forgets a filter: [`crate::RemoveFilter`] →
/// [`crate::IntrospectionFilter`].
pub fn introspection_remove_filter(manager: &str) -> String {
    let manager = part(manager);
    format!("/introspection/{manager}/remove_filter")
}

/// Topic of a filter: [`crate::IntrospectionSample`].
pub fn introspection_filter(manager: &str, filter: &str) -> String {
    let (manager, filter) = (part(manager), part(filter));
    format!("/introspection/{manager}/filter/{filter}")
}

/// Returns the manager whose items a service lists.
pub fn manager_of_items(service: &str) -> Option<String> {
    let named = service.strip_prefix('/')?.strip_suffix("/items")?;
    let manager = named.strip_prefix("introspection/")?;
    let plain = !manager.contains('/') && !manager.is_empty();
    plain.then(|| manager.replace("%2F", "/").replace("%25", "%"))
}

/// Service that starts to record: [`crate::LogStart`] → [`crate::LogStatus`].
pub fn log_start(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/log/start")
}

/// Service that ends the recording: [`crate::LogStop`] → [`crate::LogStatus`].
pub fn log_stop(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/log/stop")
}

/// Service for the recording: [`crate::LogStatusRequest`] → [`crate::LogStatus`].
pub fn log_status_get(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/log/status/get")
}

/// Topic of the recording, on each change: [`crate::LogStatus`].
pub fn log_status(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/log/status")
}

/// Topic of full states in a log: [`crate::StampedState`].
pub fn log_full_state(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/state/full")
}

/// Topic in a log of what the engine remembers: [`crate::LoggedKeyframe`].
pub fn log_keyframes(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/keyframe")
}

/// Topic in a log of what came from outside: [`crate::LoggedInput`].
pub fn log_inputs(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/inputs")
}

/// Topic in a log of what is missing in it: [`crate::LogGap`].
pub fn log_gaps(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/log/gap")
}

/// Topics that a log has of its own, whatever its world is called.
const LOG_TOPICS: [&str; 4] = [LOG_TIMELINE, LOG_FRAMES, LOG_SCENE, LOG_TEXT];

/// Lists the topics that mean something in a log of a world: what others say there would be taken
/// for the log's own word.
pub fn topics_of_log(world: &str) -> Vec<String> {
    let mut topics = LOG_TOPICS.map(str::to_owned).to_vec();
    topics.extend([log_full_state(world), state_delta(world), log_keyframes(world)]);
    topics.extend([log_inputs(world), log_gaps(world), stats(world)]);
    topics.extend([notifications(world), conflicts(world)]);
    topics
}

/// Topic in a log of jumps in time, in the order of the recording: [`crate::TimeJumped`].
pub const LOG_TIMELINE: &str = "/timeline";

/// Topic in a log of frames: [`crate::foxglove::FrameTransforms`].
pub const LOG_FRAMES: &str = "/tf";

/// Topic in a log of shapes: [`crate::foxglove::SceneUpdate`].
pub const LOG_SCENE: &str = "/scene";

/// Topic in a log of notifications: [`crate::foxglove::Log`].
pub const LOG_TEXT: &str = "/log";

/// Topic in a log of a model's joints: [`crate::foxglove::JointStates`].
pub fn log_joints(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/joints")
}

/// Name under which a GUI is present on the bus.
pub fn gui_client(gui: u64) -> String {
    format!("gui-{gui}")
}

/// Returns the GUI that is present on the bus under a name.
pub fn gui_of_client(name: &str) -> Option<u64> {
    name.strip_prefix("gui-")?.parse().ok()
}

/// Topic of the state hash, every so many steps: [`crate::HashReply`].
pub fn state_hash(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/state_hash")
}

/// Service for the state hash: [`crate::HashRequest`] → [`crate::HashReply`].
pub fn hash(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/hash")
}

/// Topic of a model's joints: [`crate::JointStateV`].
pub fn joint_state(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/joint_state")
}

/// Topic of velocity commands to a model: [`crate::Twist`].
pub fn cmd_vel(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/cmd_vel")
}

/// Topic of a model's odometry: [`crate::Odometry`].
pub fn odometry(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/odometry")
}

/// Topic of position commands to one axis of a joint: [`crate::Double`].
pub fn joint_cmd_pos(model: &str, joint: &str, axis: usize) -> String {
    let (model, joint) = (part(model), part(joint));
    format!("/model/{model}/joint/{joint}/{axis}/cmd_pos")
}

/// Service for goals of programs: [`crate::MotionGoal`] → [`crate::UserCmdReply`].
pub fn motion_goal(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/motion/goal")
}

/// Service that ends goals: [`crate::MotionCancel`] → [`crate::UserCmdReply`].
pub fn motion_cancel(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/motion/cancel")
}

/// Service for what robots can play: [`crate::MotionListRequest`] → [`crate::MotionList`].
pub fn motion_list(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/motion/list")
}

/// Service for a stored motion, whole: [`crate::MotionReadRequest`] → [`crate::MotionFile`].
pub fn motion_read(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/motion/read")
}

/// Service that stores a motion: [`crate::MotionSaveRequest`] → [`crate::MotionSaved`].
pub fn motion_save(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/motion/save")
}

/// Service that looks for links in one place: [`crate::MotionCheckRequest`] →
/// [`crate::MotionChecked`].
pub fn motion_check(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/motion/check")
}

/// Service for the real robots: [`crate::RobotListRequest`] → [`crate::RobotList`].
pub fn robot_list(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/robot/list")
}

/// Service that arms a real robot: [`crate::RobotArm`] → [`crate::RobotReply`].
pub fn robot_arm(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/robot/arm")
}

/// Service that commands a real robot: [`crate::RobotCommand`] → [`crate::RobotReply`].
pub fn robot_command(world: &str) -> String {
    let world = part(world);
    format!("/world/{world}/robot/command")
}

/// Kind of text command that plays a stored motion.
pub const PLAYS_MOTION: &str = "motion/joint_trajectory";

/// Topic of how far goals have come: [`crate::MotionFeedback`].
pub fn motion_feedback(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/motion/feedback")
}

/// Topic of how goals ended: [`crate::MotionResult`].
pub fn motion_result(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/motion/result")
}

/// Topic where senders of goals say that they are there: [`crate::MotionKeepAlive`].
pub fn motion_keep_alive(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/motion/keep_alive")
}

/// Topic of text commands of motions: [`crate::TextCommandFired`].
pub fn text_command(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/text_command")
}

/// Topic of where the joints of a robot with a player are: [`crate::JointPose`].
pub fn joints_virtual(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/joints_virtual")
}

/// Topic of where the joints of a robot are to be: [`crate::JointPose`].
pub fn joints_virtual_set(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/joints_virtual_set")
}

/// Topic of where the joints of the real robot are: [`crate::JointPose`].
pub fn joints_real(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/joints_real")
}

/// Topic of the pose that somebody who teaches a motion looks at: [`crate::JointPose`].
pub fn joints_marker_set(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/joints_marker_set")
}

/// Topic of where players want joints to be: [`crate::JointReference`].
pub fn ref_joints(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/ref_joints")
}

/// Topic of the weights on limbs that motions want: [`crate::SupportState`].
pub fn ref_support(model: &str) -> String {
    let model = part(model);
    format!("/model/{model}/ref_support")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_part() {
        assert_eq!(cmd_vel("a/b_%2f"), "/model/a%2Fb_%252f/cmd_vel");
        assert_eq!(joint_cmd_pos("m", "a/b", 0), "/model/m/joint/a%2Fb/0/cmd_pos");
        assert_eq!(stats("plain"), "/world/plain/stats");
        assert_eq!(gui_of_client(&gui_client(7)), Some(7));
        assert_eq!(gui_of_client("server"), None);
        assert_eq!(manager_of_items(&introspection_items("a/%2F")).as_deref(), Some("a/%2F"));
        assert_eq!(manager_of_items(&introspection_get_filter("a")), None);
    }

    #[test]
    fn only_servers_speak_for_worlds_players_and_logs() {
        let (result, state) = (motion_result("arm"), state_delta("w"));
        for topic in ["/clock", "/timeline", "/tf", "/log", &result, &state] {
            assert!(is_of_server(topic), "{topic}");
        }
        let (keep_alive, joints) = (motion_keep_alive("arm"), joint_state("arm"));
        for topic in ["/clocks", "/arm/timeline", "/tf/arm", &keep_alive, &joints] {
            assert!(!is_of_server(topic), "{topic}");
        }
    }
}
