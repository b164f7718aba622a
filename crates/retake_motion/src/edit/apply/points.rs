//! Waypoints, one by one.

use std::collections::BTreeSet;

use crate::edit::{EditError, ListPoint, WaypointsList};

impl WaypointsList {
    pub(super) fn point_mut(&mut self, id: u64) -> Result<&mut ListPoint, EditError> {
        self.points.iter_mut().find(|point| point.id == id).ok_or(EditError::NoSuchPoint)
    }

    /// Returns the ids, each once; refuses none at all and unknown ones.
    pub(super) fn known_points(
        &self,
        ids: &[u64],
        what: &'static str,
    ) -> Result<BTreeSet<u64>, EditError> {
        if ids.is_empty() {
            return Err(EditError::Nothing { what });
        }
        let known: BTreeSet<u64> = self.points.iter().map(|point| point.id).collect();
        let named: BTreeSet<u64> = ids.iter().copied().collect();
        match named.is_subset(&known) {
            true => Ok(named),
            false => Err(EditError::NoSuchPoint),
        }
    }

    pub(super) fn set_pose(&mut self, id: u64, pose: &[(String, f64)]) -> Result<(), EditError> {
        let own = self.point(id).ok_or(EditError::NoSuchPoint)?.positions.clone();
        let positions = self.positions_of(pose, Some(&own))?;
        self.point_mut(id)?.positions = positions;
        Ok(())
    }

    pub(super) fn set_position(
        &mut self,
        id: u64,
        joint: &str,
        position: f64,
    ) -> Result<(), EditError> {
        let column = self.known_column(joint)?;
        self.point_mut(id)?.positions[column] = position;
        Ok(())
    }

    pub(super) fn set_note(&mut self, id: u64, note: &str) -> Result<(), EditError> {
        note.clone_into(&mut self.point_mut(id)?.note);
        Ok(())
    }

    pub(super) fn delete_points(&mut self, ids: &[u64]) -> Result<(), EditError> {
        let deleted = self.known_points(ids, "delete")?;
        let marked = self.marked();
        self.points.retain(|point| !deleted.contains(&point.id));
        self.remark(&marked);
        Ok(())
    }
}
