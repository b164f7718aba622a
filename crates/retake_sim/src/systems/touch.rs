//! Tells when a model has touched something for a while, as Gazebo's TouchPlugin.
//!
//! It is enabled by a topic, not by a service: a `Double` that is not 0 on `/<namespace>/enable`.

use retake_components::{Contacts, path_of};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::SimTime;
use retake_msgs::Boolean;
use serde::{Deserialize, Serialize};

use super::joint_topic::read_number;
use super::{Attachment, SystemKind};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::TouchPlugin", "ignition::gazebo::systems::TouchPlugin"],
    register: |builder| builder.with::<TouchState>(),
    make: |attachment, ecm| TouchPlugin::make(attachment, ecm),
};

/// How long a model has touched what it is to touch; on the plugin entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchState {
    /// Whether it looks out for a touch.
    pub enabled: bool,
    /// When the present touch began.
    pub since: Option<SimTime>,
    /// When it has told of a touch last.
    pub touched_at: Option<SimTime>,
}

impl Component for TouchState {
    const NAME: &'static str = "touch";
}

struct TouchPlugin {
    plugin: EntityId,
    model: EntityId,
    target: String,
    /// Names of the model's own collisions that count; empty for all.
    collisions: Vec<String>,
    lasts: SimTime,
    namespace: String,
}

impl TouchPlugin {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let namespace = params.text("namespace").filter(|text| !text.is_empty());
        let own = || format!("{}/touch", path_of(ecm, at.holder).replace("::", "/"));
        let namespace = namespace.map_or_else(own, |name| name.trim_matches('/').to_owned());
        let target = params.required("target")?.trim().to_owned();
        let collisions = params.texts("collision").into_iter().map(str::to_owned).collect();
        params.required("time")?;
        let lasts = SimTime::from_secs_f64(params.at_least_zero("time", 0.0)?);
        if ecm.get::<TouchState>(at.plugin).is_none() {
            let enabled = params.flag("enabled")?;
            // The plugin entity and its holder exist: this system is being made for them.
            ecm.set(at.plugin, TouchState { enabled, ..TouchState::default() }).ok();
        }
        if ecm.get::<Contacts>(at.holder).is_none() {
            ecm.set(at.holder, Contacts::default()).ok();
        }
        let (plugin, model) = (at.plugin, at.holder);
        Ok(Box::new(Self { plugin, model, target, collisions, lasts, namespace }))
    }

    fn touches(&self, ecm: &Ecm) -> bool {
        let contacts = ecm.get::<Contacts>(self.model).map_or(&[][..], |all| &all.points);
        let mine = |collision: EntityId| {
            let path = path_of(ecm, collision);
            self.collisions.is_empty()
                || self
                    .collisions
                    .iter()
                    .any(|name| path.rsplit("::").next() == Some(name.as_str()))
        };
        contacts
            .iter()
            .any(|point| mine(point.collision) && path_of(ecm, point.other).contains(&self.target))
    }
}

impl System for TouchPlugin {
    fn subscriptions(&self) -> Vec<String> {
        vec![format!("/{}/enable", self.namespace)]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let enabled = read_number(topic, bytes)? != 0.0;
        if let Some(state) = ecm.get_mut::<TouchState>(self.plugin) {
            *state = TouchState { enabled, since: None, ..*state };
        }
        Ok(())
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(mut state) = ecm.get::<TouchState>(self.plugin).copied() else { return Ok(()) };
        if !state.enabled {
            return Ok(());
        }
        // Contacts are those of the last step, which ended now.
        state.since = match self.touches(ecm) {
            true => Some(state.since.unwrap_or(step.sim_time)),
            false => None,
        };
        if state.since.is_some_and(|since| step.sim_time - since >= self.lasts) {
            state = TouchState { enabled: false, since: None, touched_at: Some(step.sim_time) };
        }
        ecm.set(self.plugin, state).map_err(|_| SystemError::NothingHeld)
    }

    fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        let state = ecm.get::<TouchState>(self.plugin).copied().unwrap_or_default();
        if state.touched_at == Some(step.sim_time - step.step_size) {
            out.publish(&format!("/{}/touched", self.namespace), &Boolean { data: true });
        }
        Ok(())
    }
}
