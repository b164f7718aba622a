//! What entities say of one another.

use retake_ecm::{Component, Ecm, EntityId, Parent};

use super::{Edit, EditError};
use crate::{CanonicalLink, FrameScope, JointSpec, Kind, path_of};

/// Checks what an edited entity refers to.
pub(super) fn check(edit: &Edit<'_>, changed: &[String]) -> Result<(), EditError> {
    let differs = |name: &str| changed.iter().any(|changed| changed == name);
    let ecm = edit.after;
    if let Some(spec) = ecm.get::<JointSpec>(edit.entity).filter(|_| differs(JointSpec::NAME)) {
        check_limits(edit, spec)?;
    }
    if differs(JointSpec::NAME) || differs(Parent::NAME) {
        check_joint(ecm, edit.entity)?;
        check_scope(ecm, edit.entity)?;
    }
    if differs(CanonicalLink::NAME) {
        check_canonical(ecm, edit.entity)?;
    }
    if differs(FrameScope::NAME) {
        check_scope(ecm, edit.entity)?;
    }
    match edit.is_new() && ecm.get::<Kind>(edit.entity) == Some(&Kind::Link) {
        true => check_carried(edit),
        false => Ok(()),
    }
}

/// Checks everything that refers to something.
pub(super) fn check_all(ecm: &Ecm) -> Result<(), EditError> {
    ecm.iter::<JointSpec>().try_for_each(|(joint, _)| check_joint(ecm, joint))?;
    ecm.iter::<CanonicalLink>().try_for_each(|(model, _)| check_canonical(ecm, model))?;
    ecm.iter::<FrameScope>().try_for_each(|(frame, _)| check_scope(ecm, frame))
}

fn check_limits(edit: &Edit<'_>, spec: &JointSpec) -> Result<(), EditError> {
    for (index, axis) in spec.axes.iter().enumerate() {
        let (lower, upper) = (axis.limits.lower, axis.limits.upper);
        // A limit that is not a number was refused as such.
        if lower > upper {
            let field = format!("joint.axes.{index}.limits.lower");
            let expected = format!("it must not be above the upper limit, {upper}");
            return Err(edit.value(field, lower, expected));
        }
    }
    Ok(())
}

/// A joint joins two links below what holds it, or one with the world.
fn check_joint(ecm: &Ecm, joint: EntityId) -> Result<(), EditError> {
    let Some(spec) = ecm.get::<JointSpec>(joint) else { return Ok(()) };
    let holder = ecm.get::<Parent>(joint).map(|parent| parent.0);
    let ends = [("joint.parent", spec.parent), ("joint.child", Some(spec.child))];
    for (field, link) in ends.into_iter().filter_map(|(field, link)| Some((field, link?))) {
        let fault = |expected: &str| bad(ecm, joint, field, link, expected);
        if ecm.get::<Kind>(link) != Some(&Kind::Link) {
            return Err(fault("it must be a link that is there"));
        }
        if !ecm.with_holders(link).any(|around| Some(around) == holder) {
            return Err(fault("it must be a link in what holds the joint"));
        }
    }
    match spec.parent == Some(spec.child) {
        true => {
            Err(bad(ecm, joint, "joint.child", spec.child, "it must be another link than parent"))
        }
        false => Ok(()),
    }
}

fn check_canonical(ecm: &Ecm, model: EntityId) -> Result<(), EditError> {
    let Some(CanonicalLink(link)) = ecm.get::<CanonicalLink>(model).copied() else {
        return Ok(());
    };
    let is_link = ecm.get::<Kind>(link) == Some(&Kind::Link);
    match is_link && ecm.with_holders(link).any(|around| around == model) {
        true => Ok(()),
        false => Err(bad(ecm, model, CanonicalLink::NAME, link, "it must be a link of the model")),
    }
}

/// A frame of a scope hangs on a link in it, or on the scope itself.
fn check_scope(ecm: &Ecm, frame: EntityId) -> Result<(), EditError> {
    if ecm.get::<Kind>(frame) != Some(&Kind::Frame) {
        return Ok(());
    }
    let holder = ecm.get::<Parent>(frame).map(|parent| parent.0);
    let on_link = holder.and_then(|holder| ecm.get::<Kind>(holder)) == Some(&Kind::Link);
    let scope = ecm.get::<FrameScope>(frame).map(|scope| scope.0);
    let field = FrameScope::NAME;
    match (on_link, scope) {
        (false, None) => Ok(()),
        (true, Some(scope)) => {
            let holds = matches!(ecm.get::<Kind>(scope), Some(Kind::Model | Kind::World))
                && ecm.with_holders(frame).any(|around| around == scope);
            match holds {
                true => Ok(()),
                false => Err(bad(ecm, frame, field, scope, "it must be a model around the link")),
            }
        }
        (true, None) => {
            let expected = "a frame on a link must say whose frame it is".to_owned();
            let (entity, field) = (path_of(ecm, frame), field.to_owned());
            Err(EditError::Value { entity, field, given: "missing".to_owned(), expected })
        }
        (false, Some(scope)) => {
            Err(bad(ecm, frame, field, scope, "only a frame on a link has one"))
        }
    }
}

/// A model that has links is carried by one of them.
fn check_carried(edit: &Edit<'_>) -> Result<(), EditError> {
    let holder = edit.after.get::<Parent>(edit.entity).map(|parent| parent.0);
    let carried = holder.is_some_and(|model| edit.after.get::<CanonicalLink>(model).is_some());
    match (holder, carried) {
        (Some(model), false) => Err(EditError::Incomplete {
            entity: path_of(edit.after, model),
            kind: "model with links".to_owned(),
            component: CanonicalLink::NAME.to_owned(),
        }),
        _ => Ok(()),
    }
}

fn bad(ecm: &Ecm, entity: EntityId, field: &str, given: EntityId, expected: &str) -> EditError {
    let given = match ecm.exists(given) {
        true => path_of(ecm, given),
        false => format!("{given}, which is not there"),
    };
    let (entity, field) = (path_of(ecm, entity), field.to_owned());
    EditError::Value { entity, field, given, expected: expected.to_owned() }
}
