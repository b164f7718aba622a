//! A made-up server on a bus, and how a link to it is watched.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use retake_assets::ResourceRoots;
use retake_components::EntityName;
use retake_gui::{BusLink, BusLinkGuard, View};
use retake_msgs::{
    Notification, SerializedState, ServerInfo, ServerInfoRequest, StampedState, StateRequest,
    UndoRedo, UserCmd, UserCmdReply, UserCmdStats, UserCmdStatsRequest, WorldControl,
    WorldStatistics, names,
};
use retake_transport::typed::{self, Publisher};
use retake_transport::{Bus, Delivery, Guard, InProcessBus, SERVER_CLIENT};
use tokio::sync::watch;

use super::{PATIENCE, Scene};

/// A made-up server on a bus.
pub struct Server {
    pub bus: Arc<dyn Bus>,
    pub scene: Arc<Mutex<Scene>>,
    base: u64,
    pub deltas: Publisher<StampedState>,
    pub stats: Publisher<WorldStatistics>,
    pub histories: Publisher<UserCmdStats>,
    pub notifications: Publisher<Notification>,
    pub full_states: Arc<AtomicUsize>,
    _guards: Vec<Guard>,
}

pub fn stamped(state: SerializedState) -> StampedState {
    StampedState { state: Some(state), ..StampedState::default() }
}

impl Server {
    /// Starts a server that does at once what it is asked.
    pub fn start(bus: &Arc<dyn Bus>, protocol_version: u32) -> Self {
        Self::with_control(bus, protocol_version, |asked, reply| {
            let message = format!("pause {:?}", asked.pause);
            reply.answer(&UserCmdReply::done(message));
        })
    }

    /// Starts a server that deals with controls in its own way.
    pub fn with_control(
        bus: &Arc<dyn Bus>,
        protocol_version: u32,
        control: impl Fn(WorldControl, typed::Reply<UserCmdReply>) + Send + Sync + 'static,
    ) -> Self {
        let mut scene = Scene::new();
        let base = scene.ecm.close_tick();
        let scene = Arc::new(Mutex::new(scene));
        let full_states = Arc::new(AtomicUsize::new(0));
        let (shown, counted) = (Arc::clone(&scene), Arc::clone(&full_states));
        let info = move |_: ServerInfoRequest, reply: typed::Reply<ServerInfo>| {
            reply.answer(&ServerInfo {
                world: "test".into(),
                protocol_version,
                world_file: "test.sdf".into(),
                ..ServerInfo::default()
            });
        };
        let state = move |_: StateRequest, reply: typed::Reply<StampedState>| {
            counted.fetch_add(1, Ordering::SeqCst);
            reply.answer(&stamped(shown.lock().unwrap().ecm.encode_full()));
        };
        let command = |_: UserCmd, reply: typed::Reply<UserCmdReply>| reply.refuse("Not now");
        let history = |_: UserCmdStatsRequest, reply: typed::Reply<UserCmdStats>| {
            reply.answer(&UserCmdStats { enabled: true, ..UserCmdStats::default() });
        };
        let undo = |_: UndoRedo, reply: typed::Reply<UserCmdReply>| reply.refuse("head moved");
        let guards = vec![
            typed::serve(&**bus, &names::history_get("test"), history).unwrap(),
            typed::serve(&**bus, &names::undo_redo("test"), undo).unwrap(),
            typed::serve(&**bus, names::SERVER_INFO, info).unwrap(),
            typed::serve(&**bus, &names::state("test"), state).unwrap(),
            typed::serve(&**bus, &names::control("test"), control).unwrap(),
            typed::serve(&**bus, &names::user_command("test"), command).unwrap(),
            bus.join(SERVER_CLIENT).unwrap(),
        ];
        let all = Delivery::All;
        Self {
            deltas: Publisher::new(&**bus, &names::state_delta("test"), all).unwrap(),
            stats: Publisher::new(&**bus, &names::stats("test"), all).unwrap(),
            histories: Publisher::new(&**bus, &names::history("test"), all).unwrap(),
            notifications: Publisher::new(&**bus, &names::notifications("test"), all).unwrap(),
            bus: Arc::clone(bus),
            scene,
            base,
            full_states,
            _guards: guards,
        }
    }

    /// Renames the car and returns the delta.
    pub fn rename(&mut self, name: &str) -> StampedState {
        self.edit(|scene| scene.ecm.set(scene.car, EntityName(name.to_owned())).unwrap())
    }

    /// Changes the world and returns the delta.
    pub fn edit(&mut self, edit: impl FnOnce(&mut Scene)) -> StampedState {
        let mut scene = self.scene.lock().unwrap();
        edit(&mut scene);
        let delta = stamped(scene.ecm.encode_since(self.base));
        self.base = delta.state.as_ref().unwrap().tick;
        scene.ecm.close_tick();
        delta
    }
}

pub fn bus() -> Arc<dyn Bus> {
    Arc::new(InProcessBus::new())
}

pub fn start(bus: &Arc<dyn Bus>) -> Result<(BusLink, BusLinkGuard), String> {
    let bus = Arc::clone(bus);
    BusLink::start(retake_components::registry().build(), ResourceRoots::new(), move || {
        Ok(Arc::clone(&bus))
    })
}

pub fn wait_for(
    views: &mut watch::Receiver<Arc<View>>,
    right: impl Fn(&View) -> bool,
) -> Arc<View> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let found = tokio::time::timeout(PATIENCE, views.wait_for(|view| right(view))).await;
        Arc::clone(&found.unwrap().unwrap())
    })
}

pub fn car_is(name: &str) -> impl Fn(&View) -> bool {
    move |view| view.ecm.iter::<EntityName>().any(|(_, found)| found.0 == name)
}
