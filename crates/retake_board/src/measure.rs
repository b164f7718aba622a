//! The numbers between two cursors.

use retake_msgs::{CurveMeasure, PlotMeasures};

use crate::Board;
use crate::frame::nanos;

impl Board {
    /// Measures all curves of a plot between two instants, in seconds.
    pub fn measure(&mut self, plot_id: &str, from_secs: f64, to_secs: f64) -> Option<PlotMeasures> {
        let plot = self.plot(plot_id)?.clone();
        self.update_derived();
        let (from, to) = (from_secs.min(to_secs), from_secs.max(to_secs));
        let measure = |curve: &retake_msgs::PlotCurve| {
            let mut measure =
                CurveMeasure { curve_id: curve.id.clone(), ..CurveMeasure::default() };
            let found = self.samples_of(&plot, curve, &curve.signal);
            let Some((series, timeline, shift_ns)) = found else { return measure };
            let (from_ns, to_ns) = (nanos(from) - shift_ns, nanos(to) - shift_ns);
            let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
            measure.first = finite(series.at(timeline, from_ns));
            measure.last = finite(series.at(timeline, to_ns));
            if let Some(found) = series.statistics(timeline, from_ns, to_ns) {
                measure.count = found.count as u64;
                measure.min = Some(found.min);
                measure.max = Some(found.max);
                measure.mean = Some(found.mean);
                measure.rms = Some(found.rms);
                measure.deviation = Some(found.standard_deviation);
            }
            measure
        };
        Some(PlotMeasures { curve: plot.curve.iter().map(measure).collect() })
    }
}
