//! Whose names are in use, for many questions at once.

use std::collections::{BTreeMap, HashMap};

use retake_ecm::{Ecm, EntityId};

use super::{names_beside, scope_of};
use crate::{EntityName, Kind};

/// Questions about one place that are answered by going through it; for more than these its names
/// are gathered once.
const FEW: u32 = 8;

/// Which names cannot be had in an Ecm.
pub struct NamesInUse<'a> {
    ecm: &'a Ecm,
    places: BTreeMap<(EntityId, Kind), Place<'a>>,
}

/// What has names where something of one kind would need its own.
#[derive(Default)]
struct Place<'a> {
    questions: u32,
    owners: Option<HashMap<&'a str, Owners>>,
}

/// Who has a name: as many of them as are needed to know whether anybody else has it.
#[derive(Clone, Copy)]
struct Owners {
    first: EntityId,
    has_second: bool,
}

impl<'a> NamesInUse<'a> {
    /// Looks into an Ecm.
    pub fn of(ecm: &'a Ecm) -> Self {
        Self { ecm, places: BTreeMap::new() }
    }

    /// Says whether something beside an entity has its name, and must not.
    pub fn takes_from(&mut self, entity: EntityId) -> bool {
        let kind = self.ecm.get::<Kind>(entity).copied();
        let (Some(kind), Some(scope)) = (kind, scope_of(self.ecm, entity)) else { return false };
        let name = self.ecm.get::<EntityName>(entity).map(|name| name.0.as_str());
        self.has((scope, kind), name.unwrap_or_default(), Some(entity))
    }

    /// Says whether something else than `except` has a name that is wanted in a place, for an
    /// entity of this kind.
    pub fn has(
        &mut self,
        (scope, kind): (EntityId, Kind),
        name: &str,
        except: Option<EntityId>,
    ) -> bool {
        // Plugins are found by what they are called, as often as somebody wants them.
        if kind == Kind::Plugin {
            return false;
        }
        let place = self.places.entry((scope, kind)).or_default();
        place.questions += 1;
        let mut beside = names_beside(self.ecm, scope, kind);
        if place.questions <= FEW {
            return beside.any(|(other, taken)| Some(other) != except && taken == name);
        }
        let owners = place.owners.get_or_insert_with(|| gathered(beside));
        let owners = owners.get(name);
        owners.is_some_and(|owners| Some(owners.first) != except || owners.has_second)
    }
}

fn gathered<'a>(names: impl Iterator<Item = (EntityId, &'a str)>) -> HashMap<&'a str, Owners> {
    let mut owners = HashMap::new();
    for (entity, name) in names {
        let known = owners.entry(name).or_insert(Owners { first: entity, has_second: false });
        // A frame on a link may be found by its holder and by its scope.
        known.has_second |= known.first != entity;
    }
    owners
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use retake_ecm::Parent;

    use super::*;
    use crate::FrameScope;

    /// A model with links; every third is called as another one, and a frame on the first link is
    /// called as the last of them.
    fn model() -> (Ecm, Vec<EntityId>) {
        let mut ecm = Ecm::new(crate::registry().build());
        let model = ecm.create();
        let mut add = |kind: Kind, holder: EntityId, name: String| {
            let entity = ecm.create();
            ecm.set(entity, kind).unwrap();
            ecm.set(entity, Parent(holder)).unwrap();
            ecm.set(entity, EntityName(name)).unwrap();
            entity
        };
        let name = |number: usize| if number.is_multiple_of(3) { number / 6 } else { number + 100 };
        let mut all: Vec<_> =
            (0..30).map(|number| add(Kind::Link, model, format!("l{}", name(number)))).collect();
        let frame = add(Kind::Frame, all[0], format!("l{}", name(29)));
        all.push(frame);
        ecm.set(model, Kind::Model).unwrap();
        ecm.set(frame, FrameScope(model)).unwrap();
        (ecm, all)
    }

    #[test]
    fn many_questions_have_the_answers_of_single_ones() {
        let (ecm, all) = model();
        let mut names = NamesInUse::of(&ecm);
        let together: Vec<bool> = all.iter().map(|entity| names.takes_from(*entity)).collect();
        let single = all.iter().map(|entity| NamesInUse::of(&ecm).takes_from(*entity));
        assert_eq!(together, single.collect::<Vec<bool>>());
        // Five pairs of links, and the frame with the last link.
        assert_eq!(together.iter().filter(|taken| **taken).count(), 12);
    }
}
