//! How it is with the robots that pages teach, now.

use retake_motion::edit::WaypointsList;
use retake_msgs::{RealRobot, TeachLive};

use super::Teaching;
use super::desk::Desk;
use super::robot::SeenRobot;
use crate::lock::locked;

impl Teaching {
    /// Returns how it is with a robot; none when it has no draft and is not there.
    pub(super) fn live(&self, name: &str, robot: Option<&SeenRobot<'_>>) -> TeachLive {
        let twin = self.twins.of(name);
        let mut live = TeachLive { robot: name.to_owned(), ..TeachLive::default() };
        if let Some(desk) = locked(&self.desks).get(name) {
            tell_desk(&mut live, desk, robot, twin.as_ref());
        }
        live.twin = twin.map(|twin| RealRobot { joints: None, ended: Vec::new(), ..twin });
        live
    }
}

fn tell_desk(
    live: &mut TeachLive,
    desk: &Desk,
    robot: Option<&SeenRobot<'_>>,
    twin: Option<&RealRobot>,
) {
    let list = desk.draft.list();
    let names = || list.joints().iter().map(|joint| joint.name.as_str());
    let here = |name: &str| robot.and_then(|robot| robot.position(name));
    let there = |name: &str| twin.and_then(|twin| position_of(twin, name));
    live.r#virtual = names().map(|name| here(name).unwrap_or(f64::NAN)).collect();
    live.virtual_at = points_at(list, &here);
    live.limp = names().map(|name| robot.is_some_and(|robot| robot.is_limp(name))).collect();
    if twin.is_some_and(|twin| twin.connected) {
        live.real = names().map(|name| there(name).unwrap_or(f64::NAN)).collect();
        live.real_at = points_at(list, &there);
    }
    live.virtual_run = desk.virtual_run.as_ref().map(|run| run.message());
    live.real_run = desk.real_run.as_ref().map(|run| run.message());
    live.recording = desk.recorder.as_ref().map(|recorder| recorder.message());
}

/// Returns where the joints of the robot outside are, as it told last.
pub(super) fn pose_of(twin: &RealRobot) -> Vec<(String, f64)> {
    let joints = twin.joints.iter();
    joints.flat_map(|all| all.name.iter().cloned().zip(all.position.iter().copied())).collect()
}

/// Returns where a joint of the robot outside is, as it told last.
pub(super) fn position_of(twin: &RealRobot, name: &str) -> Option<f64> {
    let joints = twin.joints.as_ref()?;
    let place = joints.name.iter().position(|known| known == name)?;
    joints.position.get(place).copied()
}

fn points_at(list: &WaypointsList, position: &dyn Fn(&str) -> Option<f64>) -> Vec<u64> {
    let ids = list.points().iter().map(|point| point.id);
    ids.filter(|id| list.is_at(*id, position)).collect()
}
