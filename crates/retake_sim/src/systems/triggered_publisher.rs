//! Publishes messages when others come in that fit, as Gazebo's TriggeredPublisher.
//!
//! What it publishes reaches systems of the same world within the step. Services are not called;
//! whoever triggers one is told.

use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use retake_components::{WorldClock, world_entity};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::SimTime;
use serde::{Deserialize, Serialize};

use super::joint_topic::absolute;
use super::message_text::{FieldMatch, message_type, read, same};
use super::{Attachment, Params, SystemKind};
use crate::system::{StepInfo, System, SystemError};
use crate::{OutMessage, Outbox};

pub(super) const KIND: SystemKind = SystemKind {
    names: &[
        "gz::sim::systems::TriggeredPublisher",
        "ignition::gazebo::systems::TriggeredPublisher",
    ],
    register: |builder| builder.with::<TriggerState>(),
    make: |attachment, ecm| TriggeredPublisher::make(attachment, ecm),
};

/// When messages that were triggered are to be published, oldest first; on the plugin entity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriggerState(pub Vec<SimTime>);

impl TriggerState {
    /// Most that may wait; beyond it new ones are refused, and told so.
    pub const MOST: usize = 1024;
}

impl Component for TriggerState {
    const NAME: &'static str = "triggered";
}

struct TriggeredPublisher {
    plugin: EntityId,
    topic: String,
    kind: MessageDescriptor,
    matches: Vec<Match>,
    delay: SimTime,
    outputs: Vec<OutMessage>,
    services: Vec<String>,
    /// How often the present step publishes.
    firing: usize,
}

/// What a message must be.
struct Match {
    wanted: Wanted,
    positive: bool,
    tolerance: f64,
}

enum Wanted {
    Whole(DynamicMessage),
    Field(FieldMatch),
}

impl Match {
    fn read(
        kind: &MessageDescriptor,
        text: &str,
        params: &Params<'_>,
    ) -> Result<Self, SystemError> {
        let wanted = match params.text("field") {
            Some(field) => FieldMatch::read(kind, field, text).map(Wanted::Field),
            None => read(kind, text).map(Wanted::Whole),
        };
        let words = &["positive", "negative"];
        Ok(Self {
            wanted: wanted.map_err(|reason| unfit("match", &reason))?,
            positive: params.word_or("logic_type", "positive", words)? == "positive",
            tolerance: params.at_least_zero("tol", 1e-8)?,
        })
    }

    fn fits(&self, message: &DynamicMessage) -> bool {
        let fits = match &self.wanted {
            Wanted::Whole(whole) => same(whole, message, self.tolerance),
            Wanted::Field(field) => field.fits(message, self.tolerance),
        };
        fits == self.positive
    }
}

fn unfit(element: &str, reason: &str) -> SystemError {
    SystemError::Unfit { reason: format!("<{element}>: {reason}") }
}

impl TriggeredPublisher {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let input = params.elements("input").next();
        let input = input.ok_or(SystemError::MissingParameter { parameter: "input" })?;
        let given = Params::of(input);
        let kind =
            message_type(given.required("type")?).map_err(|reason| unfit("input", &reason))?;
        let matches = given.elements("match").filter(|element| !element.text.trim().is_empty());
        let matches = matches
            .map(|element| Match::read(&kind, element.text.trim(), &Params::of(element)))
            .collect::<Result<_, _>>()?;
        let outputs = params.elements("output").map(|element| {
            let given = Params::of(element);
            let topic = absolute(given.required("topic")?);
            let kind = message_type(given.required("type")?);
            let message = kind.and_then(|kind| Ok((read(&kind, element.text.trim())?, kind)));
            let (message, kind) = message.map_err(|reason| unfit("output", &reason))?;
            let type_name = kind.full_name().to_owned();
            Ok(OutMessage::encoded(topic, type_name, message.encode_to_vec()))
        });
        let outputs = outputs.collect::<Result<Vec<_>, SystemError>>()?;
        let services: Vec<String> = params
            .elements("service")
            .map(|element| Params::of(element).required("name").map(str::to_owned))
            .collect::<Result<_, _>>()?;
        if outputs.is_empty() && services.is_empty() {
            return Err(SystemError::MissingParameter { parameter: "output" });
        }
        if ecm.get::<TriggerState>(at.plugin).is_none() {
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, TriggerState::default()).ok();
        }
        Ok(Box::new(Self {
            plugin: at.plugin,
            topic: absolute(given.required("topic")?),
            kind,
            matches,
            delay: SimTime::from_secs_f64(params.at_least_zero("delay_ms", 0.0)? / 1000.0),
            outputs,
            services,
            firing: 0,
        }))
    }
}

impl System for TriggeredPublisher {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.topic.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let bad = |reason: String| SystemError::BadMessage { topic: topic.to_owned(), reason };
        let message = DynamicMessage::decode(self.kind.clone(), bytes);
        let message = message.map_err(|error| bad(error.to_string()))?;
        if !self.matches.iter().all(|wanted| wanted.fits(&message)) {
            return Ok(());
        }
        let clock = world_entity(ecm).and_then(|world| ecm.get::<WorldClock>(world)).copied();
        let due = clock.unwrap_or_default().sim_time + self.delay;
        let state = ecm.get_mut::<TriggerState>(self.plugin).ok_or(SystemError::NothingHeld)?;
        if state.0.len() >= TriggerState::MOST {
            return Err(bad(format!("{} messages wait to be published", TriggerState::MOST)));
        }
        state.0.push(due);
        match self.services.first() {
            Some(name) => Err(bad(format!("it triggers the service {name}, which is not called"))),
            None => Ok(()),
        }
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let waiting = ecm.get::<TriggerState>(self.plugin);
        let is_due = |due: &&SimTime| **due <= step.sim_time;
        self.firing = waiting.map_or(0, |state| state.0.iter().take_while(is_due).count());
        if self.firing > 0
            && let Some(state) = ecm.get_mut::<TriggerState>(self.plugin)
        {
            state.0.drain(..self.firing);
        }
        Ok(())
    }

    fn post_update(&mut self, _: &StepInfo, _: &Ecm, out: &mut Outbox) -> Result<(), SystemError> {
        for _ in 0..std::mem::take(&mut self.firing) {
            self.outputs.iter().for_each(|message| out.send(message.clone()));
        }
        Ok(())
    }
}
