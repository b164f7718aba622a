//! The drawing: a sheet as SVG, with places to a hundredth of a pixel.

mod axes;
mod curves;
mod layout;
mod legend;
mod marks;
mod markup;

use layout::Panel;
use markup::Markup;

use crate::theme::Paint;
use crate::{Sheet, font};

/// Draws a sheet as SVG.
///
/// What cannot be drawn leaves a gap or is told in the plot; curves of very many samples are
/// thinned to at most [`MAX_POINTS`](crate::MAX_POINTS) points, with no extreme lost.
pub fn svg(sheet: &Sheet) -> String {
    let arranged = layout::arrange(sheet);
    let paint = sheet.theme.paint();
    let mut markup = Markup::default();
    let (width, height) = (arranged.width, arranged.height);
    let root = markup.tag("svg").with("xmlns", "http://www.w3.org/2000/svg");
    let root = root.px("width", width).px("height", height);
    let root = root.with("viewBox", format!("0 0 {width} {height}"));
    root.with("font-family", font::FAMILIES).children();
    markup
        .tag("rect")
        .px("width", width)
        .px("height", height)
        .with("fill", paint.background)
        .empty();
    for (number, panel) in arranged.panels.iter().enumerate() {
        draw_panel(&mut markup, panel, paint, number);
    }
    markup.finish()
}

fn draw_panel(markup: &mut Markup, panel: &Panel<'_>, paint: &Paint, number: usize) {
    let clip_id = format!("plot{number}");
    // One pixel more, so that a curve along the edge is not cut in half.
    let area = panel.plot.grown(1.0);
    markup.tag("clipPath").with("id", &clip_id).children();
    let rect = markup.tag("rect").px("x", area.left).px("y", area.top);
    rect.px("width", area.width).px("height", area.height).empty();
    markup.close();
    markup.tag("g").children();
    panel.legend.draw(markup, paint, panel.plot.left, panel.legend_top);
    axes::draw_grid(markup, panel, paint);
    axes::draw(markup, panel, paint);
    curves::draw(markup, panel, &clip_id);
    marks::draw(markup, panel, paint);
    axes::draw_remark(markup, panel, paint);
    markup.close();
}
