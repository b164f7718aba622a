//! A system that never returns is named to everybody, and requests are answered all the same.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use retake_msgs::notification::Level;
use retake_msgs::{
    ItemsRequest, Notification, ServerInfoRequest, StateRequest, UserCmdReply, WorldControl,
    WorldStatistics,
};
use retake_sim::{Event, InboxSender, Response, Runner, RunnerHandle, View, ViewSink, inbox};

use super::*;
use crate::moody::Mood;

/// Far longer than anything here takes, on any machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Hands on to the test what a page would see.
struct Page(Sender<Notification>, Sender<WorldStatistics>);

impl ViewSink for Page {
    fn view(&mut self, view: &View) {
        self.1.send(view.stats.clone()).ok();
    }

    fn event(&mut self, event: &Event) {
        if let Event::Notified(told) = event {
            self.0.send(told.clone()).ok();
        }
    }
}

pub(crate) struct Stage {
    inbox: InboxSender,
    pub(crate) runner: RunnerHandle,
    told: Receiver<Notification>,
    stats: Receiver<WorldStatistics>,
}

impl Stage {
    pub(crate) fn start(name: &str) -> Self {
        Self::around(server(name))
    }

    pub(crate) fn around(server: Server) -> Self {
        let (sender, inbox) = inbox();
        let (tell, told) = channel();
        let (show, stats) = channel();
        let runner = Runner::new(server, inbox, vec![Box::new(Page(tell, show))]).spawn().unwrap();
        Self { inbox: sender, runner, told, stats }
    }

    /// Sends a request, and returns where its answer comes.
    pub(crate) fn send(&self, request: Request) -> Receiver<Response> {
        let (tell, answer) = channel();
        self.inbox.send(request, Box::new(move |response| drop(tell.send(response))));
        answer
    }

    pub(crate) fn ask(&self, request: Request) -> Response {
        self.send(request).recv_timeout(PATIENCE).unwrap()
    }

    pub(crate) fn reply(&self, request: Request) -> UserCmdReply {
        self.ask(request).into_reply()
    }

    pub(crate) fn told(&self, level: Level, part: &str) -> String {
        loop {
            let told = self.told.recv_timeout(PATIENCE).unwrap();
            if told.level() == level && told.text.contains(part) {
                return told.text;
            }
        }
    }

    /// Waits for statistics that a page is shown.
    pub(crate) fn shown(&self, fits: impl Fn(&WorldStatistics) -> bool) -> WorldStatistics {
        loop {
            let stats = self.stats.recv_timeout(PATIENCE).unwrap();
            if fits(&stats) {
                return stats;
            }
        }
    }

    pub(crate) fn make_step(&self) {
        assert!(self.reply(step()).ok);
        self.settle();
    }

    /// Asks until all steps are made.
    fn settle(&self) {
        loop {
            let Response::Stats(stats) = self.ask(Request::Stats) else { panic!("no statistics") };
            if stats.steps_due == 0 {
                return;
            }
        }
    }

    pub(crate) fn end(self) -> String {
        self.runner.stop();
        self.runner.join().unwrap().simulation().hash().unwrap()
    }
}

/// A system that hangs: the model it stands on, the callback, and the request that calls it.
struct Case {
    world: &'static str,
    model: &'static str,
    callback: &'static str,
    request: fn() -> Request,
}

/// Holds the world up in one callback; checks what everybody is told meanwhile, and that the world
/// goes on as if nothing had been.
fn check(case: &Case) {
    let stage = Stage::start(case.world);
    go_along(&stage, case, None, || {});
    let calm = stage.end();

    let stage = Stage::start(case.world);
    go_along(&stage, case, Some(Mood::Hangs), || {
        let Case { model, callback, .. } = case;
        let who = format!("system {model}::test::Moody has not come back from {callback}");
        let named = stage.told(Level::Error, &who);
        assert!(named.starts_with("The world is held up: "), "{named}");
        let shown = stage.shown(|stats| !stats.failed_systems.is_empty());
        assert_eq!(shown.failed_systems[0].name, format!("{model}::test::Moody"));
        assert!(stage.runner.held_up().unwrap().contains(&who));
        assert_answers(&stage, &who);
        moody::calm(model);
        let back = stage.told(Level::Info, "came back");
        let expected = format!("System {model}::test::Moody came back from {callback} after ");
        assert!(back.starts_with(&expected), "{back}");
        assert_eq!(stage.runner.held_up(), None);
    });
    assert_eq!(stage.end(), calm, "being held up leaves no trace in the state");
}

/// The same requests with and without a system that hangs.
fn go_along(stage: &Stage, case: &Case, hangs: Option<Mood>, held_up: impl FnOnce()) {
    assert!(stage.reply(move_box("edit")).ok);
    stage.make_step();
    if let Some(mood) = hangs {
        moody::spoil(case.model, case.callback, mood);
    }
    let answer = stage.send((case.request)());
    held_up();
    let reply = answer.recv_timeout(PATIENCE).unwrap().into_reply();
    assert!(reply.ok, "{}", reply.message);
    stage.settle();
    stage.make_step();
    assert!(stage.reply(move_box("later")).ok);
}

pub(crate) fn step() -> Request {
    Request::Control(WorldControl { multi_step: Some(1), ..WorldControl::default() })
}

/// What looks is answered from the last view, what changes is refused by name.
fn assert_answers(stage: &Stage, who: &str) {
    let Response::Stats(stats) = stage.ask(Request::Stats) else { panic!("no statistics") };
    assert!(stats.failed_systems[0].reason.contains("has not come back"), "{stats:?}");
    let Response::Info(info) = stage.ask(Request::Info(ServerInfoRequest::default())) else {
        panic!("no info");
    };
    assert_eq!(info.world, "w");
    let Response::State(state) = stage.ask(Request::State(StateRequest { since_tick: None }))
    else {
        panic!("no state");
    };
    assert!(state.stamped().state.is_some());
    assert!(matches!(stage.ask(Request::Scene), Response::State(_)));
    assert!(matches!(stage.ask(Request::History), Response::History(_)));
    assert!(matches!(stage.ask(Request::Timeline), Response::Timeline(_)));
    assert!(matches!(stage.ask(Request::Items(ItemsRequest::default())), Response::Items(_)));
    for request in [move_box("refused"), undo("edit"), Request::Control(WorldControl::default())] {
        let reply = stage.reply(request);
        assert!(!reply.ok && reply.message.contains(who), "{}", reply.message);
    }
    // A crowd is refused as well, each of them once.
    let crowd: Vec<_> = (0..10_000).map(|_| stage.send(move_box("crowd"))).collect();
    for answer in crowd {
        let reply = answer.recv_timeout(PATIENCE).unwrap().into_reply();
        assert!(!reply.ok, "{}", reply.message);
    }
}

#[test]
fn a_system_that_never_returns_before_physics_is_named_and_requests_are_answered() {
    let (world, model) = ("never_pre", "never_pre");
    check(&Case { world, model, callback: "pre_update", request: step });
}

#[test]
fn a_system_that_never_returns_after_physics_is_named_and_requests_are_answered() {
    let (world, model) = ("never_post", "never_post");
    check(&Case { world, model, callback: "post_update", request: step });
}

#[test]
fn a_system_that_never_takes_a_message_is_named_and_requests_are_answered() {
    let (world, model) = ("never_hears", "never_hears");
    check(&Case { world, model, callback: "on_message", request: || message("never_hears") });
}

#[test]
fn a_system_that_never_follows_a_jump_is_named_and_requests_are_answered() {
    let (world, model) = ("never_jumps", "never_jumps");
    check(&Case { world, model, callback: "time_jumped", request: || undo("edit") });
    let (world, model) = ("never_asked", "never_asked");
    check(&Case { world, model, callback: "rewind", request: || undo("edit") });
}

#[test]
fn a_system_that_is_never_made_is_named_and_requests_are_answered() {
    let (world, model) = ("never_made", "never_made_new");
    check(&Case { world, model, callback: "make", request: || insert("never_made_new") });
}

#[test]
fn a_system_that_never_ends_is_named_and_requests_are_answered() {
    let (world, model) = ("never_releases", "never_releases");
    check(&Case { world, model, callback: "release", request: || delete("never_releases") });
    let (world, model) = ("never_dropped", "never_dropped");
    check(&Case { world, model, callback: "drop", request: || delete("never_dropped") });
}

#[test]
fn what_systems_are_sent_meanwhile_is_theirs_later() {
    let stage = Stage::start("keeps");
    moody::spoil("keeps", "pre_update", Mood::Hangs);
    assert!(stage.reply(step()).ok);
    stage.told(Level::Error, "has not come back");
    let answer = stage.send(message("keeps"));
    // Whoever is behind it is answered before it.
    assert!(matches!(stage.ask(Request::Stats), Response::Stats(_)));
    assert!(answer.try_recv().is_err(), "nobody has taken the message yet");
    moody::calm("keeps");
    assert!(answer.recv_timeout(PATIENCE).unwrap().into_reply().ok);
    stage.end();
}
