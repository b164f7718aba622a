//! Programs on the bus.

use std::net::SocketAddrV4;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use retake_msgs::{
    IntrospectionFilter, LogStatus, LogStatusRequest, RemoveFilter, SetFilter, StampedState,
    StatisticsRequest, Timeline, TimelineRequest, UserCmdReply, UserCmdStats, UserCmdStatsRequest,
    WorldStatistics, names,
};
use retake_transport::typed::{self, Typed};
use retake_transport::{Bus, ZenohBus};

use crate::deeds::{self, Deed, Known};
use crate::tally::Tally;

pub(crate) const WORLD: &str = "cones";
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lives, leaves and comes back until all ends.
pub(crate) fn live(
    address: SocketAddrV4,
    number: usize,
    mut rng: Rng,
    tally: &Tally,
    ended: &AtomicBool,
) {
    let who = format!("program {number}");
    while !ended.load(Ordering::Relaxed) {
        if let Err(why) = act(address, &who, &mut rng, tally, ended) {
            tally.lost(&who, &why);
            std::thread::sleep(Duration::from_secs(1));
        }
    }
}

fn act(
    address: SocketAddrV4,
    who: &str,
    rng: &mut Rng,
    tally: &Tally,
    ended: &AtomicBool,
) -> Result<(), String> {
    let bus = ZenohBus::connect(address).map_err(|error| error.to_string())?;
    tally.connected();
    let _presence = bus.join(who).map_err(|error| error.to_string())?;
    let states = typed::subscribe(&bus, &names::state_delta(WORLD), |_: StampedState| {});
    let _states = states.map_err(|error| error.to_string())?;
    let filter = watch(&bus)?;
    let mut known = Known::default();
    let leave_at = Instant::now() + Duration::from_secs(rng.u64(3..40));
    while !ended.load(Ordering::Relaxed) && Instant::now() < leave_at {
        known.history = call(&bus, &names::history_get(WORLD), &UserCmdStatsRequest {})?;
        known.timeline = call(&bus, &names::timeline_get(WORLD), &TimelineRequest {})?;
        let reply: Option<UserCmdReply> = match deeds::choose(who, &known, rng) {
            Deed::Command(command) => Some(call(&bus, &names::user_command(WORLD), &*command)?),
            Deed::UndoRedo(undo) => Some(call(&bus, &names::undo_redo(WORLD), &undo)?),
            Deed::Control(control) => Some(call(&bus, &names::control(WORLD), &control)?),
            Deed::Timeline(edit) => Some(call(&bus, &names::timeline_edit(WORLD), &edit)?),
            Deed::Own => None,
        };
        if let Some(reply) = reply {
            tally.answered(reply.ok);
        }
        std::thread::sleep(Duration::from_millis(rng.u64(50..600)));
    }
    if rng.bool() {
        // Otherwise it is forgotten, and its lease runs out.
        let remove = RemoveFilter { filter_id: filter.filter_id };
        let service = names::introspection_remove_filter(WORLD);
        call::<_, IntrospectionFilter>(&bus, &service, &remove)?;
    }
    Ok(())
}

/// Has samples of a few items sent.
fn watch(bus: &ZenohBus) -> Result<IntrospectionFilter, String> {
    let item = ["vehicle::chassis::linear_velocity", "cone_1::link::position"];
    let item = item.map(str::to_owned).to_vec();
    let wanted = SetFilter { item, rate_hz: 50.0, ..SetFilter::default() };
    call(bus, &names::introspection_set_filter(WORLD), &wanted)
}

fn call<Q: Typed, R: Typed>(bus: &dyn Bus, service: &str, request: &Q) -> Result<R, String> {
    typed::call(bus, service, request, PATIENCE).map_err(|error| format!("{service}: {error}"))
}

/// Reads what the server says of itself.
pub(crate) struct Observer {
    bus: ZenohBus,
}

/// How fast a world goes.
pub(crate) struct Pace {
    /// Steps in a second of the clock on the wall.
    pub(crate) steps_per_sec: f64,
    /// Share of the pace that the clients ask for; none when they ask for none.
    pub(crate) kept: Option<f64>,
}

impl Observer {
    pub(crate) fn new(address: SocketAddrV4) -> Result<Self, String> {
        let bus = ZenohBus::connect(address).map_err(|error| error.to_string())?;
        Ok(Self { bus })
    }

    /// Asks the server something.
    pub(crate) fn call<Q: Typed, R: Typed>(&self, service: &str, request: &Q) -> Result<R, String> {
        call(&self.bus, service, request)
    }

    /// Returns how fast the world goes; none while it is paused.
    pub(crate) fn pace(&self) -> Option<Pace> {
        let stats: WorldStatistics =
            call(&self.bus, &names::stats_get(WORLD), &StatisticsRequest {}).ok()?;
        let (real, target) = (stats.real_time_factor, stats.target_real_time_factor);
        (!stats.paused).then(|| Pace {
            steps_per_sec: real / stats.step_size_secs,
            // As fast as possible is no pace that could be kept.
            kept: (target > 0.0).then(|| real / target),
        })
    }

    /// Returns the sizes of what is kept, for people.
    pub(crate) fn kept(&self) -> String {
        let mib = |bytes: u64| bytes as f64 / 1024.0 / 1024.0;
        let undo: Result<UserCmdStats, _> =
            call(&self.bus, &names::history_get(WORLD), &UserCmdStatsRequest {});
        let past: Result<Timeline, _> =
            call(&self.bus, &names::timeline_get(WORLD), &TimelineRequest {});
        let log: Result<LogStatus, _> =
            call(&self.bus, &names::log_status_get(WORLD), &LogStatusRequest {});
        let stats: Result<WorldStatistics, _> =
            call(&self.bus, &names::stats_get(WORLD), &StatisticsRequest {});
        format!(
            "{:7.1} {:7.1} {:7.1} {:5}",
            undo.map_or(0.0, |undo| mib(undo.bytes)),
            past.map_or(0.0, |past| mib(past.bytes)),
            log.map_or(0.0, |log| mib(log.bytes)),
            stats.map_or(0, |stats| stats.entity_count)
        )
    }
}
