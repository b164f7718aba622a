//! Carrying edits out.

mod actions;
mod insert;
mod mirror;
mod points;
mod setup;
mod times;

use super::{Edit, EditError, Made, WaypointsList};

impl WaypointsList {
    /// Carries an edit out, or says why not; then nothing has changed.
    ///
    /// # Errors
    /// [`EditError`] when the edit names what is not there, or the list would not be whole.
    pub fn apply(&mut self, edit: &Edit) -> Result<Made, EditError> {
        let (changed, made) = self.changed(edit)?;
        *self = changed;
        Ok(made)
    }

    /// Returns the list as it is after an edit, and what that made.
    pub(super) fn changed(&self, edit: &Edit) -> Result<(Self, Made), EditError> {
        let mut changed = self.clone();
        let ids = changed.carry_out(edit)?;
        changed.check()?;
        Ok((changed, Made { ids }))
    }

    fn carry_out(&mut self, edit: &Edit) -> Result<Vec<u64>, EditError> {
        let done = match edit {
            Edit::AddPoint { time_secs, pose } => return self.add_point(*time_secs, pose),
            Edit::Paste { joints, points, at_secs } => return self.paste(joints, points, *at_secs),
            Edit::AppendPoints(path) => return self.append_points(path),
            Edit::AddAction { time_secs, command } => return self.add_action(*time_secs, command),
            Edit::SetName(name) => self.set_name(name),
            Edit::SetDescription(text) => self.set_description(text),
            Edit::SetInterpolation(way) => self.set_interpolation(*way),
            Edit::SetGoalTime(secs) => self.set_goal_time(*secs),
            Edit::SetTolerance { joint, tolerance } => {
                self.set_tolerance(joint.as_deref(), *tolerance)
            }
            Edit::Mute { joint, muted } => self.mute(joint, *muted),
            Edit::AddJoint { joint, position } => self.add_joint(joint, *position),
            Edit::RemoveJoint(joint) => self.remove_joint(joint),
            Edit::SetPose { id, pose } => self.set_pose(*id, pose),
            Edit::SetTime { id, time_secs } => self.set_time(*id, *time_secs),
            Edit::SetPosition { id, joint, position } => self.set_position(*id, joint, *position),
            Edit::SetEnabled { id, enabled } => self.set_enabled(*id, *enabled),
            Edit::SetNote { id, note } => self.set_note(*id, note),
            Edit::DeletePoints(ids) => self.delete_points(ids),
            Edit::MovePoints { ids, by_secs } => self.move_points(ids, *by_secs),
            Edit::MarkStart(id) => self.mark_start(*id),
            Edit::MarkEnd(id) => self.mark_end(*id),
            Edit::ScaleSpeed(factor) => self.scale_speed(*factor),
            Edit::Reverse => self.reverse(),
            Edit::Mirror { ids, pairs } => self.mirror(ids, pairs),
            Edit::SetTimes(times) => self.set_times(times),
            Edit::SetAction { id, time_secs, command } => self.set_action(*id, *time_secs, command),
            Edit::DeleteActions(ids) => self.delete_actions(ids),
            Edit::SetLimits { max_velocity, max_acceleration } => {
                self.set_limits(*max_velocity, *max_acceleration)
            }
        };
        done.map(|()| Vec::new())
    }
}
