//! A small vocabulary, and random edits of it.

#![allow(dead_code, reason = "each test file uses some of it")]

use std::sync::Arc;

use proptest::prelude::*;
use retake_ecm::{Component, Ecm, EntityId, Parent, Registry, StateHash};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Label(pub String);

impl Component for Label {
    const NAME: &'static str = "label";
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    pub x: f64,
    pub y: f64,
}

impl Component for Place {
    const NAME: &'static str = "place";
}

pub fn registry() -> Arc<Registry> {
    Registry::builder().with::<Label>().with::<Place>().build()
}

pub fn hash(ecm: &Ecm) -> String {
    let mut hash = StateHash::new();
    hash.add_ecm(ecm).unwrap();
    hash.to_string()
}

#[derive(Clone, Debug)]
pub enum Edit {
    Create,
    Adopt(usize, usize),
    SetLabel(usize, u8),
    SetPlace(usize, f64),
    DropPlace(usize),
    Remove(usize),
    CloseTick,
}

pub fn edits(most: usize) -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        3 => Just(Edit::Create),
        1 => (0..200usize, 0..200usize).prop_map(|(a, b)| Edit::Adopt(a, b)),
        3 => (0..200usize, any::<u8>()).prop_map(|(a, b)| Edit::SetLabel(a, b)),
        3 => (0..200usize, -1e3..1e3f64).prop_map(|(a, b)| Edit::SetPlace(a, b)),
        1 => (0..200usize).prop_map(Edit::DropPlace),
        1 => (0..200usize).prop_map(Edit::Remove),
        1 => Just(Edit::CloseTick),
    ];
    prop::collection::vec(edit, 0..most)
}

pub fn perform(ecm: &mut Ecm, edits: &[Edit]) {
    let pick = |ecm: &Ecm, n: usize| {
        let all: Vec<EntityId> = ecm.entities().collect();
        (!all.is_empty()).then(|| all[n % all.len()])
    };
    for edit in edits {
        match edit {
            Edit::Create => {
                ecm.create();
            }
            Edit::Adopt(a, b) => {
                // A parent always has the lower id here, so that no one holds itself.
                if let (Some(a), Some(b)) = (pick(ecm, *a), pick(ecm, *b))
                    && a < b
                {
                    ecm.set(b, Parent(a)).unwrap();
                }
            }
            Edit::SetLabel(n, text) => {
                if let Some(entity) = pick(ecm, *n) {
                    ecm.set(entity, Label(format!("l{text}"))).unwrap();
                }
            }
            Edit::SetPlace(n, x) => {
                if let Some(entity) = pick(ecm, *n) {
                    ecm.set(entity, Place { x: *x, y: -x }).unwrap();
                }
            }
            Edit::DropPlace(n) => {
                if let Some(entity) = pick(ecm, *n) {
                    ecm.remove::<Place>(entity);
                }
            }
            Edit::Remove(n) => {
                if let Some(entity) = pick(ecm, *n) {
                    ecm.remove_entity(entity);
                }
            }
            Edit::CloseTick => {
                ecm.close_tick();
            }
        }
    }
}

pub fn made_by(edits: &[Edit]) -> Ecm {
    let mut ecm = Ecm::new(registry());
    perform(&mut ecm, edits);
    ecm
}

/// The next free id travels with states and not with edits, so copies are compared without it.
pub fn same_content(a: &Ecm, b: &Ecm) -> bool {
    a.entities().eq(b.entities())
        && a.entities().all(|entity| a.components_json(entity) == b.components_json(entity))
}
