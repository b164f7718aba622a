//! What pages ask about drafts.

use std::collections::BTreeMap;
use std::sync::Arc;

use retake_motion::edit::{Edit, Made, MirrorJoint, WaypointsList};
use retake_motion::fit::FitError;
use retake_motion::retime::retime;
use retake_msgs::teach_request::What;
use retake_msgs::{DraftEdit, OpenDraft, RecordPath, TeachAnswer, TeachRequest, Twin};
use retake_sim::kinematics::mirror_joints;

use super::desk::Desk;
use super::ghost::not_there;
use super::recorder::Recorder;
use super::robot::SeenRobot;
use super::{Answered, Begun, MOST_DRAFTS, Teaching, check, live};
use crate::lock::locked;

/// How far a fitted curve may be from what was recorded, unless told otherwise, in rad or m.
const FIT: f64 = 0.02;

impl Teaching {
    /// Begins to carry a request out; what changes a draft is done when this returns.
    pub(crate) fn begin(self: &Arc<Self>, request: TeachRequest, author: &str) -> Begun {
        let robot = request.robot;
        if self.link.log().is_some() {
            return refused("The world is a recording: nothing can be taught");
        }
        let Some(what) = request.what else {
            return refused("The request is empty");
        };
        let done = match what {
            What::Open(open) => self.open(&robot, &open, author),
            What::Edit(edit) => self.edit(&robot, edit, author),
            What::Undo(undo) => self.undo(&robot, undo.redo, author),
            What::AddPose(add) => {
                let edit = |pose| Edit::AddPoint { time_secs: add.time, pose };
                self.edit_by_pose(&robot, add.twin(), edit, author)
            }
            What::TakePose(take) => {
                let edit = |pose| Edit::SetPose { id: take.waypoint, pose };
                self.edit_by_pose(&robot, take.twin(), edit, author)
            }
            What::Mirror(mirror) => self.mirror(&robot, mirror.waypoint, author),
            What::Show(show) => self.show(&robot, show.pose),
            What::Record(record) if record.on => self.begin_recording(&robot, &record),
            what => return self.later(robot, what, author.to_owned()),
        };
        self.changed();
        Begun::Done(Box::new(done))
    }

    /// Leaves what waits for others to a thread that may wait.
    fn later(self: &Arc<Self>, robot: String, what: What, author: String) -> Begun {
        let teaching = Arc::clone(self);
        Begun::Later(Box::new(move || match what {
            What::Load(load) => teaching.load(&robot, &load.motion, &author),
            What::Save(save) => teaching.save(&robot, &save, &author),
            What::List(_) => teaching.list(&robot),
            What::PutPose(put) => teaching.put_pose(&robot, put.waypoint, &author),
            What::Execute(execute) => teaching.execute(&robot, &execute, &author),
            What::Stop(stop) => teaching.stop(&robot, stop.twin(), &author),
            What::Torque(torque) => teaching.switch_torque(&robot, &torque, &author),
            What::Arm(arm) => teaching.arm(&robot, arm.arm, &author),
            What::Record(record) => teaching.end_recording(&robot, &record, &author),
            What::Check(_) => teaching.check(&robot),
            What::Retime(_) => teaching.retime(&robot, &author),
            // The others were done at once.
            _ => Err("The request is empty".to_owned()),
        }))
    }

    fn open(&self, robot: &str, open: &OpenDraft, author: &str) -> Answered {
        let view = self.view();
        let seen = SeenRobot::find(&view.ecm, robot).ok_or_else(|| not_there(robot))?;
        let joints = seen.joint_names().map(ToOwned::to_owned).collect();
        let list = WaypointsList::new("new_motion", joints).map_err(|error| error.to_string())?;
        let mut desks = locked(&self.desks);
        match desks.get_mut(robot) {
            Some(desk) if open.anew => {
                desk.draft.replace(list, "New motion");
                desk.draft.mark_saved();
                desk.file.clear();
                desk.recorder = None;
                author.clone_into(&mut desk.author);
            }
            Some(_) => {}
            None => {
                self.room(&desks)?;
                desks.insert(robot.to_owned(), Desk::new(list, author));
            }
        }
        Ok(TeachAnswer::default())
    }

    /// Says why there can be no further draft, if so.
    pub(super) fn room(&self, desks: &BTreeMap<String, Desk>) -> Result<(), String> {
        match desks.len() < MOST_DRAFTS {
            true => Ok(()),
            false => Err(format!("There are {MOST_DRAFTS} drafts already; restart to forget them")),
        }
    }

    fn edit(&self, robot: &str, edit: DraftEdit, author: &str) -> Answered {
        let view = self.view();
        let seen = SeenRobot::find(&view.ecm, robot);
        let stroke = edit.stroke.clone();
        let edit = super::convert::edit_of(edit, seen.as_ref())?;
        let made = self.with_desk(robot, |desk| desk.edit(&edit, &stroke, author))?;
        Ok(answer_with(made))
    }

    fn undo(&self, robot: &str, redo: bool, author: &str) -> Answered {
        self.with_desk(robot, |desk| {
            let done = if redo { desk.draft.redo() } else { desk.draft.undo() };
            let none = if redo { "There is nothing to redo" } else { "There is nothing to undo" };
            done.ok_or(none)?;
            author.clone_into(&mut desk.author);
            Ok(TeachAnswer::default())
        })
    }

    fn edit_by_pose(
        &self,
        robot: &str,
        twin: Twin,
        edit: impl FnOnce(Vec<(String, f64)>) -> Edit,
        author: &str,
    ) -> Answered {
        let pose = self.pose_of(robot, twin)?;
        let made = self.with_desk(robot, |desk| desk.edit(&edit(pose), "", author))?;
        Ok(answer_with(made))
    }

    /// Returns where a robot is.
    fn pose_of(&self, robot: &str, twin: Twin) -> Result<Vec<(String, f64)>, String> {
        let view = self.view();
        let seen = SeenRobot::find(&view.ecm, robot).ok_or_else(|| not_there(robot))?;
        let mut pose = match twin {
            Twin::Virtual => seen.pose(),
            Twin::Real => live::pose_of(&self.real(robot)?),
        };
        for (name, position) in &mut pose {
            *position = seen.taught(name, *position);
        }
        Ok(pose)
    }

    fn real(&self, robot: &str) -> Result<retake_msgs::RealRobot, String> {
        let none = || {
            format!("{robot} has no robot outside. Start with: --robot {robot}=retake:WORLD/MODEL")
        };
        let twin = self.twins.of(robot).ok_or_else(none)?;
        match twin.connected {
            true => Ok(twin),
            false => Err(format!("The robot outside is not there: {}", twin.state)),
        }
    }

    fn mirror(&self, robot: &str, ids: Vec<u64>, author: &str) -> Answered {
        let view = self.view();
        let seen = SeenRobot::find(&view.ecm, robot).ok_or_else(|| not_there(robot))?;
        let pairs = mirror_joints(&view.ecm, seen.model).into_iter();
        let pairs = pairs.map(|pair| MirrorJoint {
            joint: pair.joint,
            partner: pair.partner,
            sign: pair.sign,
        });
        let edit = Edit::Mirror { ids, pairs: pairs.collect() };
        let made = self.with_desk(robot, |desk| desk.edit(&edit, "", author))?;
        Ok(answer_with(made))
    }

    fn begin_recording(&self, robot: &str, request: &RecordPath) -> Answered {
        let twin = request.twin();
        if twin == Twin::Real {
            self.real(robot)?;
        }
        let bus = self.bus();
        self.with_desk(robot, |desk| {
            if desk.recorder.is_some() {
                return Err("A path is being recorded already. End it first".to_owned());
            }
            let joints = desk.draft.list().joints().iter().map(|joint| joint.name.clone());
            let joints = joints.filter(|joint| !retake_motion::is_support(joint)).collect();
            desk.recorder = Some(match twin {
                Twin::Virtual => Recorder::of_virtual(joints),
                Twin::Real => Recorder::of_real(joints, robot, &bus?)?,
            });
            Ok(TeachAnswer::default())
        })
    }

    /// Adds what was recorded as waypoints.
    fn end_recording(&self, robot: &str, request: &RecordPath, author: &str) -> Answered {
        let (recorder, interpolation) = self.with_desk(robot, |desk| {
            let recorder = desk.recorder.take().ok_or("No path is being recorded")?;
            Ok((recorder, desk.draft.list().interpolation()))
        })?;
        self.changed();
        if request.discard {
            return Ok(TeachAnswer::default());
        }
        let tolerance = if request.tolerance == 0.0 { FIT } else { request.tolerance };
        let path = recorder.finish();
        let fitted = path.fitted(tolerance, interpolation).map_err(|error| match error {
            FitError::Still => {
                "Nothing moved while it was recorded: no waypoint was added".to_owned()
            }
            other => other.to_string(),
        })?;
        let view = self.view();
        let seen = SeenRobot::find(&view.ecm, robot);
        let points = fitted.iter().map(|sample| {
            let taught = |(name, measured): (&String, &f64)| {
                let position = seen.as_ref().map_or(*measured, |seen| seen.taught(name, *measured));
                (name.clone(), position)
            };
            (sample.time_secs, path.joints().iter().zip(&sample.positions).map(taught).collect())
        });
        let edit = Edit::AppendPoints(points.collect());
        let made = self.with_desk(robot, |desk| desk.edit(&edit, "", author))?;
        self.changed();
        Ok(answer_with(made))
    }

    /// Makes the draft as short as its limits allow.
    fn retime(&self, robot: &str, author: &str) -> Answered {
        let view = self.view();
        let seen = SeenRobot::find(&view.ecm, robot).ok_or_else(|| not_there(robot))?;
        let (revision, motion, ids, limits) = self.with_desk(robot, |desk| {
            let list = desk.draft.list();
            let motion = list.to_motion();
            let limits = check::limits_of(&motion, list, Some(&seen));
            let ids: Vec<u64> = list.points().iter().map(|point| point.id).collect();
            Ok((desk.draft.revision(), motion, ids, limits))
        })?;
        let times = retime(&motion, &limits).map_err(|error| error.to_string())?;
        let made = self.with_desk(robot, |desk| {
            if desk.draft.revision() != revision {
                return Err("The draft was changed meanwhile. Try again".to_owned());
            }
            desk.edit(&Edit::SetTimes(ids.into_iter().zip(times).collect()), "", author)
        })?;
        self.changed();
        Ok(answer_with(made))
    }
}

fn refused(reason: &str) -> Begun {
    Begun::Done(Box::new(Err(reason.to_owned())))
}

fn answer_with(made: Made) -> TeachAnswer {
    TeachAnswer { made: made.ids, ..TeachAnswer::default() }
}
