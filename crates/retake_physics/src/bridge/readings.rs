//! Readings that exist only while somebody asks: accelerations, joint wrenches, contacts.
//!
//! The engine reports no forces of its robots' joints. They follow from the motion: what a joint
//! passes on is what the links beyond it gained in momentum, less what gravity and contacts gave
//! them. Mean values over a step, so pushes and losses of velocity count as passed on.

use std::collections::{BTreeMap, BTreeSet};

use retake_components::{
    BodyTwist, ContactReading, Contacts, Inertia, JointSpec, JointWrench, LinkAcceleration,
    LinkProperties, LocalPose, world_entity, world_pose,
};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_math::{Inertial, Mat3, Pose, Twist, Vec3};

use super::profile::gravity_in_force;
use crate::Engine;

/// What is to be measured although no component asks for it: for onlookers, who leave no trace in
/// the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Links whose acceleration and net force are wanted.
    pub links: BTreeSet<EntityId>,
    /// Joints whose wrench is wanted.
    pub joints: BTreeSet<EntityId>,
}

/// What was measured of [`Watched`] in the last step; empty after a jump in time.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// Of links.
    pub links: BTreeMap<EntityId, LinkReading>,
    /// Of joints.
    pub joints: BTreeMap<EntityId, JointWrench>,
}

/// How a link was pushed, mean over the last step, in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkReading {
    /// Acceleration of its origin.
    pub acceleration: Twist,
    /// Acceleration of its centre of mass, in m/s².
    pub centre_acceleration: Vec3,
    /// Net force on it in N, gravity included.
    pub force: Vec3,
    /// Net torque about its centre of mass in N m.
    pub torque: Vec3,
}

/// What must be known from before a step.
#[derive(Default)]
pub(super) struct Before {
    twists: Vec<(EntityId, Twist)>,
    /// For each joint asked about: what hangs beyond it, and how that moved.
    beyond: Vec<(EntityId, Option<Beyond>)>,
    /// The same for onlookers.
    watched_links: Vec<(EntityId, Twist, Momentum)>,
    watched_joints: Vec<(EntityId, Option<Beyond>)>,
}

/// The links beyond a joint.
struct Beyond {
    links: BTreeSet<EntityId>,
    momenta: BTreeMap<EntityId, Momentum>,
}

/// Momentum of a link.
#[derive(Clone, Copy)]
struct Momentum {
    linear: Vec3,
    /// About its own centre of mass.
    angular: Vec3,
}

impl Before {
    /// Looks at whatever is asked about.
    pub(super) fn look(ecm: &Ecm, watched: &Watched) -> Self {
        let twists = ecm
            .iter::<LinkAcceleration>()
            .filter_map(|(link, _)| ecm.get::<BodyTwist>(link).map(|twist| (link, twist.0)));
        let beyond = ecm.iter::<JointWrench>().map(|(joint, _)| (joint, Beyond::of(ecm, joint)));
        let links = watched.links.iter().filter_map(|link| {
            let twist = ecm.get::<BodyTwist>(*link)?.0;
            Some((*link, twist, Momentum::of(ecm, *link)?))
        });
        let joints = watched.joints.iter().map(|joint| (*joint, Beyond::of(ecm, *joint)));
        Self {
            twists: twists.collect(),
            beyond: beyond.collect(),
            watched_links: links.collect(),
            watched_joints: joints.collect(),
        }
    }

    /// Writes what came of the step, and returns what onlookers asked for.
    pub(super) fn write(self, engine: &dyn Engine, ecm: &mut Ecm, dt_secs: f64) -> Readings {
        let links = self.watched_links.iter();
        let links = links.filter_map(|before| LinkReading::since(ecm, before, dt_secs)).collect();
        for (link, before) in self.twists {
            let Some(now) = ecm.get::<BodyTwist>(link).map(|twist| twist.0) else { continue };
            let gained = Twist {
                linear: (now.linear - before.linear) / dt_secs,
                angular: (now.angular - before.angular) / dt_secs,
            };
            overwrite(ecm, link, LinkAcceleration(gained));
        }
        let nothing_more = self.beyond.is_empty() && self.watched_joints.is_empty();
        if nothing_more && ecm.iter::<Contacts>().next().is_none() {
            return Readings { links, joints: BTreeMap::new() };
        }
        let touching = touching(engine, dt_secs);
        let joints = self.watched_joints.into_iter().filter_map(|(joint, beyond)| {
            Some((joint, beyond?.wrench(ecm, joint, &touching, dt_secs)?))
        });
        let joints = joints.collect();
        for (joint, beyond) in self.beyond {
            let wrench = beyond.and_then(|beyond| beyond.wrench(ecm, joint, &touching, dt_secs));
            overwrite(ecm, joint, wrench.unwrap_or_default());
        }
        write_contacts(ecm, &touching);
        Readings { links, joints }
    }
}

impl LinkReading {
    fn since(
        ecm: &Ecm,
        (link, twist, momentum): &(EntityId, Twist, Momentum),
        dt_secs: f64,
    ) -> Option<(EntityId, Self)> {
        let (now, gained) = (ecm.get::<BodyTwist>(*link)?.0, Momentum::of(ecm, *link)?);
        let mass_kg = ecm.get::<Inertia>(*link)?.0.mass_kg;
        let force = (gained.linear - momentum.linear) / dt_secs;
        let acceleration = Twist {
            linear: (now.linear - twist.linear) / dt_secs,
            angular: (now.angular - twist.angular) / dt_secs,
        };
        let torque = (gained.angular - momentum.angular) / dt_secs;
        let centre_acceleration = force / mass_kg;
        Some((*link, Self { acceleration, centre_acceleration, force, torque }))
    }
}

impl Beyond {
    /// Follows the joints away from the child; none when that leads back to the parent.
    fn of(ecm: &Ecm, joint: EntityId) -> Option<Self> {
        let spec = ecm.get::<JointSpec>(joint)?;
        let mut links = BTreeSet::from([spec.child]);
        let mut next = vec![spec.child];
        while let Some(link) = next.pop() {
            let others = ecm.iter::<JointSpec>().filter(|(other, _)| *other != joint);
            for (_, other) in others {
                let ends = [other.parent, Some(other.child)];
                if !ends.contains(&Some(link)) {
                    continue;
                }
                // Back at the world or at the parent: the load has two ways.
                let far = if other.child == link { other.parent? } else { other.child };
                if links.insert(far) {
                    next.push(far);
                }
            }
        }
        if spec.parent.is_some_and(|parent| links.contains(&parent)) {
            return None;
        }
        let momenta = links.iter().map(|link| Some((*link, Momentum::of(ecm, *link)?)));
        let momenta = momenta.collect::<Option<_>>()?;
        Some(Self { links, momenta })
    }

    fn wrench(
        &self,
        ecm: &Ecm,
        joint: EntityId,
        touching: &[Touch],
        dt_secs: f64,
    ) -> Option<JointWrench> {
        let spec = ecm.get::<JointSpec>(joint)?;
        let origin = (world_pose(ecm, spec.child) * spec.child_from_joint).position;
        let gravity = gravity_in_force(ecm, world_entity(ecm)?)?;
        let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
        for (link, before) in &self.momenta {
            let now = Momentum::of(ecm, *link)?;
            let inertial = ecm.get::<Inertia>(*link)?.0;
            let centre = centre_of_mass(&world_pose(ecm, *link), &inertial);
            let pulled = ecm.get::<LinkProperties>(*link).is_some_and(|link| link.gravity);
            let weight = if pulled { gravity * inertial.mass_kg } else { Vec3::ZERO };
            let net = (now.linear - before.linear) / dt_secs - weight;
            force += net;
            torque += (centre - origin).cross(net) + (now.angular - before.angular) / dt_secs;
        }
        for touch in touching {
            for (collision, sign) in [(touch.first, -1.0), (touch.second, 1.0)] {
                let link = ecm.get::<Parent>(collision).map(|parent| parent.0);
                if link.is_some_and(|link| self.links.contains(&link)) {
                    force -= touch.force * sign;
                    torque -= (touch.position - origin).cross(touch.force * sign);
                }
            }
        }
        Some(JointWrench { force, torque, known: true })
    }
}

impl Momentum {
    fn of(ecm: &Ecm, link: EntityId) -> Option<Self> {
        let inertial = ecm.get::<Inertia>(link)?.0;
        let (pose, twist) = (world_pose(ecm, link), ecm.get::<BodyTwist>(link)?.0);
        let lever = centre_of_mass(&pose, &inertial) - pose.position;
        let turned = Mat3::from_quat(pose.rotation * inertial.link_from_com.rotation);
        Some(Self {
            linear: (twist.linear + twist.angular.cross(lever)) * inertial.mass_kg,
            angular: turned * (inertial.matrix() * (turned.transpose() * twist.angular)),
        })
    }
}

fn centre_of_mass(world_from_link: &Pose, inertial: &Inertial) -> Vec3 {
    world_from_link.transform_point(inertial.link_from_com.position)
}

/// A contact point, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// First collision.
    pub first: EntityId,
    /// Second collision.
    pub second: EntityId,
    /// Position, midway between the two surfaces.
    pub position: Vec3,
    /// Unit normal from the first to the second.
    pub normal: Vec3,
    /// How deep they overlap in metres; negative is a gap.
    pub depth: f64,
    /// Force on the second in N, friction included, mean over the step.
    pub force: Vec3,
}

/// Returns every contact point, as the last step left them; that took `dt_secs`.
pub fn touching(engine: &dyn Engine, dt_secs: f64) -> Vec<Touch> {
    let mut touching = Vec::new();
    engine.visit_contacts(&mut |contact| {
        touching.extend(contact.points.iter().map(|point| Touch {
            first: contact.first,
            second: contact.second,
            position: point.position,
            normal: point.normal,
            depth: point.depth,
            force: (point.normal * point.impulse + point.friction) / dt_secs,
        }));
    });
    touching
}

fn write_contacts(ecm: &mut Ecm, touching: &[Touch]) {
    let mut readings: BTreeMap<EntityId, Contacts> =
        ecm.iter::<Contacts>().map(|(entity, _)| (entity, Contacts::default())).collect();
    for touch in touching {
        for (collision, other, sign) in
            [(touch.first, touch.second, -1.0), (touch.second, touch.first, 1.0)]
        {
            let reading = ContactReading {
                collision,
                other,
                position: touch.position,
                normal: touch.normal * sign,
                depth: touch.depth,
                force: touch.force * sign,
            };
            let mut holder = Some(collision);
            while let Some(entity) = holder {
                if let Some(contacts) = readings.get_mut(&entity) {
                    keep(contacts, reading);
                }
                // The world holds everything and is nobody's part.
                holder = ecm.get::<Parent>(entity).map(|parent| parent.0);
                holder = holder.filter(|holder| ecm.get::<LocalPose>(*holder).is_some());
            }
        }
    }
    for (entity, contacts) in readings {
        overwrite(ecm, entity, contacts);
    }
}

fn keep(contacts: &mut Contacts, reading: ContactReading) {
    if contacts.points.len() < Contacts::MOST {
        contacts.points.push(reading);
    } else {
        contacts.left_out += 1;
    }
}

fn overwrite<T: retake_ecm::Component>(ecm: &mut Ecm, entity: EntityId, value: T) {
    ecm.overwrite([(entity, value)]);
}
