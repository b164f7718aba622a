//! Drives a vehicle along a course of waypoints.

use retake_components::{Seed, world_entity, world_pose};
use retake_ecm::{Component, Ecm, EntityId};
use serde::{Deserialize, Serialize};

use super::random::Random;
use super::{Attachment, SystemKind, VelocityCommand};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["retake::CourseDriver"],
    register: |builder| builder.with::<CourseProgress>(),
    make: |attachment, ecm| CourseDriver::make(attachment, ecm),
};

/// How far along its course a driver is; on its plugin entity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CourseProgress {
    /// The waypoint it drives to, from 0.
    next: usize,
    /// Laps done.
    laps: u32,
    /// Whether the course is over.
    finished: bool,
    /// Where the steering noise comes from.
    random: Random,
}

impl Component for CourseProgress {
    const NAME: &'static str = "course_progress";
}

struct CourseDriver {
    plugin: EntityId,
    vehicle: EntityId,
    waypoints: Vec<[f64; 2]>,
    speed: f64,
    turn_gain: f64,
    max_turn: f64,
    reach: f64,
    repeats: bool,
    steering_noise: f64,
}

impl CourseDriver {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let waypoints = params.rows("waypoint", "two numbers, x and y in metres")?;
        if waypoints.is_empty() {
            return Err(SystemError::MissingParameter { parameter: "waypoint" });
        }
        if ecm.get::<CourseProgress>(at.plugin).is_none() {
            let seed =
                world_entity(ecm).and_then(|world| ecm.get::<Seed>(world)).map_or(0, |s| s.0);
            let random = Random::new(seed, at.plugin.raw());
            let progress = CourseProgress { next: 0, laps: 0, finished: false, random };
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, progress).ok();
        }
        Ok(Box::new(Self {
            plugin: at.plugin,
            vehicle: at.holder,
            waypoints,
            speed: params.positive_or("speed", 0.5)?,
            turn_gain: params.positive_or("turn_gain", 2.0)?,
            max_turn: params.positive_or("max_turn", 1.5)?,
            reach: params.positive_or("reach", 0.2)?,
            repeats: params.flag("repeat")?,
            steering_noise: params.number_or("steering_noise", 0.0)?,
        }))
    }

    /// Moves on to the next waypoint once this one is reached.
    fn advance(&self, progress: &mut CourseProgress, distance: f64) {
        if distance > self.reach {
            return;
        }
        progress.next += 1;
        if progress.next == self.waypoints.len() {
            progress.next = 0;
            progress.laps += 1;
            progress.finished = !self.repeats;
        }
    }
}

impl System for CourseDriver {
    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(mut progress) = ecm.get::<CourseProgress>(self.plugin).copied() else {
            return Ok(());
        };
        if progress.finished {
            // The vehicle was stopped when the course ended; now others may drive it.
            return Ok(());
        }
        let world_from_vehicle = world_pose(ecm, self.vehicle);
        let [x, y] = self.waypoints[progress.next % self.waypoints.len()];
        let (dx, dy) = (x - world_from_vehicle.position.x, y - world_from_vehicle.position.y);
        let heading = dy.atan2(dx) - world_from_vehicle.rpy_rad().z;
        // The turn of the shorter way round.
        let error = heading.sin().atan2(heading.cos());
        let noise = match self.steering_noise {
            0.0 => 0.0,
            spread => spread * progress.random.normal(),
        };
        let angular = self.turn_gain * error + noise;
        self.advance(&mut progress, dx.hypot(dy));
        let command = match progress.finished {
            true => VelocityCommand::default(),
            false => VelocityCommand {
                angular: angular.clamp(-self.max_turn, self.max_turn),
                linear: self.speed * error.cos().max(0.0),
            },
        };
        let gone = |_| SystemError::NothingHeld;
        ecm.set(self.plugin, progress).map_err(gone)?;
        ecm.set(self.vehicle, command).map_err(gone)
    }
}
