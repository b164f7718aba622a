//! `<include merge="true">`: the parts of another model become those of the one that includes it.
//!
//! The frame of the included model lives on as a frame of its own, so that whatever was written
//! relative to it stays where it was.

use retake_description::Frame;
use retake_math::{Pose, unit_pose};

use super::context::Context;
use super::draft::{FrameDraft, JointDraft, LinkDraft, ModelDraft, Named, Parts};
use super::names::Names;
use crate::frames::pose_in_model;
use crate::xml::Node;

/// What frames call the model that they are in.
const OWN_FRAME: &str = "__model__";

/// Turns an included model into parts for the model around it.
pub(super) fn merged(cx: &mut Context<'_>, mut draft: ModelDraft) -> Parts {
    let proxy = Named {
        name: format!("_merged__{}__model__", draft.model.name),
        place: draft.place.clone(),
    };
    let frame = proxy_frame(cx, &draft, &proxy);
    let parts = &mut draft.parts;
    parts.links.iter_mut().for_each(|link| rebase_link(link, &proxy));
    parts.joints.iter_mut().for_each(|joint| rebase_joint(joint, &proxy));
    for frame in &mut parts.frames {
        rename(&mut frame.relative_to, &proxy);
        rename(&mut frame.attached_to, &proxy);
        if frame.attached_to.is_none() {
            frame.attached_to = Some(proxy.clone());
        }
    }
    for model in &mut parts.models {
        rebase(&mut model.relative_to, &proxy);
    }
    parts.frames.insert(0, frame);
    draft.parts
}

/// Makes the frame that stands for the frame of the included model.
fn proxy_frame(cx: &mut Context<'_>, draft: &ModelDraft, proxy: &Named) -> FrameDraft {
    let model_from_placed = match &draft.placement_frame {
        Some(named) => pose_in_model(cx, draft, named),
        None => Pose::IDENTITY,
    };
    let pose = unit_pose(draft.model.parent_from_model * model_from_placed.inverse());
    FrameDraft {
        frame: Frame { name: proxy.name.clone(), attached_from_frame: pose, ..Frame::default() },
        relative_to: draft.relative_to.clone().or_else(|| Some(own_frame(proxy))),
        attached_to: carrier(draft, proxy),
        place: proxy.place.clone(),
    }
}

/// Names the link that carries the included model's frame.
fn carrier(draft: &ModelDraft, proxy: &Named) -> Option<Named> {
    let named = |name: &str| Named { name: name.to_owned(), place: proxy.place.clone() };
    let first = || draft.parts.links.first().map(|first| named(&first.link.name));
    let nested = || draft.parts.models.first().map(|first| named(&first.model.name));
    draft.canonical_link.clone().or_else(first).or_else(nested)
}

fn own_frame(proxy: &Named) -> Named {
    Named { name: OWN_FRAME.to_owned(), place: proxy.place.clone() }
}

fn rebase_link(draft: &mut LinkDraft, proxy: &Named) {
    rebase(&mut draft.relative_to, proxy);
    for (_, named) in &mut draft.inner {
        rename_one(named, proxy);
    }
}

fn rebase_joint(draft: &mut JointDraft, proxy: &Named) {
    // A joint without a frame hangs on its child, which comes along.
    rename(&mut draft.relative_to, proxy);
    rename_one(&mut draft.parent, proxy);
    rename_one(&mut draft.child, proxy);
    for axis in draft.written_axes.iter_mut().flatten() {
        rename(&mut axis.expressed_in, proxy);
    }
}

/// Makes relative to the proxy what was relative to the model, also without saying so.
fn rebase(frame: &mut Option<Named>, proxy: &Named) {
    rename(frame, proxy);
    if frame.is_none() {
        *frame = Some(proxy.clone());
    }
}

fn rename(frame: &mut Option<Named>, proxy: &Named) {
    if let Some(named) = frame {
        rename_one(named, proxy);
    }
}

fn rename_one(named: &mut Named, proxy: &Named) {
    if named.name == OWN_FRAME {
        named.name.clone_from(&proxy.name);
    }
}

impl Parts {
    /// Takes over the parts of a merged model, without those whose names are in use.
    pub(super) fn merge<'d>(
        &mut self,
        cx: &mut Context<'_>,
        other: Parts,
        (names, include): (&mut Names<'d>, Node<'d>),
    ) {
        let mut free = |name: &str| names.claim(cx, name, include);
        self.links.extend(other.links.into_iter().filter(|draft| free(&draft.link.name)));
        self.models.extend(other.models.into_iter().filter(|draft| free(&draft.model.name)));
        self.frames.extend(other.frames.into_iter().filter(|draft| free(&draft.frame.name)));
        self.joints.extend(other.joints.into_iter().filter(|draft| free(&draft.joint.name)));
    }

    /// Returns how many parts there are.
    pub(super) fn count(&self) -> usize {
        self.links.len() + self.joints.len() + self.frames.len() + self.models.len()
    }
}
