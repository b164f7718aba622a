//! Finding many entities by name.

use std::collections::HashMap;

use retake_ecm::{Ecm, EntityId};

use super::{AllChildren, Children, locate, name_of};

/// Questions about the children of one entity that are answered by going through them; for more
/// than these their names are gathered once.
const FEW: u32 = 8;

/// Finds entities as [`find`](super::find) does, and faster when it is asked for many.
pub struct Finder<'a> {
    ecm: &'a Ecm,
    holders: HashMap<EntityId, Holder<'a>>,
}

/// What has children.
#[derive(Default)]
struct Holder<'a> {
    questions: u32,
    children: Option<HashMap<&'a str, EntityId>>,
}

impl<'a> Finder<'a> {
    /// Looks into an Ecm.
    pub fn of(ecm: &'a Ecm) -> Self {
        Self { ecm, holders: HashMap::new() }
    }

    /// Finds an entity by its path from the world.
    pub fn find(&mut self, path: &str) -> Option<EntityId> {
        locate(self.ecm, path, self).ok()
    }
}

impl Children for Finder<'_> {
    fn on_path<'p>(
        &mut self,
        parent: EntityId,
        path: &'p str,
    ) -> Option<(EntityId, Option<&'p str>)> {
        let ecm = self.ecm;
        let holder = self.holders.entry(parent).or_default();
        holder.questions += 1;
        if holder.questions <= FEW {
            return AllChildren(ecm).on_path(parent, path);
        }
        let children = holder.children.get_or_insert_with(|| {
            let names = ecm.children(parent).iter().map(|child| (name_of(ecm, *child), *child));
            names.filter(|(name, _)| !name.is_empty()).collect()
        });
        if let Some(child) = children.get(path) {
            return Some((*child, None));
        }
        let ends = path.char_indices().rev().map(|(at, _)| at);
        let mut ends = ends.filter(|at| *at > 0 && path[*at..].starts_with("::"));
        ends.find_map(|at| Some((*children.get(&path[..at])?, Some(&path[at + 2..]))))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use retake_ecm::Parent;

    use super::*;
    use crate::{EntityName, Kind, find};

    fn world() -> Ecm {
        let mut ecm = Ecm::new(crate::registry().build());
        let mut add = |holder: Option<EntityId>, name: &str| {
            let entity = ecm.create();
            if let Some(holder) = holder {
                ecm.set(entity, Parent(holder)).unwrap();
            }
            ecm.set(entity, EntityName(name.to_owned())).unwrap();
            entity
        };
        let world = add(None, "w");
        let model = add(Some(world), "a");
        for name in ["a::b", "a::b::c", "a:", "a/b", "", "ä", "twin", "twin", "w"] {
            add(Some(world), name);
        }
        for name in ["b", "b::c", "d", ":d", ""] {
            add(Some(model), name);
        }
        ecm.set(world, Kind::World).unwrap();
        ecm
    }

    #[test]
    fn many_are_found_where_one_is() {
        let ecm = world();
        let mut finder = Finder::of(&ecm);
        let paths = [
            "a", "a::b", "a::b::c", "a::d", "a:::d", "a/b", "a/d", "a:", "a:::b", "", "::", "::a",
            "w", "w::a", "w/a::d", "w::w", "twin", "ä", "ä::x", "x", "a::x", "a::", "#3", "#99",
        ];
        let found = |path: &str| (path.to_owned(), find(&ecm, path));
        let single: Vec<_> = paths.iter().map(|path| found(path)).collect();
        // In the second round all holders that were asked for often are known by their names.
        for _ in 0..3 {
            let many = paths.map(|path| (path.to_owned(), finder.find(path)));
            assert_eq!(many.as_slice(), single);
        }
        assert!(single.iter().filter(|(_, found)| found.is_some()).count() > 12, "{single:?}");
    }
}
