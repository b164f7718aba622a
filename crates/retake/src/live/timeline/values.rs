//! Values of the past, computed again by the server.

use std::collections::BTreeSet;

use anyhow::bail;
use retake_math::SimTime;
use retake_msgs::{PastRequest, PastSamples};

use crate::cli::PastValuesArgs;
use crate::link::Link;
use crate::live::numbers::{Wanted, print_sample};
use crate::output::{Printer, remark};

pub(super) fn print(
    args: &PastValuesArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let wanted = Wanted::parse(&args.items)?;
    let instant = Some(args.until.instant(&args.branch));
    let request = PastRequest { instant, watch: wanted.items(), ..PastRequest::default() };
    let past = super::ask(&request, link)?;
    let samples = past.samples.unwrap_or_default();
    refuse_unknown(&samples)?;
    tell_what_is_missing(&past.message, &samples);
    let from = args.from.unwrap_or(SimTime::from_nanos(i64::MIN));
    for part in &samples.part {
        let filter = part.filter.clone().unwrap_or_default();
        for sample in &part.sample {
            let stamp = sample.stamp.as_ref().map(SimTime::from).unwrap_or_default();
            if stamp >= from {
                print_sample(&wanted.numbers(&filter, sample)?, sample, printer)?;
            }
        }
    }
    Ok(())
}

/// Refuses when nothing that is wanted was there at any instant.
fn refuse_unknown(samples: &PastSamples) -> anyhow::Result<()> {
    let filters = samples.part.iter().filter_map(|part| part.filter.as_ref());
    let places: Vec<_> = filters.flat_map(|filter| &filter.item).collect();
    if places.is_empty() || places.iter().any(|place| !place.gone) {
        return Ok(());
    }
    let names = places.iter().filter_map(|place| place.item.as_ref());
    let names: BTreeSet<String> = names.map(|item| format!("{:?}", item.name)).collect();
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    bail!("No item {names}. See: retake introspect list")
}

fn tell_what_is_missing(message: &str, samples: &PastSamples) {
    if !message.is_empty() {
        remark(message.to_owned());
    }
    if samples.every > 1 {
        let every = samples.every;
        remark(format!("One of {every} steps is printed: there are too many to send them all"));
    }
    let last = samples.part.last().and_then(|part| part.filter.as_ref());
    let unknown = last.into_iter().flat_map(|filter| &filter.item).filter(|place| place.gone);
    for name in unknown.filter_map(|place| place.item.as_ref().map(|item| &item.name)) {
        remark(format!("No item {name:?} at the end. See: retake introspect list"));
    }
}
