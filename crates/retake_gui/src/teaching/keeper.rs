//! The thread that looks at the world for those who teach.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use retake_ecm::Ecm;
use retake_math::SimTime;
use retake_msgs::teach_run::State;

use super::Teaching;
use super::robot::SeenRobot;
use crate::link::View;
use crate::lock::locked;

/// How often robots are told of while pages look.
const LIVE: Duration = Duration::from_millis(50);
/// How often the world is looked at while a path is recorded.
const RECORDING: Duration = Duration::from_millis(15);
/// How often robots and drafts are looked after.
const CARE: Duration = Duration::from_millis(500);

/// Starts the thread; it ends when the drafts are gone.
pub(super) fn start(teaching: &Arc<Teaching>, woken: Receiver<()>) {
    let teaching = Arc::downgrade(teaching);
    let thread = std::thread::Builder::new().name("retake-teaching".to_owned());
    if let Err(error) = thread.spawn(move || Keeper::default().run(&teaching, &woken)) {
        tracing::error!(%error, "no thread for teaching; pages see no drafts");
    }
}

#[derive(Default)]
struct Keeper {
    cared: Option<Instant>,
    told: Option<Instant>,
    period: Option<Duration>,
}

impl Keeper {
    fn run(mut self, teaching: &Weak<Teaching>, woken: &Receiver<()>) {
        loop {
            match woken.recv_timeout(self.period.unwrap_or(CARE)) {
                Ok(()) => self.cared = None,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let Some(teaching) = teaching.upgrade() else { return };
            self.turn(&teaching);
        }
    }

    fn turn(&mut self, teaching: &Teaching) {
        let view = teaching.view();
        let is_due = |last: Option<Instant>, period| last.is_none_or(|at| at.elapsed() >= period);
        let recording = record(teaching, &view);
        let watched = !locked(&teaching.watched).is_empty();
        teaching.twins.want(watched || executes_outside(teaching));
        if is_due(self.cared, CARE) {
            self.cared = Some(Instant::now());
            tell_state(teaching, &view.ecm);
        }
        if is_due(self.told, LIVE) {
            self.told = Some(Instant::now());
            follow_runs(teaching, &view.ecm);
            tell_lives(teaching, &view.ecm);
        }
        self.period = match (recording, watched) {
            (true, _) => Some(RECORDING),
            (false, true) => Some(LIVE),
            (false, false) => None,
        };
    }
}

/// Takes where virtual robots are whose path is recorded; says whether there are any.
fn record(teaching: &Teaching, view: &View) -> bool {
    let secs = view.stats.sim_time.as_ref().map(SimTime::from).unwrap_or_default().as_secs_f64();
    let desks = locked(&teaching.desks);
    let mut any = false;
    for (name, desk) in desks.iter() {
        let Some(recorder) = &desk.recorder else { continue };
        any = true;
        if recorder.twin == retake_msgs::Twin::Virtual
            && let Some(robot) = SeenRobot::find(&view.ecm, name)
        {
            recorder.take(secs, &|joint| robot.position(joint));
        }
    }
    any
}

fn executes_outside(teaching: &Teaching) -> bool {
    let desks = locked(&teaching.desks);
    desks.values().filter_map(|desk| desk.real_run.as_ref()).any(|run| run.state == State::Running)
}

fn follow_runs(teaching: &Teaching, ecm: &Ecm) {
    for (name, desk) in locked(&teaching.desks).iter_mut() {
        if let Some(run) = &mut desk.virtual_run
            && let Some(robot) = SeenRobot::find(ecm, name)
        {
            run.follow_virtual(ecm, robot.model);
        }
        if let Some(run) = &mut desk.real_run {
            run.follow_real(teaching.twins.of(name).as_ref());
        }
    }
}

fn tell_state(teaching: &Teaching, ecm: &Ecm) {
    let state = Arc::new(teaching.state(ecm));
    teaching.states.send_if_modified(|known| {
        let changed = **known != *state;
        *known = state;
        changed
    });
}

fn tell_lives(teaching: &Teaching, ecm: &Ecm) {
    let names: Vec<String> = locked(&teaching.watched).keys().cloned().collect();
    let lives: BTreeMap<_, _> = names
        .into_iter()
        .map(|name| {
            let live = teaching.live(&name, SeenRobot::find(ecm, &name).as_ref());
            (name, Arc::new(live))
        })
        .collect();
    teaching.lives.send_if_modified(|known| {
        let changed = **known != lives;
        *known = Arc::new(lives);
        changed
    });
}
