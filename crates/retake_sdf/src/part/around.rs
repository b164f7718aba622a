//! What is around a part, told as if a file had it: names and poses, and nothing else.

use std::sync::Arc;

use retake_description::{Frame, Joint, Link, Model, World};
use retake_diag::Place;

use crate::sdf::{FrameDraft, JointDraft, LinkDraft, ModelDraft, Named, Parts};

/// Says whether something stands around the part, and not in its text.
pub(super) fn is_around(place: &Place) -> bool {
    place.file.is_empty()
}

/// What a world holds.
pub(super) fn of_world(world: &World) -> Parts {
    Parts {
        links: Vec::new(),
        joints: world.joints.iter().map(joint).collect(),
        frames: world.frames.iter().map(frame).collect(),
        models: world.models.iter().map(of_model).collect(),
    }
}

/// A model with its names and poses.
pub(super) fn of_model(from: &Model) -> ModelDraft {
    let model = Model {
        name: from.name.clone(),
        parent_from_model: from.parent_from_model,
        // A model that is to get its first link has none yet, which only a static one may.
        is_static: true,
        ..Model::default()
    };
    ModelDraft {
        model,
        relative_to: None,
        placement_frame: None,
        canonical_link: from.canonical_link.as_deref().map(named),
        place: nowhere(),
        parts: Parts {
            links: from.links.iter().map(link).collect(),
            joints: from.joints.iter().map(joint).collect(),
            frames: from.frames.iter().map(frame).collect(),
            models: from.models.iter().map(of_model).collect(),
        },
    }
}

fn link(from: &Link) -> LinkDraft {
    let link =
        Link { name: from.name.clone(), model_from_link: from.model_from_link, ..Link::default() };
    LinkDraft { link, relative_to: None, inner: Vec::new() }
}

fn joint(from: &Joint) -> JointDraft {
    let joint = Joint { axes: Vec::new(), extras: Vec::new(), ..from.clone() };
    let (parent, child) = (named(&from.parent), named(&from.child));
    JointDraft { joint, relative_to: None, parent, child, written_axes: [None, None] }
}

fn frame(from: &Frame) -> FrameDraft {
    let frame = Frame { extras: Vec::new(), ..from.clone() };
    let attached_to = (!from.attached_to.is_empty()).then(|| named(&from.attached_to));
    FrameDraft { frame, relative_to: None, attached_to, place: nowhere() }
}

/// A name that no text has.
pub(super) fn named(name: &str) -> Named {
    Named { name: name.to_owned(), place: nowhere() }
}

fn nowhere() -> Place {
    Place { file: Arc::from(""), line: 0, column: 0 }
}
