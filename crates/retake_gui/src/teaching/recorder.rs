//! A path that a robot is led along by hand.

use std::sync::{Arc, Mutex};

use retake_motion::fit::Recorded;
use retake_msgs::{JointPose, PathRecording, Twin, names};
use retake_transport::{Bus, Guard, typed};

use crate::lock::locked;

/// Samples that are kept: ten minutes at 60 a second. Then the recording stands still.
const MOST: usize = 36_000;
/// Shortest time between two samples, in s.
const PERIOD_SECS: f64 = 0.015;

/// Where a robot was since the recording began.
pub(super) struct Recorder {
    pub(super) twin: Twin,
    path: Arc<Mutex<Path>>,
    /// Of the robot outside: hears where it is.
    _heard: Option<Guard>,
}

struct Path {
    joints: Vec<String>,
    samples: Vec<Recorded>,
}

/// What was recorded.
pub(super) struct Taken {
    pub(super) joints: Vec<String>,
    pub(super) samples: Vec<Recorded>,
}

impl Recorder {
    /// Begins with the virtual robot; it has to be given poses.
    pub(super) fn of_virtual(joints: Vec<String>) -> Self {
        Self { twin: Twin::Virtual, path: Arc::new(Mutex::new(Path::new(joints))), _heard: None }
    }

    /// Begins with the robot outside, and hears where it is by itself.
    pub(super) fn of_real(
        joints: Vec<String>,
        robot: &str,
        bus: &Arc<dyn Bus>,
    ) -> Result<Self, String> {
        let path = Arc::new(Mutex::new(Path::new(joints)));
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
    pub(super) fn finish(self) -> Taken {
        let mut path = locked(&self.path);
        let samples = std::mem::take(&mut path.samples);
        Taken { joints: path.joints.clone(), samples }
    }

    pub(super) fn message(&self) -> PathRecording {
        let path = locked(&self.path);
        let time = |sample: Option<&Recorded>| sample.map_or(0.0, |sample| sample.time_secs);
        PathRecording {
            twin: self.twin.into(),
            duration: time(path.samples.last()) - time(path.samples.first()),
            samples: path.samples.len() as u32,
        }
    }
}

impl Path {
    fn new(joints: Vec<String>) -> Self {
        Self { joints, samples: Vec::new() }
    }

    fn take(&mut self, time_secs: f64, position: &dyn Fn(&str) -> Option<f64>) {
        let last = self.samples.last().map(|sample| sample.time_secs);
        if last.is_some_and(|last| time_secs < last) {
            // Time went back: what came after this instant did not happen.
            self.samples.retain(|sample| sample.time_secs < time_secs);
        } else if last.is_some_and(|last| time_secs < last + PERIOD_SECS) {
            return;
        }
        let positions: Option<Vec<f64>> = self.joints.iter().map(|joint| position(joint)).collect();
        // An instant at which a joint is not known is none that could be a waypoint.
        let Some(positions) = positions else { return };
        if self.samples.len() < MOST {
            self.samples.push(Recorded { time_secs, positions });
        }
    }
}
