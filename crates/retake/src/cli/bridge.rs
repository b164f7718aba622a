//! Options of bridges to other tools.

use clap::{Args, ValueEnum};

/// Which bridges are built; all are off by default and listen on 127.0.0.1 only.
#[derive(Args, Clone, Default)]
pub(crate) struct BridgeArgs {
    /// Serve rosbridge on this port of 127.0.0.1; 0 takes any free one
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "9090")]
    pub(crate) rosbridge: Option<u16>,
    /// Serve Foxglove's WebSocket on this port of 127.0.0.1; 0 takes any free one
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8765")]
    pub(crate) foxglove: Option<u16>,
    /// Be a node of ROS 1 with this master
    #[arg(long, value_name = "MASTER", num_args = 0..=1, default_missing_value = retake_ros::ROS1_MASTER)]
    pub(crate) ros1: Option<String>,
    /// Be a node of ROS 2 over DDS, on this machine only
    #[arg(long)]
    pub(crate) ros2: bool,
    /// Domain of ROS 2, 0 to 232; ROS_DOMAIN_ID or 0 when it is not given
    #[arg(long, value_name = "N", requires = "ros2")]
    pub(crate) ros2_domain: Option<u16>,
    /// Site whose pages may connect to bridges, as https://site.example; can be given several times
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) bridge_origin: Vec<String>,
    /// What the time that bridges tell does when the world goes back
    #[arg(long, value_enum, value_name = "POLICY", default_value_t = ClockArg::Jump)]
    pub(crate) ros_clock: ClockArg,
}

/// What becomes of time when the world jumps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClockArg {
    /// It jumps too
    #[default]
    Jump,
    /// It goes on with an offset
    Monotonic,
}
