//! Publishes how high altimeters are, as Gazebo's Altimeter; without noise.

use retake_components::{BodyTwist, world_pose};
use retake_ecm::{Component, Ecm, EntityId, Parent};
use serde::{Deserialize, Serialize};

use super::{sensors_of, topic};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};
use crate::systems::SystemKind;

pub(in crate::systems) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::Altimeter", "ignition::gazebo::systems::Altimeter"],
    register: |builder| builder.with::<AltimeterReference>(),
    make: |_, _| Ok(Box::new(Altimeters)),
};

/// How high an altimeter was first, in m above the world's origin; on the sensor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AltimeterReference(pub f64);

impl Component for AltimeterReference {
    const NAME: &'static str = "altimeter_reference";
}

struct Altimeters;

impl System for Altimeters {
    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        for (sensor, _) in sensors_of(ecm, "altimeter") {
            if ecm.get::<AltimeterReference>(sensor).is_none() {
                let reference = AltimeterReference(world_pose(ecm, sensor).position.z);
                ecm.set(sensor, reference).map_err(|_| SystemError::NothingHeld)?;
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
        for (sensor, rate) in sensors_of(ecm, "altimeter") {
            let Some(AltimeterReference(reference)) = ecm.get(sensor).copied() else { continue };
            if rate.is_due(step) {
                let message = retake_msgs::Altimeter {
                    stamp: Some(step.sim_time.into()),
                    vertical_position: world_pose(ecm, sensor).position.z - reference,
                    vertical_velocity: vertical_velocity(ecm, sensor),
                    vertical_reference: reference,
                };
                out.publish(&topic(ecm, sensor, None, "altimeter"), &message);
            }
        }
        Ok(())
    }
}

fn vertical_velocity(ecm: &Ecm, sensor: EntityId) -> f64 {
    let Some(link) = ecm.get::<Parent>(sensor).map(|parent| parent.0) else { return 0.0 };
    let twist = ecm.get::<BodyTwist>(link).copied().unwrap_or_default().0;
    let lever = world_pose(ecm, sensor).position - world_pose(ecm, link).position;
    (twist.linear + twist.angular.cross(lever)).z
}
