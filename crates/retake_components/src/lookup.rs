//! Finding entities by name.

mod finder;

use retake_ecm::{Ecm, EntityId, Parent};
use thiserror::Error;

use crate::{EntityName, Kind};
pub use finder::Finder;

/// No entity has the name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LookupError {
    /// No entity has this path.
    #[error("No entity named {name:?}.{}", known_names(.known))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Names that would be right at that level, the nearest first.
        known: Vec<String>,
    },
    /// No entity has this id.
    #[error("No entity with id {id}")]
    UnknownId {
        /// What was asked for.
        id: u64,
    },
}

/// Returns the world entity.
pub fn world_entity(ecm: &Ecm) -> Option<EntityId> {
    ecm.iter::<Kind>().find(|(_, kind)| **kind == Kind::World).map(|(entity, _)| entity)
}

/// Returns the model directly below the world that holds `entity`, or is it.
pub fn top_level_model(ecm: &Ecm, entity: EntityId) -> Option<EntityId> {
    let is = |entity: EntityId, kind: Kind| ecm.get::<Kind>(entity) == Some(&kind);
    let below_world =
        |at: &EntityId| ecm.get::<Parent>(*at).is_some_and(|parent| is(parent.0, Kind::World));
    ecm.with_holders(entity).find(below_world).filter(|at| is(*at, Kind::Model))
}

/// Finds an entity by its path from the world: `model`, `model::link`, `model::link::visual`.
///
/// A `/` separates as well as `::`; the world's own name finds the world.
pub fn find(ecm: &Ecm, path: &str) -> Option<EntityId> {
    locate(ecm, path, &mut AllChildren(ecm)).ok()
}

/// Finds an entity by its path or by its id written as `#12`.
///
/// # Errors
/// [`LookupError`] naming what would be right.
pub fn resolve(ecm: &Ecm, path: &str) -> Result<EntityId, LookupError> {
    locate(ecm, path, &mut AllChildren(ecm)).map_err(|lost| match lost {
        Lost::Id(id) => LookupError::UnknownId { id },
        Lost::Name(place) => {
            let nearest = |(at, part): (EntityId, String)| nearest_names(ecm, at, &part);
            let known = place.map(nearest).unwrap_or_default();
            LookupError::Unknown { name: path.to_owned(), known }
        }
    })
}

/// Where nothing was found.
enum Lost {
    /// There is no such id.
    Id(u64),
    /// Below that entity nothing has that name; none when there is no world.
    Name(Option<(EntityId, String)>),
}

/// Says which child a path leads to.
trait Children {
    /// Finds the child of `parent` that `path` begins with, and what is left of the path behind it.
    ///
    /// Names of plugins contain `::` themselves, so the longest name that fits counts.
    fn on_path<'p>(
        &mut self,
        parent: EntityId,
        path: &'p str,
    ) -> Option<(EntityId, Option<&'p str>)>;
}

fn locate(ecm: &Ecm, path: &str, children: &mut impl Children) -> Result<EntityId, Lost> {
    if let Some(id) = path.strip_prefix('#').and_then(|digits| digits.parse().ok()) {
        let entity = EntityId::from_raw(id);
        return if ecm.exists(entity) { Ok(entity) } else { Err(Lost::Id(id)) };
    }
    let world = world_entity(ecm).ok_or(Lost::Name(None))?;
    // A `/` may be part of a name, which then counts as written.
    if let Ok(found) = descend(children, world, path) {
        return Ok(found);
    }
    let scoped = path.replace('/', "::");
    // The world's own name may stand in front, or alone.
    let inside = match scoped.strip_prefix(name_of(ecm, world)) {
        Some("") => return Ok(descend(children, world, &scoped).unwrap_or(world)),
        Some(rest) => rest.strip_prefix("::"),
        None => None,
    };
    let found = descend(children, world, &scoped);
    let inside = |lost| inside.map_or(Err(lost), |rest| descend(children, world, rest));
    found.or_else(inside).map_err(|lost| Lost::Name(Some(lost)))
}

/// Follows a path down from `at`; fails with where it ended and the name that is not there.
fn descend(
    children: &mut impl Children,
    at: EntityId,
    path: &str,
) -> Result<EntityId, (EntityId, String)> {
    let (mut at, mut rest) = (at, path);
    loop {
        match children.on_path(at, rest) {
            Some((child, Some(behind))) => (at, rest) = (child, behind),
            Some((child, None)) => return Ok(child),
            None => return Err((at, rest.split("::").next().unwrap_or(rest).to_owned())),
        }
    }
}

/// Goes through all children of whatever is asked for.
struct AllChildren<'a>(&'a Ecm);

impl Children for AllChildren<'_> {
    fn on_path<'p>(
        &mut self,
        parent: EntityId,
        path: &'p str,
    ) -> Option<(EntityId, Option<&'p str>)> {
        let fit = |child: &EntityId| {
            let name = name_of(self.0, *child);
            let behind = path.strip_prefix(name)?;
            let rest = match behind {
                "" => None,
                _ => Some(behind.strip_prefix("::")?),
            };
            (!name.is_empty()).then_some((name.len(), *child, rest))
        };
        let fitting = self.0.children(parent).iter().filter_map(fit);
        fitting.max_by_key(|(length, ..)| *length).map(|(_, child, rest)| (child, rest))
    }
}

/// Returns the path of an entity from the world, its parts separated by `::`.
pub fn path_of(ecm: &Ecm, entity: EntityId) -> String {
    // The world itself is left out unless it is what was asked for.
    let is_part = |at: &EntityId| *at == entity || ecm.get::<Parent>(*at).is_some();
    let mut parts: Vec<_> =
        ecm.with_holders(entity).filter(is_part).map(|at| name_of(ecm, at)).collect();
    parts.reverse();
    parts.join("::")
}

fn name_of(ecm: &Ecm, entity: EntityId) -> &str {
    ecm.get::<EntityName>(entity).map_or("", |name| &name.0)
}

/// The names under `parent`, those that share most letters with `wanted` first.
fn nearest_names(ecm: &Ecm, parent: EntityId, wanted: &str) -> Vec<String> {
    let common = |name: &str| name.chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count();
    let children = ecm.children(parent).iter();
    let mut names: Vec<String> = children
        .filter(|child| ecm.get::<Kind>(**child) != Some(&Kind::Plugin))
        .map(|child| name_of(ecm, *child).to_owned())
        .collect();
    names.sort_by_key(|name| (std::cmp::Reverse(common(name)), name.clone()));
    names
}

fn known_names(names: &[String]) -> String {
    const SHOWN: usize = 8;
    if names.is_empty() {
        return " There is nothing here".to_owned();
    }
    let shown = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => format!(" Known: {shown}"),
        more => format!(" Known: {shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_ends_even_in_a_ring_of_parents() {
        let mut ecm = Ecm::new(crate::registry().build());
        let (a, b) = (ecm.create(), ecm.create());
        for (entity, parent, name) in [(a, b, "a"), (b, a, "b")] {
            ecm.set(entity, Parent(parent)).unwrap();
            ecm.set(entity, EntityName(name.to_owned())).unwrap();
        }
        let path = path_of(&ecm, b);
        assert!(path.ends_with("b::a::b"), "{path}");
        assert_eq!(path.split("::").count(), Parent::MAX_DEPTH);
    }
}
