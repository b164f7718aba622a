//! The draft of one robot, and what is done with it.

use retake_motion::edit::{Draft, Edit, Made, WaypointsList};
use retake_msgs::{MotionWarning, Twin};

use super::recorder::Recorder;
use super::runs::TaughtRun;

/// The draft of one robot.
pub(super) struct Desk {
    pub(super) draft: Draft,
    /// Who changed it last.
    pub(super) author: String,
    /// File that it was loaded from or saved to; empty before.
    pub(super) file: String,
    /// What a check found, and the revision that it looked at.
    pub(super) found: Option<(u64, Vec<MotionWarning>)>,
    /// What was executed last.
    pub(super) virtual_run: Option<TaughtRun>,
    pub(super) real_run: Option<TaughtRun>,
    /// A path that is being recorded.
    pub(super) recorder: Option<Recorder>,
}

impl Desk {
    pub(super) fn new(list: WaypointsList, author: &str) -> Self {
        Self {
            draft: Draft::new(list),
            author: author.to_owned(),
            file: String::new(),
            found: None,
            virtual_run: None,
            real_run: None,
            recorder: None,
        }
    }

    /// Changes the draft.
    pub(super) fn edit(&mut self, edit: &Edit, stroke: &str, author: &str) -> Result<Made, String> {
        let made = self.draft.apply(edit, stroke).map_err(|error| error.to_string())?;
        self.author = author.to_owned();
        Ok(made)
    }

    /// Returns the last execution on a robot.
    pub(super) fn run(&mut self, twin: Twin) -> &mut Option<TaughtRun> {
        match twin {
            Twin::Virtual => &mut self.virtual_run,
            Twin::Real => &mut self.real_run,
        }
    }
}
