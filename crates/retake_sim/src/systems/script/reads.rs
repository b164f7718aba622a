//! What scripts can see.

use retake_components::{
    BodyTwist, CanonicalLink, Contacts, JointEffort, JointPosition, JointSpec, JointVelocity, Kind,
    path_of, world_pose,
};
use retake_ecm::{Ecm, EntityId};
use retake_script::Value;

use super::host::{Args, Effect, WorldHost};

type Answer = Result<Vec<Value>, String>;

/// `api.exists(name)`.
pub(super) fn exists(host: &mut WorldHost, args: &[Value]) -> Answer {
    let name = Args(args).text(0, "name")?;
    Ok(vec![Value::Boolean(host.find(name).is_ok())])
}

/// What a pose consists of.
pub(super) const POSE: [&str; 10] = ["x", "y", "z", "roll", "pitch", "yaw", "qw", "qx", "qy", "qz"];
/// What a velocity consists of.
pub(super) const VELOCITY: [&str; 6] = ["x", "y", "z", "wx", "wy", "wz"];

/// `api.pose([name])`: in the world frame.
pub(super) fn pose(host: &mut WorldHost, args: &[Value]) -> Answer {
    let entity = named_or_holder(host, args)?;
    let pose = world_pose(&host.ecm, entity);
    let (p, q, rpy) = (pose.position, pose.rotation, pose.rpy_rad());
    Ok([p.x, p.y, p.z, rpy.x, rpy.y, rpy.z, q.w, q.x, q.y, q.z].map(Value::from).to_vec())
}

/// `api.velocity([name])`: of a link's origin, or of the link that carries a model.
pub(super) fn velocity(host: &mut WorldHost, args: &[Value]) -> Answer {
    let entity = named_or_holder(host, args)?;
    let link = link_of(&host.ecm, entity)?;
    let twist = host.ecm.get::<BodyTwist>(link).copied().unwrap_or_default().0;
    let (v, w) = (twist.linear, twist.angular);
    Ok([v.x, v.y, v.z, w.x, w.y, w.z].map(Value::from).to_vec())
}

/// `api.joint(name [, axis])`: position, velocity, effort.
pub(super) fn joint(host: &mut WorldHost, args: &[Value]) -> Answer {
    let (joint, axis) = joint_and_axis(host, args, 1)?;
    let read = |axes: Option<&Vec<f64>>| {
        let number = axes.and_then(|axes| axes.get(axis)).copied();
        Value::Number(number.unwrap_or(0.0))
    };
    Ok(vec![
        read(host.ecm.get::<JointPosition>(joint).map(|p| &p.0)),
        read(host.ecm.get::<JointVelocity>(joint).map(|v| &v.0)),
        read(host.ecm.get::<JointEffort>(joint).map(|e| &e.0)),
    ])
}

/// `api.joints()`: names of the joints below the holder, in the order of the file.
pub(super) fn joints(host: &mut WorldHost, _: &[Value]) -> Answer {
    let ecm = &host.ecm;
    let scope = format!("{}::", path_of(ecm, host.holder));
    let below = ecm.with_descendants(host.holder).into_iter();
    let joints = below.filter(|entity| ecm.get::<JointSpec>(*entity).is_some());
    let names = joints.map(|joint| {
        let path = path_of(ecm, joint);
        Value::from(path.strip_prefix(&scope).unwrap_or(&path))
    });
    Ok(vec![Value::list(names)])
}

/// `api.contacts([name])`: where a collision, link or model touched something in the last step.
///
/// Contacts are measured from the first call on, so that this one finds none.
pub(super) fn contacts(host: &mut WorldHost, args: &[Value]) -> Answer {
    let entity = named_or_holder(host, args)?;
    let Some(contacts) = host.ecm.get::<Contacts>(entity) else {
        host.want(Effect::MeasureContacts { entity })?;
        return Ok(vec![Value::list([])]);
    };
    let points = contacts.points.iter().map(|point| {
        let (p, n, f) = (point.position, point.normal, point.force);
        Value::record([
            ("other", Value::Text(path_of(&host.ecm, point.other))),
            ("x", p.x.into()),
            ("y", p.y.into()),
            ("z", p.z.into()),
            ("nx", n.x.into()),
            ("ny", n.y.into()),
            ("nz", n.z.into()),
            ("fx", f.x.into()),
            ("fy", f.y.into()),
            ("fz", f.z.into()),
            ("depth", point.depth.into()),
        ])
    });
    Ok(vec![Value::list(points)])
}

/// Returns what the first argument names; the holder when it is left out.
pub(super) fn named_or_holder(host: &mut WorldHost, args: &[Value]) -> Result<EntityId, String> {
    match Args(args).text_or_nothing(0, "name")? {
        Some(name) => host.find(name),
        None => Ok(host.holder),
    }
}

/// Returns a link, or the one that carries a model.
pub(super) fn link_of(ecm: &Ecm, entity: EntityId) -> Result<EntityId, String> {
    match ecm.get::<Kind>(entity) {
        Some(Kind::Link) => Ok(entity),
        Some(Kind::Model) => match ecm.get::<CanonicalLink>(entity) {
            Some(CanonicalLink(link)) => Ok(*link),
            None => Err(format!("{:?} has no link", path_of(ecm, entity))),
        },
        kind => {
            let kind = kind.map_or_else(|| "thing".to_owned(), ToString::to_string);
            Err(format!("{:?} is a {kind}; name a link or a model", path_of(ecm, entity)))
        }
    }
}

/// Returns the joint that the first argument names, and the axis that another one counts.
pub(super) fn joint_and_axis(
    host: &mut WorldHost,
    args: &[Value],
    axis_at: usize,
) -> Result<(EntityId, usize), String> {
    let joint = host.find(Args(args).text(0, "joint")?)?;
    let axis = Args(args).axis(axis_at)?;
    let Some(spec) = host.ecm.get::<JointSpec>(joint) else {
        return Err(format!("{:?} is no joint", path_of(&host.ecm, joint)));
    };
    match axis < spec.axes.len() {
        true => Ok((joint, axis)),
        false => Err(format!(
            "{:?} has {} axes, and number {} is asked for",
            path_of(&host.ecm, joint),
            spec.axes.len(),
            axis + 1
        )),
    }
}
