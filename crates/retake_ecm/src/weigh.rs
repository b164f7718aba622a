//! How much memory a state takes.

use crate::Ecm;

impl Ecm {
    /// Returns about how many bytes the values take; what they hold on the heap is not counted.
    pub fn bytes(&self) -> usize {
        self.columns.iter().map(|column| column.bytes()).sum()
    }

    /// Returns about how many bytes of values are not shared with `other`: what keeping this state
    /// costs when that one is kept anyway.
    pub fn bytes_beyond(&self, other: &Ecm) -> usize {
        let beyond = |index: usize| match other.columns.get(index) {
            Some(theirs) => self.columns[index].bytes_beyond(theirs.as_ref()),
            None => self.columns[index].bytes(),
        };
        (0..self.columns.len()).map(beyond).sum()
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use crate::{Component, Ecm, Registry};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Place([f64; 4]);

    impl Component for Place {
        const NAME: &'static str = "place";
    }

    #[test]
    fn only_what_changed_counts_beyond_an_earlier_state() {
        let mut ecm = Ecm::new(Registry::builder().with::<Place>().build());
        let entities: Vec<_> = (0..1000).map(|_| ecm.create()).collect();
        for entity in &entities {
            ecm.set(*entity, Place([0.0; 4])).unwrap();
        }
        let earlier = ecm.snapshot();
        assert!(ecm.bytes() >= 1000 * 40);
        assert_eq!(ecm.bytes_beyond(&earlier), 0);
        ecm.set(entities[500], Place([1.0; 4])).unwrap();
        let one = ecm.bytes_beyond(&earlier);
        assert!(one > 0 && one < ecm.bytes() / 10, "{one} of {}", ecm.bytes());
        for entity in &entities {
            ecm.set(*entity, Place([2.0; 4])).unwrap();
        }
        assert_eq!(ecm.bytes_beyond(&earlier), ecm.bytes());
    }
}
