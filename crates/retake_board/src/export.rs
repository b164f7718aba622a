//! Pictures and tables of plots.

use std::collections::BTreeSet;
use std::sync::Arc;

use retake_msgs::{Plot, PlotAxis, plot, plot_curve};
use retake_plot::{
    AxisSpec, Color, CurveStyle, CurveTrace, Mark, MarkKind, Picture, PictureError, Sheet, Side,
    Size, Table, TableColumn, TableError, Theme,
};
use thiserror::Error;

use crate::frame::{Curve, PlainTrace};
use crate::{Board, Window};

/// What a plot, or all plots of a tab, are to be made into.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// Which.
    pub subject: Subject,
    /// Into what.
    pub format: Format,
    /// First and last instant in seconds; none is all there is for tables, and what the plot shows
    /// by itself for pictures.
    pub range: Option<(f64, f64)>,
    /// Size of each plot of a picture.
    pub size: Size,
    /// Colours of a picture.
    pub theme: Theme,
}

/// One plot, or all plots of a tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A plot, by its id.
    Plot(String),
    /// A tab, by its id.
    Tab(String),
}

/// What can be made of plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A drawing.
    Svg,
    /// Pixels.
    Png,
    /// A page.
    Pdf,
    /// A table as text.
    Csv,
    /// A table in columns.
    Parquet,
}

/// Why nothing came of it.
#[derive(Debug, Error)]
pub enum ExportError {
    /// There is no such plot or tab.
    #[error("There is no plot or tab {id:?}")]
    NoSuchPlot {
        /// What was asked for.
        id: String,
    },
    /// There is nothing to write.
    #[error("The plot has no samples in this range")]
    Empty,
    /// The picture cannot be made.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The table cannot be made.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Pixels of a picture for each pixel of the drawing, so that it can be printed.
const PNG_SCALE: f64 = 2.0;

impl Format {
    /// Finds a format by the end of a file's name.
    pub fn of_file(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension.to_ascii_lowercase().as_str() {
            "svg" => Self::Svg,
            "png" => Self::Png,
            "pdf" => Self::Pdf,
            "csv" => Self::Csv,
            "parquet" => Self::Parquet,
            _ => return None,
        })
    }

    /// Returns the media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
            Self::Pdf => "application/pdf",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Parquet => "application/vnd.apache.parquet",
        }
    }

    /// Says whether it is a table, not a picture.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Csv | Self::Parquet)
    }
}

impl Board {
    /// Gathers what a picture or table needs; [`Export::write`] makes it, without the board.
    ///
    /// # Errors
    /// [`ExportError::NoSuchPlot`] or [`ExportError::Empty`].
    pub fn export(&mut self, wish: &Wish) -> Result<Export, ExportError> {
        let plots = self.plots_of(&wish.subject)?;
        match wish.format.is_table() {
            true => self.table(&plots, wish.range).map(|table| Export::Table(table, wish.format)),
            false => {
                let panels = plots.iter().map(|plot| self.picture(plot, wish)).collect();
                let sheet = Sheet { theme: wish.theme, columns: 1, panels };
                Ok(Export::Sheet(sheet, wish.format))
            }
        }
    }

    fn plots_of(&self, subject: &Subject) -> Result<Vec<Plot>, ExportError> {
        let none = |id: &String| ExportError::NoSuchPlot { id: id.clone() };
        match subject {
            Subject::Plot(id) => Ok(vec![self.plot(id).ok_or_else(|| none(id))?.clone()]),
            Subject::Tab(id) => {
                let tab = self.layout().tab.iter().find(|tab| tab.id == *id);
                tab.map(|tab| tab.plot.clone()).ok_or_else(|| none(id))
            }
        }
    }

    fn table(&mut self, plots: &[Plot], range: Option<(f64, f64)>) -> Result<Table, ExportError> {
        let (from, to) = range.unwrap_or((f64::MIN, f64::MAX));
        let mut columns: Vec<TableColumn> = Vec::new();
        let mut shared: Arc<[f64]> = Arc::new([]);
        let mut named = BTreeSet::new();
        for plot in plots {
            for Curve { curve, traces } in self.samples(&plot.id, from, to).unwrap_or_default() {
                // What is drawn twice is written once, under the name by which it is read again.
                let name = match curve.run.is_empty() {
                    true => curve.signal.clone(),
                    false => self.label(&curve),
                };
                if !named.insert(name.clone()) {
                    continue;
                }
                for PlainTrace { x, y, .. } in traces.into_iter().filter(|t| !t.x.is_empty()) {
                    if *shared != *x {
                        shared = x.into();
                    }
                    let unit = self.unit(plot, &curve);
                    columns.push(TableColumn::new(&name, &unit, Arc::clone(&shared), y)?);
                }
            }
        }
        match columns.is_empty() {
            true => Err(ExportError::Empty),
            false => Ok(Table::new(columns)?),
        }
    }

    fn picture(&mut self, plot: &Plot, wish: &Wish) -> Picture {
        let (from_secs, to_secs) = wish.range.unzip();
        let pixels = wish.size.width_px as usize * 2;
        let window = Window { from_secs, to_secs, pixels };
        let drawn = self.drawn(&plot.id, window);
        let (from, to, curves) = drawn.unwrap_or((0.0, 1.0, Vec::new()));
        let mut picture = Picture::new(wish.size);
        picture.title.clone_from(&plot.title);
        (picture.legend, picture.grid) = (!plot.hide_legend, !plot.hide_grid);
        picture.x = self.x_axis(plot, (from, to));
        picture.left = self.y_axis(plot, &curves, Side::Left);
        picture.right = self.y_axis(plot, &curves, Side::Right);
        if plot.kind() == plot::Kind::Time {
            let inside = self.live().jumps.iter().filter(|j| (from..=to).contains(&j.to_secs));
            let mark = |jump: &retake_msgs::PlotJump| Mark {
                x: jump.to_secs,
                label: jump.cause.clone(),
                kind: MarkKind::Jump,
            };
            picture.marks = inside.map(mark).collect();
        }
        for Curve { curve, traces } in curves {
            let number = plot.curve.iter().position(|known| known.id == curve.id).unwrap_or(0);
            let label = self.label(&curve);
            picture.curves.extend(traces.into_iter().map(|trace| CurveTrace {
                label: label.clone(),
                color: curve.color.parse().unwrap_or(Color::of_curve(number)),
                width_px: if curve.width > 0.0 { curve.width } else { 1.5 },
                style: style_of(curve.style()),
                side: side_of(curve.right_axis),
                dimmed: trace.discarded,
                x: trace.x,
                y: trace.y,
            }));
        }
        picture
    }

    fn x_axis(&self, plot: &Plot, range: (f64, f64)) -> AxisSpec {
        let given = plot.x.as_ref().map(|axis| axis.title.clone()).unwrap_or_default();
        let titled = |title: &str| if given.is_empty() { title.to_owned() } else { given.clone() };
        match plot.kind() {
            plot::Kind::Time => {
                AxisSpec { title: titled("Time"), unit: "s".to_owned(), range: Some(range) }
            }
            plot::Kind::Xy => {
                let first = plot.curve.first().map(|curve| curve.x_signal.clone());
                let title = titled(&first.unwrap_or_default());
                AxisSpec { title, unit: String::new(), range: fixed(plot.x.as_ref()) }
            }
            plot::Kind::Spectrum => {
                let (title, unit) = (titled("Frequency"), "Hz".to_owned());
                AxisSpec { title, unit, range: fixed(plot.x.as_ref()) }
            }
        }
    }

    /// The unit stands at the axis when all of its curves share one.
    fn y_axis(&self, plot: &Plot, curves: &[Curve], side: Side) -> AxisSpec {
        let axis = match side {
            Side::Left => plot.left.as_ref(),
            Side::Right => plot.right.as_ref(),
        };
        let on_side = curves.iter().filter(|curve| side_of(curve.curve.right_axis) == side);
        let mut units: Vec<String> = on_side.map(|curve| self.unit(plot, &curve.curve)).collect();
        units.dedup();
        let unit = match units.as_slice() {
            [unit] => unit.clone(),
            _ => String::new(),
        };
        let title = axis.map(|axis| axis.title.clone()).unwrap_or_default();
        AxisSpec { title, unit, range: fixed(axis) }
    }
}

/// What a picture or table is made of.
pub enum Export {
    /// A picture.
    Sheet(Sheet, Format),
    /// A table.
    Table(Table, Format),
}

impl Export {
    /// Makes the file.
    ///
    /// # Errors
    /// [`ExportError`] when it cannot be made.
    pub fn write(&self) -> Result<Vec<u8>, ExportError> {
        match self {
            Self::Sheet(sheet, Format::Png) => {
                Ok(retake_plot::png(&retake_plot::svg(sheet), PNG_SCALE)?)
            }
            Self::Sheet(sheet, Format::Pdf) => Ok(retake_plot::pdf(&retake_plot::svg(sheet))?),
            Self::Sheet(sheet, _) => Ok(retake_plot::svg(sheet).into_bytes()),
            Self::Table(table, Format::Parquet) => {
                let mut bytes = Vec::new();
                retake_plot::parquet(&mut bytes, table)?;
                Ok(bytes)
            }
            Self::Table(table, _) => {
                let mut bytes = Vec::new();
                retake_plot::csv(&mut bytes, table)?;
                Ok(bytes)
            }
        }
    }
}

/// A range that is given on both sides; else the values decide.
fn fixed(axis: Option<&PlotAxis>) -> Option<(f64, f64)> {
    let axis = axis?;
    match (axis.min, axis.max) {
        (None, None) => None,
        (min, max) => Some((min.unwrap_or(f64::NAN), max.unwrap_or(f64::NAN))),
    }
}

fn side_of(right: bool) -> Side {
    if right { Side::Right } else { Side::Left }
}

fn style_of(style: plot_curve::Style) -> CurveStyle {
    match style {
        plot_curve::Style::Line => CurveStyle::Line,
        plot_curve::Style::Points => CurveStyle::Points,
        plot_curve::Style::Step => CurveStyle::Step,
        plot_curve::Style::LinePoints => CurveStyle::LinePoints,
    }
}
