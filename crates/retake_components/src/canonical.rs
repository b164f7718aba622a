//! Which link carries the frame of a model.

use retake_ecm::{Ecm, EntityId};

use crate::{CanonicalLink, Kind};

/// Finds the link that carries a model's frame unless another is named: its first one, or else
/// that of the first nested model that has any.
pub(crate) fn default_canonical_link(ecm: &Ecm, model: EntityId) -> Option<EntityId> {
    let of_kind = |kind: Kind| {
        let children = ecm.children(model).iter().copied();
        children.filter(move |child| ecm.get::<Kind>(*child) == Some(&kind))
    };
    let nested = || of_kind(Kind::Model).find_map(|inner| ecm.get::<CanonicalLink>(inner));
    of_kind(Kind::Link).next().or_else(|| nested().map(|link| link.0))
}

/// Gives models whose canonical link is gone, or that have none although they have links, another.
///
/// `models` come innermost first. Returns those that were changed.
pub fn mend_canonical_links(
    ecm: &mut Ecm,
    models: impl IntoIterator<Item = EntityId>,
) -> Vec<EntityId> {
    let mut mended = Vec::new();
    for model in models {
        if ecm.get::<Kind>(model) != Some(&Kind::Model) {
            continue;
        }
        let present = ecm.get::<CanonicalLink>(model).map(|link| link.0);
        let is_inside = |link: &EntityId| {
            ecm.get::<Kind>(*link) == Some(&Kind::Link)
                && ecm.with_holders(*link).any(|around| around == model)
        };
        if present.is_some_and(|link| is_inside(&link)) {
            continue;
        }
        match default_canonical_link(ecm, model) {
            // The model was just found.
            Some(link) => drop(ecm.set(model, CanonicalLink(link))),
            None if present.is_none() => continue,
            None => drop(ecm.remove::<CanonicalLink>(model)),
        }
        mended.push(model);
    }
    mended
}
