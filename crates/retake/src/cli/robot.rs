//! `retake robot …`: real robots.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use retake_robots::RobotAddress;

/// Real robots of a world.
#[derive(Args, Clone)]
pub(crate) struct RobotArgs {
    /// Real robot of a model, as in arm=retake:lab/arm; can be given several times
    #[arg(long, value_name = "MODEL=ADDR")]
    pub(crate) robot: Vec<RobotAddress>,
    /// Longest time without a real robot's joints; then it is taken for lost and disarmed
    #[arg(long, value_name = "SECONDS", default_value_t = retake_robots::LOST_AFTER_SECS, value_parser = patience, allow_negative_numbers = true)]
    pub(crate) robot_patience: f64,
}

fn patience(text: &str) -> Result<f64, String> {
    let secs: f64 = text.parse().map_err(|_| "write seconds, as in 0.5".to_owned())?;
    match (0.1..=30.0).contains(&secs) {
        true => Ok(secs),
        false => Err("write a number from 0.1 to 30".to_owned()),
    }
}

#[derive(Subcommand)]
pub(crate) enum RobotCommand {
    /// List the real robots of this world
    List,
    /// Show a real robot with its joints
    #[command(
        after_help = "Examples:\n  retake robot state\n  retake robot state arm --format json"
    )]
    State {
        /// Model that is its twin here; not needed when there is only one
        robot: Option<String>,
    },
    /// Let commands move a real robot from now on
    #[command(after_help = "Examples:\n  retake robot arm\n  retake robot arm left_arm")]
    Arm {
        /// Model that is its twin here; not needed when there is only one
        robot: Option<String>,
    },
    /// Stop a real robot and let no command move it any more
    #[command(after_help = "Examples:\n  retake robot disarm\n  retake robot disarm left_arm")]
    Disarm {
        /// Model that is its twin here; not needed when there is only one
        robot: Option<String>,
    },
    /// Play a stored motion of the virtual robot on the real one
    #[command(
        after_help = "Examples:\n  retake robot play wave\n  retake robot play wave --robot left_arm --speed 0.5"
    )]
    Play {
        /// Name of the motion
        motion: String,
        #[command(flatten)]
        send: SendArgs,
    },
    /// Let a real robot follow a trajectory from a file
    ///
    /// The file is a motion in any known format.
    #[command(
        after_help = "Examples:\n  retake robot goal reach.json\n  retake robot goal - --no-wait < reach.json"
    )]
    Goal {
        /// File; - reads the input
        file: PathBuf,
        #[command(flatten)]
        send: SendArgs,
    },
    /// Stop a real robot, armed or not: it holds where it is
    #[command(after_help = "Examples:\n  retake robot stop\n  retake robot stop --robot left_arm")]
    Stop {
        /// Model that is its twin here; not needed when there is only one
        #[arg(long)]
        robot: Option<String>,
    },
    /// Switch servos of a real robot on, or off: then they are limp
    #[command(
        after_help = "Examples:\n  retake robot torque off\n  retake robot torque on shoulder elbow"
    )]
    Torque {
        /// What to do
        #[arg(value_enum)]
        switch: Switch,
        /// Joints; all when none is named
        joints: Vec<String>,
        /// Model that is its twin here; not needed when there is only one
        #[arg(long)]
        robot: Option<String>,
    },
}

/// How a goal is sent to a real robot.
#[derive(Args)]
pub(crate) struct SendArgs {
    /// Model that is its twin here; not needed when there is only one
    #[arg(long)]
    pub(crate) robot: Option<String>,
    /// How fast, against the taught speed
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) speed: f64,
    /// The robot stops when it hears nothing from here for so long
    #[arg(long, value_name = "SECONDS", default_value_t = retake_robots::KEEP_ALIVE_SECS, allow_negative_numbers = true)]
    pub(crate) keep_alive: f64,
    /// Do not wait for the end of the motion
    #[arg(long)]
    pub(crate) no_wait: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// Joints hold where they are
    On,
    /// Joints are limp
    Off,
}
