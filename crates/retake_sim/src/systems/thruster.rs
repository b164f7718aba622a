//! A propeller that pushes its link through water, as Gazebo's Thruster.
//!
//! Thrust is coefficient × density × diameter⁴ × ω²; what is commanded is the thrust or ω.

use retake_components::{AxisCommand, BodyTwist, JointSpec, world_pose};
use retake_ecm::{Component, Ecm, EntityId, Parent};
use retake_math::Vec3;
use retake_msgs::{Boolean, Double};
use serde::{Deserialize, Serialize};

use super::joint_drive::{check_axis, command_axis, find_joint, release_axis};
use super::joint_topic::{absolute, read_number};
use super::linear_battery::{BatteryCharge, PowerLoad};
use super::pid::{Pid, PidState};
use super::push::push_at;
use super::{Attachment, Params, SystemKind, message};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::Thruster", "ignition::gazebo::systems::Thruster"],
    register: |builder| builder.with::<ThrusterState>(),
    make: |attachment, ecm| Thruster::make(attachment, ecm),
};

/// What a thruster does; on its plugin entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThrusterState {
    /// Thrust that is commanded, in N.
    pub thrust_n: f64,
    /// Angular velocity that gives this thrust, in rad/s.
    pub spin_rad_per_s: f64,
    /// Whether small commands do nothing.
    pub deadband_enabled: bool,
    /// Whether its battery is empty.
    pub starved: bool,
    /// What the controller of the propeller remembers.
    pub error: PidState,
}

impl Component for ThrusterState {
    const NAME: &'static str = "thruster";
}

/// Slower than this off its target a propeller is left alone, in rad/s.
const CLOSE_ENOUGH: f64 = 0.1;

struct Thruster {
    plugin: EntityId,
    model: EntityId,
    joint: EntityId,
    propeller: Propeller,
    by_spin: bool,
    bounds: (f64, f64),
    deadband_n: f64,
    /// None where the engine's own drive turns the propeller.
    by_torque: Option<Pid>,
    topics: Topics,
    /// What the present step tells: ω, or the thrust where ω is commanded.
    told: Option<f64>,
}

struct Topics {
    command: String,
    deadband: String,
    feedback: String,
}

/// What a propeller is.
#[derive(Clone, Copy)]
struct Propeller {
    density: f64,
    diameter_m: f64,
    /// None where it follows from the flow.
    coefficient: Option<f64>,
    alpha: (f64, f64),
    wake_fraction: f64,
}

impl Propeller {
    fn read(params: &Params<'_>) -> Result<Self, SystemError> {
        Ok(Self {
            density: params.positive_or("fluid_density", 1000.0)?,
            diameter_m: params.positive_or("propeller_diameter", 0.02)?,
            coefficient: match params.number("thrust_coefficient")? {
                Some(0.0) => {
                    return Err(SystemError::BadParameter {
                        parameter: "thrust_coefficient".to_owned(),
                        text: "0".to_owned(),
                        expected: "a number other than 0",
                    });
                }
                coefficient => coefficient,
            },
            alpha: (params.number_or("alpha_1", 1.0)?, params.number_or("alpha_2", 0.0)?),
            wake_fraction: params.number_or("wake_fraction", 0.2)?,
        })
    }

    /// Returns the thrust coefficient of a propeller that turns so and moves at a speed.
    fn coefficient_at(&self, spin: f64, speed: f64) -> f64 {
        let (still, slope) = self.alpha;
        let advance = match spin.abs() > f64::EPSILON {
            true => (1.0 - self.wake_fraction) * speed / (spin * self.diameter_m),
            false => 0.0,
        };
        self.coefficient.unwrap_or(still + slope * advance)
    }

    fn thrust(&self, coefficient: f64, spin: f64) -> f64 {
        coefficient * self.density * self.diameter_m.powi(4) * spin * spin.abs()
    }

    fn spin(&self, coefficient: f64, thrust: f64) -> f64 {
        let per_spin = self.density * coefficient.abs() * self.diameter_m.powi(4);
        match per_spin > 0.0 {
            true => (thrust.abs() / per_spin).sqrt() * (thrust * coefficient).signum(),
            false => 0.0,
        }
    }
}

impl Thruster {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let name = params.required("joint_name")?;
        let joint = find_joint(ecm, at.holder, name)?;
        check_axis(ecm, joint, 0)?;
        let propeller = Propeller::read(&params)?;
        let bounds =
            (params.number_or("min_thrust_cmd", -1e3)?, params.number_or("max_thrust_cmd", 1e3)?);
        if bounds.0 > bounds.1 {
            return Err(SystemError::BadParameter {
                parameter: "min_thrust_cmd".to_owned(),
                text: bounds.0.to_string(),
                expected: "a number not above <max_thrust_cmd>",
            });
        }
        let by_spin = params.flag("use_angvel_cmd")?;
        if ecm.get::<ThrusterState>(at.plugin).is_none() {
            let deadband_enabled = params.text("deadband").is_some();
            let state = ThrusterState { deadband_enabled, ..ThrusterState::default() };
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, state).ok();
        }
        if let Some(power_w) = params.number("power_load")? {
            let battery = params.required("battery_name")?.trim().to_owned();
            ecm.set(at.plugin, PowerLoad { battery, power_w }).ok();
        }
        Ok(Box::new(Self {
            plugin: at.plugin,
            model: at.holder,
            joint,
            by_torque: controller(&params, &propeller, bounds)?,
            propeller,
            by_spin,
            bounds,
            deadband_n: params.at_least_zero("deadband", 0.0)?,
            topics: topics(&params, &at.holder_name, (name, by_spin)),
            told: None,
        }))
    }

    fn has_power(&self, ecm: &Ecm) -> bool {
        let of_model =
            |plugin: EntityId| ecm.get::<Parent>(plugin).map(|p| p.0) == Some(self.model);
        !ecm.iter::<BatteryCharge>().any(|(plugin, charge)| of_model(plugin) && charge.is_empty())
    }

    /// Turns the propeller; returns how fast it turns and the torque that does it.
    fn turn(
        &self,
        ecm: &mut Ecm,
        (axis, spin): (Vec3, f64),
        (error, dt_secs): (&mut PidState, f64),
    ) -> Result<(f64, f64), SystemError> {
        let Some(pid) = &self.by_torque else {
            let drive = AxisCommand::Velocity { target: spin, max_effort: f64::INFINITY };
            command_axis(ecm, self.joint, 0, drive)?;
            return Ok((spin, 0.0));
        };
        let link = ecm.get::<JointSpec>(self.joint).map(|spec| spec.child);
        let twist = link.and_then(|link| ecm.get::<BodyTwist>(link)).copied().unwrap_or_default();
        let turns = twist.0.angular.dot(axis);
        let off = spin - turns;
        let torque = if off.abs() > CLOSE_ENOUGH { pid.effort(error, off, dt_secs) } else { 0.0 };
        Ok((turns, torque))
    }
}

fn controller(
    params: &Params<'_>,
    propeller: &Propeller,
    bounds: (f64, f64),
) -> Result<Option<Pid>, SystemError> {
    if params.flag("velocity_control")? {
        return Ok(None);
    }
    // Gazebo bounds the torque by the number of the spin that gives the greatest thrust.
    let coefficient = propeller.coefficient_at(0.0, 0.0);
    let spins = [bounds.0, bounds.1].map(|thrust| propeller.spin(coefficient, thrust));
    let command = (spins[0].min(spins[1]), spins[0].max(spins[1]));
    let otherwise = Pid { p: 0.1, command, ..Pid::DEFAULT };
    Pid::read(params, &otherwise).map(Some)
}

fn topics(params: &Params<'_>, model: &str, (joint, by_spin): (&str, bool)) -> Topics {
    let given = |name: &str| params.text(name).filter(|text| !text.is_empty());
    let namespace = given("namespace").unwrap_or(model);
    let feedback = if by_spin { "force" } else { "ang_vel" };
    let (base, command) = match given("topic") {
        Some(topic) => (absolute(&format!("{namespace}/{topic}")), None),
        None => {
            let verb = if by_spin { "cmd_vel" } else { "cmd_thrust" };
            (format!("/model/{namespace}/joint/{joint}"), Some(verb))
        }
    };
    Topics {
        command: command.map_or_else(|| base.clone(), |verb| format!("{base}/{verb}")),
        deadband: format!("{base}/enable_deadband"),
        feedback: format!("{base}/{feedback}"),
    }
}

impl System for Thruster {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.topics.command.clone(), self.topics.deadband.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(mut state) = ecm.get::<ThrusterState>(self.plugin).copied() else {
            return Ok(());
        };
        if topic == self.topics.deadband {
            let message: Boolean = message::read(topic, bytes)?;
            state.deadband_enabled = message.data;
        } else {
            let command = read_number(topic, bytes)?.clamp(self.bounds.0, self.bounds.1);
            let twist = ecm.get::<JointSpec>(self.joint).map(|spec| spec.child);
            let twist = twist.and_then(|link| ecm.get::<BodyTwist>(link)).copied();
            let speed = twist.unwrap_or_default().0.linear.length();
            let spin = if self.by_spin { command } else { state.spin_rad_per_s };
            let coefficient = self.propeller.coefficient_at(spin, speed);
            state.thrust_n = match self.by_spin {
                true => self.propeller.thrust(coefficient, command),
                false => command,
            };
        }
        ecm.set(self.plugin, state).map_err(|_| SystemError::NothingHeld)
    }

    fn release(&mut self, ecm: &mut Ecm) {
        if self.by_torque.is_none() {
            release_axis(ecm, self.joint, 0);
        }
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        self.told = None;
        let Some(mut state) = ecm.get::<ThrusterState>(self.plugin).copied() else {
            return Ok(());
        };
        let Some(spec) = ecm.get::<JointSpec>(self.joint) else { return Ok(()) };
        let (link, from_joint) = (spec.child, spec.child_from_joint);
        let axis = spec.axes.first().map_or(Vec3::X, |axis| axis.xyz);
        let pose = world_pose(ecm, link);
        let axis = (pose * from_joint).transform_vector(axis);
        state.starved = !self.has_power(ecm);
        let speed = ecm.get::<BodyTwist>(link).copied().unwrap_or_default().0.linear.length();
        let coefficient = self.propeller.coefficient_at(state.spin_rad_per_s, speed);
        state.spin_rad_per_s = self.propeller.spin(coefficient, state.thrust_n);
        let small = state.deadband_enabled && state.thrust_n.abs() < self.deadband_n;
        let (thrust, spin) = match small || state.starved {
            true => (0.0, 0.0),
            false => (state.thrust_n, state.spin_rad_per_s),
        };
        let control = (&mut state.error, step.dt_secs());
        let (turns, torque) = self.turn(ecm, (axis, spin), control)?;
        push_at(ecm, link, pose.position, axis * thrust, axis * torque);
        self.told = Some(if self.by_spin { thrust } else { turns });
        ecm.set(self.plugin, state).map_err(|_| SystemError::NothingHeld)
    }

    fn post_update(&mut self, _: &StepInfo, _: &Ecm, out: &mut Outbox) -> Result<(), SystemError> {
        if let Some(data) = self.told.take() {
            out.publish(&self.topics.feedback, &Double { data });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROPELLER: Propeller = Propeller {
        density: 1000.0,
        diameter_m: 0.2,
        coefficient: Some(0.004),
        alpha: (1.0, 0.0),
        wake_fraction: 0.2,
    };

    #[test]
    fn thrust_grows_with_the_square_of_the_spin() {
        // 0.004 × 1000 × 0.2⁴ = 0.0064 N s²/rad².
        assert!((PROPELLER.thrust(0.004, 50.0) - 16.0).abs() < 1e-12);
        assert!((PROPELLER.thrust(0.004, -100.0) + 64.0).abs() < 1e-12);
        assert!((PROPELLER.spin(0.004, 16.0) - 50.0).abs() < 1e-12);
        // One that turns the other way round has a negative coefficient.
        assert!((PROPELLER.spin(-0.004, 16.0) + 50.0).abs() < 1e-12);
    }

    #[test]
    fn the_coefficient_falls_with_the_speed_of_advance() {
        let open = Propeller { coefficient: None, alpha: (0.5, -0.4), ..PROPELLER };
        // 0.8 × 2 m/s over 20 rad/s × 0.2 m is 0.4.
        assert!((open.coefficient_at(20.0, 2.0) - 0.34).abs() < 1e-12);
        assert_eq!(open.coefficient_at(0.0, 2.0), 0.5);
        assert_eq!(PROPELLER.coefficient_at(20.0, 2.0), 0.004);
    }
}
