//! Measuring cursors and jumps in time.

use super::layout::{Panel, TICK_TEXT_PX, sharp};
use super::markup::Markup;
use crate::font::{self, Weight};
use crate::theme::Paint;
use crate::{Mark, MarkKind};

const ROW_PX: f64 = 14.0;
const MOST_ROWS: usize = 3;

/// Draws the marks that lie within the range, over the curves.
pub(super) fn draw(markup: &mut Markup, panel: &Panel<'_>, paint: &Paint) {
    let mut rows = [f64::NEG_INFINITY; MOST_ROWS];
    let mut marks: Vec<&Mark> =
        panel.picture.marks.iter().filter(|mark| panel.spans.x.contains(mark.x)).collect();
    marks.sort_by(|a, b| a.x.total_cmp(&b.x));
    for mark in marks {
        let x = sharp(panel.plot.left + panel.spans.x.part(mark.x) * panel.plot.width);
        draw_line(markup, panel, paint, (x, mark.kind));
        draw_label(markup, panel, paint, (x, &mark.label), &mut rows);
    }
}

fn draw_line(markup: &mut Markup, panel: &Panel<'_>, paint: &Paint, (x, kind): (f64, MarkKind)) {
    let line = markup.tag("line").px("x1", x).px("x2", x);
    let line = line.px("y1", panel.plot.top).px("y2", panel.plot.bottom());
    let line = line.with("stroke", paint.mark);
    match kind {
        MarkKind::Cursor => line.empty(),
        MarkKind::Jump => line.with("stroke-dasharray", "4 3").with("opacity", 0.8).empty(),
    }
}

/// Writes a label to the right of its line, or to the left where the plot ends, in the first row
/// that is free.
fn draw_label(
    markup: &mut Markup,
    panel: &Panel<'_>,
    paint: &Paint,
    (x, label): (f64, &str),
    rows: &mut [f64; MOST_ROWS],
) {
    if label.is_empty() {
        return;
    }
    let most = panel.plot.width / 2.0 - 8.0;
    let label = font::shortened(label, TICK_TEXT_PX, Weight::Regular, most);
    let width = font::width_px(&label, TICK_TEXT_PX, Weight::Regular);
    let to_the_right = x + 4.0 + width <= panel.plot.right();
    let start = if to_the_right { x + 4.0 } else { x - 4.0 - width };
    let free = rows.iter().position(|end| *end <= start).unwrap_or(MOST_ROWS - 1);
    rows[free] = start + width + 6.0;
    let y = panel.plot.top + ROW_PX * (free as f64 + 1.0) - 2.0;
    let text = markup.tag("text").px("x", start).px("y", y).px("font-size", TICK_TEXT_PX);
    // A rim in the colour of the background keeps the label readable above curves.
    let text = text.with("fill", paint.mark).with("stroke", paint.background);
    let text = text.px("stroke-width", 3.0).with("stroke-linejoin", "round");
    text.with("paint-order", "stroke").text(&label);
}
