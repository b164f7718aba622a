//! Changing many values where they are, for what changes in every step.

use std::sync::Arc;

use crate::column::{CHUNK, Chunk, Column, Slot, Tick};
use crate::{Component, Ecm, EntityId};

impl Ecm {
    /// Gives many entities a new value of a component that they have already.
    ///
    /// Entities without the component are passed over; equal values do not count as changes. For
    /// what changes in every step, where looking the type up for each entity would cost.
    pub fn overwrite<T: Component>(&mut self, values: impl IntoIterator<Item = (EntityId, T)>) {
        let tick = self.tick;
        let write = |current: &mut T, value| *current = value;
        self.column_mut::<T>().refresh(values, tick, PartialEq::ne, write);
    }

    /// Changes a component of many entities in place, where they have it and `differs` says so.
    ///
    /// As [`Ecm::overwrite`], but what a value owns is used again. Types that were not registered
    /// are passed over: nobody has them.
    pub fn refresh<T: Component, S>(
        &mut self,
        news: impl IntoIterator<Item = (EntityId, S)>,
        differs: impl Fn(&T, &S) -> bool,
        write: impl Fn(&mut T, S),
    ) {
        if self.registry.index_of::<T>().is_some() {
            let tick = self.tick;
            self.column_mut::<T>().refresh(news, tick, differs, write);
        }
    }
}

impl<T: Clone + PartialEq> Column<T> {
    /// Changes values in place where there are some and `differs` says so.
    ///
    /// Neighbours are in one chunk, which is found and made our own once for a run of them.
    fn refresh<S>(
        &mut self,
        news: impl IntoIterator<Item = (EntityId, S)>,
        tick: Tick,
        differs: impl Fn(&T, &S) -> bool,
        write: impl Fn(&mut T, S),
    ) {
        let differs = |slot: &Option<Slot<T>>, news: &S| {
            slot.as_ref().is_some_and(|slot| differs(&slot.value, news))
        };
        let write = |slot: &mut Option<Slot<T>>, news: S| {
            if let Some(slot) = slot {
                slot.tick = tick;
                write(&mut slot.value, news);
            }
        };
        let mut news = news.into_iter();
        let mut next = news.next();
        while let Some(first) = next {
            let Ok(at) = self.find_chunk(first.0.raw() / CHUNK) else {
                next = news.next();
                continue;
            };
            let chunk = &mut self.chunks[at].1;
            next = refresh_run(chunk, tick, (first, &mut news), differs, write);
            self.latest = self.latest.max(chunk.max_tick);
        }
    }
}

/// Changes values of one chunk from the first news on, and returns the first news of another one.
fn refresh_run<T: Clone, S>(
    chunk: &mut Arc<Chunk<T>>,
    tick: Tick,
    (first, rest): ((EntityId, S), &mut impl Iterator<Item = (EntityId, S)>),
    differs: impl Fn(&Option<Slot<T>>, &S) -> bool,
    write: impl Fn(&mut Option<Slot<T>>, S),
) -> Option<(EntityId, S)> {
    let number = first.0.raw() / CHUNK;
    let place = |entity: EntityId| (entity.raw() % CHUNK) as usize;
    let (mut entity, mut news) = first;
    // Without a difference nothing is copied for whoever keeps the chunk as it is.
    while !differs(&chunk.slots[place(entity)], &news) {
        (entity, news) = rest.next()?;
        if entity.raw() / CHUNK != number {
            return Some((entity, news));
        }
    }
    let chunk = Arc::make_mut(chunk);
    chunk.max_tick = chunk.max_tick.max(tick);
    loop {
        let slot = &mut chunk.slots[place(entity)];
        if differs(slot, &news) {
            write(slot, news);
        }
        (entity, news) = rest.next()?;
        if entity.raw() / CHUNK != number {
            return Some((entity, news));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::Registry;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Numbers(Vec<f64>);

    impl Component for Numbers {
        const NAME: &'static str = "numbers";
    }

    #[test]
    fn only_what_differs_is_changed_and_snapshots_stay_as_they_were() {
        let mut ecm = Ecm::new(Registry::builder().with::<Numbers>().build());
        let [same, other, without] = [(); 3].map(|()| ecm.create());
        for entity in [same, other] {
            ecm.set(entity, Numbers(vec![1.0])).unwrap();
        }
        let before = ecm.snapshot();
        let seen = ecm.close_tick();
        let news = [(same, 1.0), (other, 2.0), (without, 3.0)];
        let differs = |numbers: &Numbers, news: &f64| numbers.0 != [*news];
        ecm.refresh(news, differs, |numbers, news| numbers.0 = vec![news]);

        let changed: Vec<EntityId> =
            ecm.changed_since::<Numbers>(seen).map(|(entity, _)| entity).collect();
        assert_eq!(changed, [other]);
        assert_eq!(ecm.get(other), Some(&Numbers(vec![2.0])));
        assert_eq!(ecm.get::<Numbers>(without), None);
        assert_eq!(before.get(other), Some(&Numbers(vec![1.0])));
    }

    #[test]
    fn runs_of_neighbours_go_to_their_chunks_and_equal_ones_stay_shared() {
        let mut ecm = Ecm::new(Registry::builder().with::<Numbers>().build());
        let all: Vec<EntityId> = (0..3 * CHUNK).map(|_| ecm.create()).collect();
        for entity in &all {
            ecm.set(*entity, Numbers(vec![0.0])).unwrap();
        }
        let (before, seen) = (ecm.snapshot(), ecm.close_tick());
        // To and fro between chunks, those after the second named but not changed.
        let differs = |entity: EntityId| entity.raw() / CHUNK < 2;
        let wanted = |entity: EntityId| Numbers(vec![f64::from(u8::from(differs(entity)))]);
        let order = (0..all.len()).step_by(2).chain((1..all.len()).step_by(2).rev());
        ecm.overwrite(order.map(|at| (all[at], wanted(all[at]))));

        for entity in &all {
            assert_eq!(ecm.get(*entity), Some(&wanted(*entity)), "{entity}");
            assert_eq!(before.get(*entity), Some(&Numbers(vec![0.0])));
        }
        let changed: Vec<EntityId> =
            ecm.changed_since::<Numbers>(seen).map(|(entity, _)| entity).collect();
        let expected: Vec<EntityId> = all.iter().copied().filter(|e| differs(*e)).collect();
        assert_eq!(changed, expected);
        let apart = ecm.column::<Numbers>().unshared(before.column::<Numbers>());
        assert_eq!(apart, expected, "chunks without a change are still shared");

        let seen = ecm.close_tick();
        ecm.overwrite(all.iter().map(|entity| (*entity, wanted(*entity))));
        assert!(!ecm.column::<Numbers>().any_changed_since(seen), "equal values are no change");
        ecm.overwrite([(all[0], Numbers(vec![2.0]))]);
        assert!(ecm.column::<Numbers>().any_changed_since(seen));
    }
}
