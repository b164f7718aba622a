//! A path that a robot is led along by hand.

use std::sync::{Arc, Mutex};

use retake_motion::fit::RecordedPath;
use retake_msgs::{JointPose, PathRecording, Twin, names};
use retake_transport::{Bus, Guard, typed};

use crate::lock::locked;

/// Where a robot was since the recording began.
pub(super) struct Recorder {
    pub(super) twin: Twin,
    path: Arc<Mutex<RecordedPath>>,
    /// Of the robot outside: hears where it is.
    _heard: Option<Guard>,
}

impl Recorder {
    /// Begins with the virtual robot; it has to be given poses.
    pub(super) fn of_virtual(joints: Vec<String>) -> Self {
        let path = Arc::new(Mutex::new(RecordedPath::new(joints)));
        Self { twin: Twin::Virtual, path, _heard: None }
    }

    /// Begins with the robot outside, and hears where it is by itself.
    pub(super) fn of_real(
        joints: Vec<String>,
        robot: &str,
        bus: &Arc<dyn Bus>,
    ) -> Result<Self, String> {
        let path = Arc::new(Mutex::new(RecordedPath::new(joints)));
        let taken = Arc::clone(&path);
        let take = move |pose: JointPose| {
            let stamp = pose.stamp.unwrap_or_default();
            let secs = stamp.sec as f64 + f64::from(stamp.nsec) * 1e-9;
            let at = |name: &str| {
                let place = pose.name.iter().position(|known| known == name)?;
                pose.position.get(place).copied()
            };
            locked(&taken).take(secs, &at);
        };
        let heard = typed::subscribe(bus.as_ref(), &names::joints_real(robot), take);
        let heard = heard.map_err(|error| error.to_string())?;
        Ok(Self { twin: Twin::Real, path, _heard: Some(heard) })
    }

    /// Takes where the virtual robot is.
    pub(super) fn take(&self, secs: f64, position: &dyn Fn(&str) -> Option<f64>) {
        locked(&self.path).take(secs, position);
    }

    /// Ends it.
    pub(super) fn finish(self) -> RecordedPath {
        std::mem::take(&mut locked(&self.path))
    }

    pub(super) fn message(&self) -> PathRecording {
        let path = locked(&self.path);
        PathRecording {
            twin: self.twin.into(),
            duration: path.duration_secs(),
            samples: path.len() as u32,
        }
    }
}
