//! `retake timeline`

use std::convert::Infallible;
use std::str::FromStr;

use clap::{Args, Subcommand};
use retake_math::SimTime;
use retake_msgs::TimelineInstant;

use super::Stuck;

#[derive(Subcommand)]
pub(crate) enum TimelineCommand {
    /// Draw what is kept of the past: branches, bookmarks, gaps, bytes
    Show,
    /// Show how the world was at an instant; the world itself is not touched
    #[command(
        after_help = "Examples:\n  retake timeline goto 1.5\n  retake timeline goto 1.5 --entity vehicle --branch main-1"
    )]
    Goto(GotoArgs),
    /// Print values on the way to an instant, step by step, also of what nobody watched then
    #[command(
        after_help = "Examples:\n  retake timeline values vehicle::pose.position.x\n  retake timeline values arm/elbow::position --branch main-1 --from 1 --until 2.5"
    )]
    Values(PastValuesArgs),
    /// Let the world go on from an instant of the past; what came after it is kept as a branch
    #[command(
        after_help = "Examples:\n  retake timeline resume 1.5\n  retake timeline resume 'before the jump' --fork trial"
    )]
    Resume(ResumeTimelineArgs),
    /// Give an instant a name
    #[command(
        after_help = "Examples:\n  retake timeline bookmark start\n  retake timeline bookmark 'first contact' --at 1.2"
    )]
    Bookmark(BookmarkArgs),
    /// List the branches
    Branches,
    /// Go on with another branch, from its end or an instant of it
    #[command(
        after_help = "Examples:\n  retake timeline switch main-1\n  retake timeline switch main --at 2"
    )]
    Switch(SwitchArgs),
    /// Give a branch or a bookmark another name
    Rename {
        /// Its name
        #[arg(value_parser = known_name)]
        name: String,
        /// Its new name
        to: String,
        /// A bookmark is meant
        #[arg(long)]
        bookmark: bool,
    },
    /// Forget a branch or a bookmark
    Delete {
        /// Its name
        #[arg(value_parser = known_name)]
        name: String,
        /// A bookmark is meant
        #[arg(long)]
        bookmark: bool,
    },
    /// Change how much of the past is kept; no memory switches it off
    #[command(
        after_help = "Examples:\n  retake timeline limit --memory 1024 --age 3600\n  retake timeline limit --memory 0"
    )]
    Limit(TimelineLimitArgs),
}

/// Takes the name of something that is there; without one the present branch would be meant.
fn known_name(text: &str) -> Result<String, String> {
    match text.is_empty() {
        true => Err("write its name, as \"retake timeline show\" has it".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// An instant, as people write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// `1.5` or `1.5s`
    Time(SimTime),
    /// `end`
    End,
    /// Anything else is the name of a bookmark.
    Bookmark(String),
}

impl When {
    /// Names the instant on a branch; empty is the branch that goes on.
    pub(crate) fn instant(&self, branch: &str) -> TimelineInstant {
        let none = TimelineInstant::default();
        match self {
            Self::End => TimelineInstant { branch: branch.to_owned(), ..none },
            Self::Time(time) => {
                let sim_time = Some((*time).into());
                TimelineInstant { branch: branch.to_owned(), sim_time, ..none }
            }
            Self::Bookmark(name) => TimelineInstant { bookmark: name.clone(), ..none },
        }
    }
}

impl FromStr for When {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match (text, text.parse()) {
            ("end", _) => Self::End,
            (_, Ok(time)) => Self::Time(time),
            (name, Err(_)) => Self::Bookmark(name.to_owned()),
        })
    }
}

#[derive(Args)]
pub(crate) struct GotoArgs {
    /// Simulated time in seconds, the name of a bookmark, or end
    #[arg(allow_hyphen_values = true)]
    pub(crate) when: When,
    /// Branch of the time; the one that goes on when it is not given
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(crate) branch: String,
    /// Print the pose of this entity, too; can be given several times
    #[arg(long, value_name = "ENTITY")]
    pub(crate) entity: Vec<String>,
}

#[derive(Args)]
pub(crate) struct PastValuesArgs {
    /// Numbers, as in vehicle::pose.position.x, or whole values, as in vehicle::pose
    #[arg(required = true)]
    pub(crate) items: Vec<String>,
    /// Branch of the values; the one that goes on when it is not given
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(crate) branch: String,
    /// First simulated time in seconds; from as early on as is kept when it is not given
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) from: Option<SimTime>,
    /// Last simulated time in seconds, the name of a bookmark, or end
    #[arg(long, value_name = "WHEN", default_value = "end", allow_hyphen_values = true)]
    pub(crate) until: When,
}

#[derive(Args)]
pub(crate) struct ResumeTimelineArgs {
    /// Simulated time in seconds, the name of a bookmark, or end
    #[arg(allow_hyphen_values = true)]
    pub(crate) when: When,
    /// Branch of the time; the one that goes on when it is not given
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(crate) branch: String,
    /// Begin a branch of this name there and leave the present one as it is
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(crate) fork: String,
    /// What becomes of systems that cannot follow the world to another time
    #[arg(long, value_enum, default_value_t = Stuck::Refuse)]
    pub(crate) stuck: Stuck,
}

#[derive(Args)]
pub(crate) struct SwitchArgs {
    /// The branch
    #[arg(value_parser = known_name)]
    pub(crate) name: String,
    /// Simulated time on it in seconds; its end when it is not given
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<SimTime>,
    /// What becomes of systems that cannot follow the world to another time
    #[arg(long, value_enum, default_value_t = Stuck::Refuse)]
    pub(crate) stuck: Stuck,
}

#[derive(Args)]
pub(crate) struct BookmarkArgs {
    /// Name of the instant
    pub(crate) name: String,
    /// Simulated time in seconds; now when it is not given
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<SimTime>,
    /// Branch of the time; the one that goes on when it is not given
    #[arg(long, value_name = "NAME", default_value = "", requires = "at")]
    pub(crate) branch: String,
}

#[derive(Args)]
#[group(required = true, multiple = true)]
pub(crate) struct TimelineLimitArgs {
    /// Most memory of the kept states, in MiB; 0 keeps nothing
    #[arg(long, value_name = "MIB")]
    pub(crate) memory: Option<u32>,
    /// How far back, in simulated seconds that passed
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) age: Option<f64>,
}
