//! Going back to an earlier state.

use crate::{Ecm, EntityId};

impl Ecm {
    /// Puts every entity and component back to what they were in `earlier`.
    ///
    /// Ticks go on: exactly the values that differ count as changed, so that replicas and systems
    /// that follow by ticks follow this too. Chunks that both states share are passed over.
    pub fn restore(&mut self, earlier: &Ecm) {
        let gone: Vec<EntityId> = self.entities().filter(|e| !earlier.exists(*e)).collect();
        gone.into_iter().for_each(|entity| self.remove_single(entity));
        let back: Vec<EntityId> = earlier.entities().filter(|e| !self.exists(*e)).collect();
        back.into_iter().for_each(|entity| self.revive(entity));
        for index in 0..earlier.columns.len() {
            let theirs = &earlier.columns[index];
            let mine = self.column_named(theirs.name(), theirs.version());
            self.restore_column(mine, earlier, index);
        }
        self.drop_columns_unknown_to(earlier);
        self.next_entity = earlier.next_entity;
    }

    fn restore_column(&mut self, mine: usize, earlier: &Ecm, theirs: usize) {
        let theirs = &earlier.columns[theirs];
        let apart = theirs.unshared_with(self.columns[mine].as_ref());
        let mut gone = self.columns[mine].differing(theirs.as_ref());
        gone.retain(|entity| !theirs.contains(*entity));
        gone.into_iter().for_each(|entity| self.take_component(mine, entity));
        if apart.is_empty() {
            return;
        }
        let tick = self.tick;
        let column = self.any_column_mut(mine);
        apart.into_iter().for_each(|entity| column.copy_bits_from(theirs.as_ref(), entity, tick));
    }

    /// Empties columns of types that came by message after `earlier` was taken.
    fn drop_columns_unknown_to(&mut self, earlier: &Ecm) {
        for index in 0..self.columns.len() {
            let name = self.columns[index].name();
            if earlier.columns.iter().any(|column| column.name() == name) {
                continue;
            }
            for entity in self.columns[index].entities() {
                self.take_component(index, entity);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use crate::{Component, Ecm, Registry};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Speed(f64);

    impl Component for Speed {
        const NAME: &'static str = "speed";
    }

    #[test]
    fn the_sign_of_zero_comes_back_too() {
        let mut ecm = Ecm::new(Registry::builder().with::<Speed>().build());
        let entity = ecm.create();
        ecm.set(entity, Speed(0.0)).unwrap();
        let (before, seen) = (ecm.snapshot(), ecm.close_tick());
        *ecm.get_mut::<Speed>(entity).unwrap() = Speed(-0.0);
        ecm.restore(&before);
        assert!(ecm.get::<Speed>(entity).unwrap().0.is_sign_positive());
        assert_eq!(ecm.changed_since::<Speed>(seen).count(), 1);
    }
}
