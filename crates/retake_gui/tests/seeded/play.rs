//! Everything together, tick by tick.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use fastrand::Rng;
use retake_description::World;
use retake_ecm::StateHash;
use retake_msgs::{SerializedStateV, StateRequest};
use retake_sim::{
    NoAnswer, Offer, Request, Response, Server, ServerOptions, Simulation, SimulationOptions,
    UndoLimits,
};

use crate::client::{Client, Gui};
use crate::deeds::BOXES;
use crate::line::{Down, Paused, Up};
use crate::model::{self, Model};
use crate::recording::Recording;
use crate::saves::{WorldFile, parsed};
use crate::store::Store;

/// Ticks in which something happens, and those in which everything may come to rest.
const TICKS: u64 = 900;
const REST: u64 = 3000;
/// Ticks that GUIs have to hand over what they hold.
const GUI_TIMEOUT: u64 = 20;
/// How often the world goes on at the end until everything is handed over.
const ROUNDS: usize = 5;

pub struct Play {
    rng: Rng,
    now: u64,
    runs: u64,
    server: Server,
    model: Model,
    store: Store,
    file: WorldFile,
    recording: Option<Recording>,
    /// How many recordings were begun.
    recorded: u64,
    clients: Vec<Client>,
    /// Requests that wait until GUIs have handed over what they hold: client, number, request.
    waiting: VecDeque<(usize, u64, Request)>,
    collecting: Option<Collecting>,
    rounds: u64,
    /// Whether nobody does anything of their own any more.
    resting: bool,
    /// What happened, for comparing two runs.
    told: String,
}

/// GUIs that are asked before a request is carried out.
struct Collecting {
    round: u64,
    until: u64,
    answers: BTreeMap<u64, Option<SerializedStateV>>,
}

fn world() -> String {
    let model = |number: usize| {
        format!(
            "<model name='b{number}'><pose>{} 0 0.3 0 0 0</pose><link name='l'>\
             <collision name='c'><geometry><box><size>0.5 0.5 0.5</size></box></geometry>\
             </collision></link></model>",
            number * 2
        )
    };
    let ground = "<model name='ground'><static>true</static><link name='l'><collision name='c'>\
                  <geometry><plane/></geometry></collision></link></model>";
    let boxes: String = (0..BOXES).map(model).collect();
    format!("<sdf version='1.11'><world name='w'>{ground}{boxes}</world></sdf>")
}

fn server(run: u64, world: &World) -> Server {
    let simulation = Simulation::load(world, &SimulationOptions::default()).unwrap();
    let run = format!("run {run}");
    // More than there are commands: what is dropped is the subject of other tests.
    let undo = UndoLimits { max_steps: 5000, ..UndoLimits::default() };
    Server::new(simulation, &ServerOptions { paused: true, run, undo, ..ServerOptions::default() })
}

impl Play {
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let mut server = server(0, &parsed(&world()).unwrap());
        let store = Store::new(seed);
        let file = WorldFile::new(&store, world());
        let mut clients: Vec<Client> =
            (0..rng.usize(1..4)).map(|number| Client::new(&format!("program {number}"))).collect();
        for number in 0..rng.usize(0..4) {
            let mut gui = Client::new(&format!("gui {number}"));
            gui.become_gui(&mut server);
            clients.push(gui);
        }
        let (model, waiting, told) = Default::default();
        let (now, runs, rounds, collecting, resting) = (0, 0, 0, None, false);
        let (recording, recorded) = (None, 0);
        Self {
            rng,
            now,
            runs,
            server,
            model,
            store,
            file,
            recording,
            recorded,
            clients,
            waiting,
            collecting,
            rounds,
            resting,
            told,
        }
    }

    pub fn told(&self) -> String {
        self.told.clone()
    }

    /// Plays to the end; says what does not hold.
    pub fn run(&mut self) -> Result<(), String> {
        self.record()?;
        while self.now < TICKS {
            self.trouble()?;
            for client in &mut self.clients {
                if self.rng.u8(..20) == 0 {
                    client.act(self.now, &mut self.rng);
                }
            }
            self.tick()?;
        }
        self.come_to_rest()?;
        self.judge()
    }

    /// Lets something break, by chance.
    fn trouble(&mut self) -> Result<(), String> {
        let victim = self.rng.usize(..self.clients.len());
        match self.rng.u16(..1500) {
            0..12 => self.break_line(victim),
            12..16 => self.kill_gui(victim),
            16 => self.kill_server()?,
            17..20 => self.fill_disk(),
            20..24 => self.store.leave_free(u64::MAX),
            24 => self.store.fail(true),
            25..30 => self.store.fail(false),
            30..45 => self.save()?,
            45 => self.cut_power_in_a_save()?,
            46..52 => self.record()?,
            52 => self.end_recording()?,
            _ => {}
        }
        Ok(())
    }

    fn fill_disk(&mut self) {
        self.note("the disk fills up", 0);
        self.store.leave_free(self.rng.u64(..200_000));
    }

    fn save(&mut self) -> Result<(), String> {
        let taken = self.file.save(&self.server)?;
        self.note(if taken { "saved" } else { "not saved" }, 0);
        Ok(())
    }

    /// The power goes somewhere inside of a save.
    fn cut_power_in_a_save(&mut self) -> Result<(), String> {
        self.store.go_out_after(self.rng.u32(1..6));
        self.save()?;
        self.kill_server()
    }

    /// Begins to record, unless that is so already.
    fn record(&mut self) -> Result<(), String> {
        if self.recording.is_none() {
            self.recorded += 1;
            let name = format!("run {}.mcap", self.recorded);
            self.recording = Recording::begin(&mut self.server, &self.store, &name)?;
        }
        Ok(())
    }

    fn end_recording(&mut self) -> Result<(), String> {
        self.server.end_tape();
        self.recording.take().map_or(Ok(()), Recording::finish)
    }

    fn break_line(&mut self, victim: usize) {
        self.note("a line breaks", victim);
        self.clients[victim].line.reset();
        if let Some(gui) = self.clients[victim].gui.as_ref().map(|gui| gui.id) {
            self.server.handle(Request::LeaveGui(gui));
            self.clients[victim].sit_down(&mut self.server);
        }
    }

    /// A GUI dies with all that it holds, and another one starts.
    fn kill_gui(&mut self, victim: usize) {
        let Some(gui) = self.clients[victim].gui.as_ref().map(|gui| gui.id) else { return };
        self.note("a GUI dies", victim);
        self.clients[victim].line.reset();
        self.server.handle(Request::LeaveGui(gui));
        self.clients[victim].become_gui(&mut self.server);
    }

    /// The server dies; another one starts with the world as its file has it.
    fn kill_server(&mut self) -> Result<(), String> {
        self.note("the server dies", 0);
        self.store.crash();
        self.recording.take().map_or(Ok(()), Recording::crash)?;
        let world = self.file.after_a_cut()?;
        self.runs += 1;
        self.server = server(self.runs, &world);
        self.record()?;
        self.model = Model::default();
        self.waiting.clear();
        self.collecting = None;
        for client in &mut self.clients {
            // What was answered was answered by a server that is gone.
            client.calls.retain(|_, call| call.reply.is_none());
            client.start_over(&mut self.server);
        }
        Ok(())
    }

    fn tick(&mut self) -> Result<(), String> {
        self.now += 1;
        for number in 0..self.clients.len() {
            let client = &mut self.clients[number];
            client.insist(self.now, &mut self.rng);
            if !self.resting && self.rng.u8(..12) == 0 {
                client.follow(self.now, &mut self.rng);
            }
            while let Some(up) = self.clients[number].line.up.receive(self.now) {
                self.take(number, up);
            }
        }
        self.serve()?;
        if self.server.wants_step() {
            self.server.step();
        }
        self.server.drain_events();
        self.write_on()?;
        for client in &mut self.clients {
            client.hear(self.now, &mut self.rng)?;
        }
        Ok(())
    }

    /// Writes what happened; a recording that the disk takes no more of ends, and the world goes on.
    fn write_on(&mut self) -> Result<(), String> {
        let Some(recording) = &mut self.recording else { return Ok(()) };
        let mut goes_on = recording.follow(&mut self.server)?;
        if goes_on && self.rng.u8(..40) == 0 {
            goes_on = recording.sync()?;
        }
        if !goes_on {
            self.note("the recording ends", 0);
            self.server.end_tape();
            self.recording = None;
        }
        Ok(())
    }

    /// Takes something from a line.
    fn take(&mut self, from: usize, up: Up) {
        match up {
            Up::Call(number, request) => self.waiting.push_back((from, number, request)),
            Up::Offer(round, all) => {
                let gui = self.clients[from].gui.as_ref().map(|gui| gui.id).unwrap_or_default();
                let asked = self.collecting.as_mut().filter(|asked| asked.round == round);
                if let Some(answer) = asked.and_then(|asked| asked.answers.get_mut(&gui)) {
                    *answer = Some(all);
                }
            }
            Up::Follow(since_tick) => {
                let asked = Request::State(StateRequest { since_tick });
                let Response::State(answer) = self.server.handle(asked) else { return };
                let history = std::sync::Arc::clone(self.server.history());
                let paused = if self.server.paused() { Paused::Yes } else { Paused::No };
                let state = Down::State(Box::new(answer.stamped()), history, paused);
                self.clients[from].line.down.send(self.now, state, &mut self.rng);
            }
        }
    }

    /// Carries out what can be, in order; one that lets the world go on waits for the GUIs.
    fn serve(&mut self) -> Result<(), String> {
        while let Some((client, number, request)) = self.waiting.front().cloned() {
            if !self.has_collected(&request)? {
                return Ok(());
            }
            self.waiting.pop_front();
            let reply = self.model.carry_out(&mut self.server, &request)?;
            writeln!(self.told, "{} {number} {}", self.now, reply.message).unwrap();
            let reply = Down::Reply(number, reply);
            self.clients[client].line.down.send(self.now, reply, &mut self.rng);
        }
        Ok(())
    }

    /// Says whether a request can be carried out now; asks the GUIs otherwise.
    fn has_collected(&mut self, request: &Request) -> Result<bool, String> {
        if let Some(asked) = &self.collecting {
            let all = asked.answers.values().all(Option::is_some);
            if !all && self.now < asked.until {
                return Ok(false);
            }
            self.take_over()?;
            return Ok(true);
        }
        let guis = self.server.guis_to_ask(request);
        if guis.is_empty() {
            return Ok(true);
        }
        self.rounds += 1;
        let (round, until) = (self.rounds, self.now + GUI_TIMEOUT);
        for client in &mut self.clients {
            if client.gui.as_ref().is_some_and(|gui| guis.contains(&gui.id)) {
                client.line.down.send(self.now, Down::WhatDoYouHold(round), &mut self.rng);
            }
        }
        let answers = guis.into_iter().map(|gui| (gui, None)).collect();
        self.collecting = Some(Collecting { round, until, answers });
        Ok(false)
    }

    fn take_over(&mut self) -> Result<(), String> {
        let Some(asked) = self.collecting.take() else { return Ok(()) };
        let silent = || NoAnswer::Silent("no answer came in time".to_owned());
        let offers = asked.answers.into_iter();
        let offers = offers.map(|(gui, answer)| Offer { gui, answer: answer.ok_or_else(silent) });
        let offers: Vec<Offer> = offers.collect();
        // Whoever offered may be gone by now.
        let mut ids = BTreeMap::new();
        for Offer { gui, answer } in &offers {
            for action in answer.iter().flat_map(|all| &all.action) {
                let id = action.command.as_ref().map(|command| command.id.clone());
                ids.insert((*gui, action.number), id.unwrap_or_default());
            }
        }
        let before = model::hash(&self.server);
        let taken = self.server.take_over(offers);
        self.model.take_over(&self.server, &before, &taken, &ids)?;
        for told in taken {
            let client = self.clients.iter_mut();
            let mut client =
                client.filter(|client| client.gui.as_ref().is_some_and(|gui| gui.id == told.gui));
            if let Some(client) = client.next() {
                writeln!(self.told, "{} took {}", self.now, told.taken.outcome.len()).unwrap();
                client.line.down.send(self.now, Down::Taken(told.taken), &mut self.rng);
            }
        }
        Ok(())
    }

    /// Nothing breaks any more: everything is answered, handed over and told.
    fn come_to_rest(&mut self) -> Result<(), String> {
        self.resting = true;
        self.clients.iter_mut().for_each(|client| client.line.calm_down());
        self.settle()?;
        for _ in 0..ROUNDS {
            // Everybody has to know that the world stands before it goes on.
            self.control(true)?;
            let holding = |client: &Client| client.gui.as_ref().is_some_and(Gui::is_holding);
            if !self.clients.iter().any(holding) {
                return Ok(());
            }
            self.control(false)?;
        }
        Err("GUIs do not get rid of what they hold".to_owned())
    }

    /// Pauses or goes on, and lets everybody know.
    fn control(&mut self, pause: bool) -> Result<(), String> {
        self.clients[0].control(self.now, pause, &mut self.rng);
        self.settle()?;
        for client in &mut self.clients {
            client.follow(self.now, &mut self.rng);
        }
        self.settle()
    }

    fn settle(&mut self) -> Result<(), String> {
        let quiet = |play: &Self| play.clients.iter().all(|client| client.line.is_quiet());
        self.until("everything is answered", |play| play.is_answered() && quiet(play))
    }

    fn is_answered(&self) -> bool {
        self.waiting.is_empty() && self.clients.iter().all(Client::has_all_answers)
    }

    fn until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) -> Result<(), String> {
        let end = self.now + REST;
        while !holds(self) {
            self.tick()?;
            if self.now > end {
                return Err(format!("it does not come to rest: {what}"));
            }
        }
        Ok(())
    }

    fn judge(&mut self) -> Result<(), String> {
        let mut hash = StateHash::new();
        hash.add_ecm(self.server.simulation().ecm()).unwrap();
        let world = hash.to_string();
        for client in &self.clients {
            let mut asked = client
                .calls
                .values()
                .filter_map(|call| Some((model::key_of(&call.request)?, call.reply.as_ref())));
            if let Some((key, reply)) = asked.find(|(key, reply)| self.model.answer(key) != *reply)
            {
                return Err(format!("{key:?} was answered {reply:?}, which is not the model's"));
            }
            let Some(gui) = &client.gui else { continue };
            let (copy, shown) = gui.hashes();
            if copy != world || shown != world {
                return Err(format!("the world of {} is another than the server's", client.name));
            }
            if gui.is_holding() || !gui.held.is_empty() {
                return Err(format!("{} still holds {:?}", client.name, gui.held));
            }
            let ids = gui.offered.values().filter(|id| !gui.refused.contains(*id));
            if let Some(id) = ids.into_iter().find(|id| self.model.times_taken(id) != 1) {
                let times = self.model.times_taken(id);
                return Err(format!("{id} of {} was taken {times} times", client.name));
            }
        }
        writeln!(self.told, "{world}").unwrap();
        if self.rng.bool() {
            return self.end_recording();
        }
        self.store.crash();
        self.recording.take().map_or(Ok(()), Recording::crash)
    }

    fn note(&mut self, what: &str, who: usize) {
        writeln!(self.told, "{} {what} {who}", self.now).unwrap();
    }
}
