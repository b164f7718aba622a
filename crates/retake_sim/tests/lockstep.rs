//! Controllers on the bus that steps wait for: they decide every step, whoever is fast, and go back
//! in time with the world.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use prost::Message;
use retake_assets::ResourceRoots;
use retake_components::{JointPosition, find};
use retake_diag::Diagnostics;
use retake_msgs::{
    Double, EntityRef, JointStateV, LoggedInput, MoveEntity, UndoRedo, UserCmd, Vector3,
    WorldControl, logged_input, user_cmd,
};
use retake_sim::{
    BusFront, Event, Happening, InboxSender, LockstepOptions, RealTimeFactor, Request, Runner,
    RunnerHandle, Server, ServerOptions, Simulation, SimulationOptions, View, ViewSink, WhenLate,
    inbox,
};
use retake_transport::lockstep::{Answered, LockstepController, LockstepError, message};
use retake_transport::{Bus, InProcessBus};

/// Far longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Two hinges that start at 0, each with a topic for its effort and one for its state.
fn world() -> String {
    let model = |name: &str, y: f64| {
        format!(
            "<model name='{name}'><pose>0 {y} 0 0 0 0</pose>
             <link name='base'/><link name='arm'/>
             <joint name='stand' type='fixed'><parent>world</parent><child>base</child></joint>
             <joint name='hinge' type='revolute'><parent>base</parent><child>arm</child>
               <axis><xyz>0 0 1</xyz></axis></joint>
             <plugin filename='x' name='gz::sim::systems::ApplyJointForce'>
               <joint_name>hinge</joint_name></plugin>
             <plugin filename='x' name='gz::sim::systems::JointStatePublisher'>
               <topic>/{name}/state</topic></plugin></model>"
        )
    };
    let (left, right) = (model("left", 0.0), model("right", 3.0));
    format!("<sdf version='1.11'><world name='w'>{left}{right}</world></sdf>")
}

fn simulation() -> Simulation {
    let (roots, mut found) = (ResourceRoots::new(), Diagnostics::new());
    let world = retake_sdf::parse_world(&world(), "test.sdf", &roots, &mut found).unwrap();
    Simulation::load(&world, &SimulationOptions::default()).unwrap()
}

/// Hands events on to the test.
struct Events(Sender<Event>);

impl ViewSink for Events {
    fn view(&mut self, _: &View) {}

    fn event(&mut self, event: &Event) {
        self.0.send(event.clone()).ok();
    }
}

/// A server that runs, and the bus that it is on.
struct Stage {
    bus: Arc<dyn Bus>,
    inbox: InboxSender,
    events: Receiver<Event>,
    runner: RunnerHandle,
    front: BusFront,
}

impl Stage {
    fn start(late: WhenLate, every: u64, timeout: Duration, steps: Option<u64>) -> Self {
        let lockstep = LockstepOptions {
            controllers: vec!["left".to_owned(), "right".to_owned()],
            every: NonZeroU64::new(every).unwrap(),
            late,
        };
        let real_time_factor = Some(RealTimeFactor::UNBOUNDED);
        let options = ServerOptions { lockstep, real_time_factor, ..ServerOptions::default() };
        let mut server = Server::new(simulation(), &options);
        server.begin_tape(1.0);
        let bus: Arc<dyn Bus> = Arc::new(InProcessBus::new());
        let (sender, inbox) = inbox();
        let (front, feed) = BusFront::open(&bus, "w", &sender).unwrap();
        let (tell, events) = channel();
        let runner = Runner::new(server, inbox, vec![feed, Box::new(Events(tell))])
            .lockstep_timeout(timeout)
            .iterations(steps);
        let runner = runner.spawn().unwrap();
        Self { bus, inbox: sender, events, runner, front }
    }

    fn ask(&self, request: Request) {
        let (tell, answer) = channel();
        self.inbox.send(request, Box::new(move |response| drop(tell.send(response.into_reply()))));
        let reply = answer.recv_timeout(PATIENCE).unwrap();
        assert!(reply.ok, "{}", reply.message);
    }

    fn play(&self) {
        let play = WorldControl { pause: Some(false), ..WorldControl::default() };
        self.inbox.send(Request::Control(play), Box::new(|_| {}));
    }

    /// The next event; none when the run has ended.
    fn next_event(&self) -> Option<Event> {
        match self.events.recv_timeout(PATIENCE) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("Nothing happened for {PATIENCE:?}"),
        }
    }

    /// Waits for something to be said that contains a text.
    fn told(&self, part: &str) -> String {
        loop {
            if let Event::Notified(said) = self.events.recv_timeout(PATIENCE).unwrap()
                && said.text.contains(part)
            {
                return said.text;
            }
        }
    }

    fn join(&self, name: &str) -> LockstepController {
        let hear = format!("/{name}/state");
        LockstepController::join(&self.bus, ("w", name), &[hear.as_str()], PATIENCE).unwrap()
    }

    /// Ends the run, and returns the world and what came from outside.
    fn end(self) -> (Server, Vec<LoggedInput>) {
        let Self { runner, front, inbox, .. } = self;
        let mut server = runner.join().unwrap();
        drop((front, inbox));
        let (tape, left_out) = server.end_tape();
        assert_eq!(left_out, 0);
        let inputs = tape.into_iter().filter_map(|happened| match happened.what {
            Happening::Input(input) => Some(*input),
            _ => None,
        });
        (server, inputs.collect())
    }
}

/// Pulls a hinge to an angle, with what it heard in its turn; waits a while in some turns.
fn control(
    mut controller: LockstepController,
    (name, target): (&str, f64),
    turns: u64,
    dawdles: u64,
) {
    for _ in 0..turns {
        let turn = controller.next_turn(PATIENCE).unwrap();
        for _ in 0..dawdles * (turn.iterations % 3) {
            thread::yield_now();
        }
        let state = turn.message.last().map(|told| JointStateV::decode(&told.data[..]).unwrap());
        let joint = state.map(|state| state.joint[0].clone()).unwrap_or_default();
        let at = |all: &[f64]| all.first().copied().unwrap_or(0.0);
        let data = 40.0 * (target - at(&joint.position)) - 8.0 * at(&joint.velocity);
        let topic = format!("/model/{name}/joint/hinge/cmd_force");
        let answered = controller.answer(&turn, vec![message(&topic, &Double { data })]).unwrap();
        assert_eq!(answered, Answered::Taken(String::new()));
    }
}

fn angle(server: &Server, model: &str) -> f64 {
    let ecm = server.simulation().ecm();
    let hinge = find(ecm, &format!("{model}::hinge")).unwrap();
    ecm.get::<JointPosition>(hinge).unwrap().0[0]
}

fn run_both(every: u64, dawdles: [u64; 2]) -> (Server, Vec<LoggedInput>) {
    let stage = Stage::start(WhenLate::Pause, every, PATIENCE, Some(1500));
    thread::scope(|scope| {
        let [first, second] = dawdles;
        // Who is slow joins first.
        let left = stage.join("left");
        scope.spawn(move || control(left, ("left", 0.7), 1500 / every, first));
        let right = stage.join("right");
        scope.spawn(move || control(right, ("right", -0.4), 1500 / every, second));
        while !stage.runner.is_finished() {
            thread::yield_now();
        }
    });
    stage.end()
}

#[test]
fn whoever_is_slow_the_world_is_the_same() {
    let (one, inputs) = run_both(1, [0, 40]);
    assert!((angle(&one, "left") - 0.7).abs() < 0.01, "{}", angle(&one, "left"));
    assert!((angle(&one, "right") + 0.4).abs() < 0.01, "{}", angle(&one, "right"));
    let (other, _) = run_both(1, [40, 0]);
    assert_eq!(one.simulation().hash().unwrap(), other.simulation().hash().unwrap());

    // Every step has what both said, in the order of their names, and doing it again needs neither.
    let messages = inputs.iter().filter_map(|input| match &input.input {
        Some(logged_input::Input::Message(told)) => Some((input.iterations, told.topic.clone())),
        _ => None,
    });
    let topic = |name: &str| format!("/model/{name}/joint/hinge/cmd_force");
    let expected = (0..1500).flat_map(|step| [(step, topic("left")), (step, topic("right"))]);
    assert!(messages.eq(expected), "not every step has both");
    let mut again = simulation();
    for input in &inputs {
        while again.clock().iterations < input.iterations {
            again.step().unwrap();
        }
        again.replay(input).unwrap();
    }
    again.step().unwrap();
    assert_eq!(again.hash().unwrap(), one.simulation().hash().unwrap());
}

#[test]
fn turns_may_be_further_apart_than_steps() {
    let (server, inputs) = run_both(10, [0, 0]);
    assert!((angle(&server, "left") - 0.7).abs() < 0.02, "{}", angle(&server, "left"));
    assert!(inputs.iter().all(|input| input.iterations.is_multiple_of(10)));
    assert_eq!(inputs.len(), 300);
}

#[test]
fn whoever_is_late_is_named_and_the_world_pauses() {
    let stage = Stage::start(WhenLate::Pause, 1, Duration::from_millis(20), Some(3));
    let mut left = stage.join("left");
    let turn = left.next_turn(PATIENCE).unwrap();
    assert_eq!(turn.iterations, 0);
    // It may have been late before this answer; its turn stays open.
    left.answer(&turn, Vec::new()).unwrap();
    let text = stage.told("controller \"right\" (which has not joined) within 0.02 s");
    assert!(text.ends_with("the world is paused. Play waits anew"), "{text}");
    stage.play();
    thread::scope(|scope| {
        let right = stage.join("right");
        scope.spawn(move || control(right, ("right", 0.0), 3, 0));
        scope.spawn(move || control(left, ("left", 0.0), 2, 0));
        // On a busy machine they are late again: each pause is ended once, for requests without
        // end would fill the queue that their answers go through.
        let mut pauses = 0;
        while let Some(told) = stage.next_event() {
            if matches!(told, Event::Notified(said) if said.text.contains("is paused")) {
                pauses += 1;
                assert!(pauses < 1000, "the controllers do not answer");
                stage.play();
            }
        }
    });
    assert_eq!(stage.end().0.simulation().clock().iterations, 3);
}

#[test]
fn the_world_can_go_on_without_them() {
    let stage = Stage::start(WhenLate::GoOn, 1, Duration::from_millis(1), Some(5));
    let text = stage.told("No answer of");
    let expected = "No answer of controller \"left\" (which has not joined), controller \"right\" (which has not joined) within 0.001 s: the world goes on without";
    assert_eq!(text, expected);
    while !stage.runner.is_finished() {
        thread::yield_now();
    }
    // Once, not in every step.
    let more = stage.events.try_iter().filter(|event| matches!(event, Event::Notified(_))).count();
    assert_eq!(more, 0);
    assert_eq!(stage.end().0.simulation().clock().iterations, 5);
}

#[test]
fn a_jump_in_time_is_told_with_the_next_turn() {
    let stage = Stage::start(WhenLate::Pause, 1, PATIENCE, None);
    let (mut left, mut right) = (stage.join("left"), stage.join("right"));
    let mut both = |until: &dyn Fn(&retake_msgs::LockstepTurn) -> bool| loop {
        let (one, other) = (left.next_turn(PATIENCE).unwrap(), right.next_turn(PATIENCE).unwrap());
        assert_eq!((one.epoch, one.iterations), (other.epoch, other.iterations));
        if until(&one) {
            return (one, other);
        }
        left.answer(&one, Vec::new()).unwrap();
        right.answer(&other, Vec::new()).unwrap();
    };
    let (old, _) = both(&|turn| turn.iterations == 5);
    let position = Some(Vector3 { x: 9.0, y: 0.0, z: 0.0 });
    let entity = Some(EntityRef::named("left"));
    let moved = MoveEntity { entity, position, ..MoveEntity::default() };
    let command = Some(user_cmd::Command::MoveEntity(moved));
    let edit =
        UserCmd { id: "1".to_owned(), author: "ann".to_owned(), command, ..UserCmd::default() };
    stage.ask(Request::Command(Box::new(edit)));
    let undo = UndoRedo {
        id: "1".to_owned(),
        undo: true,
        author: "ann".to_owned(),
        ..UndoRedo::default()
    };
    stage.ask(Request::UndoRedo(undo));
    // An answer to what was before the jump is too late, and nothing of it is done.
    let mut late = stage.join("left");
    let answered = late.answer(&old, Vec::new()).unwrap();
    assert!(
        matches!(answered, Answered::TooLate(ref text) if text.starts_with("Turn 5 of stretch 0 is over")),
        "{answered:?}"
    );
    let (one, other) = both(&|turn| turn.epoch == 1);
    for turn in [&one, &other] {
        let jump = turn.jump.as_ref().unwrap();
        assert_eq!(
            (jump.cause.as_str(), jump.author.as_str(), turn.iterations),
            ("undo", "ann", 5)
        );
    }
    let refused = LockstepController::join(&stage.bus, ("w", "third"), &[], PATIENCE);
    let Err(LockstepError::Refused { message }) = refused else { panic!("it was let in") };
    assert_eq!(message, "No controller is called \"third\". Known: left, right");
    stage.runner.stop();
    stage.end();
}
