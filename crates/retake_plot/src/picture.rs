//! What is to be seen: plain data, without a word on how it is drawn.

use crate::Color;

/// Several plots in one picture: the plots of a tab, or a single one.
///
/// The plots of one column have their left and their right edges in line.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Light or dark.
    pub theme: Theme,
    /// How many plots stand side by side; zero counts as one.
    pub columns: usize,
    /// The plots, row by row.
    pub panels: Vec<Picture>,
}

/// Background and text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white, for paper.
    #[default]
    Light,
    /// Light on nearly black, as the page is by default.
    Dark,
}

/// One plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Space for the plot with its titles and its legend.
    pub size: Size,
    /// Heading; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: AxisSpec,
    /// The vertical axis on the left.
    pub left: AxisSpec,
    /// The vertical axis on the right, drawn when a curve belongs to it.
    pub right: AxisSpec,
    /// The curves; later ones lie on top.
    pub curves: Vec<CurveTrace>,
    /// Instants to point out.
    pub marks: Vec<Mark>,
    /// Whether the names of the curves stand above the plot.
    pub legend: bool,
    /// Whether lines go through the plot at the ticks.
    pub grid: bool,
}

/// A size in pixels, a pixel being 1/96 inch in print.
///
/// Drawing keeps it within [`Size::SMALLEST`] and [`Size::LARGEST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Width.
    pub width_px: u32,
    /// Height.
    pub height_px: u32,
}

/// A title, a unit and a range.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AxisSpec {
    /// What is measured; may be empty.
    pub title: String,
    /// Its unit, shown in brackets; may be empty.
    pub unit: String,
    /// First and last value to be seen. `None`, or a bound that is not finite, leaves the choice
    /// to the data.
    pub range: Option<(f64, f64)>,
}

/// One curve, or a stretch of one.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveTrace {
    /// Name in the legend. Traces with the same name and colour share an entry.
    pub label: String,
    /// Colour.
    pub color: Color,
    /// Width of the line; kept between 0.2 and 20.
    pub width_px: f64,
    /// How the samples are joined.
    pub style: CurveStyle,
    /// The axis that the values belong to.
    pub side: Side,
    /// Whether undo took this stretch away: it is drawn faintly, below the others.
    pub dimmed: bool,
    /// Where the samples lie on the horizontal axis.
    pub x: Vec<f64>,
    /// The values. One that is not finite is a gap in the curve; those beyond the length of `x`
    /// are not drawn.
    pub y: Vec<f64>,
}

/// How the samples of a curve are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveStyle {
    /// By straight lines.
    #[default]
    Line,
    /// Not at all: a dot each.
    Points,
    /// Each value holds until the next.
    Step,
    /// By straight lines, with a dot each.
    LinePoints,
}

/// One of the two vertical axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The axis on the left.
    #[default]
    Left,
    /// The axis on the right.
    Right,
}

/// A vertical line at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where, on the horizontal axis. A mark outside of the range is not drawn.
    pub x: f64,
    /// What stands beside it; may be empty.
    pub label: String,
    /// What it is.
    pub kind: MarkKind,
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A measuring cursor.
    Cursor,
    /// A jump in time.
    Jump,
}

impl Sheet {
    /// Puts a single plot on a sheet.
    pub fn of_one(picture: Picture, theme: Theme) -> Self {
        Self { theme, columns: 1, panels: vec![picture] }
    }
}

impl Picture {
    /// Makes a plot without curves, with legend and grid.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            title: String::new(),
            x: AxisSpec::default(),
            left: AxisSpec::default(),
            right: AxisSpec::default(),
            curves: Vec::new(),
            marks: Vec::new(),
            legend: true,
            grid: true,
        }
    }
}

impl Size {
    /// Below this there is no room for the axes.
    pub const SMALLEST: Self = Self { width_px: 240, height_px: 160 };
    /// Above this pictures cost more memory than they are worth.
    pub const LARGEST: Self = Self { width_px: 8192, height_px: 8192 };

    /// Returns the nearest size that can be drawn.
    pub(crate) fn drawable(self) -> Self {
        let width = self.width_px.clamp(Self::SMALLEST.width_px, Self::LARGEST.width_px);
        let height = self.height_px.clamp(Self::SMALLEST.height_px, Self::LARGEST.height_px);
        Self { width_px: width, height_px: height }
    }
}

impl AxisSpec {
    /// Makes an axis that fits its range to the data.
    pub fn new(title: &str, unit: &str) -> Self {
        Self { title: title.to_owned(), unit: unit.to_owned(), range: None }
    }

    /// Returns title and unit as they are written along the axis.
    pub(crate) fn caption(&self) -> String {
        match (self.title.as_str(), self.unit.as_str()) {
            (title, "") => title.to_owned(),
            ("", unit) => format!("[{unit}]"),
            (title, unit) => format!("{title} [{unit}]"),
        }
    }
}

impl CurveTrace {
    /// Makes a plain line on the left axis.
    pub fn new(label: &str, color: Color, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self {
            label: label.to_owned(),
            color,
            width_px: 1.5,
            style: CurveStyle::Line,
            side: Side::Left,
            dimmed: false,
            x,
            y,
        }
    }

    /// Returns the width that is drawn.
    pub(crate) fn line_width_px(&self) -> f64 {
        if self.width_px.is_finite() { self.width_px.clamp(0.2, 20.0) } else { 1.5 }
    }

    /// Returns the samples in order, a gap as `None`.
    pub(crate) fn samples(&self) -> impl Iterator<Item = Option<(f64, f64)>> + '_ {
        let pairs = self.x.iter().zip(&self.y);
        pairs.map(|(&x, &y)| (x.is_finite() && y.is_finite()).then_some((x, y)))
    }
}
