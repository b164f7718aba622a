//! Publishes what contact sensors feel, as Gazebo's Contact.

use retake_components::{Contacts, Kind, find, path_of};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_msgs::Contact;

use super::{element, part, sensors_of, topic};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};
use crate::systems::SystemKind;

pub(in crate::systems) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::Contact", "ignition::gazebo::systems::Contact"],
    // It remembers nothing: contacts are measured where somebody asks for them.
    register: |builder| builder,
    make: |_, _| Ok(Box::new(ContactSensors)),
};

struct ContactSensors;

/// Returns the collisions that a sensor feels with.
fn collisions(ecm: &Ecm, sensor: EntityId) -> Vec<EntityId> {
    let link = ecm.get::<Parent>(sensor).map(|parent| path_of(ecm, parent.0)).unwrap_or_default();
    let given = element(ecm, sensor, "contact").map_or(&[][..], |contact| &contact.children);
    let names = given.iter().filter(|part| part.name == "collision");
    let found = names.filter_map(|name| find(ecm, &format!("{link}::{}", name.text.trim())));
    found.filter(|entity| ecm.get::<Kind>(*entity) == Some(&Kind::Collision)).collect()
}

impl System for ContactSensors {
    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let sensors = sensors_of(ecm, "contact");
        for collision in
            sensors.iter().flat_map(|(sensor, _)| collisions(ecm, *sensor)).collect::<Vec<_>>()
        {
            if ecm.get::<Contacts>(collision).is_none() {
                ecm.set(collision, Contacts::default()).map_err(|_| SystemError::NothingHeld)?;
            }
        }
        Ok(())
    }

    fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        for (sensor, rate) in sensors_of(ecm, "contact") {
            if !rate.is_due(step) {
                continue;
            }
            let felt = collisions(ecm, sensor).into_iter();
            let points = felt.filter_map(|collision| ecm.get::<Contacts>(collision));
            let contact: Vec<Contact> = points
                .flat_map(|contacts| &contacts.points)
                .map(|point| Contact {
                    collision: path_of(ecm, point.collision),
                    other: path_of(ecm, point.other),
                    position: Some(point.position.into()),
                    normal: Some(point.normal.into()),
                    force: Some(point.force.into()),
                    depth: point.depth,
                })
                .collect();
            if !contact.is_empty() {
                let given = element(ecm, sensor, "contact").and_then(|all| part(all, "topic"));
                // Gazebo's own name for it, which files tend to leave as it is.
                let given = given.filter(|topic| *topic != "__default_topic__");
                let message = retake_msgs::Contacts { stamp: Some(step.sim_time.into()), contact };
                out.publish(&topic(ecm, sensor, given, "contact"), &message);
            }
        }
        Ok(())
    }
}
