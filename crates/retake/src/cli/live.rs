//! Commands to a running server; scenarios use the same.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::{
    IntrospectCommand, LinkCommand, LogCommand, ModelCommand, MotionCommand, PhysicsArgs,
    RobotCommand, ScriptCommand, TimelineCommand,
};

#[derive(Subcommand)]
pub(crate) enum LiveCommand {
    /// Control a running world
    #[command(subcommand)]
    #[command(after_help = "Examples:\n  retake world pause\n  retake world step 100")]
    World(WorldCommand),
    /// Go back to just before the last command, for everybody
    #[command(after_help = "Examples:\n  retake undo\n  retake undo --to 'Move vehicle'")]
    Undo(JumpArgs),
    /// Go forward again to where the last undo began
    #[command(after_help = "Examples:\n  retake redo\n  retake redo --to 0190a2c4")]
    Redo(JumpArgs),
    /// Show what can be undone and redone, jump in it, or change how much is kept
    #[command(
        after_help = "Examples:\n  retake history\n  retake history --to 'Move vehicle'\n  retake history limit --steps 50 --memory 128\n  retake history off"
    )]
    History(HistoryArgs),
    /// Look at the past of the world, and go on from it
    #[command(subcommand)]
    #[command(after_help = "Examples:\n  retake timeline show\n  retake timeline resume 1.5")]
    Timeline(TimelineCommand),
    /// List, show and edit entities
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  retake entity list\n  retake entity move vehicle --to 0 0 0.2"
    )]
    Entity(EntityCommand),
    /// List the models that can be inserted
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  retake model list\n  retake entity insert model://table --at 1 0 0"
    )]
    Model(ModelCommand),
    /// List, set and command joints
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  retake joint list\n  retake joint command arm/elbow --position 0.5"
    )]
    Joint(JointCommand),
    /// Play motions on a robot, stop them, and check and convert their files
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  retake motion list\n  retake motion play wave\n  retake motion torque off --robot arm"
    )]
    Motion(MotionCommand),
    /// Pull links, as by hand
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  retake link pull arm/forearm --at 0 0 0.4 --to 0.5 0 1\n  retake link pull arm/forearm --let-go"
    )]
    Link(LinkCommand),
    /// List, switch, tune and save physics profiles
    #[command(
        after_help = "Examples:\n  retake physics --profile accurate\n  retake physics set max_step_size 0.002"
    )]
    Physics(PhysicsArgs),
    /// List, watch and publish topics
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  retake topic echo /clock --count 3\n  retake topic pub /model/vehicle/cmd_vel retake.msgs.Twist '{\"linear\":{\"x\":0.5}}'"
    )]
    Topic(TopicCommand),
    /// List and watch values of the world and of other programs
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  retake introspect list wheel\n  retake introspect watch vehicle::pose.position.x --rate 10"
    )]
    Introspect(IntrospectCommand),
    /// Record the running world, and look into logs
    #[command(subcommand)]
    #[command(after_help = "Examples:\n  retake log start\n  retake log stop")]
    Log(LogCommand),
    /// Arm and command real robots
    #[command(subcommand)]
    #[command(after_help = "Examples:\n  retake robot arm\n  retake robot play wave --speed 0.5")]
    Robot(RobotCommand),
    /// List, reload and talk to scripts
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  retake script list\n  retake script reload arm::pid\n  retake script tell arm::pid 'target 0.8'"
    )]
    Script(ScriptCommand),
    /// List and call services
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  retake service list\n  retake service call /world/cones/control '{\"pause\":true}'"
    )]
    Service(ServiceCommand),
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  retake entity snap box --point 0 0 -0.5 --normal 0 0 -1 --to table --at 0 0 0.4"
)]
pub(crate) struct SnapArgs {
    /// What is moved: path, as in model::link, or #ID
    pub(crate) entity: String,
    /// Place on it, in its own frame
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_hyphen_values = true)]
    pub(crate) point: Vec<f64>,
    /// Which way its surface faces there
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_hyphen_values = true)]
    pub(crate) normal: Vec<f64>,
    /// What stays
    #[arg(long, value_name = "ENTITY")]
    pub(crate) to: String,
    /// Place on that, in its own frame
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_hyphen_values = true)]
    pub(crate) at: Vec<f64>,
    /// Which way its surface faces there
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_hyphen_values = true, default_values_t = [0.0, 0.0, 1.0])]
    pub(crate) facing: Vec<f64>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  retake entity insert cone.sdf --at 1 2 0\n  retake entity insert model://table --at 1 2 0\n  retake entity insert lamp.sdf --into arm::tool\n  echo '<sensor name=\"imu\" type=\"imu\"/>' | retake entity insert - --into arm::base"
)]
pub(crate) struct InsertArgs {
    /// File with one element, as <model>, <light>, <link>, <joint> or <sensor>; - reads the input;
    /// model://NAME is a model of the server's, as "retake model list" names them
    pub(crate) file: PathBuf,
    /// What holds it: path, as in model::link, or #ID; the world when it is not given
    #[arg(long, value_name = "PARENT")]
    pub(crate) into: Option<String>,
    /// Name instead of the one in the file; a number is added when it is taken
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Position in the frame of the parent, in metres
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_hyphen_values = true)]
    pub(crate) at: Option<Vec<f64>>,
    /// Roll, pitch and yaw in radians
    #[arg(long, num_args = 3, value_names = ["R", "P", "Y"], allow_hyphen_values = true)]
    pub(crate) rpy: Option<Vec<f64>>,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  retake entity align cone_1 cone_2 --to cone_3 --x")]
#[command(group(ArgGroup::new("axis").required(true).multiple(true)))]
pub(crate) struct AlignArgs {
    /// Paths, as in model::link, or #ID
    #[arg(required = true)]
    pub(crate) entities: Vec<String>,
    /// The entity that stays
    #[arg(long, value_name = "ENTITY")]
    pub(crate) to: String,
    /// Give them its x coordinate
    #[arg(long, group = "axis")]
    pub(crate) x: bool,
    /// Give them its y coordinate
    #[arg(long, group = "axis")]
    pub(crate) y: bool,
    /// Give them its z coordinate
    #[arg(long, group = "axis")]
    pub(crate) z: bool,
}

#[derive(Args)]
pub(crate) struct JumpArgs {
    /// Command to jump to: its id or the beginning of it, or its words as in `retake history`
    #[arg(long, value_name = "ID")]
    pub(crate) to: Option<String>,
    /// What becomes of systems that cannot follow the world to another time
    #[arg(long, value_enum, default_value_t = Stuck::Refuse)]
    pub(crate) stuck: Stuck,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Stuck {
    /// Nothing is undone or redone, and they are named
    Refuse,
    /// They begin anew there
    Restart,
    /// They go on as they are
    GoOn,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct HistoryArgs {
    /// Undo or redo to this command, in whichever list it is: its id or the beginning of it, or its
    /// words
    #[arg(long, value_name = "ID")]
    pub(crate) to: Option<String>,
    /// What becomes of systems that cannot follow the world to another time
    #[arg(long, value_enum, default_value_t = Stuck::Refuse, requires = "to")]
    pub(crate) stuck: Stuck,
    #[command(subcommand)]
    pub(crate) command: Option<HistoryCommand>,
}

#[derive(Subcommand)]
pub(crate) enum HistoryCommand {
    /// Keep commands from now on
    On,
    /// Forget everything and keep no more: no undo
    Off,
    /// Change how much is kept
    Limit(HistoryLimitArgs),
}

#[derive(Args)]
#[group(required = true, multiple = true)]
pub(crate) struct HistoryLimitArgs {
    /// Most commands
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u32>,
    /// Most memory of the kept states, in MiB
    #[arg(long, value_name = "MIB")]
    pub(crate) memory: Option<u32>,
}

#[derive(Subcommand)]
pub(crate) enum WorldCommand {
    /// Let time pass
    Play {
        /// Simulated seconds for each real second; 0 is as fast as possible
        #[arg(long, allow_negative_numbers = true)]
        rtf: Option<f64>,
    },
    /// Stop time
    Pause,
    /// Pause and make steps
    Step {
        /// How many
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
        count: u32,
    },
    /// Set how fast time passes, whether it passes now or not
    Speed {
        /// Simulated seconds for each real second; 0 is as fast as possible
        #[arg(allow_negative_numbers = true)]
        rtf: f64,
    },
    /// Put the world back to how it was loaded
    Reset {
        /// Keep the physics profiles as they are now, to run again with other values
        #[arg(long)]
        keep_profiles: bool,
    },
    /// Save the world as it is now into its file, or into another
    ///
    /// Only what differs is changed: comments and layout of the rest stay. Exit code 3 says that
    /// something could not be kept.
    #[command(
        after_help = "Examples:\n  retake world save\n  retake world save tidy.sdf\n  retake world save - > copy.sdf"
    )]
    Save(SaveArgs),
    /// List what GUIs did while the world was paused and hold until it goes on
    Pending,
    /// Print time, speed and counts
    Stats,
    /// Print the hash of the state
    Hash,
}

#[derive(Args)]
pub(crate) struct SaveArgs {
    /// Where to, - for standard output; the file that the world came from when it is not given
    pub(crate) file: Option<PathBuf>,
    /// Overwrite the world's file also when someone else has changed it, and another one whatever it
    /// holds
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Subcommand)]
pub(crate) enum EntityCommand {
    /// List entities
    List {
        /// Only entities of this kind: model, link, joint, collision, visual, light, …
        #[arg(long)]
        kind: Option<String>,
    },
    /// Show every component of an entity
    Show {
        /// Path, as in model::link, or #ID
        entity: String,
    },
    /// List what can be edited: of everything, of a component, or of an entity with its values
    #[command(
        after_help = "Examples:\n  retake entity fields surface\n  retake entity fields box::link::collision"
    )]
    Fields {
        /// Component, as in surface, or entity, as in model::link
        what: Option<String>,
    },
    /// Change a field of a component
    ///
    /// Numbers may have a unit: 30deg, 25mm. Vectors are several words, a pose is x y z roll pitch
    /// yaw, entities are paths; inf is no limit, none is nothing. Options come before the entity.
    #[command(
        after_help = "Examples:\n  retake entity set box::link::collision surface.friction.mu 0.2\n  retake entity set arm::elbow joint.axes.0.limits.upper 90deg\n  retake entity set box::link::visual material.diffuse 1 0 0"
    )]
    Set {
        /// Path, as in model::link, or #ID
        entity: String,
        /// Component and field, as in surface.friction.mu
        #[arg(value_name = "COMPONENT.FIELD")]
        field: String,
        /// What it is to be
        #[arg(required = true, allow_hyphen_values = true, trailing_var_arg = true)]
        value: Vec<String>,
    },
    /// Put an entity somewhere else
    Move(MoveArgs),
    /// Turn an entity where it is
    Rotate(RotateArgs),
    /// Insert an element from an SDF file into the world or a part of it
    Insert(InsertArgs),
    /// Put another model or light like one that is there into the world
    Copy {
        /// Path, or #ID
        entity: String,
        /// Name of the copy; the original's with a number when it is not given
        #[arg(long)]
        name: Option<String>,
        /// Position in the world, in metres
        #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_hyphen_values = true)]
        at: Option<Vec<f64>>,
    },
    /// Make a model, link, collision or visual larger or smaller about its own origin
    Scale {
        /// Path, as in model::link, or #ID
        entity: String,
        /// One factor, or three along its own axes
        #[arg(required = true, num_args = 1..=3, value_name = "FACTOR", allow_negative_numbers = true)]
        factor: Vec<f64>,
    },
    /// Put a place on an entity's surface flat against a place on another's
    Snap(SnapArgs),
    /// Put the origins of entities on a line or plane with that of another
    Align(AlignArgs),
    /// Delete entities
    Delete {
        /// Paths, as in model::link, or #ID
        #[arg(required = true)]
        entities: Vec<String>,
    },
}

#[derive(Args)]
#[command(group(ArgGroup::new("where").required(true).multiple(true).args(["to", "by", "rpy"])))]
pub(crate) struct MoveArgs {
    /// Path, as in model::link, or #ID
    pub(crate) entity: String,
    /// Position in the world, in metres
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_hyphen_values = true)]
    pub(crate) to: Option<Vec<f64>>,
    /// Way from where it is, in metres along the world's axes
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_hyphen_values = true)]
    #[arg(conflicts_with = "to")]
    pub(crate) by: Option<Vec<f64>>,
    /// Roll, pitch and yaw in the world, in radians
    #[arg(long, num_args = 3, value_names = ["R", "P", "Y"], allow_hyphen_values = true)]
    pub(crate) rpy: Option<Vec<f64>>,
    /// Keep the velocity instead of coming to rest
    #[arg(long)]
    pub(crate) keep_velocity: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  retake entity rotate vehicle --to 0 0 1.57\n  retake entity rotate vehicle --by 0 0 -0.1"
)]
#[command(group(ArgGroup::new("turn").required(true).args(["to", "by"])))]
pub(crate) struct RotateArgs {
    /// Path, as in model::link, or #ID
    pub(crate) entity: String,
    /// Roll, pitch and yaw in the world, in radians
    #[arg(long, num_args = 3, value_names = ["R", "P", "Y"], allow_hyphen_values = true)]
    pub(crate) to: Option<Vec<f64>>,
    /// Turn from how it is, as roll, pitch and yaw about the world's axes, in radians
    #[arg(long, num_args = 3, value_names = ["R", "P", "Y"], allow_hyphen_values = true)]
    pub(crate) by: Option<Vec<f64>>,
    /// Keep the velocity instead of coming to rest
    #[arg(long)]
    pub(crate) keep_velocity: bool,
}

#[derive(Subcommand)]
pub(crate) enum JointCommand {
    /// List joints with their positions
    List,
    /// Show a joint
    Show {
        /// Path, as in arm/elbow
        joint: String,
    },
    /// Put a joint at a position at once
    Set {
        /// Path, as in arm/elbow
        joint: String,
        /// Position in rad or m
        #[arg(allow_negative_numbers = true)]
        position: f64,
        /// Which axis
        #[arg(long, default_value_t = 0)]
        axis: u32,
    },
    /// Give a joint something to do until told otherwise
    #[command(group(ArgGroup::new("what").required(true).args(["position", "velocity", "effort", "release", "resume"])))]
    Command {
        /// Path, as in arm/elbow
        joint: String,
        /// Go to this position, in rad or m
        #[arg(long, allow_negative_numbers = true)]
        position: Option<f64>,
        /// Hold this velocity, in rad/s or m/s
        #[arg(long, allow_negative_numbers = true)]
        velocity: Option<f64>,
        /// Push with this effort, in N m or N
        #[arg(long, allow_negative_numbers = true)]
        effort: Option<f64>,
        /// Let it hang loose
        #[arg(long)]
        release: bool,
        /// Give it back to the world's controllers
        #[arg(long)]
        resume: bool,
        /// Which axis
        #[arg(long, default_value_t = 0)]
        axis: u32,
    },
}

#[derive(Subcommand)]
pub(crate) enum TopicCommand {
    /// List topics
    List,
    /// Show the type of a topic and its fields
    Info {
        /// Topic, with leading slash
        topic: String,
    },
    /// Print messages as they come
    Echo {
        /// Topic, with leading slash
        topic: String,
        /// Stop after this many
        #[arg(long)]
        count: Option<u64>,
    },
    /// Measure how often messages come
    Hz {
        /// Topic, with leading slash
        topic: String,
        /// For how many seconds
        #[arg(long, default_value_t = 2.0, allow_negative_numbers = true)]
        seconds: f64,
    },
    /// Publish one message
    Pub {
        /// Topic, with leading slash
        topic: String,
        /// Full name of the message type, as in retake.msgs.Twist
        #[arg(value_name = "TYPE")]
        type_name: String,
        /// The message as JSON
        message: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum ServiceCommand {
    /// List services
    List,
    /// Call a service and print its reply
    Call {
        /// Service, with leading slash
        service: String,
        /// The request as JSON
        #[arg(default_value = "{}")]
        request: String,
    },
}
