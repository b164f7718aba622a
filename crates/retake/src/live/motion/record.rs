//! `retake motion record`: how a robot moves, led by hand or by itself, becomes a motion.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::bail;
use retake_motion::fit::{Recorded, RecordedPath};
use retake_motion::{Interpolation, Motion, Tolerance, Waypoint};
use retake_msgs::{JointStateV, StatisticsRequest, WorldStatistics, names};
use retake_sim::systems::motion::MotionRobot;
use retake_transport::typed;

use super::{only_robot, store};
use crate::cli::MotionRecordArgs;
use crate::link::Link;
use crate::output::{Outcome, Printer, remark};
use crate::replica;

/// Longest recording, in simulated seconds: what a path has room for.
const LONGEST_SECS: f64 = 600.0;
/// After so long without a sample it is looked why.
const PERIOD: Duration = Duration::from_secs(2);
/// Samples that may wait to be taken; the newest are lost beyond it.
const WAITING: usize = 1024;

pub(super) fn run(
    args: &MotionRecordArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    if !(args.seconds > 0.0 && args.seconds <= LONGEST_SECS) {
        bail!("--seconds is {}; write a number above 0, at most {LONGEST_SECS}", args.seconds);
    }
    let robot = only_robot(&args.robot, link)?;
    let known = joints_of(&robot, link)?;
    let joints = match args.joints.as_slice() {
        [] => known.iter().map(|joint| joint.name.clone()).collect(),
        named => named.to_vec(),
    };
    if let Some(joint) = joints.iter().find(|name| known.iter().all(|known| known.name != **name)) {
        let known: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
        bail!("{robot} has no joint {joint:?} that players move. Known: {}", known.join(", "));
    }
    let path = listen(&robot, RecordedPath::new(joints), args.seconds, link)?;
    let interpolation = Interpolation::default();
    let fitted = path.fitted(args.tolerance, interpolation)?;
    let taught = |name: &String, measured: f64| {
        let joint = known.iter().find(|joint| joint.name == *name);
        joint.map_or(measured, |joint| joint.taught(measured))
    };
    let waypoint = |sample: &Recorded| Waypoint {
        time_secs: sample.time_secs,
        positions: path
            .joints()
            .iter()
            .zip(&sample.positions)
            .map(|(n, p)| taught(n, *p))
            .collect(),
        enabled: true,
        ..Waypoint::default()
    };
    let motion = Motion {
        name: args.motion.clone(),
        interpolation,
        joints: path.joints().to_vec(),
        tolerances: vec![Tolerance::default(); path.joints().len()],
        waypoints: fitted.iter().map(waypoint).collect(),
        ..Motion::default()
    };
    store::save(&motion, robot, args.replace, link, printer)
}

/// Returns the joints of a robot that players move.
fn joints_of(
    robot: &str,
    link: &mut dyn Link,
) -> anyhow::Result<Vec<retake_motion::player::Joint>> {
    let (ecm, _) = replica::fetch(link)?;
    let model = retake_components::resolve(&ecm, robot)?;
    match MotionRobot::of(&ecm, model) {
        Some(found) => Ok(found.robot.joints().to_vec()),
        None => bail!("{robot} has no motion player"),
    }
}

/// Takes where the joints are for so many simulated seconds.
fn listen(
    robot: &str,
    mut path: RecordedPath,
    seconds: f64,
    link: &mut dyn Link,
) -> anyhow::Result<RecordedPath> {
    let bus = link.need_bus("motion record")?;
    let (sender, states) = sync_channel(WAITING);
    let _heard = typed::subscribe(bus.as_ref(), &names::joint_state(robot), move |state| {
        // What does not fit is one instant of many.
        sender.try_send(state).ok();
    })?;
    remark(format!("Recording {robot} for {seconds} s of simulated time"));
    let mut told_paused = false;
    while path.duration_secs() < seconds {
        let state: JointStateV = match states.recv_timeout(PERIOD) {
            Ok(state) => state,
            Err(RecvTimeoutError::Disconnected) => bail!("the bus was closed"),
            Err(RecvTimeoutError::Timeout) => {
                let stats: WorldStatistics =
                    link.call(&names::stats_get(&link.world()), &StatisticsRequest {})?;
                if stats.paused && !std::mem::replace(&mut told_paused, true) {
                    remark("The world is paused; the recording goes on with it");
                }
                continue;
            }
        };
        let stamp = state.stamp.unwrap_or_default();
        let secs = stamp.sec as f64 + f64::from(stamp.nsec) * 1e-9;
        path.take(secs, &|name| {
            let joint = state.joint.iter().find(|joint| joint.name == name)?;
            joint.position.first().copied()
        });
    }
    Ok(path)
}
