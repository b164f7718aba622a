//! What was found when the world was loaded, for whoever comes later.

use retake_msgs::notification::Level;
use retake_msgs::{Finding, Findings, Notification, finding};

use crate::{Event, Simulation};

/// Names what a simulation remarked when it was made, in contrast to what its file says.
const CODE: &str = "world-loaded";

/// Adds what a simulation remarked when it was made to what was found in its file.
///
/// Nobody listens yet when it remarks that.
pub(super) fn with_remarks(found: &Findings, simulation: &Simulation) -> Findings {
    let mut all = found.clone();
    let remarks = simulation.events().iter().filter_map(|event| match event {
        Event::Notified(remark) => Some(finding(remark)),
        _ => None,
    });
    all.finding.extend(remarks);
    all
}

fn finding(remark: &Notification) -> Finding {
    let severity = match remark.level() {
        Level::Error => finding::Severity::Error,
        Level::Warning => finding::Severity::Warning,
        Level::Info | Level::Unspecified => finding::Severity::Note,
    };
    Finding {
        severity: severity.into(),
        code: CODE.to_owned(),
        text: remark.text.clone(),
        ..Finding::default()
    }
}
