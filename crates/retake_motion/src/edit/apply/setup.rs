//! What the list as a whole and its joints are.

use crate::edit::{EditError, ListJoint, WaypointsList};
use crate::{Interpolation, Tolerance};

impl WaypointsList {
    pub(super) fn set_name(&mut self, name: &str) -> Result<(), EditError> {
        name.clone_into(&mut self.name);
        Ok(())
    }

    pub(super) fn set_description(&mut self, text: &str) -> Result<(), EditError> {
        text.clone_into(&mut self.description);
        Ok(())
    }

    pub(super) fn set_interpolation(&mut self, way: Interpolation) -> Result<(), EditError> {
        self.interpolation = way;
        Ok(())
    }

    pub(super) fn set_goal_time(&mut self, secs: Option<f64>) -> Result<(), EditError> {
        self.goal_time_tolerance_secs = secs;
        Ok(())
    }

    pub(super) fn set_limits(
        &mut self,
        max_velocity: Option<f64>,
        max_acceleration: Option<f64>,
    ) -> Result<(), EditError> {
        self.max_velocity = max_velocity;
        self.max_acceleration = max_acceleration;
        Ok(())
    }

    pub(super) fn set_tolerance(
        &mut self,
        joint: Option<&str>,
        tolerance: Tolerance,
    ) -> Result<(), EditError> {
        match joint {
            Some(joint) => {
                let column = self.known_column(joint)?;
                self.joints[column].tolerance = tolerance;
            }
            None => self.joints.iter_mut().for_each(|joint| joint.tolerance = tolerance),
        }
        Ok(())
    }

    pub(super) fn mute(&mut self, joint: &str, muted: bool) -> Result<(), EditError> {
        let column = self.known_column(joint)?;
        self.joints[column].muted = muted;
        Ok(())
    }

    pub(super) fn add_joint(&mut self, joint: &str, position: f64) -> Result<(), EditError> {
        let name = joint.to_owned();
        self.joints.push(ListJoint { name, ..ListJoint::default() });
        for point in &mut self.points {
            point.positions.push(position);
            // Where others have derivatives, it is at rest.
            for list in [&mut point.velocities, &mut point.accelerations] {
                if !list.is_empty() {
                    list.push(0.0);
                }
            }
        }
        Ok(())
    }

    pub(super) fn remove_joint(&mut self, joint: &str) -> Result<(), EditError> {
        let column = self.known_column(joint)?;
        self.joints.remove(column);
        for point in &mut self.points {
            for list in [&mut point.positions, &mut point.velocities, &mut point.accelerations] {
                if column < list.len() {
                    list.remove(column);
                }
            }
        }
        Ok(())
    }
}
