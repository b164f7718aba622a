//! Changing values where they are, for what changes in every step and owns memory.

use crate::column::Column;
use crate::{Component, Ecm, EntityId};

impl Ecm {
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
        let Some(index) = self.registry.index_of::<T>() else { return };
        let tick = self.tick;
        let column: &mut Column<T> = self
            .any_column_mut(index)
            .as_any_mut()
            .downcast_mut()
            .expect("the registry made this column for T");
        news.into_iter().for_each(|one| column.refresh(one, tick, &differs, &write));
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
}
