//! Bridges beside a world.

use retake_ros::{BridgeOptions, Bridges, ClockPolicy};
use retake_sim::{InboxSender, View, ViewSink};

use crate::cli::{BridgeArgs, ClockArg};

/// Starts the bridges that were asked for, and returns what feeds them.
pub(super) fn start(
    args: &BridgeArgs,
    first: impl FnOnce() -> View,
    inbox: &InboxSender,
) -> anyhow::Result<Option<(Bridges, Box<dyn ViewSink>)>> {
    let options = options(args);
    match options.any() {
        true => Ok(Some(Bridges::start(&options, first(), inbox.clone())?)),
        false => Ok(None),
    }
}

/// Says whether any bridge was asked for.
pub(super) fn any(args: &BridgeArgs) -> bool {
    options(args).any()
}

fn options(args: &BridgeArgs) -> BridgeOptions {
    BridgeOptions {
        rosbridge: args.rosbridge,
        foxglove: args.foxglove,
        ros1: args.ros1.clone(),
        ros2: args.ros2.then(|| args.ros2_domain.unwrap_or_else(usual_domain)),
        origins: args.bridge_origin.clone(),
        clock: match args.ros_clock {
            ClockArg::Jump => ClockPolicy::Jump,
            ClockArg::Monotonic => ClockPolicy::Monotonic,
        },
    }
}

/// Returns the domain that nodes of ROS 2 join on this machine.
fn usual_domain() -> u16 {
    let named = std::env::var("ROS_DOMAIN_ID").ok();
    named.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}
