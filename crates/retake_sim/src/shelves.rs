//! Files of motions, looked up by any thread but the one that steps.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retake_components::path_of;
use retake_ecm::Ecm;
use retake_motion::file::{Resolved, Shelf};
use retake_msgs::{
    FollowJointTrajectoryWithActions, JointGroup, MotionList, RobotMotions, StartMotion,
    StoredMotion, names,
};

use crate::CommandError;
use crate::preparation::Preparer;
use crate::systems::motion::{PlayerKind, find_player, message_of_goal, robots};

/// Folders of motions that were read before; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Shelves(Arc<Mutex<BTreeMap<Vec<PathBuf>, Shelf>>>);

/// Lists of folders that are remembered; beyond it all are read again.
const MOST_SHELVES: usize = 64;

impl Shelves {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Vec<PathBuf>, Shelf>> {
        // A panic while it was held leaves files that are read again.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the motions of folders as they are now.
    pub(crate) fn with<T>(&self, folders: Vec<PathBuf>, act: impl FnOnce(&Shelf) -> T) -> T {
        let mut shelves = self.lock();
        if shelves.len() >= MOST_SHELVES && !shelves.contains_key(&folders) {
            shelves.clear();
        }
        let shelf = shelves.entry(folders.clone()).or_insert_with(|| Shelf::new(folders));
        shelf.refresh();
        act(shelf)
    }
}

impl Preparer {
    /// Fills in the goal of a stored motion from the files in `folders`, and the motions that the
    /// actions of a goal play.
    pub(crate) fn find_motion(
        &self,
        start: &mut StartMotion,
        folders: &[String],
    ) -> Result<(), CommandError> {
        let (paths, missing) = self.motion_folders(folders);
        let names: Vec<String> = match &start.goal {
            Some(goal) => played_by(goal).map(ToOwned::to_owned).collect(),
            None => vec![start.motion.clone()],
        };
        let found = self.shelves().with(paths, |shelf| {
            let found: Result<Vec<_>, _> = names.iter().map(|name| shelf.resolve(name)).collect();
            found
        });
        let found = found.map_err(|error| CommandError::NoMotion {
            reason: match missing.is_empty() {
                true => error.to_string(),
                false => format!("{error}. {}", missing.join("; ")),
            },
        })?;
        for Resolved { motion, nested } in found {
            let motion = message_of_goal(&motion.goal());
            match &start.goal {
                Some(_) => start.nested.push(motion),
                None => start.goal = Some(motion),
            }
            start.nested.extend(nested.iter().map(|motion| message_of_goal(&motion.goal())));
        }
        Ok(())
    }

    /// Finds the folders that a player names; returns why others cannot be used, too.
    pub(crate) fn motion_folders(&self, folders: &[String]) -> (Vec<PathBuf>, Vec<String>) {
        let (mut paths, mut missing) = (Vec::new(), Vec::new());
        for folder in folders {
            match self.find_file(folder) {
                Ok(path) => paths.push(path),
                Err(error) => missing.push(format!("<trajectories_path>: {error}")),
            }
        }
        if folders.is_empty() {
            let text = "The player names no folder of motions: give it <trajectories_path>";
            missing.push(text.to_owned());
        }
        (paths, missing)
    }
}

/// Says whether actions of a goal play motions.
pub(crate) fn plays_others(goal: &FollowJointTrajectoryWithActions) -> bool {
    played_by(goal).next().is_some()
}

/// Names the motions that actions of a goal play.
fn played_by(goal: &FollowJointTrajectoryWithActions) -> impl Iterator<Item = &str> {
    let commands = goal.actions.iter().filter_map(|action| action.command.as_ref());
    let plays = commands.filter(|command| command.r#type == names::PLAYS_MOTION);
    plays.map(|command| command.command.as_str())
}

/// What robots can play; read by whoever tells it, so that the step thread need not.
pub struct MotionsAnswer {
    preparer: Preparer,
    /// Each robot with what is known of it without a disk, and the folders that it names, if it can
    /// play stored motions.
    robots: Vec<(RobotMotions, Option<Vec<String>>)>,
}

impl MotionsAnswer {
    /// Takes what is known of robots without a disk; an empty name means all of them.
    pub(crate) fn of(ecm: &Ecm, wanted: &str, preparer: Preparer) -> Self {
        let all = robots(ecm).into_iter().map(|(robot, facts)| (path_of(ecm, robot), robot, facts));
        let all = all.filter(|(name, ..)| wanted.is_empty() || wanted == name);
        let all = all.map(|(name, robot, facts)| {
            let joints = facts.robot.joints();
            let group = facts.robot.groups().iter().map(|group| JointGroup {
                name: group.name.clone(),
                joint: group.joints.iter().map(|joint| joints[*joint].name.clone()).collect(),
            });
            let player = find_player(ecm, robot, PlayerKind::Stored).ok();
            let folders = player.map(|(_, player)| player.folders);
            let group = group.collect();
            (RobotMotions { robot: name, group, ..RobotMotions::default() }, folders)
        });
        Self { robots: all.collect(), preparer }
    }

    /// Reads the files.
    pub fn list(&self) -> MotionList {
        let robots = self.robots.iter().map(|(robot, folders)| {
            let Some(folders) = folders else { return robot.clone() };
            let (paths, missing) = self.preparer.motion_folders(folders);
            let folder = paths.iter().map(|path| path.display().to_string()).collect();
            let (motion, problems) = self.preparer.shelves().with(paths, |shelf| {
                let motions = shelf.motions().map(|(name, file, motion)| StoredMotion {
                    name: name.to_owned(),
                    description: motion.description.clone(),
                    file: file.display().to_string(),
                    duration_secs: motion.duration_secs(),
                    joint: motion.moved_joints().map(ToOwned::to_owned).collect(),
                    waypoints: motion.waypoints.len() as u32,
                    actions: motion.actions.len() as u32,
                });
                (motions.collect(), shelf.problems())
            });
            let problem = missing.into_iter().chain(problems).collect();
            RobotMotions { folder, motion, problem, ..robot.clone() }
        });
        MotionList { robot: robots.collect() }
    }

    /// Reads one stored motion of a robot.
    ///
    /// # Errors
    /// Why there is none, for people.
    pub fn find(
        &self,
        robot: &str,
        motion: &str,
    ) -> Result<FollowJointTrajectoryWithActions, String> {
        let mut robots = self.robots.iter();
        let folders = match robots.find(|(known, _)| known.robot == robot) {
            Some((_, Some(folders))) => folders,
            _ => return Err(format!("{robot:?} has no player of stored motions")),
        };
        let mut start = StartMotion { motion: motion.to_owned(), ..StartMotion::default() };
        self.preparer.find_motion(&mut start, folders).map_err(|error| error.to_string())?;
        start.goal.ok_or_else(|| format!("{motion:?} has no trajectory"))
    }
}
