//! Samples over simulated time, and values derived from them.
//!
//! A [`Series`] keeps all samples of one signal and answers what a plot asks: what to draw in a
//! range, the value at a cursor, statistics between two cursors. Simulated time may jump; the
//! [`Timeline`] says which stretches lead to the present and which were discarded.
//!
//! Times are whole nanoseconds of simulated time. A sample that is not a finite number is a gap.
//! Nothing here reads files, looks at a clock or starts a thread: whoever owns the samples decides
//! when they come in.

mod cell;
mod chunk;
mod column;
mod derived;
mod event;
pub mod expression;
mod fft;
mod pyramid;
mod series;
pub mod spectrum;
mod statistics;
mod timeline;
mod times;
mod view;
mod walk;

pub use derived::{Derived, Input};
pub use event::event_time;
pub use expression::{Evaluator, Expression, ExpressionError, SignalRef};
pub use series::{Limits, Pushed, Series};
pub use spectrum::{Spectrum, SpectrumError};
pub use statistics::Statistics;
pub use timeline::{Jumped, Stretch, Timeline};
pub use view::{Trace, bucket_bits};
