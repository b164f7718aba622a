//! Physics profiles of a running server.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::SaveArgs;

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct PhysicsArgs {
    /// Put this profile in force
    #[arg(long, short = 'o', value_name = "NAME")]
    pub(crate) profile: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Option<PhysicsCommand>,
}

#[derive(Subcommand)]
pub(crate) enum PhysicsCommand {
    /// List profiles
    List,
    /// Show the values in force, or those of a profile, and what is ignored
    Show {
        /// Profile; the one in force when it is not given
        name: Option<String>,
        /// Print the profile as SDF
        #[arg(long)]
        sdf: bool,
    },
    /// List what can be set, with what is allowed
    Keys,
    /// Set one value of a profile and nothing else
    #[command(
        after_help = "Examples:\n  retake physics set rapier/substeps 4\n  retake physics set --profile moon gravity 0 0 -1.6"
    )]
    Set {
        /// Profile; the one in force when it is not given
        #[arg(long, value_name = "NAME")]
        profile: Option<String>,
        /// SDF's name, as in max_step_size or rapier/substeps
        key: String,
        /// Value as SDF writes it
        #[arg(required = true, num_args = 1.., allow_negative_numbers = true)]
        value: Vec<String>,
    },
    /// Make a profile
    #[command(
        after_help = "Examples:\n  retake physics create tuned --from accurate\n  retake physics create --file moon.sdf"
    )]
    Create {
        /// Name; the file's when it is not given
        #[arg(required_unless_present = "file")]
        name: Option<String>,
        /// Profile to copy
        #[arg(long, value_name = "NAME", conflicts_with = "file")]
        from: Option<String>,
        /// SDF file with one <physics>
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Remove a profile that is not in force
    Remove {
        /// Profile
        name: String,
    },
    /// Save the profiles into the world's file, or into a copy of it
    ///
    /// Only <physics> elements are changed. Exit code 3 says that something could not be kept.
    #[command(after_help = "Examples:\n  retake physics save\n  retake physics save tuned.sdf")]
    Save(SaveArgs),
    /// Make or replace the profiles of an SDF file
    Load {
        /// File with <physics> elements, alone, in <sdf> or in a world
        file: PathBuf,
    },
}
