//! A battery that is drained by what its model does, as Gazebo's LinearBatteryPlugin.
//!
//! The charge is the integral of the current: what Gazebo does with `<fix_issue_225>`.

use retake_components::{AxisCommand, JointCommand};
use retake_ecm::{Component, Ecm, EntityId, Parent};
use retake_msgs::BatteryState;
use retake_msgs::battery_state::PowerSupplyStatus;
use serde::{Deserialize, Serialize};

use super::joint_topic::absolute;
use super::rate::Rate;
use super::{Attachment, Params, SystemKind};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &[
        "gz::sim::systems::LinearBatteryPlugin",
        "ignition::gazebo::systems::LinearBatteryPlugin",
    ],
    register: |builder| builder.with::<BatteryCharge>().with::<PowerLoad>(),
    make: |attachment, ecm| LinearBattery::make(attachment, ecm),
};

/// What is left in a battery; on its plugin entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatteryCharge {
    /// Name of the battery.
    pub name: String,
    /// Charge in A h.
    pub charge_ah: f64,
    /// Greatest charge in A h.
    pub capacity_ah: f64,
    /// Current that flows out, smoothed, in A.
    pub current_a: f64,
    /// Voltage in V.
    pub voltage_v: f64,
    /// Whether the model has begun to use it.
    pub draining: bool,
    /// Whether it is being charged.
    pub charging: bool,
}

impl BatteryCharge {
    /// Says whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.charge_ah <= 0.0
    }
}

impl Component for BatteryCharge {
    const NAME: &'static str = "battery";
}

/// What a system draws from a battery; on its plugin entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerLoad {
    /// Name of the battery.
    pub battery: String,
    /// Power in W.
    pub power_w: f64,
}

impl Component for PowerLoad {
    const NAME: &'static str = "power_load";
}

/// Voltage below which nothing flows any more, in V.
const DEAD_V: f64 = 1e-3;
/// Above this share of its capacity a battery is not charged.
const CHARGED: f64 = 0.9;

struct LinearBattery {
    plugin: EntityId,
    model: EntityId,
    cell: Cell,
    power_load_w: f64,
    drain_topics: Vec<String>,
    stop_topics: Vec<String>,
    /// Topics that start and end charging; none cannot be charged.
    recharge_topics: Option<[String; 2]>,
    state_topic: String,
    rate: Rate,
}

/// What a battery is.
#[derive(Clone, Copy)]
struct Cell {
    /// Voltage when full, and what is added to it when empty, in V.
    open_circuit_v: (f64, f64),
    resistance_ohm: f64,
    /// Time over which the current is smoothed, in s.
    smooth_secs: f64,
    /// Current while it is charged, in A.
    charging_a: f64,
}

impl Cell {
    /// Lets a power flow for a time.
    fn flow(&self, state: &mut BatteryCharge, power_w: f64, dt_secs: f64) {
        let spent = state.voltage_v.abs() < DEAD_V || state.is_empty();
        if spent && !state.charging {
            state.current_a = 0.0;
            return;
        }
        let drawn = match state.draining && state.voltage_v.abs() >= DEAD_V && !state.is_empty() {
            true => power_w / state.voltage_v,
            false => 0.0,
        };
        let charges = state.charging && state.charge_ah < CHARGED * state.capacity_ah;
        let current = drawn - if charges { self.charging_a } else { 0.0 };
        let smooth = dt_secs / self.smooth_secs.max(dt_secs);
        state.current_a += smooth * (current - state.current_a);
        let charge = state.charge_ah - state.current_a * dt_secs / 3600.0;
        state.charge_ah = charge.clamp(0.0, state.capacity_ah);
        let (full, linear) = self.open_circuit_v;
        let used = 1.0 - state.charge_ah / state.capacity_ah;
        state.voltage_v = full + linear * used - self.resistance_ohm * state.current_a;
    }
}

impl LinearBattery {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let (params, model) = (at.params(), &at.holder_name);
        let name = params.required("battery_name")?.trim().to_owned();
        params.required("voltage")?;
        params.required("capacity")?;
        let capacity_ah = params.positive_or("capacity", 1.0)?;
        let cell = Cell {
            open_circuit_v: (
                params.number_or("open_circuit_voltage_constant_coef", 0.0)?,
                params.number_or("open_circuit_voltage_linear_coef", 0.0)?,
            ),
            resistance_ohm: params.at_least_zero("resistance", 0.0)?,
            smooth_secs: params.positive_or("smooth_current_tau", 1.0)?,
            charging_a: charging_current(&params, capacity_ah)?,
        };
        if ecm.get::<BatteryCharge>(at.plugin).is_none_or(|known| known.name != name) {
            let charge = BatteryCharge {
                name: name.clone(),
                charge_ah: initial_charge(&params, capacity_ah)?,
                capacity_ah,
                current_a: 0.0,
                voltage_v: params.number_or("voltage", 0.0)?,
                draining: params.flag("start_draining")?,
                charging: false,
            };
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, charge).ok();
        }
        let base = format!("/model/{model}/battery/{name}");
        let recharge = [format!("{base}/recharge/start"), format!("{base}/recharge/stop")];
        let topics = |name: &str| params.texts(name).into_iter().map(absolute).collect();
        Ok(Box::new(Self {
            plugin: at.plugin,
            model: at.holder,
            cell,
            power_load_w: params.number_or("power_load", 0.0)?,
            drain_topics: topics("power_draining_topic"),
            stop_topics: topics("stop_power_draining_topic"),
            recharge_topics: params.flag("enable_recharge")?.then_some(recharge),
            state_topic: format!("{base}/state"),
            rate: Rate::hz(50.0),
        }))
    }

    /// Says whether a joint of the model is told to move.
    fn is_used(&self, ecm: &Ecm) -> bool {
        let of_model = |joint: EntityId| ecm.get::<Parent>(joint).map(|p| p.0) == Some(self.model);
        let moves = |command: &AxisCommand| match *command {
            AxisCommand::Free => false,
            AxisCommand::Position { .. } => true,
            AxisCommand::Velocity { target, .. } => target != 0.0,
            AxisCommand::Effort { effort } => effort != 0.0,
        };
        ecm.iter::<JointCommand>()
            .any(|(joint, commands)| of_model(joint) && commands.0.iter().any(moves))
    }
}

fn charging_current(params: &Params<'_>, capacity_ah: f64) -> Result<f64, SystemError> {
    if !params.flag("enable_recharge")? {
        return Ok(0.0);
    }
    params.required("charging_time")?;
    Ok(capacity_ah / params.positive_or("charging_time", 1.0)?)
}

fn initial_charge(params: &Params<'_>, capacity_ah: f64) -> Result<f64, SystemError> {
    match params.at_least_zero("initial_charge", capacity_ah)? {
        charge if charge <= capacity_ah => Ok(charge),
        _ => Err(SystemError::BadParameter {
            parameter: "initial_charge".to_owned(),
            text: params.text("initial_charge").unwrap_or_default().to_owned(),
            expected: "a number not above <capacity>",
        }),
    }
}

impl System for LinearBattery {
    fn subscriptions(&self) -> Vec<String> {
        let recharge = self.recharge_topics.iter().flatten();
        self.drain_topics.iter().chain(&self.stop_topics).chain(recharge).cloned().collect()
    }

    fn on_message(&mut self, topic: &str, _: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let is = |all: &[String]| all.iter().any(|own| own == topic);
        let Some(state) = ecm.get_mut::<BatteryCharge>(self.plugin) else { return Ok(()) };
        if is(&self.drain_topics) {
            state.draining = true;
        }
        if is(&self.stop_topics) {
            state.draining = false;
        }
        if let Some([start, stop]) = &self.recharge_topics {
            state.charging = topic == start || (state.charging && topic != stop);
        }
        Ok(())
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(mut state) = ecm.get::<BatteryCharge>(self.plugin).cloned() else {
            return Ok(());
        };
        if !state.draining && self.is_used(ecm) {
            state.draining = true;
        }
        if state.draining || state.charging {
            let others = ecm.iter::<PowerLoad>().filter(|(_, load)| load.battery == state.name);
            let power_w = self.power_load_w + others.map(|(_, load)| load.power_w).sum::<f64>();
            self.cell.flow(&mut state, power_w, step.dt_secs());
        }
        if ecm.get::<BatteryCharge>(self.plugin) == Some(&state) {
            return Ok(());
        }
        ecm.set(self.plugin, state).map_err(|_| SystemError::NothingHeld)
    }

    fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        let Some(state) = ecm.get::<BatteryCharge>(self.plugin) else { return Ok(()) };
        if !self.rate.is_due(step) {
            return Ok(());
        }
        let share = state.charge_ah / state.capacity_ah;
        let status = match state {
            BatteryCharge { charging: true, .. } => PowerSupplyStatus::Charging,
            BatteryCharge { draining: true, .. } => PowerSupplyStatus::Discharging,
            _ if share > CHARGED => PowerSupplyStatus::Full,
            _ => PowerSupplyStatus::NotCharging,
        };
        let message = BatteryState {
            stamp: Some(step.sim_time.into()),
            voltage: state.voltage_v,
            current: state.current_a,
            charge: state.charge_ah,
            capacity: state.capacity_ah,
            percentage: 100.0 * share,
            power_supply_status: status.into(),
        };
        out.publish(&self.state_topic, &message);
        Ok(())
    }
}
