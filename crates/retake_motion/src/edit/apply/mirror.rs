//! Left and right.

use std::collections::BTreeMap;

use crate::edit::check::shortened;
use crate::edit::{EditError, MirrorJoint, WaypointsList};

impl WaypointsList {
    pub(super) fn mirror(&mut self, ids: &[u64], pairs: &[MirrorJoint]) -> Result<(), EditError> {
        let all: Vec<u64> = self.points.iter().map(|point| point.id).collect();
        let mirrored = self.known_points(if ids.is_empty() { &all } else { ids }, "mirror")?;
        let sources = self.sources(pairs)?;
        for point in self.points.iter_mut().filter(|point| mirrored.contains(&point.id)) {
            for list in [&mut point.positions, &mut point.velocities, &mut point.accelerations] {
                let old = list.clone();
                for (column, (source, sign)) in sources.iter().filter(|_| !old.is_empty()) {
                    list[*column] = sign * old[*source];
                }
            }
        }
        Ok(())
    }

    /// Finds for each column that is mirrored the one that it comes from, with the sign.
    fn sources(&self, pairs: &[MirrorJoint]) -> Result<BTreeMap<usize, (usize, f64)>, EditError> {
        let mut sources = BTreeMap::new();
        for MirrorJoint { joint, partner, sign } in pairs {
            let (one, other) = match (self.column(joint), self.column(partner)) {
                (Some(one), Some(other)) => (one, other),
                (None, None) => continue,
                (Some(_), None) => return Err(lonely(joint, partner)),
                (None, Some(_)) => return Err(lonely(partner, joint)),
            };
            let bad = || EditError::BadPair { joint: shortened(joint) };
            if sign.abs() != 1.0 {
                return Err(bad());
            }
            // Both directions may be named, if they say the same.
            for (column, source) in [(one, other), (other, one)] {
                let before = sources.insert(column, (source, *sign));
                if before.is_some_and(|before| before != (source, *sign)) {
                    return Err(bad());
                }
            }
        }
        Ok(sources)
    }
}

fn lonely(joint: &str, missing: &str) -> EditError {
    EditError::LonelyJoint { joint: shortened(joint), missing: shortened(missing) }
}
