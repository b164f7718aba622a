//! The curves themselves, cut to the plot.

use super::layout::{Panel, Rect};
use super::markup::{Markup, push_px};
use crate::range::Span;
use crate::thin::{Vertex, thin};
use crate::{CurveStyle, CurveTrace, Side};

pub(super) const DIMMED_OPACITY: f64 = 0.35;
/// What is drawn beyond the edge of the plot, so that lines do not end before it.
pub(super) const OVERLAP_PX: f64 = 8.0;
/// Points farther away than this are moved here: nobody sees the difference in a line's slope.
const FARTHEST_PX: f64 = 1e7;

/// Returns the size of the dots that go with a line of this width.
pub(super) fn dot_diameter_px(width_px: f64) -> f64 {
    width_px * 1.6 + 1.6
}

/// Draws all curves of a plot, those that undo took away first.
pub(super) fn draw(markup: &mut Markup, panel: &Panel<'_>, clip_id: &str) {
    if panel.picture.curves.is_empty() {
        return;
    }
    let group = markup.tag("g").with("clip-path", format!("url(#{clip_id})"));
    let group = group.with("fill", "none").with("stroke-linejoin", "round");
    group.with("stroke-linecap", "round").children();
    let (dimmed, present): (Vec<_>, Vec<_>) =
        panel.picture.curves.iter().partition(|curve| curve.dimmed);
    for curve in dimmed.into_iter().chain(present) {
        draw_curve(markup, panel, curve);
    }
    markup.close();
}

fn draw_curve(markup: &mut Markup, panel: &Panel<'_>, curve: &CurveTrace) {
    let span = match curve.side {
        Side::Left => panel.spans.left,
        Side::Right => panel.spans.right,
    };
    let Some(span) = span else { return };
    let vertices =
        thin(project(curve, panel.spans.x, span, panel.plot), panel.plot.left..=panel.plot.right());
    let area = panel.plot.grown(OVERLAP_PX);
    let width = curve.line_width_px();
    match curve.style {
        CurveStyle::Line => stroke(markup, curve, &line(&vertices, &area), width),
        CurveStyle::Step => stroke(markup, curve, &line(&steps(&vertices), &area), width),
        CurveStyle::Points => {
            stroke(markup, curve, &dots(&vertices, &area), dot_diameter_px(width));
        }
        CurveStyle::LinePoints => {
            stroke(markup, curve, &line(&vertices, &area), width);
            stroke(markup, curve, &dots(&vertices, &area), dot_diameter_px(width));
        }
    }
}

fn stroke(markup: &mut Markup, curve: &CurveTrace, path: &str, width_px: f64) {
    if path.is_empty() {
        return;
    }
    let tag = markup.tag("path").with("stroke", curve.color).px("stroke-width", width_px);
    let tag = if curve.dimmed { tag.with("opacity", DIMMED_OPACITY) } else { tag };
    tag.with("d", path).empty();
}

/// Returns the samples in pixels, with the number of gaps before each.
fn project(
    curve: &CurveTrace,
    x: Span,
    y: Span,
    plot: Rect,
) -> impl Iterator<Item = Vertex> + Clone {
    let bounded = |value: f64| value.clamp(-FARTHEST_PX, FARTHEST_PX);
    let samples = curve.x.iter().zip(&curve.y);
    let mut stretch = 0;
    samples.filter_map(move |(&at, &value)| {
        if !(at.is_finite() && value.is_finite()) {
            stretch += 1;
            return None;
        }
        Some(Vertex {
            x: bounded(plot.left + x.part(at) * plot.width),
            y: bounded(plot.bottom() - y.part(value) * plot.height),
            stretch,
        })
    })
}

/// Lets each value hold until the next.
fn steps(vertices: &[Vertex]) -> Vec<Vertex> {
    let mut stepped: Vec<Vertex> = Vec::with_capacity(vertices.len() * 2);
    for vertex in vertices {
        if let Some(previous) = stepped.last().copied()
            && previous.stretch == vertex.stretch
            && previous.y != vertex.y
        {
            stepped.push(Vertex { x: vertex.x, ..previous });
        }
        stepped.push(*vertex);
    }
    stepped
}

/// Writes a path along the vertices, as far as it is inside of the area.
fn line(vertices: &[Vertex], area: &Rect) -> String {
    let mut path = String::new();
    for stretch in vertices.chunk_by(|a, b| a.stretch == b.stretch) {
        let mut pen = None;
        if let [alone] = stretch {
            path.push_str(&dots(&[*alone], area));
        }
        for pair in stretch.windows(2) {
            let Some((from, to)) = clip(point(&pair[0]), point(&pair[1]), area) else {
                pen = None;
                continue;
            };
            if pen != Some(from) {
                path.push('M');
                push_point(&mut path, from);
            }
            path.push(if pen == Some(from) { ' ' } else { 'L' });
            push_point(&mut path, to);
            pen = Some(to);
        }
    }
    path
}

/// Writes a path of dots: lines of no length with round ends.
fn dots(vertices: &[Vertex], area: &Rect) -> String {
    let mut path = String::new();
    let inside = |vertex: &&Vertex| {
        (area.left..=area.right()).contains(&vertex.x)
            && (area.top..=area.bottom()).contains(&vertex.y)
    };
    for vertex in vertices.iter().filter(inside) {
        path.push('M');
        push_point(&mut path, point(vertex));
        // Some renderers leave out a line of no length at all.
        path.push_str("h.01");
    }
    path
}

type Point = (f64, f64);

fn point(vertex: &Vertex) -> Point {
    (vertex.x, vertex.y)
}

fn push_point(path: &mut String, (x, y): Point) {
    push_px(path, x);
    path.push(' ');
    push_px(path, y);
}

/// Returns the part of a line that is inside of the area.
fn clip(from: Point, to: Point, area: &Rect) -> Option<(Point, Point)> {
    let (along_x, along_y) = (to.0 - from.0, to.1 - from.1);
    let edges = [
        (-along_x, from.0 - area.left),
        (along_x, area.right() - from.0),
        (-along_y, from.1 - area.top),
        (along_y, area.bottom() - from.1),
    ];
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for (towards, distance) in edges {
        if towards == 0.0 && distance < 0.0 {
            return None;
        }
        if towards < 0.0 {
            enters = enters.max(distance / towards);
        }
        if towards > 0.0 {
            leaves = leaves.min(distance / towards);
        }
    }
    if enters > leaves {
        return None;
    }
    // Ends that are not cut stay exactly where they are, so that the pen finds them again.
    let at = |part: f64| (from.0 + part * along_x, from.1 + part * along_y);
    let start = if enters == 0.0 { from } else { at(enters) };
    let end = if leaves == 1.0 { to } else { at(leaves) };
    Some((start, end))
}

#[cfg(test)]
mod tests;
