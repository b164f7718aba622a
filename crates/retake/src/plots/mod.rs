//! Plots of the command line.

use std::path::Path;

use anyhow::Context;
use retake_msgs::PlotLayout;

/// Reads a layout file.
pub(crate) fn layout_file(file: &Path) -> anyhow::Result<PlotLayout> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("Could not read {}", file.display()))?;
    retake_board::layout_from_json(&text).with_context(|| file.display().to_string())
}
