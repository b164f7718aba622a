//! Moves a model, or links of it, at the velocity that a topic says, as Gazebo's VelocityControl.
//!
//! The velocity is set before each step, in the frame of what moves; contacts and joints change it
//! within the step.

use retake_components::{BodyTwist, CanonicalLink, Kind, path_of, world_pose};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::{Twist, Vec3};
use retake_msgs::names;
use serde::{Deserialize, Serialize};

use super::joint_topic::absolute;
use super::{Attachment, Params, SystemKind, message};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::VelocityControl", "ignition::gazebo::systems::VelocityControl"],
    register: |builder| builder.with::<VelocityTargets>(),
    make: |attachment, ecm| VelocityControl::make(attachment, ecm),
};

/// Velocities to hold, in the frame of each link, in the order of the topics: that of the model
/// first; none where nobody said anything yet. On the plugin entity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VelocityTargets(pub Vec<Option<Twist>>);

impl Component for VelocityTargets {
    const NAME: &'static str = "velocity_targets";
}

/// Fastest that is taken, in m/s or rad/s.
const FASTEST: f64 = 1e6;

struct VelocityControl {
    plugin: EntityId,
    /// Topic and link, the model's own first.
    moved: Vec<(String, EntityId)>,
}

impl VelocityControl {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let unfit = |reason: String| SystemError::Unfit { reason };
        let Some(CanonicalLink(link)) = ecm.get(at.holder).copied() else {
            return Err(unfit(format!("{:?} has no link that could move", at.holder_name)));
        };
        let topic = params.text("topic").filter(|topic| !topic.is_empty());
        let topic = topic.map_or_else(|| names::cmd_vel(&at.holder_name), absolute);
        let mut moved = vec![(topic, link)];
        let topics = params.texts("link_topic");
        for (index, name) in params.texts("link_name").into_iter().enumerate() {
            let path = format!("{}::{name}", path_of(ecm, at.holder));
            let link = retake_components::find(ecm, &path)
                .filter(|link| ecm.get::<Kind>(*link) == Some(&Kind::Link))
                .ok_or_else(|| unfit(format!("<link_name>: {path:?} is no link")))?;
            let own = || format!("/model/{}/link/{name}/cmd_vel", at.holder_name);
            moved.push((topics.get(index).map_or_else(own, |topic| absolute(topic)), link));
        }
        let known = ecm.get::<VelocityTargets>(at.plugin).map(|targets| targets.0.len());
        if known != Some(moved.len()) {
            let mut targets = vec![None; moved.len()];
            targets[0] = start(&params)?;
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, VelocityTargets(targets)).ok();
        }
        Ok(Box::new(Self { plugin: at.plugin, moved }))
    }
}

fn start(params: &Params<'_>) -> Result<Option<Twist>, SystemError> {
    let read = |name: &str| {
        let rows = params.rows::<3>(name, "three numbers, x, y and z")?;
        Ok::<_, SystemError>(rows.first().copied().map(Vec3::from_array))
    };
    let (linear, angular) = (read("initial_linear")?, read("initial_angular")?);
    let given = linear.is_some() || angular.is_some();
    let twist = Twist { linear: linear.unwrap_or_default(), angular: angular.unwrap_or_default() };
    Ok(given.then_some(twist))
}

impl System for VelocityControl {
    fn subscriptions(&self) -> Vec<String> {
        self.moved.iter().map(|(topic, _)| topic.clone()).collect()
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let bad = |reason: String| SystemError::BadMessage { topic: topic.to_owned(), reason };
        let message: retake_msgs::Twist = message::read(topic, bytes)?;
        let twist = Twist::from(&message);
        let fastest = twist.linear.abs().max_element().max(twist.angular.abs().max_element());
        if fastest > FASTEST {
            return Err(bad(format!("a velocity is no number within ±{FASTEST:e}")));
        }
        if let Some(targets) = ecm.get_mut::<VelocityTargets>(self.plugin) {
            let told = self.moved.iter().zip(&mut targets.0).filter(|((own, _), _)| own == topic);
            told.for_each(|(_, target)| *target = Some(twist));
        }
        Ok(())
    }

    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let targets = ecm.get::<VelocityTargets>(self.plugin).cloned().unwrap_or_default();
        for ((_, link), target) in self.moved.iter().zip(targets.0) {
            let Some(target) = target else { continue };
            let world_from_link = world_pose(ecm, *link);
            let twist = Twist {
                linear: world_from_link.transform_vector(target.linear),
                angular: world_from_link.transform_vector(target.angular),
            };
            ecm.set(*link, BodyTwist(twist)).map_err(|_| SystemError::NothingHeld)?;
        }
        Ok(())
    }
}
