//! What entities may be called.

mod in_use;

use std::collections::BTreeSet;

use retake_ecm::{Ecm, EntityId, Parent};
use thiserror::Error;

use crate::{EntityName, FrameScope, Kind};
pub use in_use::NamesInUse;

/// Longest name that an entity can have, in bytes.
pub const MAX_NAME: usize = 256;

/// Why an entity cannot have a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// Nobody could write it in a path, or it would show as something else.
    #[error(
        "{name:?} is no name; use up to {MAX_NAME} bytes without ::, /, # and control characters"
    )]
    Unusable {
        /// The beginning of it.
        name: String,
    },
    /// Something beside it has the name.
    #[error("There is an entity named {name:?} already. Choose another name or allow renaming")]
    Taken {
        /// The name.
        name: String,
    },
}

/// Says whether a character could forge what a terminal or a page shows: control characters and
/// marks that turn the direction of writing.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Checks a name that somebody gives.
///
/// # Errors
/// [`NameError::Unusable`].
pub fn check_name(name: &str) -> Result<(), NameError> {
    let usable = !name.is_empty()
        && name.len() <= MAX_NAME
        && !name.contains(['/', '#'])
        && !name.contains("::")
        && !name.chars().any(is_unprintable);
    match usable {
        true => Ok(()),
        false => Err(NameError::Unusable { name: name.chars().take(40).collect() }),
    }
}

/// Returns a name for a new entity of `kind` in `holder`: the wanted one, or that with a number
/// when it is taken and that is allowed.
///
/// # Errors
/// [`NameError`].
pub fn free_name(
    ecm: &Ecm,
    (holder, kind): (EntityId, Kind),
    wanted: &str,
    allow_renaming: bool,
) -> Result<String, NameError> {
    // Plugins are found by what they are called, as often as somebody wants them.
    if kind == Kind::Plugin {
        return Ok(wanted.to_owned());
    }
    check_name(wanted)?;
    if !names_beside(ecm, holder, kind).any(|(_, name)| name == wanted) {
        return Ok(wanted.to_owned());
    }
    let is_taken = || NameError::Taken { name: wanted.to_owned() };
    if !allow_renaming {
        return Err(is_taken());
    }
    let taken: BTreeSet<&str> = names_beside(ecm, holder, kind).map(|(_, name)| name).collect();
    let mut numbered = (1..).map(|number: u64| numbered(wanted, number));
    numbered.find(|name| !taken.contains(name.as_str())).ok_or_else(is_taken)
}

/// Puts a number behind a name, and leaves out what it has no room for.
fn numbered(name: &str, number: u64) -> String {
    let number = format!("_{number}");
    let room = name.floor_char_boundary(MAX_NAME - number.len());
    format!("{}{number}", &name[..room])
}

/// Returns where the name of a new entity of `kind` in `holder` must be free: a frame on a link is
/// one of the model around it.
pub fn scope_in(ecm: &Ecm, holder: EntityId, kind: Kind) -> EntityId {
    let on_link = kind == Kind::Frame && ecm.get::<Kind>(holder) == Some(&Kind::Link);
    let model = ecm.get::<Parent>(holder).map(|parent| parent.0);
    model.filter(|_| on_link).unwrap_or(holder)
}

/// Returns where the name of an entity must be its own; none of the world itself.
pub fn scope_of(ecm: &Ecm, entity: EntityId) -> Option<EntityId> {
    let scope = ecm.get::<FrameScope>(entity).map(|scope| scope.0);
    scope.or_else(|| ecm.get::<Parent>(entity).map(|parent| parent.0))
}

/// Visits the entities whose names an entity of `kind` in `holder` cannot have.
///
/// As in SDF, what frames can name shares its names; shapes, lights and sensors share theirs only
/// with their like. Beside models, lights have names of their own too, or paths would not be clear.
fn names_beside(ecm: &Ecm, holder: EntityId, kind: Kind) -> impl Iterator<Item = (EntityId, &str)> {
    let of_world = ecm.get::<Kind>(holder) == Some(&Kind::World);
    let children = ecm.children(holder).iter().copied();
    let beside = children.filter(move |child| {
        let other = ecm.get::<Kind>(*child).copied();
        other.is_some_and(|other| group(other, of_world) == group(kind, of_world))
    });
    // Frames of a model hang on its links, and are named in the model all the same.
    let scoped = ecm.iter::<FrameScope>().filter(move |(_, scope)| scope.0 == holder);
    let scoped = scoped.map(|(frame, _)| frame).filter(move |_| is_frame_like(kind));
    let name_of = |entity: EntityId| Some((entity, ecm.get::<EntityName>(entity)?.0.as_str()));
    beside.chain(scoped).filter_map(name_of)
}

fn is_frame_like(kind: Kind) -> bool {
    matches!(kind, Kind::Model | Kind::Link | Kind::Joint | Kind::Frame)
}

/// Kinds with the same number share their names.
fn group(kind: Kind, of_world: bool) -> u8 {
    match kind {
        Kind::Model | Kind::Link | Kind::Joint | Kind::Frame => 0,
        Kind::Light if of_world => 0,
        Kind::Light => 1,
        Kind::Collision => 2,
        Kind::Visual => 3,
        Kind::Sensor => 4,
        Kind::Plugin => 5,
        Kind::World => 6,
    }
}
