//! Takes samples in.

use retake_introspection::{ItemType, NumberOf, Signal};
use retake_math::SimTime;
use retake_msgs::{FilteredItem, IntrospectionFilter, IntrospectionSample};

use crate::live::Live;
use crate::source::{Source, SourceKey};

impl Live {
    /// Takes a sample of a filter at `rate_mhz`; `manager` is none for that of the world.
    pub(crate) fn take(
        &mut self,
        (manager, rate_mhz): (Option<&str>, u64),
        filter: &IntrospectionFilter,
        sample: &IntrospectionSample,
    ) {
        let stamp = sample.stamp.as_ref().map(SimTime::from).unwrap_or_default();
        // Another program's time has no jumps that the world knows of.
        let epoch = if manager.is_none() { sample.epoch } else { self.timeline.present() };
        if manager.is_none() {
            self.now_ns = stamp.as_nanos();
            self.latest_epoch = self.latest_epoch.max(epoch);
        }
        for place in &filter.item {
            let Some(item) = &place.item else { continue };
            // Sources are in the order of their signals, and parts stand behind their item.
            let prefix = match manager {
                Some(manager) => format!("{manager}#{}", item.name),
                None => item.name.clone(),
            };
            let first = SourceKey { signal: prefix.clone(), rate_mhz: 0 };
            let sources = self.sources.range_mut(first..);
            let sources = sources.take_while(|(key, _)| key.signal.starts_with(&prefix));
            for (_, source) in sources.filter(|(key, _)| key.rate_mhz == rate_mhz) {
                source.take_item(place, &item.name, &sample.value, (epoch, stamp.as_nanos()));
            }
        }
        self.changes += 1;
    }
}

impl Source {
    fn take_item(
        &mut self,
        place: &FilteredItem,
        name: &str,
        numbers: &[f64],
        (epoch, time_ns): (u64, i64),
    ) {
        let Ok(Signal::Item { item, part, .. }) = &self.signal else { return };
        let kind = place.item.as_ref().and_then(ItemType::of_message);
        let (Some(kind), true) = (kind, item == name) else { return };
        let Ok(number) = NumberOf::find(item, kind, part) else {
            self.gone = true;
            return;
        };
        let (start, count) = (place.offset as usize, place.count as usize);
        let numbers = numbers.get(start..start + count).unwrap_or_default();
        self.gone = place.gone;
        if let Some(described) = &place.item {
            let unit = number.unit(kind, &described.unit);
            if self.unit != unit {
                self.unit = unit.to_owned();
            }
        }
        self.series.push(epoch, time_ns, number.read(numbers));
    }
}
