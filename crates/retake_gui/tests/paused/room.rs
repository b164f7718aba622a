//! A server and several GUIs around one table.

use std::sync::Arc;

use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_ecm::{Component, Ecm, Registry, StateHash};
use retake_gui::GuiUserCommands;
use retake_msgs::{
    EntityRef, GuiJoin, PausedActionsTaken, SerializedStateV, StateRequest, UserCmd, UserCmdReply,
    WorldControl, user_cmd,
};
use retake_sim::{
    Editor, Event, Offer, Request, Response, Server, ServerOptions, Simulation, SimulationOptions,
    Taken,
};

/// Boxes on a ground, a few for each GUI.
pub fn world(boxes: usize) -> String {
    let model = |number: usize| {
        format!(
            "<model name='b{number}'><pose>{} 0 0.25 0 0 0</pose><link name='l'>\
             <inertial><mass>1</mass></inertial>\
             <collision name='c'><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision>\
             <visual name='v'><geometry><box><size>0.5 0.5 0.5</size></box></geometry></visual>\
             </link></model>",
            number as f64 * 2.0
        )
    };
    let ground = "<model name='ground'><static>true</static><link name='l'><collision name='c'>\
                  <geometry><plane/></geometry></collision></link></model>";
    let boxes: String = (0..boxes).map(model).collect();
    format!("<sdf version='1.11'><world name='w'>{ground}{boxes}</world></sdf>")
}

pub struct Gui {
    pub id: u64,
    pub commands: GuiUserCommands,
    replica: Ecm,
    seen: u64,
}

pub struct Room {
    pub server: Server,
    pub guis: Vec<Gui>,
    now: i64,
    names: u64,
}

fn registry() -> Arc<Registry> {
    retake_sim::systems::register(retake_components::registry()).build()
}

/// A vocabulary with one word more than the server's.
pub fn registry_with<T: Component>() -> Arc<Registry> {
    retake_sim::systems::register(retake_components::registry()).with::<T>().build()
}

impl Room {
    pub fn new(boxes: usize, guis: usize) -> Self {
        let (mut found, roots) = (Diagnostics::new(), ResourceRoots::new());
        let world = retake_sdf::parse_world(&world(boxes), "w.sdf", &roots, &mut found).unwrap();
        let simulation = Simulation::load(&world, &SimulationOptions::default()).unwrap();
        let options = ServerOptions { paused: true, ..ServerOptions::default() };
        let mut room =
            Self { server: Server::new(simulation, &options), guis: Vec::new(), now: 0, names: 0 };
        for number in 0..guis {
            room.join(&format!("gui{number}"));
        }
        room.settle();
        room
    }

    pub fn join(&mut self, name: &str) {
        let Response::GuiJoined(joined) = self
            .server
            .handle(Request::JoinGui(GuiJoin { name: name.to_owned(), token: name.to_owned() }))
        else {
            panic!("GUIs may join");
        };
        let replica = Ecm::new(registry());
        let editor = Editor::new(ResourceRoots::new());
        let mut commands = GuiUserCommands::new(editor, replica.snapshot());
        commands.sit_down(&joined);
        self.guis.push(Gui { id: joined.gui, commands, replica, seen: 0 });
    }

    /// A GUI comes back after its connection broke; returns how many actions were lost.
    pub fn rejoin(&mut self, gui: usize, token: &str, run: &str) -> usize {
        let join = GuiJoin { name: "again".into(), token: token.to_owned() };
        let Response::GuiJoined(mut joined) = self.server.handle(Request::JoinGui(join)) else {
            panic!("GUIs may join");
        };
        joined.run = run.to_owned();
        self.guis[gui].id = joined.gui;
        let lost = self.guis[gui].commands.sit_down(&joined);
        self.settle();
        lost
    }

    /// Lets every GUI see what the server has.
    pub fn settle(&mut self) {
        for gui in &mut self.guis {
            let since_tick = (gui.seen > 0).then_some(gui.seen);
            let Response::State(answer) =
                self.server.handle(Request::State(StateRequest { since_tick }))
            else {
                panic!("a state was asked for");
            };
            let state = answer.stamped().state.unwrap();
            gui.replica.apply(&state).unwrap();
            gui.seen = state.tick;
            gui.commands.follow_history(Arc::clone(self.server.history()));
            gui.commands.follow(gui.replica.snapshot(), gui.seen, self.server.paused());
        }
    }

    pub fn name(&mut self) -> String {
        self.names += 1;
        format!("id-{}", self.names)
    }

    /// A GUI does something to its own copy.
    pub fn act(&mut self, gui: usize, command: user_cmd::Command) -> UserCmdReply {
        let id = self.name();
        self.act_as(gui, &UserCmd { id, ..user(gui, command) })
    }

    pub fn act_as(&mut self, gui: usize, command: &UserCmd) -> UserCmdReply {
        self.now += 1;
        assert!(self.guis[gui].commands.takes(command));
        self.guis[gui].commands.append(command, self.now)
    }

    /// Somebody without a copy asks the server itself.
    pub fn ask(&mut self, author: &str, command: user_cmd::Command) -> UserCmdReply {
        let id = self.name();
        let command =
            UserCmd { id, author: author.into(), command: Some(command), ..UserCmd::default() };
        self.server.handle(Request::Command(Box::new(command))).into_reply()
    }

    pub fn offers(&mut self) -> Vec<Offer> {
        self.guis
            .iter_mut()
            .map(|gui| Offer { gui: gui.id, answer: Ok(gui.commands.all()) })
            .collect()
    }

    /// The world goes on: everything is taken over, and one step made.
    pub fn resume(&mut self) -> Vec<Taken> {
        let taken = self.take_over();
        self.server.step();
        self.settle();
        taken
    }

    pub fn take_over(&mut self) -> Vec<Taken> {
        let offers = self.offers();
        let taken = self.server.take_over(offers);
        for told in &taken {
            self.tell(told.gui, &told.taken);
        }
        self.settle();
        taken
    }

    pub fn tell(&mut self, gui: u64, taken: &PausedActionsTaken) {
        let gui = self.guis.iter_mut().find(|known| known.id == gui).unwrap();
        gui.commands.clear(taken);
    }

    pub fn control(&mut self, paused: bool) {
        let control = WorldControl { pause: Some(paused), ..WorldControl::default() };
        assert!(self.server.handle(Request::Control(control)).into_reply().ok);
        self.settle();
    }

    pub fn conflicts(&mut self) -> usize {
        let events = self.server.drain_events();
        events.iter().filter(|event| matches!(event, Event::Conflict(_))).count()
    }

    pub fn hash(&self) -> String {
        hash(self.server.simulation().ecm())
    }

    pub fn gui_hash(&self, gui: usize) -> String {
        hash(self.guis[gui].commands.ecm())
    }
}

pub fn user(gui: usize, command: user_cmd::Command) -> UserCmd {
    UserCmd { author: format!("page {gui}.1"), command: Some(command), ..UserCmd::default() }
}

pub fn hash(ecm: &Ecm) -> String {
    let mut hash = StateHash::new();
    hash.add_ecm(ecm).unwrap();
    hash.to_string()
}

pub fn entity(name: &str) -> Option<EntityRef> {
    Some(EntityRef::named(name))
}

pub fn all(offers: &[Offer]) -> Vec<SerializedStateV> {
    offers.iter().map(|offer| offer.answer.clone().unwrap()).collect()
}
