//! Where things touch, for whoever asks. Nothing is measured for it in a step: the engine has it.

use retake_msgs::{WorldContact, WorldContacts};
use retake_physics::touching;

use super::Server;

/// Most points that are told; more are counted only.
const MOST: usize = 4096;

impl Server {
    /// Returns the contacts as the last step left them.
    pub fn contacts(&self) -> WorldContacts {
        let clock = self.simulation.clock();
        let touching = touching(self.simulation.engine(), clock.step_size.as_secs_f64());
        let left_out = touching.len().saturating_sub(MOST) as u32;
        let contact = touching.iter().take(MOST).map(|touch| WorldContact {
            first: touch.first.raw(),
            second: touch.second.raw(),
            position: Some(touch.position.into()),
            normal: Some(touch.normal.into()),
            force: Some(touch.force.into()),
            depth: touch.depth,
        });
        WorldContacts {
            sim_time: Some(clock.sim_time.into()),
            contact: contact.collect(),
            left_out,
        }
    }
}
