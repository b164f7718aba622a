//! Where playing begins and ends.

use super::{EditError, WaypointsList};

/// Where the markers were before waypoints came or went.
pub(super) struct Marked {
    /// Times of start and end, in s; none while nothing counted.
    stretch: Option<(f64, f64)>,
    /// Whether nothing that counted was before the start, or after the end.
    outermost: (bool, bool),
}

impl Marked {
    /// Returns the times that belong to what is played, in s; without end where a marker is at the
    /// outermost waypoint.
    pub(super) fn inside(&self) -> (f64, f64) {
        let (from, to) = self.stretch.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let (first, last) = self.outermost;
        (if first { f64::NEG_INFINITY } else { from }, if last { f64::INFINITY } else { to })
    }
}

impl WaypointsList {
    /// Puts the markers at the first and last waypoint that count.
    pub(super) fn mark_all(&mut self) {
        let mut counting = self.points.iter().filter(|point| point.enabled).map(|point| point.id);
        self.start = counting.next();
        self.end = counting.next_back().or(self.start);
    }

    /// Notes where the markers are.
    pub(super) fn marked(&self) -> Marked {
        let time = |id: Option<u64>| Some(self.point(id?)?.time_secs);
        let (start, end) = (time(self.start), time(self.end));
        let counts = |outside: &dyn Fn(f64) -> bool| {
            self.points.iter().any(|point| point.enabled && outside(point.time_secs))
        };
        Marked {
            stretch: start.zip(end),
            outermost: (
                !start.is_some_and(|start| counts(&|time| time < start)),
                !end.is_some_and(|end| counts(&|time| time > end)),
            ),
        }
    }

    /// Puts the markers where they belong after waypoints came or went.
    pub(super) fn remark(&mut self, before: &Marked) {
        let (from, to) = before.inside();
        let inside = |time: f64| (from..=to).contains(&time);
        let counting = self.points.iter().filter(|point| point.enabled && inside(point.time_secs));
        let mut counting = counting.map(|point| point.id);
        match (counting.next(), counting.next_back()) {
            (Some(first), Some(last)) => (self.start, self.end) = (Some(first), Some(last)),
            // One waypoint is no stretch.
            _ => self.mark_all(),
        }
    }

    pub(super) fn mark_start(&mut self, id: u64) -> Result<(), EditError> {
        self.check_marked(id, "start")?;
        self.start = Some(id);
        self.check_stretch()
    }

    pub(super) fn mark_end(&mut self, id: u64) -> Result<(), EditError> {
        self.check_marked(id, "end")?;
        self.end = Some(id);
        self.check_stretch()
    }

    fn check_marked(&self, id: u64, marker: &'static str) -> Result<(), EditError> {
        let number = self.number(id).ok_or(EditError::NoSuchPoint)?;
        match self.points[number - 1].enabled {
            true => Ok(()),
            false => Err(EditError::Off { number, marker }),
        }
    }

    fn check_stretch(&self) -> Result<(), EditError> {
        let number = |id: Option<u64>| id.and_then(|id| self.number(id)).unwrap_or(0);
        let (start, end) = (number(self.start), number(self.end));
        let alone = self.points.iter().filter(|point| point.enabled).count() == 1;
        match start < end || alone {
            true => Ok(()),
            false => Err(EditError::Backwards { start, end }),
        }
    }

    pub(super) fn set_enabled(&mut self, id: u64, enabled: bool) -> Result<(), EditError> {
        let number = self.number(id).ok_or(EditError::NoSuchPoint)?;
        let marker = match id {
            id if self.start == Some(id) => Some("start"),
            id if self.end == Some(id) => Some("end"),
            _ => None,
        };
        if let (false, Some(marker)) = (enabled, marker) {
            return Err(EditError::Marked { number, marker });
        }
        let marked = self.marked();
        self.points[number - 1].enabled = enabled;
        self.remark(&marked);
        Ok(())
    }
}
