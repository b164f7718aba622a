//! Verbs that start something or work on files.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};
use retake_math::SimTime;
use retake_sim::{TimelineLimits, UndoLimits};

use super::{BridgeArgs, LockstepArgs, OpeningArgs, RecordArgs, ResumeArgs, RobotArgs};
use crate::bench::peers::DriveArgs;
use crate::bench::scenes::Scene;

/// How a world is loaded.
#[derive(Args, Clone)]
pub(crate) struct LoadArgs {
    /// Physics profile to start with
    #[arg(long, short = 'o', value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads of the physics engine; the results do not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) threads: u32,
    /// Folder that files may be taken from; can be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) resource_path: Vec<PathBuf>,
    /// Start although the world file has errors
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Keep the fixed joints of URDF files instead of lumping what they hold
    #[arg(long)]
    pub(crate) keep_fixed_joints: bool,
}

/// How much of the past is kept.
#[derive(Args, Clone)]
pub(crate) struct PastArgs {
    /// Keep nothing for undo
    #[arg(long)]
    pub(crate) no_undo: bool,
    /// Most commands that can be undone
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) undo_steps: u32,
    /// Most memory for undo, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) undo_memory: u32,
    /// Keep nothing of the past to look at and to go on from
    #[arg(long)]
    pub(crate) no_timeline: bool,
    /// Most memory for the timeline, in MiB; 0 is as --no-timeline
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    pub(crate) timeline_memory: u32,
    /// How far back the timeline reaches, in simulated seconds that passed
    #[arg(long, value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) timeline_age: u32,
}

impl PastArgs {
    /// Returns what is kept for undo.
    pub(crate) fn undo(&self) -> UndoLimits {
        UndoLimits {
            enabled: !self.no_undo,
            max_steps: self.undo_steps,
            max_bytes: u64::from(self.undo_memory) * MIB,
        }
    }

    /// Returns what is kept of the past.
    pub(crate) fn timeline(&self) -> TimelineLimits {
        TimelineLimits {
            max_bytes: if self.no_timeline { 0 } else { u64::from(self.timeline_memory) * MIB },
            max_age: SimTime::from_nanos(i64::from(self.timeline_age) * 1_000_000_000),
        }
    }
}

const MIB: u64 = 1024 * 1024;

/// How a world runs.
#[derive(Args, Clone)]
#[command(
    after_help = "Examples:\n  retake server worlds/cones.sdf\n  retake server worlds/stacks.sdf --paused --rtf 0"
)]
pub(crate) struct ServerArgs {
    /// World file; the demo when it is not given
    pub(crate) world: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
    #[command(flatten)]
    pub(crate) resume: ResumeArgs,
    #[command(flatten)]
    pub(crate) record: RecordArgs,
    /// Start paused
    #[arg(long)]
    pub(crate) paused: bool,
    /// End after this many steps, made as fast as possible unless --rtf is given
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<u64>,
    /// Simulated seconds for each real second; 0 is as fast as possible
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) rtf: Option<f64>,
    #[command(flatten)]
    pub(crate) past: PastArgs,
    /// Publish the hash of the state every N steps, for comparing runs
    #[arg(long, value_name = "N")]
    pub(crate) hash_every: Option<std::num::NonZeroU64>,
    /// Seconds that a GUI in another process has to hand its edits over before the world goes on
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=60))]
    pub(crate) gui_timeout: u16,
    /// Print the hash of the last state at the end
    #[arg(long)]
    pub(crate) hash: bool,
    /// Serve the world file although another server has it; whoever saves second is refused
    #[arg(long)]
    pub(crate) also: bool,
    /// Port of the bus on 127.0.0.1; 0 takes any free one
    #[arg(long, value_name = "PORT", default_value_t = retake_transport::DEFAULT_BUS_PORT)]
    pub(crate) bus_port: u16,
    /// Open the bus to other machines, encrypted and by certificates, as this file says
    #[arg(long, value_name = "FILE")]
    pub(crate) bus_open: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) robots: RobotArgs,
    #[command(flatten)]
    pub(crate) lockstep: LockstepArgs,
    #[command(flatten)]
    pub(crate) bridges: BridgeArgs,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  retake run worlds/cones.sdf\n  retake run worlds/cones.sdf --headless --iterations 5000 --hash"
)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,
    /// Do not serve a page
    #[arg(long)]
    pub(crate) headless: bool,
    #[command(flatten)]
    pub(crate) opening: OpeningArgs,
    /// Layout of plots to start with; they have every step from the first
    #[arg(long, value_name = "FILE")]
    pub(crate) layout: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  retake gui\n  retake gui --port 8700 --server cones")]
pub(crate) struct GuiArgs {
    #[command(flatten)]
    pub(crate) opening: OpeningArgs,
    /// Layout of plots to start with
    #[arg(long, value_name = "FILE")]
    pub(crate) layout: Option<PathBuf>,
}

#[derive(Subcommand)]
#[command(
    after_help = "Examples:\n  retake sdf check worlds/cones.sdf\n  retake sdf print --resolved --format json worlds/arm.sdf"
)]
pub(crate) enum SdfCommand {
    /// Report everything that is wrong with world files
    Check {
        /// World files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Folder that files may be taken from; can be given several times
        #[arg(long, value_name = "DIR")]
        resource_path: Vec<PathBuf>,
    },
    /// Print a world as Retake understands it
    Print {
        /// World file
        file: PathBuf,
        /// Print every link's world pose, joint and profile instead of SDF
        #[arg(long)]
        resolved: bool,
        /// Folder that files may be taken from; can be given several times
        #[arg(long, value_name = "DIR")]
        resource_path: Vec<PathBuf>,
    },
    /// Write a robot of a URDF file as SDF
    Convert(ConvertArgs),
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  retake sdf convert robot.urdf > robot.sdf\n  retake sdf convert robot.urdf --output robot.sdf --keep-fixed-joints"
)]
pub(crate) struct ConvertArgs {
    /// URDF file, or SDF file of one model
    pub(crate) file: PathBuf,
    /// File to write; standard output when it is not given
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Keep fixed joints instead of lumping what they hold
    #[arg(long)]
    pub(crate) keep_fixed_joints: bool,
    /// Folder that files may be taken from; can be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) resource_path: Vec<PathBuf>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  retake scenario scenarios/*.scenario\n  retake scenario lane.scenario --format junit > report.xml"
)]
pub(crate) struct ScenarioArgs {
    /// Scenario files
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  retake bench accuracy\n  retake bench step --boxes 200 --steps 500"
)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub(crate) bench: BenchCommand,
}

#[derive(Subcommand)]
pub(crate) enum BenchCommand {
    /// Every benchmark in one table, with the aims beside
    All {
        /// Part to run; can be given several times, all when it is not
        #[arg(long, value_name = "PART")]
        only: Vec<String>,
    },
    /// Errors of every preset against worlds with a known answer
    Accuracy,
    /// Cost of watching values in each step, against copying their bytes and against the step
    Introspection {
        /// How many bodies the world has
        #[arg(long, default_value_t = 1000)]
        bodies: u32,
        /// How many values are watched
        #[arg(long, default_value_t = 10_000)]
        items: usize,
        /// How many steps
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
        steps: u32,
    },
    /// Views of a long series against a scan of its samples
    PlotStore {
        /// How many samples
        #[arg(long, default_value_t = 10_000_000, value_parser = counts(100_000_000))]
        samples: usize,
    },
    /// Cost of keyframes against a copy of their bytes and against one step
    Keyframe {
        /// How many undo and redo cycles
        #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
        cycles: u32,
    },
    /// The laws of going back in time, on generated worlds
    UndoLaws {
        /// How many worlds
        #[arg(long, default_value_t = 100)]
        scenes: u64,
        /// How many moments to go back to, in each world
        #[arg(long, default_value_t = 20)]
        instants: u32,
        /// How many steps to compare, at each moment
        #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
        steps: u32,
        /// How many operations of three clients, in all
        #[arg(long, default_value_t = 10_000)]
        operations: u32,
    },
    /// Cost and size of recording a world, and seeking in a long log
    Log {
        /// How many bodies the world has
        #[arg(long, default_value_t = 1000)]
        bodies: u32,
        /// How many steps
        #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
        steps: u32,
        /// Seconds of the log that is sought in
        #[arg(long, default_value_t = 3600)]
        seconds: u32,
    },
    /// Cost of a driver in Luau in each step, against the same in Rust
    Script {
        /// How many drivers
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        plugins: u32,
        /// How many steps
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
        steps: u32,
    },
    /// Load time of worlds of 1,000 to 100,000 shapes
    Load {
        /// A world file to load as well
        file: Option<PathBuf>,
    },
    /// Take orders from standard input, as one of several engines that are compared
    Drive(DriveArgs),
    /// Write a scene in the format of `bench/peers`
    Scene {
        /// The scene
        scene: Scene,
    },
    /// Write a world of so many shapes
    Shapes {
        /// How many
        #[arg(value_parser = counts(1_000_000))]
        count: usize,
    },
    /// How step, memory, keyframes, broadcast and watching grow with the world
    Scale {
        /// How many bodies, each number in a process of its own
        #[arg(long, num_args = 1.., default_values_t = [10, 100, 1000, 10_000])]
        bodies: Vec<u32>,
    },
    /// Curves of motions against bare polynomials, and the share of a period that players take
    Motion {
        /// How many periods of 1 ms
        #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
        cycles: u32,
    },
    /// Cost of keeping the past, and of showing an instant of it
    Timeline {
        /// How many steps in the smallest world; the larger ones get fewer
        #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
        steps: u32,
    },
    /// Cost of taking paused actions over, and of sending a running world to a GUI
    Sync {
        /// How many bodies the world has
        #[arg(long, default_value_t = 1000)]
        bodies: u32,
        /// How many actions wait, each number in a run of its own
        #[arg(long, num_args = 1.., default_values_t = [1, 100, 10_000])]
        actions: Vec<usize>,
    },
    /// Speed and accuracy of the presets on the demo worlds, and what a switch costs
    Profiles {
        /// How many steps
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
        steps: u32,
    },
    /// Step cost of boxes, stacks, arms and a quadruped against a bare engine on the same scenes
    Step {
        /// How many boxes
        #[arg(long, default_value_t = 1000)]
        boxes: u32,
        /// How many steps
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
        steps: u32,
    },
}

/// Most steps or periods of a benchmark.
const MOST_STEPS: i64 = 10_000_000;

/// Takes numbers from 1 on that the memory of a machine holds.
fn counts(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::cli::Cli;

    #[test]
    fn benchmarks_of_nothing_or_of_everything_are_refused() {
        for line in [
            "step --steps 0",
            "introspection --steps 0",
            "undo-laws --steps 0",
            "log --steps 0",
            "script --steps 0",
            "timeline --steps 0",
            "timeline --steps 42949673",
            "profiles --steps 0",
            "keyframe --cycles 0",
            "motion --cycles 0",
            "plot-store --samples 0",
            "plot-store --samples 18446744073709551615",
            "shapes 99999999999",
        ] {
            let words = ["retake", "bench"].into_iter().chain(line.split(' '));
            let told = Cli::try_parse_from(words).err().map(|error| error.to_string());
            let told = told.unwrap_or_default();
            assert!(told.contains(" is not in 1..="), "{line}: {told}");
        }
        for line in ["step --steps 1", "plot-store --samples 10", "shapes 1000000"] {
            let words = ["retake", "bench"].into_iter().chain(line.split(' '));
            assert!(Cli::try_parse_from(words).is_ok(), "{line}");
        }
    }
}
