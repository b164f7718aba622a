//! Drafts and the files of the robot that they are for.

use std::time::Duration;

use retake_diag::Diagnostics;
use retake_motion::Motion;
use retake_motion::edit::{Edit, WaypointsList};
use retake_motion::file::{Format, read_as, write};
use retake_msgs::{
    MotionFile, MotionList, MotionListRequest, MotionReadRequest, MotionSaveRequest, MotionSaved,
    SaveDraft, TeachAnswer, names,
};
use retake_transport::typed::{self, Typed};

use super::desk::Desk;
use super::robot::SeenRobot;
use super::{Answered, Teaching};
use crate::lock::locked;

/// How long the server may take for its files.
const TIMEOUT: Duration = Duration::from_secs(10);

impl Teaching {
    /// Lists the stored motions of a robot.
    pub(super) fn list(&self, robot: &str) -> Answered {
        let request = MotionListRequest { robot: robot.to_owned() };
        let list: MotionList = self.ask(names::motion_list, &request)?;
        let motions = list.robot.into_iter().find(|motions| motions.robot == robot);
        Ok(TeachAnswer { motions, ..TeachAnswer::default() })
    }

    /// Replaces the draft by a stored motion; that can be undone.
    pub(super) fn load(&self, robot: &str, motion: &str, author: &str) -> Answered {
        let request = MotionReadRequest { robot: robot.to_owned(), motion: motion.to_owned() };
        let file: MotionFile = self.ask(names::motion_read, &request)?;
        if !file.ok {
            return Err(file.message);
        }
        let motion = parsed(motion, &file)?;
        let view = self.view();
        if let Some(seen) = SeenRobot::find(&view.ecm, robot) {
            let unknown = motion.moved_joints().find(|joint| seen.joint(joint).is_none());
            if let Some(joint) = unknown {
                let why = seen.no_joint(joint);
                return Err(format!("{} cannot be loaded: {why}", file.file));
            }
        }
        let list = WaypointsList::from_motion(&motion).map_err(|error| error.to_string())?;
        let mut desks = locked(&self.desks);
        let label = format!("Load {}", motion.name);
        match desks.get_mut(robot) {
            Some(desk) => {
                desk.draft.replace(list, &label);
                author.clone_into(&mut desk.author);
                desk.recorder = None;
            }
            None => {
                self.room(&desks)?;
                desks.insert(robot.to_owned(), Desk::new(list, author));
            }
        }
        if let Some(desk) = desks.get_mut(robot) {
            desk.file = file.file;
            desk.draft.mark_saved();
        }
        drop(desks);
        self.changed();
        Ok(TeachAnswer::default())
    }

    /// Writes the whole draft as a motion of the robot.
    pub(super) fn save(&self, robot: &str, request: &SaveDraft, author: &str) -> Answered {
        let name = request.name.trim();
        let (revision, text) = self.with_desk(robot, |desk| {
            let motion = Motion { name: name.to_owned(), ..desk.draft.list().to_motion() };
            let written = write(&motion, Format::Native).map_err(|error| error.to_string())?;
            Ok((desk.draft.revision(), written.text))
        })?;
        let saved: MotionSaved = self.ask(
            names::motion_save,
            &MotionSaveRequest {
                robot: robot.to_owned(),
                name: name.to_owned(),
                text,
                replace: request.replace,
            },
        )?;
        if saved.exists {
            return Ok(TeachAnswer { exists: true, ..TeachAnswer::default() });
        }
        if !saved.ok {
            return Err(saved.message);
        }
        self.with_desk(robot, |desk| {
            desk.file = saved.file;
            // Whatever was changed meanwhile is not in the file.
            let same = desk.draft.revision() == revision;
            if desk.draft.list().name() != name {
                desk.edit(&Edit::SetName(name.to_owned()), "", author)?;
            }
            if same {
                desk.draft.mark_saved();
            }
            Ok(())
        })?;
        self.changed();
        Ok(TeachAnswer::default())
    }

    fn ask<Q: Typed, R: Typed>(
        &self,
        service: fn(&str) -> String,
        request: &Q,
    ) -> Result<R, String> {
        let (bus, world) = (self.bus()?, self.view().world.name.clone());
        typed::call(&*bus, &service(&world), request, TIMEOUT).map_err(|error| error.to_string())
    }
}

fn parsed(name: &str, file: &MotionFile) -> Result<Motion, String> {
    let mut found = Diagnostics::new();
    let motions = read_as(Format::Native, &file.text, &file.file, &mut found);
    let motion =
        motions.into_iter().next().map(|motion| Motion { name: name.to_owned(), ..motion });
    motion.ok_or_else(|| {
        let first = found.items().first().map(ToString::to_string).unwrap_or_default();
        format!("{} cannot be loaded: {first}", file.file)
    })
}
