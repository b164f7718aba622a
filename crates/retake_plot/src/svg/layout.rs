//! Where everything on a sheet stands.

use super::legend::Legend;
use crate::font::{self, Weight};
use crate::range::{Span, Spans};
use crate::ticks::{LEAST_ASKED, Ticks};
use crate::{Picture, Sheet};

pub(super) const PADDING_PX: f64 = 12.0;
pub(super) const TICK_TEXT_PX: f64 = 11.0;
pub(super) const CAPTION_TEXT_PX: f64 = 12.0;
pub(super) const TITLE_TEXT_PX: f64 = 13.5;
/// From the axis to the labels of its ticks.
pub(super) const LABEL_GAP_PX: f64 = 7.0;
/// Below everything.
const BOTTOM_PX: f64 = 8.0;
const TITLE_ROW_PX: f64 = 22.0;
const CAPTION_ROW_PX: f64 = 19.0;
const LABEL_ROW_PX: f64 = 20.0;
const NOTE_ROW_PX: f64 = 14.0;
/// Width left and right of a plot that is kept free at least, so that plots mostly are in line even
/// on different sheets.
const LEAST_LEFT_PX: f64 = 68.0;
const LEAST_RIGHT_PX: f64 = 24.0;
const LEAST_PLOT_PX: f64 = 40.0;
/// Height that a legend leaves to the plot at least.
const PLOT_BESIDE_LEGEND_PX: f64 = 70.0;
const MOST_TICKS: usize = 12;

/// A rectangle in pixels, y downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// A plot with everything in its place.
pub(super) struct Panel<'a> {
    pub picture: &'a Picture,
    pub outer: Rect,
    pub plot: Rect,
    pub legend: Legend,
    pub legend_top: f64,
    pub spans: Spans,
    pub x_ticks: Ticks,
    pub left_ticks: Option<Ticks>,
    pub right_ticks: Option<Ticks>,
}

/// All plots, and the size of the sheet.
pub(super) struct Arranged<'a> {
    pub width: f64,
    pub height: f64,
    pub panels: Vec<Panel<'a>>,
}

/// Widths of the columns for labels beside a plot.
#[derive(Clone, Copy)]
struct Gutters {
    left: f64,
    right: f64,
}

impl Rect {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Returns the rectangle with its edges in the middle of pixels.
    fn sharp(&self) -> Self {
        let (left, top) = (sharp(self.left), sharp(self.top));
        let (width, height) = (sharp(self.right()) - left, sharp(self.bottom()) - top);
        Self { left, top, width, height }
    }

    /// Returns the rectangle with `px` more on every side.
    pub(super) fn grown(&self, px: f64) -> Self {
        Self {
            left: self.left - px,
            top: self.top - px,
            width: self.width + 2.0 * px,
            height: self.height + 2.0 * px,
        }
    }
}

/// Returns the middle of a pixel nearby: thin lines are sharp there.
pub(super) fn sharp(place: f64) -> f64 {
    (place - 0.5).round() + 0.5
}

/// Finds a place for every plot of a sheet and for everything in it.
pub(super) fn arrange(sheet: &Sheet) -> Arranged<'_> {
    let columns = sheet.columns.clamp(1, sheet.panels.len().max(1));
    let (outer, width, height) = cells(&sheet.panels, columns);
    let spans: Vec<Spans> = sheet.panels.iter().map(Spans::of).collect();
    let drafts = sheet.panels.iter().zip(&outer).zip(&spans);
    let needed: Vec<Gutters> = drafts
        .map(|((picture, outer), spans)| {
            Gutters::needed(&Panel::place(picture, *outer, *spans, Gutters::LEAST))
        })
        .collect();
    let column_gutters = |number: usize| {
        let column = needed.iter().skip(number % columns).step_by(columns);
        column.fold(Gutters::LEAST, |all, one| all.or(one))
    };
    let place = |(number, picture)| {
        Panel::place(picture, outer[number], spans[number], column_gutters(number))
    };
    Arranged { width, height, panels: sheet.panels.iter().enumerate().map(place).collect() }
}

/// Divides the sheet: columns as wide and rows as high as the largest plot in them.
fn cells(panels: &[Picture], columns: usize) -> (Vec<Rect>, f64, f64) {
    let mut widths = vec![0.0_f64; columns];
    let mut heights = vec![0.0_f64; panels.len().div_ceil(columns)];
    for (number, picture) in panels.iter().enumerate() {
        let size = picture.size.drawable();
        let (column, row) = (number % columns, number / columns);
        widths[column] = widths[column].max(f64::from(size.width_px));
        heights[row] = heights[row].max(f64::from(size.height_px));
    }
    let before = |sizes: &[f64], number: usize| sizes[..number].iter().sum::<f64>();
    let cell = |number: usize| {
        let (column, row) = (number % columns, number / columns);
        Rect {
            left: before(&widths, column),
            top: before(&heights, row),
            width: widths[column],
            height: heights[row],
        }
    };
    let total = |sizes: &[f64], least: u32| sizes.iter().sum::<f64>().max(f64::from(least));
    let least = crate::Size::SMALLEST;
    let all = (0..panels.len()).map(cell).collect();
    (all, total(&widths, least.width_px), total(&heights, least.height_px))
}

impl Gutters {
    const LEAST: Self = Self { left: LEAST_LEFT_PX, right: LEAST_RIGHT_PX };

    fn or(self, other: &Self) -> Self {
        Self { left: self.left.max(other.left), right: self.right.max(other.right) }
    }

    /// Returns what the labels of a panel need.
    fn needed(panel: &Panel<'_>) -> Self {
        let side = |ticks: &Option<Ticks>, caption: &str, least: f64| {
            let Some(ticks) = ticks else { return least };
            let caption = if caption.is_empty() { 0.0 } else { CAPTION_ROW_PX };
            let note = if ticks.note.summand.is_empty() { note_width(ticks) } else { 0.0 };
            PADDING_PX + caption + label_width(ticks).max(note) + LABEL_GAP_PX
        };
        let picture = panel.picture;
        Self {
            left: side(&panel.left_ticks, &picture.left.caption(), LEAST_LEFT_PX),
            right: side(&panel.right_ticks, &picture.right.caption(), LEAST_RIGHT_PX),
        }
    }
}

fn label_width(ticks: &Ticks) -> f64 {
    let width = |label: &String| font::width_px(label, TICK_TEXT_PX, Weight::Regular);
    ticks.labels.iter().map(width).fold(0.0, f64::max)
}

fn note_width(ticks: &Ticks) -> f64 {
    if ticks.note.is_empty() {
        0.0
    } else {
        font::width_px("×1000", TICK_TEXT_PX, Weight::Regular)
    }
}

impl<'a> Panel<'a> {
    fn place(picture: &'a Picture, outer: Rect, spans: Spans, gutters: Gutters) -> Self {
        // Narrow plots keep a little room even when labels are long.
        let wanted = outer.width - gutters.left - gutters.right;
        let left = outer.left + gutters.left;
        let width = wanted.max(LEAST_PLOT_PX);
        let title = if picture.title.is_empty() { 0.0 } else { TITLE_ROW_PX };
        let legend_top = outer.top + PADDING_PX + title;
        let notes = notes_space(&spans);
        let below = LABEL_ROW_PX + x_caption_space(picture, spans.x) + BOTTOM_PX;
        let room = outer.bottom() - below - notes - legend_top - PLOT_BESIDE_LEGEND_PX;
        let legend = Legend::arrange(picture, width, room);
        let legend_space = if legend.height_px > 0.0 { legend.height_px + 6.0 } else { 4.0 };
        let top = legend_top + legend_space + notes;
        let height = (outer.bottom() - below - top).max(LEAST_PLOT_PX);
        let plot = Rect { left, top, width, height }.sharp();
        let vertical =
            |span: Option<Span>| span.map(|span| Ticks::choose(span, tick_count(height / 38.0)));
        Self {
            picture,
            outer,
            plot,
            legend,
            legend_top,
            x_ticks: horizontal_ticks(spans.x, width),
            left_ticks: vertical(spans.left),
            right_ticks: vertical(spans.right),
            spans,
        }
    }
}

/// Returns how many ticks to ask for when so many have room.
fn tick_count(wanted: f64) -> usize {
    (wanted as usize).clamp(LEAST_ASKED, MOST_TICKS)
}

/// Chooses as many ticks as have labels that do not touch.
fn horizontal_ticks(span: Span, width: f64) -> Ticks {
    // Wide plots have ticks farther apart: they are read by the curve, not by the tick.
    let most = tick_count(4.0 + width / 160.0);
    let fits = |ticks: &Ticks| {
        let distance = width * (ticks.values[1] - ticks.values[0]) / span.width();
        label_width(ticks) + 12.0 <= distance
    };
    let candidates = (LEAST_ASKED..=most).rev().map(|most| Ticks::choose(span, most));
    let fewest = Ticks::choose(span, LEAST_ASKED);
    candidates.into_iter().find(fits).unwrap_or(fewest)
}

/// Returns the room above the plot that notes of the vertical axes need.
///
/// Short ones stand beside the legend, above the labels.
fn notes_space(spans: &Spans) -> f64 {
    let long = |span: &Span| !Ticks::choose(*span, MOST_TICKS).note.summand.is_empty();
    let any_long = [spans.left, spans.right].iter().flatten().any(long);
    if any_long { NOTE_ROW_PX } else { 4.0 }
}

fn x_caption_space(picture: &Picture, span: Span) -> f64 {
    let silent = picture.x.caption().is_empty();
    if silent && Ticks::choose(span, MOST_TICKS).note.is_empty() { 0.0 } else { CAPTION_ROW_PX }
}
