//! Takes samples in.

use retake_introspection::{ItemType, NumberOf, Signal};
use retake_math::SimTime;
use retake_msgs::{FilteredItem, IntrospectionFilter, IntrospectionSample};

use crate::live::Live;
use crate::source::{Source, SourceKey};

impl Live {
    /// Takes note of what a filter has, before its first sample comes: the world may stand still.
    pub(crate) fn describe(
        &mut self,
        (manager, rate_mhz): (Option<&str>, u64),
        filter: &IntrospectionFilter,
    ) {
        let sources = self.sources.iter_mut().filter(|(key, _)| key.rate_mhz == rate_mhz);
        for (_, source) in sources {
            let Ok(Signal::Item { manager: of, item, .. }) = &source.signal else { continue };
            if of.as_deref() != manager {
                continue;
            }
            let is_it = |place: &&FilteredItem| {
                place.item.as_ref().is_some_and(|described| described.name == *item)
            };
            if let Some(place) = filter.item.iter().find(is_it) {
                source.learn(place);
            }
        }
    }

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
        let is_it = matches!(&self.signal, Ok(Signal::Item { item, .. }) if item == name);
        let Some(number) = is_it.then(|| self.learn(place)).flatten() else { return };
        let (start, count) = (place.offset as usize, place.count as usize);
        let numbers = numbers.get(start..start + count).unwrap_or_default();
        self.series.push(epoch, time_ns, number.read(numbers));
    }

    /// Takes note of whether its item is there, and of the unit; returns where its number is.
    fn learn(&mut self, place: &FilteredItem) -> Option<NumberOf> {
        let Ok(Signal::Item { item, part, .. }) = &self.signal else { return None };
        let described = place.item.as_ref();
        let kind = described.and_then(ItemType::of_message);
        let number = kind.and_then(|kind| NumberOf::find(item, kind, part).ok());
        self.gone = place.gone || number.is_none();
        if let (Some(described), Some(kind), Some(number)) = (described, kind, number) {
            let unit = number.unit(kind, &described.unit);
            if self.unit != unit {
                self.unit = unit.to_owned();
            }
        }
        number
    }
}
