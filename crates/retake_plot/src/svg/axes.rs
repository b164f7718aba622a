//! Axes, grid, titles and remarks.

use super::layout::{
    CAPTION_TEXT_PX, LABEL_GAP_PX, PADDING_PX, Panel, Rect, TICK_TEXT_PX, TITLE_TEXT_PX, sharp,
};
use super::markup::Markup;
use crate::font::{self, Weight};
use crate::theme::Paint;
use crate::ticks::{Note, Ticks};
use crate::{Color, Picture, Side};

const TICK_PX: f64 = 4.0;
/// From the middle of a line of digits down to the line they stand on, in parts of their size.
const TO_BASELINE: f64 = 0.36;

/// Where a vertical axis stands and in which colour it is written.
struct Vertical<'a> {
    side: Side,
    ticks: &'a Ticks,
    caption: String,
    /// Colour of all curves on this side, when they share one and the other side has others.
    tint: Option<Color>,
}

/// Draws the lines behind the curves.
pub(super) fn draw_grid(markup: &mut Markup, panel: &Panel<'_>, paint: &Paint) {
    if !panel.picture.grid {
        return;
    }
    let plot = &panel.plot;
    let mut path = String::new();
    for x in x_places(panel) {
        path.push_str(&format!("M{x:.2} {:.2}V{:.2}", plot.top, plot.bottom()));
    }
    // The lines belong to the left axis; only a plot without one has those of the right.
    let vertical = match (&panel.left_ticks, &panel.right_ticks) {
        (Some(left), _) => Some((left, panel.spans.left)),
        (None, Some(right)) => Some((right, panel.spans.right)),
        (None, None) => None,
    };
    if let Some((ticks, Some(span))) = vertical {
        for value in &ticks.values {
            let y = y_place(plot, span.part(*value));
            path.push_str(&format!("M{:.2} {y:.2}H{:.2}", plot.left, plot.right()));
        }
    }
    stroke(markup, &path, paint.grid);
}

/// Draws axes with ticks, labels and titles.
pub(super) fn draw(markup: &mut Markup, panel: &Panel<'_>, paint: &Paint) {
    draw_title(markup, panel, paint);
    markup.tag("g").px("font-size", TICK_TEXT_PX).with("fill", paint.faint_text).children();
    draw_horizontal(markup, panel, paint);
    for axis in verticals(panel) {
        axis.draw(markup, panel, paint);
    }
    markup.close();
}

/// Says in the middle of the plot why there is nothing to be seen.
pub(super) fn draw_remark(markup: &mut Markup, panel: &Panel<'_>, paint: &Paint) {
    let Some(remark) = remark(panel) else { return };
    let (x, y) =
        (panel.plot.left + panel.plot.width / 2.0, panel.plot.top + panel.plot.height / 2.0);
    let text = centred(markup, x, y + CAPTION_TEXT_PX * TO_BASELINE, CAPTION_TEXT_PX);
    text.with("fill", paint.faint_text).text(remark);
}

fn remark(panel: &Panel<'_>) -> Option<&'static str> {
    let curves = &panel.picture.curves;
    if curves.is_empty() {
        return Some("No curves");
    }
    if curves.iter().all(|curve| curve.x.is_empty() || curve.y.is_empty()) {
        return Some("No samples");
    }
    let spans = &panel.spans;
    let mut values = curves.iter().flat_map(|curve| {
        let y = if curve.side == Side::Left { spans.left } else { spans.right };
        curve.samples().flatten().map(move |sample| (sample, y))
    });
    let Some(first) = values.next() else {
        return Some("No values: every sample is a gap");
    };
    // Lines can cross the plot with no sample in it; only when all lie beyond one edge is it empty.
    let mut beyond = [true; 4];
    for ((x, y), span) in std::iter::once(first).chain(values) {
        let Some(span) = span else { continue };
        let here = [x < spans.x.low(), x > spans.x.high(), y < span.low(), y > span.high()];
        beyond = [0, 1, 2, 3].map(|edge| beyond[edge] && here[edge]);
    }
    beyond.contains(&true).then_some("No values in this range")
}

fn draw_title(markup: &mut Markup, panel: &Panel<'_>, paint: &Paint) {
    let title = &panel.picture.title;
    if title.is_empty() {
        return;
    }
    let most = panel.outer.right() - panel.plot.left - PADDING_PX;
    let short = font::shortened(title, TITLE_TEXT_PX, Weight::Bold, most);
    let text = markup.tag("text").px("x", panel.plot.left);
    let text = text.px("y", panel.outer.top + PADDING_PX + TITLE_TEXT_PX);
    let text = text.px("font-size", TITLE_TEXT_PX).with("font-weight", "bold");
    text.with("fill", paint.text).text(&short);
}

fn draw_horizontal(markup: &mut Markup, panel: &Panel<'_>, paint: &Paint) {
    let plot = &panel.plot;
    let bottom = plot.bottom();
    let mut path = format!("M{:.2} {bottom:.2}H{:.2}", plot.left, plot.right());
    for x in x_places(panel) {
        path.push_str(&format!("M{x:.2} {bottom:.2}v{TICK_PX}"));
    }
    stroke(markup, &path, paint.axis);
    let mut free_from = f64::NEG_INFINITY;
    for (x, label) in x_places(panel).zip(&panel.x_ticks.labels) {
        let half = font::width_px(label, TICK_TEXT_PX, Weight::Regular) / 2.0;
        // Very narrow plots leave labels out rather than writing one over the other.
        if x - half < free_from {
            continue;
        }
        free_from = x + half + 4.0;
        centred(markup, x, bottom + LABEL_GAP_PX + TICK_TEXT_PX, TICK_TEXT_PX).text(label);
    }
    let caption_y = bottom + 20.0 + CAPTION_TEXT_PX + 2.0;
    let note_width = draw_note(markup, &panel.x_ticks.note, (plot.right(), caption_y), "end");
    let room = plot.width - 2.0 * note_width;
    let caption = panel.picture.x.caption();
    let short = font::shortened(&caption, CAPTION_TEXT_PX, Weight::Regular, room);
    if !short.is_empty() {
        let middle = plot.left + plot.width / 2.0;
        centred(markup, middle, caption_y, CAPTION_TEXT_PX).with("fill", paint.text).text(&short);
    }
}

fn verticals<'a>(panel: &'a Panel<'_>) -> Vec<Vertical<'a>> {
    let picture = panel.picture;
    let both = panel.left_ticks.is_some() && panel.right_ticks.is_some();
    let axis = |side, ticks: &'a Option<Ticks>| {
        let tint = if both { tint(picture, side) } else { None };
        let spec = if side == Side::Left { &picture.left } else { &picture.right };
        ticks.as_ref().map(|ticks| Vertical { side, ticks, caption: spec.caption(), tint })
    };
    let left = axis(Side::Left, &panel.left_ticks);
    let right = axis(Side::Right, &panel.right_ticks);
    left.into_iter().chain(right).collect()
}

fn tint(picture: &Picture, side: Side) -> Option<Color> {
    let mut colors = picture.curves.iter().filter(|curve| curve.side == side).map(|c| c.color);
    let first = colors.next()?;
    let alone = colors.all(|color| color == first);
    let mut others = picture.curves.iter().filter(|curve| curve.side != side);
    (alone && others.all(|curve| curve.color != first)).then_some(first)
}

impl Vertical<'_> {
    fn draw(&self, markup: &mut Markup, panel: &Panel<'_>, paint: &Paint) {
        let plot = &panel.plot;
        let (axis_x, outwards, anchor, span) = match self.side {
            Side::Left => (plot.left, -1.0, "end", panel.spans.left),
            Side::Right => (plot.right(), 1.0, "start", panel.spans.right),
        };
        let Some(span) = span else { return };
        let places: Vec<f64> =
            self.ticks.values.iter().map(|value| y_place(plot, span.part(*value))).collect();
        let mut path = format!("M{axis_x:.2} {:.2}V{:.2}", plot.top, plot.bottom());
        for y in &places {
            path.push_str(&format!("M{axis_x:.2} {y:.2}h{}", outwards * TICK_PX));
        }
        stroke(markup, &path, paint.axis);
        let label_x = axis_x + outwards * LABEL_GAP_PX;
        let color = self.tint.unwrap_or(paint.faint_text);
        markup.tag("g").with("text-anchor", anchor).with("fill", color).children();
        let mut free_below = f64::INFINITY;
        for (y, label) in places.iter().zip(&self.ticks.labels) {
            // Very low plots leave labels out rather than writing one over the other.
            if *y > free_below {
                continue;
            }
            free_below = y - TICK_TEXT_PX - 1.0;
            let text = markup.tag("text").px("x", label_x);
            text.px("y", y + TICK_TEXT_PX * TO_BASELINE).text(label);
        }
        self.draw_note(markup, plot, label_x, anchor);
        markup.close();
        self.draw_caption(markup, panel, paint);
    }

    /// Short notes stand above the labels; long ones above the plot, where room was left.
    fn draw_note(&self, markup: &mut Markup, plot: &Rect, label_x: f64, anchor: &str) {
        let y = plot.top - 9.0;
        let long = !self.ticks.note.summand.is_empty();
        let place = match self.side {
            Side::Left if long => (plot.left, y + 3.0, "start"),
            Side::Right if long => (plot.right(), y + 3.0, "end"),
            _ => (label_x, y, anchor),
        };
        draw_note(markup, &self.ticks.note, (place.0, place.1), place.2);
    }

    fn draw_caption(&self, markup: &mut Markup, panel: &Panel<'_>, paint: &Paint) {
        if self.caption.is_empty() {
            return;
        }
        let plot = &panel.plot;
        let x = match self.side {
            Side::Left => panel.outer.left + PADDING_PX + CAPTION_TEXT_PX * 0.7,
            Side::Right => panel.outer.right() - PADDING_PX,
        };
        let y = plot.top + plot.height / 2.0;
        let room = plot.height + 24.0;
        let short = font::shortened(&self.caption, CAPTION_TEXT_PX, Weight::Regular, room);
        let text = centred(markup, x, y, CAPTION_TEXT_PX);
        let text = text.with("transform", format!("rotate(-90 {x:.2} {y:.2})"));
        text.with("fill", self.tint.unwrap_or(paint.text)).text(&short);
    }
}

/// Writes a note at a place and returns its width.
fn draw_note(markup: &mut Markup, note: &Note, (x, y): (f64, f64), anchor: &str) -> f64 {
    if note.is_empty() {
        return 0.0;
    }
    let exponent = note.exponent.to_string().replace('-', "−");
    let small = TICK_TEXT_PX * 0.75;
    let summand = format!(" {}", note.summand);
    let mut parts = Vec::new();
    if note.exponent != 0 {
        parts.extend([("×10", 0.0, TICK_TEXT_PX), (exponent.as_str(), 4.0, small)]);
    }
    if !note.summand.is_empty() {
        parts.push((summand.as_str(), 0.0, TICK_TEXT_PX));
    }
    let tag = markup.tag("text").px("x", x).px("y", y).with("text-anchor", anchor);
    tag.raised_parts(&parts);
    parts.iter().map(|(text, _, size)| font::width_px(text, *size, Weight::Regular)).sum()
}

fn centred(markup: &mut Markup, x: f64, y: f64, size_px: f64) -> super::markup::Tag<'_> {
    let text = markup.tag("text").px("x", x).px("y", y);
    text.px("font-size", size_px).with("text-anchor", "middle")
}

fn stroke(markup: &mut Markup, path: &str, color: Color) {
    markup.tag("path").with("d", path).with("stroke", color).with("fill", "none").empty();
}

fn x_places<'a>(panel: &'a Panel<'_>) -> impl Iterator<Item = f64> + 'a {
    let place = |value: &f64| panel.plot.left + panel.spans.x.part(*value) * panel.plot.width;
    panel.x_ticks.values.iter().map(place).map(sharp)
}

fn y_place(plot: &Rect, part: f64) -> f64 {
    sharp(plot.bottom() - part * plot.height)
}
