//! The filters of a manager: which items each wants, how often, and where their numbers go.

use std::collections::BTreeMap;

use retake_math::SimTime;
use retake_msgs::{
    FilteredItem, IntrospectionFilter, IntrospectionItem, IntrospectionItems, IntrospectionSample,
    ItemText, ItemsRequest, SetFilter, names,
};

use crate::Item;

/// Filters that a manager keeps; further ones are refused.
const MAX_FILTERS: usize = 256;
/// Items of one filter; more are refused.
const MAX_ITEMS: usize = 65_536;
/// Items in one reply.
const MAX_LISTED: usize = 50_000;
/// Unknown items that a reply names.
const MAX_NAMED: usize = 5;

/// The filters of one manager; `R` is how it finds an item again.
pub struct Filters<R> {
    manager: String,
    /// Tells filters of this manager from those of an earlier one with its name.
    run: String,
    filters: BTreeMap<String, Filter<R>>,
    made: u64,
}

/// An update of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// The program's own time.
    pub stamp: SimTime,
    /// Counts the updates.
    pub number: u64,
    /// Stretch of time without a jump.
    pub epoch: u64,
}

/// What is to be published for one filter.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterSample {
    /// Which filter.
    pub filter: String,
    /// Where.
    pub topic: String,
    /// What.
    pub sample: IntrospectionSample,
}

struct Filter<R> {
    topic: String,
    entries: Vec<Entry>,
    /// What each entry means, now. Apart from the names, because each update walks along all of
    /// them, as it does along the ends.
    references: Vec<Option<R>>,
    /// Where the numbers of each entry end.
    ends: Vec<u32>,
    /// Time between samples; none is each update.
    period: Option<SimTime>,
    version: u64,
    /// Instant and epoch of the last sample.
    last: Option<(SimTime, u64)>,
}

struct Entry {
    name: String,
    /// What it is, or was when it was there last.
    item: Option<Item>,
}

impl<R> Filters<R> {
    /// Makes the filters of the manager called `manager`; `run` tells it from earlier ones.
    pub fn new(manager: &str, run: &str) -> Self {
        let (manager, run) = (manager.to_owned(), run.to_owned());
        Self { manager, run, filters: BTreeMap::new(), made: 0 }
    }

    /// Makes or changes a filter. `fastest` is the time between updates, when it is known.
    pub fn set(
        &mut self,
        request: &SetFilter,
        fastest: Option<SimTime>,
        find: impl FnMut(&str) -> Option<(Item, R)>,
    ) -> IntrospectionFilter {
        let (period, remark) = match period(request.rate_hz, fastest) {
            Ok(period) => period,
            Err(reason) => return refused(reason),
        };
        if request.item.len() > MAX_ITEMS {
            let count = request.item.len();
            return refused(format!("A filter of {count} items; at most {MAX_ITEMS} fit into one"));
        }
        let id = match self.id_of(request) {
            Ok(id) => id,
            Err(reason) => return refused(reason),
        };
        let topic = names::introspection_filter(&self.manager, &id);
        let version = self.filters.get(&id).map_or(0, |filter| filter.version);
        let entry = |name: &String| Entry { name: name.clone(), item: None };
        let entries = request.item.iter().map(entry).collect();
        let (references, ends) = (Vec::new(), Vec::new());
        let mut filter = Filter { topic, entries, references, ends, period, version, last: None };
        filter.resolve(find);
        filter.version = version + 1;
        self.filters.insert(id.clone(), filter);
        let mut reply = self.get(&id);
        let remarks = [remark, unknown_items(&reply)];
        reply.message = remarks.into_iter().flatten().collect::<Vec<_>>().join(". ");
        reply
    }

    fn id_of(&mut self, request: &SetFilter) -> Result<String, String> {
        if !request.filter_id.is_empty() {
            let known = self.filters.contains_key(&request.filter_id);
            return known
                .then(|| request.filter_id.clone())
                .ok_or_else(|| no_filter(&request.filter_id));
        }
        if self.filters.len() >= MAX_FILTERS {
            return Err(format!("There are {MAX_FILTERS} filters already. Remove some"));
        }
        self.made += 1;
        Ok(match self.run.as_str() {
            "" => self.made.to_string(),
            run => format!("{run}-{}", self.made),
        })
    }

    /// Describes a filter as it is in force.
    pub fn get(&self, id: &str) -> IntrospectionFilter {
        let Some(filter) = self.filters.get(id) else { return refused(no_filter(id)) };
        IntrospectionFilter {
            ok: true,
            message: String::new(),
            filter_id: id.to_owned(),
            topic: filter.topic.clone(),
            item: filter.described(),
            rate_hz: filter.period.map_or(0.0, |period| 1.0 / period.as_secs_f64()),
            version: filter.version,
        }
    }

    /// Forgets a filter.
    pub fn remove(&mut self, id: &str) -> IntrospectionFilter {
        let last = self.get(id);
        self.filters.remove(id);
        last
    }

    /// Says whether there is nothing to sample.
    pub fn is_empty(&self) -> bool {
        self.filters.is_empty()
    }

    /// Returns the ids and topics of all filters.
    pub fn topics(&self) -> impl Iterator<Item = (&str, &str)> {
        self.filters.iter().map(|(id, filter)| (id.as_str(), filter.topic.as_str()))
    }

    /// Returns everything that some filter wants and that is there.
    pub fn references(&self) -> impl Iterator<Item = &R> {
        self.filters.values().flat_map(|filter| &filter.references).flatten()
    }

    /// Looks every item up anew: some came, others went.
    pub fn refresh(&mut self, mut find: impl FnMut(&str) -> Option<(Item, R)>) {
        for filter in self.filters.values_mut() {
            filter.resolve(&mut find);
        }
    }

    /// Returns the samples of all filters that are due at `update`.
    ///
    /// `read` adds the numbers of an item, or returns its text.
    pub fn sample(
        &mut self,
        update: Update,
        mut read: impl FnMut(&R, &mut Vec<f64>) -> Option<String>,
    ) -> Vec<FilterSample> {
        let mut samples = Vec::new();
        for (id, filter) in &mut self.filters {
            if filter.is_due(update) {
                let sample = filter.sample(update, &mut read);
                samples.push(FilterSample {
                    filter: id.clone(),
                    topic: filter.topic.clone(),
                    sample,
                });
            }
        }
        samples
    }
}

impl<R> Filter<R> {
    fn resolve(&mut self, mut find: impl FnMut(&str) -> Option<(Item, R)>) {
        let mut changed = false;
        let mut references = Vec::with_capacity(self.entries.len());
        let mut ends = Vec::with_capacity(self.entries.len());
        let mut end = 0;
        for (at, entry) in self.entries.iter_mut().enumerate() {
            let was_there = self.references.get(at).is_some_and(Option::is_some);
            let (item, reference) = find(&entry.name).unzip();
            changed |= was_there != reference.is_some() || (item.is_some() && item != entry.item);
            entry.item = item.or(entry.item.take());
            end += entry.width();
            references.push(reference);
            ends.push(end);
        }
        (self.references, self.ends) = (references, ends);
        self.version += u64::from(changed);
    }

    /// Samples are taken at the first update at or after each multiple of the period.
    fn is_due(&self, update: Update) -> bool {
        let (Some((last, epoch)), Some(period)) = (self.last, self.period) else { return true };
        let turn = |time: SimTime| time.as_nanos().div_euclid(period.as_nanos().max(1));
        epoch != update.epoch || turn(last) != turn(update.stamp)
    }

    fn sample(
        &mut self,
        update: Update,
        read: &mut impl FnMut(&R, &mut Vec<f64>) -> Option<String>,
    ) -> IntrospectionSample {
        self.last = Some((update.stamp, update.epoch));
        let mut value = Vec::with_capacity(self.ends.last().map_or(0, |end| *end as usize));
        let mut text = Vec::new();
        for (item, (reference, end)) in self.references.iter().zip(&self.ends).enumerate() {
            if let Some(reference) = reference
                && let Some(found) = read(reference, &mut value)
            {
                text.push(ItemText { item: item as u32, text: found });
            }
            // An item that is gone, or gave another number of numbers, moves no other.
            if value.len() != *end as usize {
                value.resize(*end as usize, f64::NAN);
            }
        }
        IntrospectionSample {
            stamp: Some(update.stamp.into()),
            update: update.number,
            epoch: update.epoch,
            filter_version: self.version,
            value,
            text,
        }
    }

    fn described(&self) -> Vec<FilteredItem> {
        let places = self.references.iter().zip(&self.ends);
        let described = self.entries.iter().zip(places).map(|(entry, (reference, end))| {
            let count = entry.width();
            let offset = end - count;
            let item = match &entry.item {
                Some(item) => item.into(),
                None => IntrospectionItem { name: entry.name.clone(), ..Default::default() },
            };
            FilteredItem { item: Some(item), offset, count, gone: reference.is_none() }
        });
        described.collect()
    }
}

impl Entry {
    fn width(&self) -> u32 {
        self.item.as_ref().map_or(0, |item| item.kind.parts().len() as u32)
    }
}

/// Answers a request for items; `items` must be in the order of their names.
pub fn list_items<'a>(
    items: impl Iterator<Item = &'a Item>,
    request: &ItemsRequest,
    version: u64,
) -> IntrospectionItems {
    let wanted = request.search.to_lowercase();
    let most = match request.limit as usize {
        0 => MAX_LISTED,
        limit => limit.min(MAX_LISTED),
    };
    let mut reply = IntrospectionItems { version, ..IntrospectionItems::default() };
    let found =
        items.filter(|item| wanted.is_empty() || item.name.to_lowercase().contains(&wanted));
    for item in found {
        if reply.total >= request.offset && reply.item.len() < most {
            reply.item.push(item.into());
        }
        reply.total += 1;
    }
    reply
}

fn period(
    rate_hz: f64,
    fastest: Option<SimTime>,
) -> Result<(Option<SimTime>, Option<String>), String> {
    if !(0.0..=1e9).contains(&rate_hz) {
        return Err(format!(
            "rate_hz is {rate_hz}; write samples per second, or 0 for each update"
        ));
    }
    if rate_hz == 0.0 {
        return Ok((None, None));
    }
    let period = SimTime::from_secs_f64(1.0 / rate_hz);
    match fastest.filter(|fastest| period < *fastest) {
        Some(fastest) => {
            let most = 1.0 / fastest.as_secs_f64();
            let remark =
                format!("{rate_hz} samples per second are more than updates: {most} it is");
            Ok((None, Some(remark)))
        }
        None => Ok((Some(period), None)),
    }
}

fn unknown_items(filter: &IntrospectionFilter) -> Option<String> {
    let gone: Vec<&str> = filter
        .item
        .iter()
        .filter(|item| item.gone)
        .filter_map(|item| item.item.as_ref().map(|item| item.name.as_str()))
        .collect();
    let more = gone.len().saturating_sub(MAX_NAMED);
    let named = gone.iter().take(MAX_NAMED).map(|name| format!("{name:?}")).collect::<Vec<_>>();
    match (named.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(format!("No item {} yet", named.join(", "))),
        (false, more) => Some(format!("No item {} and {more} more yet", named.join(", "))),
    }
}

fn no_filter(id: &str) -> String {
    format!("No filter {id:?}. It was removed, or nobody listened to it for a while")
}

fn refused(message: String) -> IntrospectionFilter {
    IntrospectionFilter { message, ..IntrospectionFilter::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ItemType;

    fn at(nanos: i64, epoch: u64) -> Update {
        Update { stamp: SimTime::from_nanos(nanos), number: 0, epoch }
    }

    fn find(name: &str) -> Option<(Item, f64)> {
        match name {
            "one" => Some((Item::new("one", ItemType::Double), 1.0)),
            "two" => Some((Item::new("two", ItemType::Vector2), 2.0)),
            _ => None,
        }
    }

    fn read(value: &f64, numbers: &mut Vec<f64>) -> Option<String> {
        let count = if *value == 1.0 { 1 } else { 2 };
        numbers.extend(std::iter::repeat_n(*value, count));
        None
    }

    fn wanted(items: &[&str], rate_hz: f64) -> SetFilter {
        let item = items.iter().map(|name| (*name).to_owned()).collect();
        SetFilter { filter_id: String::new(), item, rate_hz }
    }

    #[test]
    fn numbers_stand_where_the_filter_says() {
        let mut filters = Filters::new("m", "");
        let reply = filters.set(&wanted(&["two", "lost", "one"], 0.0), None, find);
        assert_eq!(reply.message, "No item \"lost\" yet");
        let places: Vec<_> = reply.item.iter().map(|i| (i.offset, i.count, i.gone)).collect();
        assert_eq!(places, [(0, 2, false), (2, 0, true), (2, 1, false)]);
        let samples = filters.sample(at(5, 0), read);
        assert_eq!(samples[0].topic, "/introspection/m/filter/1");
        assert_eq!(samples[0].sample.value, [2.0, 2.0, 1.0]);
    }

    #[test]
    fn what_goes_leaves_a_gap_and_a_new_version() {
        let mut filters = Filters::new("m", "");
        filters.set(&wanted(&["two", "one"], 0.0), None, find);
        filters.refresh(|name| find(name).filter(|_| name != "two"));
        let sample = filters.sample(at(0, 0), read).remove(0).sample;
        assert_eq!(sample.filter_version, 2);
        assert!(sample.value[0].is_nan() && sample.value[1].is_nan());
        assert_eq!(sample.value[2], 1.0);
        filters.refresh(find);
        assert_eq!(filters.get("1").version, 3);
        filters.refresh(find);
        assert_eq!(filters.get("1").version, 3, "nothing changed");
    }

    #[test]
    fn a_rate_keeps_to_its_multiples_and_begins_anew_after_a_jump() {
        let mut filters = Filters::new("m", "");
        filters.set(&wanted(&["one"], 1e8), None, find);
        let due: Vec<i64> = (0..40)
            .step_by(4)
            .filter(|nanos| !filters.sample(at(*nanos, 0), read).is_empty())
            .collect();
        assert_eq!(due, [0, 12, 20, 32]);
        assert_eq!(filters.sample(at(33, 1), read).len(), 1, "another epoch");
    }

    #[test]
    fn refusals_say_what_to_do() {
        let mut filters: Filters<f64> = Filters::new("m", "");
        let step = Some(SimTime::from_nanos(1_000_000));
        let reply = filters.set(&wanted(&["one"], 2000.0), step, find);
        assert_eq!(reply.message, "2000 samples per second are more than updates: 1000 it is");
        assert!(reply.ok && reply.rate_hz == 0.0);
        for (rate, id, expected) in [
            (f64::NAN, "", "rate_hz is NaN; write samples per second, or 0 for each update"),
            (0.0, "7", "No filter \"7\". It was removed, or nobody listened to it for a while"),
        ] {
            let request = SetFilter { filter_id: id.to_owned(), ..wanted(&["one"], rate) };
            let reply = filters.set(&request, None, find);
            assert_eq!((reply.ok, reply.message.as_str()), (false, expected));
        }
        let many = vec!["one"; MAX_ITEMS + 1];
        let reply = filters.set(&wanted(&many, 0.0), None, find);
        assert!(reply.message.contains("at most 65536 fit"), "{}", reply.message);
        for _ in filters.filters.len()..MAX_FILTERS {
            filters.set(&wanted(&[], 0.0), None, find);
        }
        let reply = filters.set(&wanted(&[], 0.0), None, find);
        assert_eq!(reply.message, "There are 256 filters already. Remove some");
    }
}
