//! Parameters of the drive.

use retake_math::SimTime;
use retake_msgs::names;

use super::limiter::Limiter;
use crate::system::SystemError;
use crate::systems::Params;

/// What the world file says, checked.
pub(super) struct Config {
    pub(super) wheel_separation: f64,
    pub(super) wheel_radius: f64,
    pub(super) linear: Limiter,
    pub(super) angular: Limiter,
    pub(super) topic: String,
    pub(super) odometry_topic: String,
    pub(super) odometry_period: SimTime,
    pub(super) frame_id: String,
    pub(super) child_frame_id: String,
}

impl Config {
    pub(super) fn read(params: &Params<'_>, model: &str) -> Result<Self, SystemError> {
        let topic = |name: &str, otherwise: String| match params.text(name) {
            Some(topic) if topic.starts_with('/') => topic.to_owned(),
            Some(topic) if !topic.is_empty() => format!("/{topic}"),
            _ => otherwise,
        };
        let text = |name: &str, otherwise: String| {
            params.text(name).filter(|text| !text.is_empty()).map_or(otherwise, str::to_owned)
        };
        let rate_hz = params.positive_or("odom_publish_frequency", 50.0)?;
        Ok(Self {
            wheel_separation: params.positive_or("wheel_separation", 1.0)?,
            wheel_radius: params.positive_or("wheel_radius", 0.2)?,
            linear: Limiter::read(params, "linear")?,
            angular: Limiter::read(params, "angular")?,
            topic: topic("topic", names::cmd_vel(model)),
            odometry_topic: topic("odom_topic", names::odometry(model)),
            odometry_period: SimTime::from_secs_f64(1.0 / rate_hz),
            frame_id: text("frame_id", format!("{model}/odom")),
            child_frame_id: text("child_frame_id", model.to_owned()),
        })
    }
}
