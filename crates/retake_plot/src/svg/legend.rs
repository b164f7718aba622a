//! The names of the curves, above the plot, where they cover nothing.

use std::collections::BTreeSet;

use super::curves::{DIMMED_OPACITY, dot_diameter_px};
use super::markup::Markup;
use crate::font::{self, Weight};
use crate::theme::Paint;
use crate::{Color, CurveStyle, Picture, Side};

pub(super) const TEXT_PX: f64 = 11.5;
const ROW_PX: f64 = 18.0;
const SAMPLE_PX: f64 = 20.0;
const SAMPLE_GAP_PX: f64 = 6.0;
const ENTRY_GAP_PX: f64 = 18.0;
/// With more rows than this, names are shortened to make more columns.
const FEW_ROWS: usize = 4;
/// Columns are not made narrower than this part of the longest name.
const NARROWEST_PART: f64 = 0.6;

/// One name with its line.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    label: String,
    /// What is never shortened.
    suffix: &'static str,
    color: Color,
    style: CurveStyle,
    width_px: f64,
    dimmed: bool,
}

/// Names, and where they stand relative to the upper left corner of the legend.
#[derive(Clone, Debug, Default)]
pub(super) struct Legend {
    placed: Vec<(f64, f64, Entry)>,
    /// How many names found no room, and where this is told.
    more: Option<(f64, f64, usize)>,
    /// Height of all rows.
    pub height_px: f64,
}

impl Legend {
    /// Arranges the names of a picture in rows of `width_px`; what does not fit into `height_px`
    /// is counted only.
    pub(super) fn arrange(picture: &Picture, width_px: f64, height_px: f64) -> Self {
        let entries = if picture.legend { entries(picture) } else { Vec::new() };
        let most_rows = (height_px.max(0.0) / ROW_PX) as usize;
        if entries.is_empty() || most_rows == 0 {
            return Self::default();
        }
        place(columns(entries, width_px), most_rows)
    }

    /// Draws the legend with its upper left corner at this place.
    pub(super) fn draw(&self, markup: &mut Markup, paint: &Paint, left: f64, top: f64) {
        if self.placed.is_empty() {
            return;
        }
        markup.tag("g").px("font-size", TEXT_PX).with("fill", paint.text).children();
        for (x, y, entry) in &self.placed {
            entry.draw(markup, left + x, top + y);
        }
        if let Some((x, y, count)) = self.more {
            let text = markup.tag("text").px("x", left + x).px("y", baseline(top + y));
            text.with("fill", paint.faint_text).text(&format!("and {count} more"));
        }
        markup.close();
    }
}

fn baseline(row_top: f64) -> f64 {
    row_top + ROW_PX / 2.0 + TEXT_PX * 0.36
}

/// Collects the names, each once; a stretch that undo took away counts only when nothing else has
/// its name.
fn entries(picture: &Picture) -> Vec<Entry> {
    let sides = |side| picture.curves.iter().any(|curve| curve.side == side);
    let both_sides = sides(Side::Left) && sides(Side::Right);
    let mut entries: Vec<Entry> = Vec::new();
    for curve in picture.curves.iter().filter(|curve| !curve.label.is_empty()) {
        let right = both_sides && curve.side == Side::Right;
        let suffix = if right { " (right)" } else { "" };
        let same = |entry: &&mut Entry| {
            (&entry.label, entry.suffix, entry.color) == (&curve.label, suffix, curve.color)
        };
        if let Some(entry) = entries.iter_mut().find(same) {
            entry.dimmed &= curve.dimmed;
            continue;
        }
        entries.push(Entry {
            label: curve.label.clone(),
            suffix,
            color: curve.color,
            style: curve.style,
            width_px: curve.line_width_px(),
            dimmed: curve.dimmed,
        });
    }
    entries
}

/// Names that fit into their columns.
struct Columns {
    starts: Vec<f64>,
    entries: Vec<Entry>,
}

/// Puts all names into one row, or into as many equal columns as hold them; shortens them when that
/// saves rows and they can still be told apart.
fn columns(entries: Vec<Entry>, width_px: f64) -> Columns {
    let widths: Vec<f64> = entries.iter().map(Entry::width_px).collect();
    let space = width_px + ENTRY_GAP_PX;
    if widths.iter().sum::<f64>() <= space {
        return one_after_another(entries, &widths);
    }
    let widest = widths.iter().copied().fold(0.0, f64::max);
    let unshortened = ((space / widest) as usize).max(1);
    let most = ((space / (widest * NARROWEST_PART)) as usize).max(unshortened);
    let rows = |count: usize| entries.len().div_ceil(count);
    let wanted = (unshortened..=most).find(|count| rows(*count) <= FEW_ROWS).unwrap_or(most);
    let tries = (unshortened..=wanted).rev().map(|count| equal_columns(&entries, count, space));
    let distinct = |columns: &Columns| {
        let labels: BTreeSet<&str> = columns.entries.iter().map(|e| e.label.as_str()).collect();
        labels.len() == entries.len()
    };
    let fallback = equal_columns(&entries, unshortened, space);
    tries.into_iter().find(distinct).unwrap_or(fallback)
}

fn one_after_another(entries: Vec<Entry>, widths: &[f64]) -> Columns {
    let mut next = 0.0;
    let start = |width: &f64| {
        let start = next;
        next += width;
        start
    };
    Columns { starts: widths.iter().map(start).collect(), entries }
}

fn equal_columns(entries: &[Entry], count: usize, space: f64) -> Columns {
    let widest = entries.iter().map(Entry::width_px).fold(0.0, f64::max);
    let width = widest.min(space / count as f64);
    let shorten = |entry: &Entry| entry.shortened(width - SAMPLE_PX - SAMPLE_GAP_PX - ENTRY_GAP_PX);
    Columns {
        starts: (0..count).map(|column| column as f64 * width).collect(),
        entries: entries.iter().map(shorten).collect(),
    }
}

fn place(columns: Columns, most_rows: usize) -> Legend {
    let Columns { starts, entries } = columns;
    let per_row = starts.len().max(1);
    let room = per_row * most_rows;
    // The last place tells how many are missing.
    let shown = if entries.len() > room { room - 1 } else { entries.len() };
    let place_of = |number: usize| (starts[number % per_row], (number / per_row) as f64 * ROW_PX);
    let more = (shown < entries.len()).then(|| {
        let (x, y) = place_of(shown);
        (x, y, entries.len() - shown)
    });
    let rows = entries.len().min(room).div_ceil(per_row);
    let put = |(number, entry)| {
        let (x, y) = place_of(number);
        (x, y, entry)
    };
    let placed = entries.into_iter().take(shown).enumerate().map(put).collect();
    Legend { placed, more, height_px: rows as f64 * ROW_PX }
}

impl Entry {
    /// Width with the gap to the next name.
    fn width_px(&self) -> f64 {
        let width = |text: &str| font::width_px(text, TEXT_PX, Weight::Regular);
        SAMPLE_PX + SAMPLE_GAP_PX + width(&self.label) + width(self.suffix) + ENTRY_GAP_PX
    }

    fn shortened(&self, most_px: f64) -> Self {
        let room = most_px - font::width_px(self.suffix, TEXT_PX, Weight::Regular);
        let label = font::shortened(&self.label, TEXT_PX, Weight::Regular, room);
        Self { label, ..self.clone() }
    }

    fn draw(&self, markup: &mut Markup, left: f64, top: f64) {
        let (middle, right) = (top + ROW_PX / 2.0, left + SAMPLE_PX);
        let path = match self.style {
            CurveStyle::Line | CurveStyle::LinePoints => {
                format!("M{left:.2} {middle:.2}H{right:.2}")
            }
            CurveStyle::Step => {
                let (low, high, half) = (middle + 3.0, middle - 3.0, left + SAMPLE_PX / 2.0);
                format!("M{left:.2} {low:.2}H{half:.2}V{high:.2}H{right:.2}")
            }
            CurveStyle::Points => String::new(),
        };
        if self.dimmed {
            markup.tag("g").with("opacity", DIMMED_OPACITY).children();
        }
        if !path.is_empty() {
            let line = markup.tag("path").with("d", path).with("fill", "none");
            let width = self.width_px.clamp(1.0, 4.0);
            line.with("stroke", self.color).px("stroke-width", width).empty();
        }
        if matches!(self.style, CurveStyle::Points | CurveStyle::LinePoints) {
            let dot = markup.tag("circle").px("cx", left + SAMPLE_PX / 2.0).px("cy", middle);
            let radius = dot_diameter_px(self.width_px).min(8.0) / 2.0;
            dot.px("r", radius).with("fill", self.color).empty();
        }
        if self.dimmed {
            markup.close();
        }
        let text = markup.tag("text").px("x", right + SAMPLE_GAP_PX).px("y", baseline(top));
        text.text(&format!("{}{}", self.label, self.suffix));
    }
}
