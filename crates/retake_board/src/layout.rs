//! Layouts: read from files, printed, and checked.

use std::collections::BTreeSet;

use prost_reflect::prost::Message;
use prost_reflect::{DynamicMessage, SerializeOptions};
use retake_msgs::{Plot, PlotAxis, PlotCurve, PlotLayout};
use serde_json::Deserializer;
use thiserror::Error;

use crate::bounds;

/// Version of the file format that is written.
const VERSION: u32 = 1;
/// Most plots, curves, derived items and runs of a layout, each.
const MAX_PARTS: usize = 1000;
/// Longest text of a layout, in bytes; expressions have their own bound.
const MAX_TEXT: usize = 4096;
/// Largest layout file.
const MAX_FILE: usize = 4 * 1024 * 1024;

/// Why a layout cannot be used.
#[derive(Debug, Error)]
pub enum LayoutError {
    /// The file is no JSON, or says something else than a layout.
    #[error("This is no layout, line {line}, column {column}: {reason}")]
    Unreadable {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the reader said.
        reason: String,
    },
    /// The file is of a later version.
    #[error("The layout is of version {found}, and only version {VERSION} can be read")]
    Version {
        /// What it says.
        found: u32,
    },
    /// It is too large.
    #[error("A layout has at most {limit} {what}, and this one has {count}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Curves and expressions name too many signals.
    #[error(
        "A layout needs at most {limit} signals, those of expressions counted for each and at each rate, and this one needs more. Show fewer, or at fewer rates"
    )]
    TooManySignals {
        /// How many there may be.
        limit: usize,
    },
    /// Functions that look back keep too many samples.
    #[error(
        "The derived item {item:?} goes beyond the limit: functions that look back keep {sum} samples in this layout, each item counted at each of its rates, and may keep {limit}. Look back on fewer"
    )]
    TooMuchKept {
        /// The first derived item that goes beyond.
        item: String,
        /// How many samples all derived items keep.
        sum: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Two parts have one id, or one has none.
    #[error("{what} {id:?} is there twice or has no name. Give each a name of its own")]
    NotUnique {
        /// What it names.
        what: &'static str,
        /// The id.
        id: String,
    },
    /// A number or text makes no sense.
    #[error("{what} of {subject:?} is {found}; write {expected}")]
    BadValue {
        /// Which.
        what: &'static str,
        /// Of what.
        subject: String,
        /// What stands there.
        found: String,
        /// What should stand there.
        expected: &'static str,
    },
}

/// Reads a layout file.
///
/// # Errors
/// [`LayoutError`] with the place, or with what is wrong.
pub fn layout_from_json(text: &str) -> Result<PlotLayout, LayoutError> {
    let unreadable = |error: serde_json::Error| LayoutError::Unreadable {
        line: error.line(),
        column: error.column(),
        reason: reason_of(&error),
    };
    if text.len() > MAX_FILE {
        return Err(LayoutError::TooMany { what: "bytes", count: text.len(), limit: MAX_FILE });
    }
    let mut reader = Deserializer::from_str(text);
    let message = DynamicMessage::deserialize(descriptor(), &mut reader).map_err(unreadable)?;
    reader.end().map_err(unreadable)?;
    let layout: PlotLayout = message.transcode_to().map_err(|error| LayoutError::Unreadable {
        line: 1,
        column: 1,
        reason: error.to_string(),
    })?;
    if layout.version != VERSION {
        return Err(LayoutError::Version { found: layout.version });
    }
    check(&layout)?;
    Ok(layout)
}

/// Prints a layout as a file.
pub fn layout_to_json(layout: &PlotLayout) -> String {
    let layout = PlotLayout { version: VERSION, ..layout.clone() };
    let mut bytes = Vec::new();
    let mut printer = serde_json::Serializer::pretty(&mut bytes);
    let message = DynamicMessage::decode(descriptor(), layout.encode_to_vec().as_slice());
    let options = SerializeOptions::new();
    let printed =
        message.ok().map(|message| message.serialize_with_options(&mut printer, &options));
    debug_assert!(matches!(printed, Some(Ok(_))), "a layout is always written to memory");
    bytes.push(b'\n');
    String::from_utf8_lossy(&bytes).into_owned()
}

fn descriptor() -> prost_reflect::MessageDescriptor {
    let pool = retake_msgs::descriptor_pool();
    pool.get_message_by_name("retake.msgs.PlotLayout").expect("the pool has all of our messages")
}

/// What the reader said, without the place, which is told apart.
fn reason_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

/// Checks what a client or a file says; what is found later, as a signal that is not there, is no
/// fault.
pub(crate) fn check(layout: &PlotLayout) -> Result<(), LayoutError> {
    let plots: Vec<&Plot> = layout.tab.iter().flat_map(|tab| &tab.plot).collect();
    let curves: Vec<&PlotCurve> = plots.iter().flat_map(|plot| &plot.curve).collect();
    for (what, count) in [
        ("tabs", layout.tab.len()),
        ("plots", plots.len()),
        ("curves", curves.len()),
        ("derived items", layout.derived.len()),
        ("runs", layout.run.len()),
    ] {
        if count > MAX_PARTS {
            return Err(LayoutError::TooMany { what, count, limit: MAX_PARTS });
        }
    }
    unique("tab", layout.tab.iter().map(|tab| &tab.id))?;
    unique("plot", plots.iter().map(|plot| &plot.id))?;
    unique("curve", curves.iter().map(|curve| &curve.id))?;
    unique("derived item", layout.derived.iter().map(|derived| &derived.name))?;
    unique("run", layout.run.iter().map(|run| &run.id))?;
    for derived in &layout.derived {
        text("expression", &derived.name, &derived.expression)?;
        // A copy of it is told with each curve.
        text("unit", &derived.name, &derived.unit)?;
        if !is_identifier(&derived.name) {
            return Err(bad(
                "name",
                &derived.name,
                format!("{:?}", derived.name),
                "letters, digits and _, not beginning with a digit",
            ));
        }
    }
    layout.run.iter().try_for_each(|run| {
        number("offset_secs", &run.id, run.offset_secs, -1e9..=1e9)?;
        text("align_event", &run.id, &run.align_event)?;
        text("title", &run.id, &run.title)?;
        text("file", &run.id, &run.file)
    })?;
    layout.tab.iter().try_for_each(|tab| text("title", &tab.id, &tab.title))?;
    plots.iter().try_for_each(|plot| check_plot(plot))?;
    curves.iter().try_for_each(|curve| check_curve(curve))?;
    bounds::check(layout)
}

fn check_plot(plot: &Plot) -> Result<(), LayoutError> {
    text("title", &plot.id, &plot.title)?;
    number("window_secs", &plot.id, plot.window_secs, 0.0..=1e9)?;
    number("rate_hz", &plot.id, plot.rate_hz, 0.0..=1e6)?;
    number("buffer_secs", &plot.id, plot.buffer_secs, 0.0..=1e9)?;
    let axes = [&plot.x, &plot.left, &plot.right];
    axes.into_iter().flatten().try_for_each(|axis| check_axis(&plot.id, axis))
}

fn check_axis(plot: &str, axis: &PlotAxis) -> Result<(), LayoutError> {
    text("title", plot, &axis.title)?;
    for (what, bound) in [("min", axis.min), ("max", axis.max)] {
        number(what, plot, bound.unwrap_or(0.0), f64::MIN..=f64::MAX)?;
    }
    match (axis.min, axis.max) {
        (Some(min), Some(max)) if min >= max => {
            Err(bad("min", plot, min.to_string(), "a number below max"))
        }
        _ => Ok(()),
    }
}

fn check_curve(curve: &PlotCurve) -> Result<(), LayoutError> {
    let texts = [
        ("signal", &curve.signal),
        ("x_signal", &curve.x_signal),
        ("label", &curve.label),
        ("run", &curve.run),
    ];
    for (what, written) in texts {
        text(what, &curve.id, written)?;
    }
    number("width", &curve.id, curve.width, 0.0..=100.0)?;
    let digits = curve.color.strip_prefix('#').unwrap_or("");
    let is_color = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    match curve.color.is_empty() || is_color {
        true => Ok(()),
        false => {
            let found = format!("{:?}", shortened(&curve.color));
            Err(bad("color", &curve.id, found, "it as in #1f77b4"))
        }
    }
}

fn unique<'a>(
    what: &'static str,
    ids: impl Iterator<Item = &'a String>,
) -> Result<(), LayoutError> {
    let mut seen = BTreeSet::new();
    for id in ids {
        text("id", id, id)?;
        if id.is_empty() || !seen.insert(id) {
            return Err(LayoutError::NotUnique { what, id: id.clone() });
        }
    }
    Ok(())
}

fn text(what: &'static str, subject: &str, written: &str) -> Result<(), LayoutError> {
    match written.len() <= MAX_TEXT {
        true => Ok(()),
        false => {
            let found = format!("{} bytes long", written.len());
            Err(bad(what, &shortened(subject), found, "no more than 4096 bytes"))
        }
    }
}

fn number(
    what: &'static str,
    subject: &str,
    found: f64,
    allowed: std::ops::RangeInclusive<f64>,
) -> Result<(), LayoutError> {
    match allowed.contains(&found) {
        true => Ok(()),
        false => Err(bad(what, subject, found.to_string(), "a number that makes sense")),
    }
}

fn bad(what: &'static str, subject: &str, found: String, expected: &'static str) -> LayoutError {
    LayoutError::BadValue { what, subject: subject.to_owned(), found, expected }
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

fn is_identifier(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}
