//! Bridges beside a world.

use anyhow::Context;
use retake_ros::{BridgeOptions, Bridges, ClockPolicy};
use retake_sim::{InboxSender, View, ViewSink};

use crate::cli::{BridgeArgs, ClockArg};

/// Starts the bridges that were asked for, and returns what feeds them.
pub(super) fn start(
    args: &BridgeArgs,
    first: impl FnOnce() -> View,
    inbox: &InboxSender,
) -> anyhow::Result<Option<(Bridges, Box<dyn ViewSink>)>> {
    let options = options(args)?;
    match options.any() {
        true => Ok(Some(Bridges::start(&options, first(), inbox.clone())?)),
        false => Ok(None),
    }
}

/// Says whether any bridge was asked for.
pub(super) fn any(args: &BridgeArgs) -> anyhow::Result<bool> {
    Ok(options(args)?.any())
}

fn options(args: &BridgeArgs) -> anyhow::Result<BridgeOptions> {
    let domain = || args.ros2_domain.map_or_else(usual_domain, Ok);
    Ok(BridgeOptions {
        rosbridge: args.rosbridge,
        foxglove: args.foxglove,
        ros1: args.ros1.clone(),
        ros2: args.ros2.then(domain).transpose()?,
        origins: args.bridge_origin.clone(),
        clock: match args.ros_clock {
            ClockArg::Jump => ClockPolicy::Jump,
            ClockArg::Monotonic => ClockPolicy::Monotonic,
        },
    })
}

/// Variable that names the domain of ROS 2 on a machine.
const DOMAIN: &str = "ROS_DOMAIN_ID";
/// Largest domain of ROS 2.
const MAX_DOMAIN: u16 = 232;

/// Returns the domain that nodes of ROS 2 join on this machine.
fn usual_domain() -> anyhow::Result<u16> {
    let named = std::env::var_os(DOMAIN).unwrap_or_default();
    domain_of(&named.to_string_lossy())
}

/// Reads the variable; as in ROS, nothing in it is domain 0.
fn domain_of(named: &str) -> anyhow::Result<u16> {
    match named.trim() {
        "" => Ok(0),
        number => number.parse().ok().filter(|number| *number <= MAX_DOMAIN).with_context(|| {
            format!(
                "{DOMAIN} is {named:?}. Set it to a number from 0 to {MAX_DOMAIN}, or name the \
                 domain with --ros2-domain"
            )
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_that_is_none_is_refused_by_the_name_of_its_variable() {
        for (named, domain) in [("", 0), ("0", 0), (" 42\n", 42), ("232", 232)] {
            assert_eq!(domain_of(named).unwrap(), domain, "{named:?}");
        }
        for named in ["abc", "-1", "233", "1.5", "70000"] {
            let told = domain_of(named).unwrap_err().to_string();
            assert!(told.starts_with(&format!("ROS_DOMAIN_ID is {named:?}. Set it to")), "{told}");
        }
    }
}
