//! Motions: playing them on a robot, and what can be done with files.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub(crate) enum MotionCommand {
    /// List what robots can play, and files that cannot be read
    List {
        /// Only of this robot
        #[arg(long)]
        robot: Option<String>,
    },
    /// Play a stored motion by name, and wait for its end
    #[command(
        after_help = "Examples:\n  retake motion play wave\n  retake motion play bow --robot dog --speed 0.5"
    )]
    Play {
        /// Name of the motion: of its file, without the ending
        motion: String,
        #[command(flatten)]
        start: StartArgs,
    },
    /// Follow the trajectory of a file, in any format, and wait for its end
    Goal {
        /// The file
        file: PathBuf,
        #[command(flatten)]
        start: StartArgs,
    },
    /// End motions: the robot comes to rest and holds
    #[command(visible_alias = "cancel")]
    Stop {
        #[command(flatten)]
        robot: RobotArg,
        /// Only this goal
        #[arg(long, value_name = "ID")]
        goal: Option<String>,
        /// Let go of the joints too, for whoever moved them before
        #[arg(long)]
        release: bool,
    },
    /// Make motions faster or slower while they run
    Speed {
        /// Trajectory seconds for each second, 0 to 10
        #[arg(allow_negative_numbers = true)]
        factor: f64,
        #[command(flatten)]
        robot: RobotArg,
    },
    /// Show what robots follow, and how their last goals ended
    Status {
        /// Only of this robot
        #[arg(long)]
        robot: Option<String>,
    },
    /// Put joints somewhere at once
    #[command(after_help = "Examples:\n  retake motion pose elbow=-0.5 wrist_1=0.2 --robot arm")]
    Pose {
        /// Joint and position in rad or m
        #[arg(required = true, value_name = "JOINT=POSITION", value_parser = joint_position)]
        joints: Vec<(String, f64)>,
        #[command(flatten)]
        robot: RobotArg,
    },
    /// Switch servos on or off; off, joints are limp
    #[command(
        after_help = "Examples:\n  retake motion torque off --robot arm\n  retake motion torque on elbow wrist_1 --robot arm"
    )]
    Torque {
        /// on or off
        #[arg(value_parser = ["on", "off"])]
        state: String,
        /// Joints; all when none is named
        joints: Vec<String>,
        #[command(flatten)]
        robot: RobotArg,
    },
    /// Show what is in a stored motion of a robot
    Show {
        /// Name of the motion
        motion: String,
        #[command(flatten)]
        robot: RobotArg,
    },
    /// Put the motion of a file, in any format, into the folder of a robot's player
    #[command(
        after_help = "Examples:\n  retake motion import bow.json\n  retake motion import gestures.yaml --motion nod --name yes --robot dog"
    )]
    Import(MotionImportArgs),
    /// Write a stored motion of a robot into a file, in any format
    #[command(
        after_help = "Examples:\n  retake motion export wave wave.json\n  retake motion export nod nod.motion --to webots --robot dog"
    )]
    Export(MotionExportArgs),
    /// Record how a robot moves, as when it is led by hand, and store it as a motion
    #[command(
        after_help = "Examples:\n  retake motion torque off && retake motion record lift --seconds 8\n  retake motion record nod --seconds 3 --joint head_tilt --robot dog"
    )]
    Record(MotionRecordArgs),
    /// Show what is in files of motions
    Info {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Check files of motions, and report every fault with its line
    #[command(
        after_help = "Examples:\n  retake motion check *.motion.toml\n  retake motion check bow.motion.toml --against quadruped"
    )]
    Check {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Look also whether links of this robot, as it stands now, would run into each other
        #[arg(long, value_name = "ROBOT")]
        against: Option<String>,
    },
    /// Turn a motion around, make it faster or slower, or as fast as limits allow
    #[command(
        after_help = "Examples:\n  retake motion edit bow.motion.toml rise.motion.toml --reverse --speed 0.5\n  retake motion edit wave.json quick.motion.toml --retime --max-velocity 2 --max-acceleration 10"
    )]
    Edit(MotionEditArgs),
    /// Write a motion in another format
    #[command(
        after_help = "Examples:\n  retake motion convert bow.json bow.motion.toml\n  retake motion convert wave.motion.toml wave.motion --to webots"
    )]
    Convert(MotionConvertArgs),
}

#[derive(Args)]
pub(crate) struct MotionEditArgs {
    #[command(flatten)]
    pub(crate) files: MotionConvertArgs,
    /// How joints go from waypoint to waypoint: monotone, akima, natural, clamped, linear, hermite
    #[arg(long, value_name = "WORD")]
    pub(crate) interpolation: Option<String>,
    /// Turn it around in time
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Divide all times by this
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub(crate) speed: Option<f64>,
    /// Choose times as short as the limits allow
    #[arg(long, requires = "max_velocity")]
    pub(crate) retime: bool,
    /// Highest velocity of each joint, in rad/s or m/s
    #[arg(long, value_name = "V", requires = "retime", allow_negative_numbers = true)]
    pub(crate) max_velocity: Option<f64>,
    /// Highest acceleration of each joint, in rad/s² or m/s²
    #[arg(long, value_name = "A", requires = "retime", allow_negative_numbers = true)]
    pub(crate) max_acceleration: Option<f64>,
}

#[derive(Args)]
pub(crate) struct MotionConvertArgs {
    /// The file to read
    pub(crate) input: PathBuf,
    /// The file to write; its ending says the format
    pub(crate) output: PathBuf,
    /// Format to write, when the ending does not say it: native, goal-json, play-motion, webots,
    /// csv, compound-json
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,
    /// Which motion, of a file with several
    #[arg(long, value_name = "NAME")]
    pub(crate) motion: Option<String>,
}

#[derive(Args)]
pub(crate) struct MotionImportArgs {
    /// The file to read
    pub(crate) file: PathBuf,
    /// Which motion, of a file with several
    #[arg(long, value_name = "NAME")]
    pub(crate) motion: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Args)]
pub(crate) struct MotionExportArgs {
    /// Name of the motion
    pub(crate) motion: String,
    /// The file to write; its ending says the format
    pub(crate) file: PathBuf,
    /// Format to write, when the ending does not say it: native, goal-json, play-motion, webots,
    /// csv, compound-json
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) robot: RobotArg,
}

#[derive(Args)]
pub(crate) struct MotionRecordArgs {
    /// Name of the motion
    pub(crate) motion: String,
    /// How long to record, in simulated seconds, 600 at most
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seconds: f64,
    /// Joint to record; all that the robot's players move when none is named; can be given several
    /// times
    #[arg(long = "joint", value_name = "NAME")]
    pub(crate) joints: Vec<String>,
    /// How far the stored motion may be from what was recorded, in rad or m
    #[arg(long, value_name = "X", default_value_t = 0.02, allow_negative_numbers = true)]
    pub(crate) tolerance: f64,
    /// Replace a motion of that name
    #[arg(long)]
    pub(crate) replace: bool,
    #[command(flatten)]
    pub(crate) robot: RobotArg,
}

/// Where a motion is stored.
#[derive(Args)]
pub(crate) struct StoreArgs {
    /// Name instead of the one in the file
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Replace a motion of that name
    #[arg(long)]
    pub(crate) replace: bool,
    #[command(flatten)]
    pub(crate) robot: RobotArg,
}

#[derive(Args)]
pub(crate) struct RobotArg {
    /// The model; the only one with a player when it is not given
    #[arg(long)]
    pub(crate) robot: Option<String>,
}

#[derive(Args)]
pub(crate) struct StartArgs {
    #[command(flatten)]
    pub(crate) robot: RobotArg,
    /// How fast, against the taught speed
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) speed: f64,
    /// Name of the goal, for stopping it
    #[arg(long, value_name = "ID")]
    pub(crate) goal: Option<String>,
    /// Return at once instead of waiting for the end
    #[arg(long)]
    pub(crate) no_wait: bool,
}

impl MotionCommand {
    /// Says whether it is about files, so that no server is needed.
    pub(crate) fn is_about_a_file(&self) -> bool {
        match self {
            Self::Info { .. } | Self::Convert(_) | Self::Edit(_) => true,
            Self::Check { against, .. } => against.is_none(),
            _ => false,
        }
    }
}

fn joint_position(text: &str) -> Result<(String, f64), String> {
    let (joint, position) = text.split_once('=').ok_or("write JOINT=POSITION")?;
    let position = position.parse().map_err(|_| format!("{position:?} is no number"))?;
    Ok((joint.to_owned(), position))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use retake_motion::file::Format;

    #[test]
    fn help_names_the_formats_that_are_known() {
        let retake = crate::cli::Cli::command();
        let motion = retake.find_subcommand("motion").unwrap();
        for verb in ["convert", "edit", "export"] {
            let mut arguments = motion.find_subcommand(verb).unwrap().get_arguments();
            let to = arguments.find(|argument| argument.get_id() == "to").unwrap();
            let help = to.get_help().unwrap().to_string();
            let (_, listed) = help.split_once("does not say it: ").unwrap();
            assert_eq!(listed, Format::ALL.map(|(_, word, _)| word).join(", "), "{verb}");
        }
    }
}
