//! Gives a board the values of a log, over its whole length at once.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use prost::Message;
use prost_reflect::MessageDescriptor;
use retake_board::{Board, Wanted};
use retake_ecm::Registry;
use retake_introspection::Update;
use retake_log::{Log, LogError, LogMessage, LogStates, Stamp, Stretch, Topic};
use retake_math::SimTime;
use retake_msgs::schemas::read_schemas;
use retake_msgs::{IntrospectionFilter, IntrospectionSample, Name};
use retake_sim::introspection::Sampler;

/// States that are read before the board is given what they hold: it is not held up for long.
const BLOCK: usize = 256;

/// Reads a log for a board.
pub struct LogFeed {
    log: Arc<Log>,
    registry: Arc<Registry>,
    /// What the board was given already.
    given: Wanted,
    begun: bool,
}

/// Where a board is, while it is looked at by others.
pub type WithBoard<'a> = dyn FnMut(&mut dyn FnMut(&mut Board)) + 'a;

/// What was read, for the board.
enum Read {
    Sample((Option<String>, u64), Arc<IntrospectionFilter>, IntrospectionSample),
    Message(LogMessage, u64),
}

impl LogFeed {
    /// Reads `log`, whose components are those of `registry`.
    pub fn new(log: Arc<Log>, registry: Arc<Registry>) -> Self {
        Self { log, registry, given: Wanted::default(), begun: false }
    }

    /// Returns the log.
    pub fn log(&self) -> &Arc<Log> {
        &self.log
    }

    /// Gives the board what it wants and has not been given; `go_on` is asked now and then.
    ///
    /// # Errors
    /// [`LogError`] when the file cannot be read any more.
    pub fn feed(
        &mut self,
        board: &mut WithBoard<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), LogError> {
        let mut wanted = Wanted::default();
        let begun = std::mem::replace(&mut self.begun, true);
        let log = Arc::clone(&self.log);
        board(&mut |board| {
            if !begun {
                tell_stretches(&log, board);
            }
            wanted = board.wanted();
        });
        let new = beyond(&wanted, &self.given);
        if self.read(&new, board, go_on)?.is_continue() {
            // What was only begun is read once more; what is there already stays.
            self.given = wanted;
        }
        Ok(())
    }

    fn read(
        &self,
        new: &Wanted,
        board: &mut WithBoard<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<ControlFlow<()>, LogError> {
        if self.feed_topics(new, board, go_on)?.is_break()
            || self.feed_filters(new, board, go_on)?.is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
        self.feed_states(new, board, go_on)
    }

    fn feed_topics(
        &self,
        new: &Wanted,
        board: &mut WithBoard<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<ControlFlow<()>, LogError> {
        let topics = self.log.topics().iter().filter(|topic| new.topics.contains(&*topic.name));
        let described: Vec<_> =
            topics.filter_map(|topic| Some((topic, descriptor(topic)?))).collect();
        board(&mut |board| {
            for (topic, descriptor) in &described {
                board.learn_topic(&topic.name, descriptor.clone());
            }
        });
        let names: Vec<&str> = described.iter().map(|(topic, _)| &*topic.name).collect();
        if names.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let mut block = Block::new(board);
        for message in self.log.messages(&names, ..) {
            let message = message?;
            let epoch = epoch_of(&self.log, message.stamp);
            if block.push(Read::Message(message, epoch), go_on).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        block.pour();
        Ok(ControlFlow::Continue(()))
    }

    /// Gives what was watched while the log was recorded: it may have what no state has.
    fn feed_filters(
        &self,
        new: &Wanted,
        board: &mut WithBoard<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<ControlFlow<()>, LogError> {
        let sampled = IntrospectionSample::full_name();
        let topics = self.log.topics().iter().filter(|topic| topic.type_name == sampled);
        let pairs: BTreeMap<String, String> =
            topics.map(|topic| (format!("{}/items", topic.name), topic.name.to_string())).collect();
        let names: Vec<&str> =
            pairs.iter().flat_map(|(items, samples)| [items.as_str(), samples.as_str()]).collect();
        if names.is_empty() || new.items.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let mut filters: BTreeMap<String, Arc<IntrospectionFilter>> = BTreeMap::new();
        let mut block = Block::new(board);
        for message in self.log.messages(&names, ..) {
            let message = message?;
            if let Some(samples) = pairs.get(&*message.topic) {
                if let Ok(filter) = IntrospectionFilter::decode(message.bytes.as_slice()) {
                    filters.insert(samples.clone(), Arc::new(filter));
                }
                continue;
            }
            let filter = filters.get(&*message.topic);
            let sample = IntrospectionSample::decode(message.bytes.as_slice());
            let (Some(filter), Ok(sample)) = (filter, sample) else { continue };
            // Whatever of the world is wanted at whatever rate may be among it.
            for key in new.items.keys().filter(|(manager, _)| manager.is_none()) {
                let read = Read::Sample(key.clone(), Arc::clone(filter), sample.clone());
                if block.push(read, go_on).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        block.pour();
        Ok(ControlFlow::Continue(()))
    }

    fn feed_states(
        &self,
        new: &Wanted,
        board: &mut WithBoard<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<ControlFlow<()>, LogError> {
        let mine = new.items.iter().filter(|((manager, _), _)| manager.is_none());
        let mine: Vec<_> = mine.collect();
        if mine.is_empty() || self.log.stretches().is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let mut states = LogStates::new(Arc::clone(&self.log), Arc::clone(&self.registry));
        states.seek(SimTime::ZERO)?;
        let mut samplers: Vec<_> = mine
            .into_iter()
            .filter_map(|(key, items)| {
                let sampler = Sampler::new(states.ecm(), items.clone(), key.1 as f64 / 1000.0);
                sampler.ok().map(|sampler| (key.clone(), sampler, None))
            })
            .collect();
        let mut block = Block::new(board);
        let mut number = 0;
        loop {
            number += 1;
            let update = Update { stamp: states.stamp().sim_time, number, epoch: states.epoch() };
            for (key, sampler, filter) in &mut samplers {
                let Some(sample) = sampler.sample(states.ecm(), update) else { continue };
                let filter = current(filter, sampler);
                if block.push(Read::Sample(key.clone(), filter, sample), go_on).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            match states.step(1) {
                Ok(0) => break,
                Ok(_) => {}
                // It is behind what cannot be read, and goes on from there.
                Err(LogError::Unreadable { .. } | LogError::State { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        block.pour();
        Ok(ControlFlow::Continue(()))
    }
}

/// Returns the filter that samples have now, shared until it changes.
fn current(
    known: &mut Option<Arc<IntrospectionFilter>>,
    sampler: &Sampler,
) -> Arc<IntrospectionFilter> {
    let same = known.as_ref().filter(|known| known.version == sampler.filter().version);
    let filter = same.map_or_else(|| Arc::new(sampler.filter().clone()), Arc::clone);
    *known = Some(Arc::clone(&filter));
    filter
}

/// Collects what was read, so that the board is locked seldom and shortly.
struct Block<'a, 'b> {
    board: &'a mut WithBoard<'b>,
    read: Vec<Read>,
}

impl<'a, 'b> Block<'a, 'b> {
    fn new(board: &'a mut WithBoard<'b>) -> Self {
        Self { board, read: Vec::new() }
    }

    fn push(&mut self, read: Read, go_on: &dyn Fn() -> bool) -> ControlFlow<()> {
        self.read.push(read);
        if self.read.len() < BLOCK {
            return ControlFlow::Continue(());
        }
        self.pour();
        if go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn pour(&mut self) {
        let read = std::mem::take(&mut self.read);
        (self.board)(&mut |board| {
            for read in &read {
                match read {
                    Read::Sample((manager, rate_mhz), filter, sample) => {
                        board.take((manager.as_deref(), *rate_mhz), filter, sample);
                    }
                    Read::Message(message, epoch) => {
                        let at = (*epoch, message.stamp.sim_time.as_nanos());
                        board.take_recorded(&message.topic, &message.bytes, at);
                    }
                }
            }
        });
    }
}

fn tell_stretches(log: &Log, board: &mut Board) {
    for (number, stretch) in log.stretches().iter().enumerate() {
        match &stretch.jump {
            Some(jump) if number > 0 => board.jump(jump),
            _ => board.begin(stretch.epoch),
        }
    }
}

/// Returns what is wanted beyond what was given.
fn beyond(wanted: &Wanted, given: &Wanted) -> Wanted {
    let mut new = Wanted::default();
    for (key, items) in &wanted.items {
        let had: BTreeSet<&String> = given.items.get(key).into_iter().flatten().collect();
        let items: Vec<String> = items.iter().filter(|item| !had.contains(item)).cloned().collect();
        if !items.is_empty() {
            new.items.insert(key.clone(), items);
        }
    }
    new.topics = wanted.topics.difference(&given.topics).cloned().collect();
    new
}

/// Returns the epoch of a message: just at a jump, those before and after it have one recording
/// time.
fn epoch_of(log: &Log, stamp: Stamp) -> u64 {
    let of_both = |stretch: &&Stretch| stretch.recorded_at(stamp.sim_time) == Some(stamp.recorded);
    let found = log.stretches().iter().find(of_both).map(|stretch| stretch.epoch);
    found.unwrap_or_else(|| log.sim_time_at(stamp.recorded).1)
}

/// Reads what the messages of a topic look like.
pub(super) fn descriptor(topic: &Topic) -> Option<MessageDescriptor> {
    let pool = read_schemas(&topic.descriptors).ok()?;
    pool.get_message_by_name(&topic.type_name)
}
