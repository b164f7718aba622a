//! A motion with all motions that it plays in turn.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::{PLAYS_MOTION, Shelf, Stored};
use crate::Motion;
use crate::file::is_plain_name;

/// How deep motions may play motions.
const MAX_DEPTH: usize = 8;

/// A motion and those that it plays.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The motion.
    pub motion: Arc<Motion>,
    /// Those that its actions play, and those that these play, each once, in the order in which
    /// they are met.
    pub nested: Vec<Arc<Motion>>,
}

/// Why a motion cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResolveError {
    /// Nothing has this name.
    #[error("no motion named {name:?}{}{}", played_by(.by), meant(.near))]
    Unknown {
        /// The name.
        name: String,
        /// The motion that wants to play it, if it is not the one that was asked for.
        by: Option<String>,
        /// A name that is like it.
        near: Option<String>,
    },
    /// A name with folders in it.
    #[error("{name:?} is not the name of a motion; write a name without folders")]
    NotPlain {
        /// The name.
        name: String,
    },
    /// Its file cannot be used.
    #[error("motion {name:?} cannot be read: {problem}")]
    Bad {
        /// The name.
        name: String,
        /// What is wrong with the file, with the place.
        problem: String,
    },
    /// Motions play one another without end.
    #[error("motions play one another without end: {}", .chain.join(" → "))]
    Cycle {
        /// From the one that was asked for to the one that comes again.
        chain: Vec<String>,
    },
    /// Motions play motions too deep.
    #[error("motions play motions more than {MAX_DEPTH} deep: {}", .chain.join(" → "))]
    TooDeep {
        /// From the one that was asked for to the one that is too deep.
        chain: Vec<String>,
    },
}

/// What was met on the way.
#[derive(Default)]
struct Walk {
    chain: Vec<String>,
    nested: Vec<Arc<Motion>>,
    /// How deep each motion that was followed goes.
    depths: BTreeMap<String, usize>,
}

fn played_by(by: &Option<String>) -> String {
    by.as_ref().map(|by| format!(", which {by:?} plays")).unwrap_or_default()
}

fn meant(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!(". Did you mean {near:?}?")).unwrap_or_default()
}

impl Shelf {
    /// Finds a motion and all that its `motion/joint_trajectory` actions play.
    ///
    /// # Errors
    /// [`ResolveError`] when one of them is not there or cannot be read, when they play one another
    /// without end, or more than 8 deep.
    pub fn resolve(&self, name: &str) -> Result<Resolved, ResolveError> {
        let motion = self.find(name, None)?;
        let mut walk = Walk { chain: vec![name.to_owned()], ..Walk::default() };
        self.follow(&motion, &mut walk)?;
        Ok(Resolved { motion, nested: walk.nested })
    }

    /// Follows what a motion plays; returns how deep that goes.
    fn follow(&self, motion: &Motion, walk: &mut Walk) -> Result<usize, ResolveError> {
        let mut depth = 0;
        let plays = motion.actions.iter().filter(|action| action.command.kind == PLAYS_MOTION);
        for action in plays {
            let name = &action.command.command;
            let inner = self.find(name, walk.chain.last())?;
            let comes_again = walk.chain.contains(name);
            walk.chain.push(name.clone());
            if comes_again {
                return Err(ResolveError::Cycle { chain: walk.chain.clone() });
            }
            // What was followed once is not followed again: motions can play one another in more
            // ways than could ever be counted.
            let known = walk.depths.get(name).copied();
            if walk.chain.len() + known.unwrap_or(0) > MAX_DEPTH + 1 {
                return Err(ResolveError::TooDeep { chain: walk.chain.clone() });
            }
            let inner_depth = match known {
                Some(known) => known,
                None => {
                    walk.nested.push(inner.clone());
                    self.follow(&inner, walk)?
                }
            };
            walk.depths.insert(name.clone(), inner_depth);
            depth = depth.max(inner_depth + 1);
            walk.chain.pop();
        }
        Ok(depth)
    }

    fn find(&self, name: &str, by: Option<&String>) -> Result<Arc<Motion>, ResolveError> {
        if !is_plain_name(name) {
            return Err(ResolveError::NotPlain { name: name.to_owned() });
        }
        match self.motions.get(name) {
            Some(Stored::Good(_, motion)) => Ok(motion.clone()),
            Some(Stored::Bad(problem)) => {
                Err(ResolveError::Bad { name: name.to_owned(), problem: problem.clone() })
            }
            None => Err(ResolveError::Unknown {
                name: name.to_owned(),
                by: by.cloned(),
                near: self.nearest(name),
            }),
        }
    }
}
