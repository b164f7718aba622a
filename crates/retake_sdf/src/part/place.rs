//! From the draft of a part to the part, where it is to be.

use retake_assets::ResourceRoots;
use retake_description::{Link, Model, World};
use retake_diag::{Diagnostic, Diagnostics};
use retake_math::Pose;

use super::around::{self, is_around, named};
use super::{Draft, Part, PartDraft, Surroundings};
use crate::frames::resolve_world;
use crate::sdf::{Context, Drafted, LinkDraft, Parts, Slot, WorldDraft};

impl PartDraft {
    /// Resolves what the part names in what is around it; `pose`, in the frame of the holder,
    /// counts instead of the written one.
    ///
    /// Nothing around the part may have its name. Returns none when the holder cannot hold it or
    /// it names what is not there, which `diagnostics` then says with its place in the text.
    pub fn placed_in(
        self,
        around: Surroundings<'_>,
        pose: Option<Pose>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Part> {
        let Self(mut draft) = self;
        if let Some(pose) = pose {
            draft.put(pose, around);
        }
        let mut found = Diagnostics::new();
        let part = placed(&mut found, around, draft);
        // What is wrong with what was there before is not the part's fault.
        let own = |item: &&Diagnostic| !item.place.as_ref().is_some_and(is_around);
        found.items().iter().filter(own).for_each(|item| diagnostics.push(item.clone()));
        part
    }
}

impl Draft {
    /// Gives it another pose, in the frame of what holds it.
    fn put(&mut self, pose: Pose, around: Surroundings<'_>) {
        let holder = match around {
            Surroundings::Model(_) => Some(named("__model__")),
            Surroundings::World(_) => Some(named("world")),
            // What is on a link is relative to it unless it says otherwise.
            Surroundings::Link { .. } | Surroundings::Nothing => None,
        };
        match self {
            Self::Model(draft) => {
                (draft.relative_to, draft.placement_frame) = (None, None);
                draft.model.parent_from_model = pose;
            }
            Self::Link(draft) => {
                (draft.link.model_from_link, draft.relative_to) = (pose, None);
            }
            Self::Joint(draft) => {
                (draft.joint.child_from_joint, draft.relative_to) = (pose, holder);
            }
            Self::Frame(draft) => {
                (draft.frame.attached_from_frame, draft.relative_to) = (pose, holder);
            }
            Self::Light(d) => (d.thing.parent_from_light, d.relative_to) = (pose, None),
            Self::Collision(d) => (d.thing.link_from_collision, d.relative_to) = (pose, None),
            Self::Visual(d) => (d.thing.link_from_visual, d.relative_to) = (pose, None),
            Self::Sensor(d) => (d.thing.link_from_sensor, d.relative_to) = (pose, None),
            Self::Plugin(_) => {}
        }
    }
}

fn placed(found: &mut Diagnostics, around: Surroundings<'_>, draft: Draft) -> Option<Part> {
    let roots = ResourceRoots::new();
    let mut cx = Context::for_fragment(found, &roots);
    if let Draft::Plugin(plugin) = draft {
        return Some(Part::Plugin(plugin));
    }
    match around {
        Surroundings::Nothing => in_world(&mut cx, Parts::default(), draft),
        Surroundings::World(world) => in_world(&mut cx, around::of_world(world), draft),
        Surroundings::Model(model) => in_model(&mut cx, model, draft),
        Surroundings::Link { model, link } => on_link(&mut cx, (model, link), draft),
    }
}

fn in_world(cx: &mut Context<'_>, mut parts: Parts, draft: Draft) -> Option<Part> {
    let mut lights = Vec::new();
    let name = match draft {
        Draft::Light(light) => {
            lights.push(light);
            None
        }
        other => Some(add(&mut parts, other)?),
    };
    let draft = WorldDraft { world: World::default(), lights, parts };
    let world = resolve_world(cx, draft);
    let World { mut lights, joints, frames, models, .. } = world;
    match name {
        None => lights.pop().map(Part::Light),
        Some(name) => last(Model { joints, frames, models, ..Model::default() }, &name),
    }
}

fn in_model(cx: &mut Context<'_>, model: &Model, draft: Draft) -> Option<Part> {
    let mut holder = around::of_model(model);
    let name = add(&mut holder.parts, draft)?;
    last(resolved(cx, holder)?, &name)
}

/// Which list of a model something is in, and what it is called there.
type Added = (&'static str, String);

/// Puts a draft beside the others of its kind; none when nothing beside frames can hold it.
fn add(parts: &mut Parts, draft: Draft) -> Option<Added> {
    Some(match draft {
        Draft::Model(draft) => {
            let name = draft.model.name.clone();
            parts.models.push(*draft);
            ("model", name)
        }
        Draft::Link(draft) => {
            let name = draft.link.name.clone();
            parts.links.push(*draft);
            ("link", name)
        }
        Draft::Joint(draft) => {
            let name = draft.joint.name.clone();
            parts.joints.push(*draft);
            ("joint", name)
        }
        Draft::Frame(draft) => {
            let name = draft.frame.name.clone();
            parts.frames.push(draft);
            ("frame", name)
        }
        _ => return None,
    })
}

/// Takes out what was added; none when it was left out for a fault.
fn last(mut model: Model, (tag, name): &Added) -> Option<Part> {
    match *tag {
        "model" => model.models.pop().filter(|part| part.name == *name).map(Part::Model),
        "link" => model.links.pop().filter(|part| part.name == *name).map(Part::Link),
        "joint" => model.joints.pop().filter(|part| part.name == *name).map(Part::Joint),
        _ => model.frames.pop().filter(|part| part.name == *name).map(Part::Frame),
    }
}

fn on_link(cx: &mut Context<'_>, (model, link): (&Model, &str), draft: Draft) -> Option<Part> {
    let mut holder = around::of_model(model);
    if let Draft::Frame(mut draft) = draft {
        if let Some(other) = draft.attached_to.filter(|named| named.name != link) {
            let message = format!("the frame is attached to {:?}, and not to {link:?}", other.name);
            let error = Diagnostic::error("sdf-bad-frame", message).at(other.place);
            cx.diagnostics.push(error.help("Insert it into the model that holds both"));
            return None;
        }
        draft.attached_to = Some(named(link));
        let name = add(&mut holder.parts, Draft::Frame(draft))?;
        return last(resolved(cx, holder)?, &name);
    }
    let at = holder.parts.links.iter().position(|draft| draft.link.name == link)?;
    let on = holder.parts.links.get_mut(at)?;
    match draft {
        Draft::Light(light) => hang(on, light, Slot::Light(0), |link| &mut link.lights),
        Draft::Collision(shape) => {
            hang(on, *shape, Slot::Collision(0), |link| &mut link.collisions);
        }
        Draft::Visual(shape) => hang(on, *shape, Slot::Visual(0), |link| &mut link.visuals),
        Draft::Sensor(sensor) => hang(on, sensor, Slot::Sensor(0), |link| &mut link.sensors),
        _ => return None,
    }
    let mut link = resolved(cx, holder)?.links.into_iter().nth(at)?;
    let light = link.lights.pop().map(Part::Light);
    let collision = || link.collisions.pop().map(Part::Collision);
    let shape = light.or_else(collision).or_else(|| link.visuals.pop().map(Part::Visual));
    shape.or_else(|| link.sensors.pop().map(Part::Sensor))
}

/// Puts something on a link that has nothing else on it.
fn hang<T>(
    on: &mut LinkDraft,
    draft: Drafted<T>,
    slot: Slot,
    list: impl Fn(&mut Link) -> &mut Vec<T>,
) {
    on.note(slot, draft.relative_to);
    list(&mut on.link).push(draft.thing);
}

fn resolved(cx: &mut Context<'_>, holder: crate::sdf::ModelDraft) -> Option<Model> {
    crate::frames::resolve_model(cx, holder)
}
