//! What a person may do, and what each request asks for.

use std::fmt;
use std::str::FromStr;

use retake_msgs::{TeachRequest, TimelineEdit, request, teach_request, timeline_edit};

/// What a person may do; each may do what those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Looks at everything, the past too, and changes nothing that others see.
    Viewer,
    /// Edits and controls the world.
    Editor,
    /// Writes files, arms robots, speaks on topics, sets limits.
    Admin,
}

impl Role {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Editor, Self::Admin];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }

    /// Returns the least role that may ask for this.
    pub(in crate::host) fn needed_for(request: &request::Request) -> Self {
        use request::Request;
        match request {
            Request::Physics(_)
            | Request::BrowseSignals(_)
            | Request::MeasurePlot(_)
            | Request::DescribeType(_)
            | Request::Findings(_)
            | Request::Library(_)
            | Request::LookBack(_) => Self::Viewer,
            Request::Control(_)
            | Request::Command(_)
            | Request::UndoRedo(_)
            | Request::Discard(_)
            | Request::SetPlotLayout(_)
            | Request::LoadPlotLayout(_)
            | Request::KeepPlotRun(_)
            | Request::ClearPlots(_)
            | Request::LoadPlotRun(_)
            | Request::Playback(_) => Self::Editor,
            Request::UndoSettings(_)
            | Request::LogStart(_)
            | Request::LogStop(_)
            | Request::SaveProfiles(_)
            | Request::SaveWorld(_)
            | Request::Publish(_)
            | Request::Call(_) => Self::Admin,
            Request::TimelineEdit(edit) => of_timeline_edit(edit),
            Request::Teach(teach) => of_teaching(teach),
        }
    }
}

fn of_timeline_edit(edit: &TimelineEdit) -> Role {
    match edit.edit {
        Some(timeline_edit::Edit::Settings(_)) => Role::Admin,
        _ => Role::Editor,
    }
}

fn of_teaching(teach: &TeachRequest) -> Role {
    use teach_request::What;
    match &teach.what {
        Some(What::Show(_) | What::List(_) | What::Check(_)) => Role::Viewer,
        // Everybody who may move a robot may also take its power to move away.
        Some(What::Arm(arm)) if arm.arm => Role::Admin,
        Some(What::Save(_)) => Role::Admin,
        _ => Role::Editor,
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that is no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is no role. Known: viewer, editor, admin")]
pub struct NoSuchRole {
    word: String,
}

impl FromStr for Role {
    type Err = NoSuchRole;

    fn from_str(word: &str) -> Result<Self, NoSuchRole> {
        let found = Self::ALL.into_iter().find(|role| role.name() == word);
        found.ok_or_else(|| NoSuchRole { word: word.chars().take(40).collect() })
    }
}
