//! What is asked about motions that takes a disk or much time: listed, read, saved, checked.
//!
//! The step thread only says what there is to know of the world, as a [`MotionWork`]; a thread of
//! its own does the rest ([`crate::desk`]), so that neither steps nor topics wait for a disk.

mod save;

use std::path::PathBuf;

use retake_components::path_of;
use retake_ecm::{Ecm, EcmSnapshot, EntityId};
use retake_motion::file::{Format, write};
use retake_msgs::{
    MotionCheckRequest, MotionChecked, MotionFile, MotionReadRequest, MotionSaveRequest,
};

use crate::preparation::Preparer;
use crate::self_check::SelfCheck;
use crate::shelves::MotionsAnswer;
use crate::systems::motion::{PlayerKind, find_player, find_robot, goal_of_message};
use crate::{Request, Response};

/// Something to be done about motions, with all that is needed of the world.
pub(crate) enum MotionWork {
    List(MotionsAnswer),
    Read { shelf: PlayerShelf, request: MotionReadRequest },
    Save { shelf: PlayerShelf, request: MotionSaveRequest },
    Check { view: EcmSnapshot, preparer: Preparer, request: MotionCheckRequest },
}

/// Where the stored motions of a robot are, or why there are none.
pub(crate) struct PlayerShelf {
    preparer: Preparer,
    /// As the player names them.
    folders: Result<Vec<String>, String>,
}

impl PlayerShelf {
    /// Finds the player that stores the motions of a robot.
    pub(crate) fn of(ecm: &Ecm, robot: &str, preparer: Preparer) -> Self {
        let player = find_robot(ecm, robot)
            .and_then(|robot| find_player(ecm, robot, PlayerKind::Stored))
            .map_err(|error| error.to_string());
        Self { preparer, folders: player.map(|(_, player)| player.folders) }
    }

    /// Returns the folders that are there, and why others are not.
    fn folders(&self) -> Result<(Vec<PathBuf>, Vec<String>), String> {
        self.folders.as_ref().map(|named| self.preparer.motion_folders(named)).map_err(Clone::clone)
    }

    /// Reads a motion whole.
    fn read(&self, name: &str) -> Result<MotionFile, String> {
        let (paths, missing) = self.folders()?;
        let found = self.preparer.shelves().with(paths, |shelf| {
            let mut motions = shelf.motions();
            if let Some((_, file, motion)) = motions.find(|(known, ..)| *known == name) {
                // One that plays others which are not there can be read all the same, and mended.
                return Ok((file.display().to_string(), motion.clone()));
            }
            let error = shelf.resolve(name).err().map(|error| error.to_string());
            Err(error.unwrap_or_else(|| format!("no motion named {name:?}")))
        });
        let (file, motion) = found.map_err(|reason| match missing.is_empty() {
            true => reason,
            false => format!("{reason}. {}", missing.join("; ")),
        })?;
        let written = write(&motion, Format::Native).map_err(|error| error.to_string())?;
        Ok(MotionFile { ok: true, message: String::new(), file, text: written.text })
    }
}

impl MotionWork {
    /// Takes from the world what a request about motions needs; none when it is about others.
    pub(crate) fn of(
        request: &Request,
        ecm: &Ecm,
        preparer: impl Fn() -> Preparer,
    ) -> Option<Self> {
        let shelf = |robot: &str| PlayerShelf::of(ecm, robot, preparer());
        match request {
            Request::Motions(request) => {
                Some(Self::List(MotionsAnswer::of(ecm, &request.robot, preparer())))
            }
            Request::ReadMotion(request) => {
                Some(Self::Read { shelf: shelf(&request.robot), request: request.clone() })
            }
            Request::SaveMotion(request) => {
                Some(Self::Save { shelf: shelf(&request.robot), request: request.clone() })
            }
            Request::CheckMotion(request) => Some(Self::Check {
                view: ecm.snapshot(),
                preparer: preparer(),
                request: (**request).clone(),
            }),
            _ => None,
        }
    }

    /// Does it, on this thread; a list is read by whoever looks at the answer.
    pub(crate) fn done(self) -> Response {
        match self {
            Self::List(answer) => Response::Motions(answer),
            Self::Read { shelf, request } => {
                let refused = |message| MotionFile { message, ..MotionFile::default() };
                Response::MotionFile(shelf.read(&request.motion).unwrap_or_else(refused))
            }
            Self::Save { shelf, request } => Response::MotionSaved(shelf.save(&request)),
            Self::Check { view, preparer, request } => {
                let refused = |message| MotionChecked { message, ..MotionChecked::default() };
                let checked = check(&view, &preparer, &request);
                Response::MotionChecked(Box::new(checked.unwrap_or_else(refused)))
            }
        }
    }
}

fn check(
    ecm: &Ecm,
    preparer: &Preparer,
    request: &MotionCheckRequest,
) -> Result<MotionChecked, String> {
    let robot: EntityId = find_robot(ecm, &request.robot).map_err(|error| error.to_string())?;
    let trajectory = request.trajectory.as_ref().ok_or("The request has no trajectory")?;
    let goal = goal_of_message(trajectory)?;
    let shapes = preparer.shapes().ok_or("Nothing collides here: there is no engine")?;
    let check = SelfCheck::new(ecm, robot, shapes);
    let mut check = check.ok_or_else(|| format!("{:?} has no links", path_of(ecm, robot)))?;
    Ok(check.look(&goal))
}
