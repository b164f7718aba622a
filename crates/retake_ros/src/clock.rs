//! The time that others are told, and what becomes of it when the world goes back.

use retake_math::SimTime;
use serde_json::{Value, json};

const NANOS_PER_SEC: i64 = 1_000_000_000;

/// What becomes of the time that others are told when the world goes to another time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockPolicy {
    /// It jumps too: stamps are simulated time. Nodes that keep the past, as TF does, must forget it.
    #[default]
    Jump,
    /// It goes on: stamps are simulated time and an offset that each jump changes.
    Monotonic,
}

/// A time that others are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RosTime(pub i64);

impl RosTime {
    /// Returns it as the message that ROS has for it.
    pub fn message(self) -> Value {
        let (sec, nanosec) = (self.0.div_euclid(NANOS_PER_SEC), self.0.rem_euclid(NANOS_PER_SEC));
        json!({"sec": sec, "nanosec": nanosec})
    }

    /// Reads the message that ROS has for it.
    pub fn from_message(message: &Value) -> Self {
        let part = |name: &str| message.get(name).and_then(Value::as_i64).unwrap_or(0);
        Self(part("sec").saturating_mul(NANOS_PER_SEC).saturating_add(part("nanosec")))
    }
}

/// Tells simulated time from the time that others are told, and back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RosClock {
    policy: ClockPolicy,
    offset_nanos: i64,
}

impl RosClock {
    /// Begins with simulated time as it is.
    pub fn new(policy: ClockPolicy) -> Self {
        Self { policy, offset_nanos: 0 }
    }

    /// Returns the policy.
    pub fn policy(&self) -> ClockPolicy {
        self.policy
    }

    /// Notes that the world went to another time.
    pub fn jumped(&mut self, from: SimTime, to: SimTime) {
        if self.policy == ClockPolicy::Monotonic {
            let away = from.as_nanos().saturating_sub(to.as_nanos());
            self.offset_nanos = self.offset_nanos.saturating_add(away);
        }
    }

    /// Returns what others are told at a simulated time.
    pub fn told(&self, sim: SimTime) -> RosTime {
        RosTime(sim.as_nanos().saturating_add(self.offset_nanos))
    }

    /// Returns the simulated time that others mean.
    pub fn meant(&self, told: RosTime) -> SimTime {
        SimTime::from_nanos(told.0.saturating_sub(self.offset_nanos))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn secs(secs: f64) -> SimTime {
        SimTime::from_secs_f64(secs)
    }

    #[test]
    fn a_jumping_clock_is_simulated_time() {
        let mut clock = RosClock::new(ClockPolicy::Jump);
        clock.jumped(secs(9.0), secs(2.0));
        assert_eq!(clock.told(secs(2.5)).message(), json!({"sec": 2, "nanosec": 500_000_000}));
    }

    #[test]
    fn a_monotonic_clock_goes_on() {
        let mut clock = RosClock::new(ClockPolicy::Monotonic);
        clock.jumped(secs(9.0), secs(2.0));
        assert_eq!(clock.told(secs(2.5)).message(), json!({"sec": 9, "nanosec": 500_000_000}));
        // Forward too: a redo is no more than the next instant.
        clock.jumped(secs(3.0), secs(8.0));
        assert_eq!(clock.told(secs(8.0)), RosTime(10_000_000_000));
        assert_eq!(clock.meant(RosTime(10_000_000_000)), secs(8.0));
    }

    proptest! {
        #[test]
        fn no_jumps_ever_make_a_monotonic_clock_go_back(
            steps in prop::collection::vec((0i64..1_000_000, prop::option::of(0i64..1 << 50)), 1..50)
        ) {
            let mut clock = RosClock::new(ClockPolicy::Monotonic);
            let (mut now, mut last) = (0, RosTime(0));
            for (passed, jump) in steps {
                now += passed;
                if let Some(to) = jump {
                    clock.jumped(SimTime::from_nanos(now), SimTime::from_nanos(to));
                    now = to;
                }
                let told = clock.told(SimTime::from_nanos(now));
                prop_assert!(told >= last);
                prop_assert_eq!(clock.meant(told), SimTime::from_nanos(now));
                last = told;
            }
        }
    }
}
