//! A system that misbehaves when a test says so, in the callback that the test names.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, Once};

use retake_ecm::{Component, Ecm, EntityId};
use retake_sim::systems::{self, Attachment, SystemKind};
use retake_sim::{Outbox, Rewind, StepInfo, System, SystemError};
use serde::{Deserialize, Serialize};

/// What a system does in one of its callbacks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Panics,
    Hangs,
}

/// By the name of the model, so that tests do not meet: where it misbehaves, and how.
static MOODS: Mutex<BTreeMap<String, (&'static str, Mood)>> = Mutex::new(BTreeMap::new());
static CHANGED: Condvar = Condvar::new();

static KIND: SystemKind =
    SystemKind { names: &["test::Moody"], register: |b| b.with::<Steps>(), make: Moody::make };

/// How often it acted; on its plugin entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps(pub u64);

impl Component for Steps {
    const NAME: &'static str = "test_steps";
}

/// Makes the system known to this program.
pub fn add() {
    static ADDED: Once = Once::new();
    ADDED.call_once(|| systems::add(&KIND).unwrap());
}

/// Lets the system of a model misbehave from now on.
pub fn spoil(model: &str, callback: &'static str, mood: Mood) {
    moods().insert(model.to_owned(), (callback, mood));
}

/// Lets the system of a model behave again, and go on if it hangs.
pub fn calm(model: &str) {
    moods().remove(model);
    CHANGED.notify_all();
}

fn moods() -> MutexGuard<'static, BTreeMap<String, (&'static str, Mood)>> {
    MOODS.lock().unwrap()
}

struct Moody {
    model: String,
    plugin: EntityId,
}

impl Moody {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let moody = Self { model: at.holder_name.clone(), plugin: at.plugin };
        if ecm.get::<Steps>(at.plugin).is_none() {
            ecm.set(at.plugin, Steps(0)).unwrap();
        }
        moody.act("make");
        Ok(Box::new(moody))
    }

    fn act(&self, callback: &'static str) {
        let is_spoiled = |mood| moods().get(&self.model) == Some(&(callback, mood));
        assert!(!is_spoiled(Mood::Panics), "no mood for {callback}");
        let hangs = (callback, Mood::Hangs);
        let waiting = CHANGED.wait_while(moods(), |moods| moods.get(&self.model) == Some(&hangs));
        drop(waiting.unwrap());
    }
}

impl System for Moody {
    fn subscriptions(&self) -> Vec<String> {
        self.act("subscriptions");
        vec![format!("/{}", self.model)]
    }

    fn on_message(&mut self, _: &str, _: &[u8], _: &mut Ecm) -> Result<(), SystemError> {
        self.act("on_message");
        Ok(())
    }

    fn rewind(&self) -> Rewind {
        self.act("rewind");
        Rewind::Cannot { reason: "moods do not go back".to_owned() }
    }

    fn time_jumped(&mut self, _: &mut Ecm) -> Result<(), SystemError> {
        self.act("time_jumped");
        Ok(())
    }

    fn release(&mut self, _: &mut Ecm) {
        self.act("release");
    }

    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        self.act("pre_update");
        if let Some(steps) = ecm.get_mut::<Steps>(self.plugin) {
            steps.0 += 1;
        }
        Ok(())
    }

    fn post_update(&mut self, _: &StepInfo, _: &Ecm, _: &mut Outbox) -> Result<(), SystemError> {
        self.act("post_update");
        Ok(())
    }
}

impl Drop for Moody {
    fn drop(&mut self) {
        self.act("drop");
    }
}
