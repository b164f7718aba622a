//! How requests reach the server while some of them take time to prepare.
//!
//! An insertion is prepared on another thread, and applied when it is ready. Until then the later
//! commands of its author wait, so that they come in the order in which they were sent; everybody
//! else's go on, and so do the steps. Before the world goes on, GUIs are asked on another thread for
//! what they did while it was paused; whatever else is to start or stop it waits for that.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use retake_msgs::PastRequest;
use retake_msgs::notification::Level;

use crate::desk::Desk;
use crate::inbox::{Envelope, Item, Reply};
use crate::loader::{Job, Loader, Ready};
use crate::paused::{Collection, Offered};
use crate::timeline::TimelineDesk;
use crate::watchdog::{Crier, Place};
use crate::{GuiActions, InboxSender, Request, Response, Server, model_library};

/// Commands that may wait behind insertions; beyond it new ones are refused, and told so.
const CAPACITY: usize = 4096;

/// Takes what comes out of the inbox.
pub(crate) struct Intake {
    loader: Loader,
    motions: Desk,
    models: Desk,
    timeline: TimelineDesk,
    /// Watches items of the past, which takes longer than to look at an instant.
    watching: TimelineDesk,
    lanes: Lanes,
    guis: Option<Arc<dyn GuiActions>>,
    /// What waits until GUIs have been asked; none while nobody is being asked.
    resuming: Option<VecDeque<Envelope>>,
}

/// Commands that wait for an insertion of the same author. A lane that is there is busy.
#[derive(Default)]
struct Lanes {
    by_author: BTreeMap<String, VecDeque<Envelope>>,
    waiting: usize,
}

impl Default for Intake {
    fn default() -> Self {
        Self {
            loader: Loader::default(),
            motions: Desk::new("motions"),
            models: Desk::new("models"),
            timeline: TimelineDesk::default(),
            watching: TimelineDesk::default(),
            lanes: Lanes::default(),
            guis: None,
            resuming: None,
        }
    }
}

/// Hands a job to a thread, or gives back what waits for its answer with the reason why not.
type Start<'a> = dyn FnMut(Job) -> Result<(), (Reply, String)> + 'a;

impl Intake {
    /// Asks the GUIs through `guis` before the world goes on.
    pub(crate) fn ask_guis(&mut self, guis: Arc<dyn GuiActions>) {
        self.guis = Some(guis);
    }

    /// Lists the threads here that call systems, to be watched.
    pub(crate) fn watched(&self, crier: &Crier) -> Vec<Place> {
        [&self.timeline, &self.watching].map(|desk| desk.watched(crier)).into()
    }

    /// Carries out what came in, or has it prepared first; `finish` completes every answer.
    pub(crate) fn take(
        &mut self,
        server: &mut Server,
        item: Item,
        finish: &dyn Fn(Response) -> Response,
    ) {
        match item {
            Item::Request(envelope) => self.take_request(server, envelope, finish),
            Item::Offered(offered) => self.take_offered(server, *offered, finish),
            item => self.pass(server, item, finish),
        }
    }

    fn pass(&mut self, server: &mut Server, item: Item, finish: &dyn Fn(Response) -> Response) {
        let (loader, timeline) = (&mut self.loader, &mut self.timeline);
        self.lanes.take(server, item, finish, &mut |job| start(loader, timeline, job));
    }

    fn take_request(
        &mut self,
        server: &mut Server,
        envelope: Envelope,
        finish: &dyn Fn(Response) -> Response,
    ) {
        let starts = matches!(envelope.request, Request::Control(_) | Request::TakeOver(_));
        if let Some(waiting) = self.resuming.as_mut().filter(|_| starts) {
            match waiting.len() < CAPACITY {
                true => waiting.push_back(envelope),
                false => (envelope.reply)(Response::Failed(busy())),
            }
            return;
        }
        if let Some(work) = server.motion_work(&envelope.request) {
            let work = Box::new(|| work.done());
            return self.motions.start(work, envelope.reply, envelope.door);
        }
        if let Request::Library = &envelope.request {
            let work = model_library::listing(server.preparer());
            return self.models.start(work, envelope.reply, envelope.door);
        }
        if let Request::Past(request) = &envelope.request {
            let request = request.clone();
            return self.look_back(server, request, envelope.reply, envelope.door);
        }
        let guis = server.guis_to_ask(&envelope.request);
        let Some(from) = self.guis.clone().filter(|_| !guis.is_empty()) else {
            return self.pass(server, Item::Request(envelope), finish);
        };
        if (Collection { guis, from, then: envelope }).start() {
            self.resuming = Some(VecDeque::new());
        }
    }

    /// Lets a thread look back, or refuses at once.
    fn look_back(
        &mut self,
        server: &Server,
        request: PastRequest,
        reply: Reply,
        door: InboxSender,
    ) {
        let refuse = |reply: Reply, refusal| reply(Response::Past(Err(refusal)));
        if request.watch.is_empty() {
            match server.past_work(&request) {
                Ok(work) => self.timeline.show(work, request, reply, door),
                Err(refusal) => refuse(reply, refusal),
            }
        } else {
            match server.watch_work(&request) {
                Ok(work) => self.watching.watch(work, request, reply, door),
                Err(refusal) => refuse(reply, refusal),
            }
        }
    }

    /// Takes over what GUIs did, then does what it was needed for and what waited behind it.
    fn take_offered(
        &mut self,
        server: &mut Server,
        offered: Offered,
        finish: &dyn Fn(Response) -> Response,
    ) {
        let Offered { offers, then, taken } = offered;
        // An error means that nobody is left to tell the GUIs; they will offer it again.
        taken.send(server.take_over(offers)).ok();
        self.pass(server, Item::Request(then), finish);
        let mut waiting = self.resuming.take().unwrap_or_default();
        while let Some(envelope) = waiting.pop_front() {
            self.take_request(server, envelope, finish);
            if let Some(resuming) = &mut self.resuming {
                resuming.append(&mut waiting);
            }
        }
    }

    /// Tells everybody who still waits that it is over.
    pub(crate) fn close(self) {
        let waiting = self.resuming.into_iter().flatten();
        for envelope in self.lanes.by_author.into_values().flatten().chain(waiting) {
            (envelope.reply)(Response::Failed("The server has stopped".to_owned()));
        }
    }
}

/// Hands a job to the thread that it is for.
fn start(
    loader: &mut Loader,
    timeline: &mut TimelineDesk,
    mut job: Job,
) -> Result<(), (Reply, String)> {
    match job.past.take() {
        Some(past) => timeline.resume(*past, job.command, job.reply, job.door),
        None => loader.start(job),
    }
}

impl Lanes {
    fn take(
        &mut self,
        server: &mut Server,
        item: Item,
        finish: &dyn Fn(Response) -> Response,
        start: &mut Start<'_>,
    ) {
        match item {
            Item::Request(envelope) => match self.has_lane(&envelope.request) {
                true => self.hold(envelope),
                false => self.carry_out(server, envelope, finish, start),
            },
            Item::Ready(ready) => {
                let Ready { command, insert, reply } = *ready;
                let done = match insert {
                    Ok(insert) => server.carry_out(&command, insert),
                    Err(error) => server.refuse(&command, &error),
                };
                reply(finish(Response::Done(done)));
                self.resume(server, &command.author, finish, start);
            }
            Item::Told(text) => server.notify(Level::Info, text),
            // Taken before it comes here.
            Item::Offered(offered) => drop(offered),
        }
    }

    /// Says whether a request has to wait for an insertion of the same author.
    fn has_lane(&self, request: &Request) -> bool {
        author_of(request).is_some_and(|author| self.by_author.contains_key(author))
    }

    /// Lets a command wait.
    fn hold(&mut self, envelope: Envelope) {
        let author = author_of(&envelope.request);
        let lane = author.and_then(|author| self.by_author.get_mut(author));
        match lane.filter(|_| self.waiting < CAPACITY) {
            Some(lane) => {
                lane.push_back(envelope);
                self.waiting += 1;
            }
            None => {
                (envelope.reply)(Response::Failed(busy()));
            }
        }
    }

    /// Carries a request out, or lets its insertion be prepared and opens a lane behind it.
    fn carry_out(
        &mut self,
        server: &mut Server,
        envelope: Envelope,
        finish: &dyn Fn(Response) -> Response,
        start: &mut Start<'_>,
    ) {
        let Envelope { request, reply, door } = envelope;
        match request {
            Request::Command(command) if server.needs_preparation(&command) => {
                let author = command.author.clone();
                let folders = server.motion_folders(&command).unwrap_or_default();
                let past = server.resume_work(&command).map(Box::new);
                let script = server.script_file(&command);
                let preparer = server.preparer();
                let job = Job { command, preparer, folders, past, script, reply, door };
                match start(job) {
                    Ok(()) => drop(self.by_author.entry(author).or_default()),
                    Err((reply, reason)) => reply(Response::Failed(reason)),
                }
            }
            request => reply(finish(server.handle(request))),
        }
    }

    /// Carries out what waited for an insertion, up to the author's next one.
    fn resume(
        &mut self,
        server: &mut Server,
        author: &str,
        finish: &dyn Fn(Response) -> Response,
        start: &mut Start<'_>,
    ) {
        let Some(mut lane) = self.by_author.remove(author) else { return };
        while let Some(envelope) = lane.pop_front() {
            self.waiting -= 1;
            self.carry_out(server, envelope, finish, start);
            if let Some(busy) = self.by_author.get_mut(author) {
                *busy = lane;
                return;
            }
        }
    }
}

fn busy() -> String {
    format!("The server is busy: {CAPACITY} commands wait. Try again")
}

/// Whose edit a request is; everything else waits for nobody.
fn author_of(request: &Request) -> Option<&str> {
    match request {
        Request::Command(command) => Some(&command.author),
        Request::UndoRedo(request) => Some(&request.author),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use retake_assets::ResourceRoots;
    use retake_diag::Diagnostics;
    use retake_msgs::{
        EntityRef, InsertEntity, MoveEntity, UserCmd, Vector3, WorldControl, user_cmd,
    };

    use super::*;
    use crate::{Inbox, InboxSender, ServerOptions, Simulation, SimulationOptions, inbox};

    const WORLD: &str = "<sdf version='1.11'><world name='w'><model name='here'>\
                         <link name='l'/></model></world></sdf>";

    /// A server whose insertions are prepared when the test says so.
    struct Desk {
        server: Server,
        lanes: Lanes,
        sender: InboxSender,
        inbox: Inbox,
        jobs: Vec<Job>,
        most_jobs: usize,
        answers: Arc<Mutex<Vec<String>>>,
    }

    impl Desk {
        fn new() -> Self {
            let mut found = Diagnostics::new();
            let roots = ResourceRoots::new();
            let world = retake_sdf::parse_world(WORLD, "w.sdf", &roots, &mut found).unwrap();
            let simulation = Simulation::load(&world, &SimulationOptions::default()).unwrap();
            let server = Server::new(simulation, &ServerOptions::default());
            let (sender, inbox) = inbox();
            let (lanes, jobs, answers) = (Lanes::default(), Vec::new(), Arc::default());
            Self { server, lanes, sender, inbox, jobs, most_jobs: usize::MAX, answers }
        }

        fn send(&mut self, request: Request) {
            let answers = Arc::clone(&self.answers);
            let reply = move |response: Response| {
                answers.lock().unwrap().push(response.into_reply().message);
            };
            self.sender.send(request, Box::new(reply));
            self.serve();
        }

        fn serve(&mut self) {
            let Self { server, lanes, inbox, jobs, most_jobs, .. } = self;
            inbox.drain(&mut |item| {
                lanes.take(server, item, &|response| response, &mut |job| {
                    if jobs.len() >= *most_jobs {
                        return Err((job.reply, "too many".to_owned()));
                    }
                    jobs.push(job);
                    Ok(())
                });
            });
        }

        /// Prepares the insertion that waits longest, as a loader's thread would.
        fn prepare_one(&mut self) {
            self.jobs.remove(0).run();
            self.serve();
        }

        fn answers(&self) -> Vec<String> {
            std::mem::take(&mut *self.answers.lock().unwrap())
        }

        fn has(&self, name: &str) -> bool {
            retake_components::find(self.server.simulation().ecm(), name).is_some()
        }
    }

    fn command(author: &str, id: &str, command: user_cmd::Command) -> Request {
        Request::Command(Box::new(UserCmd {
            author: author.to_owned(),
            id: id.to_owned(),
            command: Some(command),
            ..UserCmd::default()
        }))
    }

    fn insert(author: &str, id: &str, name: &str) -> Request {
        let sdf = format!("<model name='{name}'><link name='l'/></model>");
        let insert = InsertEntity { sdf, ..InsertEntity::default() };
        command(author, id, user_cmd::Command::InsertEntity(insert))
    }

    fn raise(author: &str, name: &str) -> Request {
        let position = Some(Vector3 { x: 0.0, y: 0.0, z: 2.0 });
        let entity = Some(EntityRef::named(name));
        let raise = MoveEntity { entity, position, ..MoveEntity::default() };
        command(author, "", user_cmd::Command::MoveEntity(raise))
    }

    #[test]
    fn steps_and_other_clients_go_on_while_an_insertion_is_prepared() {
        let mut desk = Desk::new();
        desk.send(insert("ann", "", "slow"));
        desk.server.step();
        desk.send(raise("bob", "here"));
        desk.send(Request::Control(WorldControl { pause: Some(true), ..WorldControl::default() }));
        assert_eq!(desk.answers(), ["Move here", "Paused"]);
        assert_eq!(desk.server.simulation().clock().iterations, 1);
        assert!(!desk.has("slow"));
        desk.prepare_one();
        assert_eq!(desk.answers(), ["Insert slow"]);
        assert!(desk.has("slow"));
    }

    #[test]
    fn commands_of_one_client_keep_their_order() {
        let mut desk = Desk::new();
        desk.send(insert("ann", "", "first"));
        desk.send(raise("ann", "first"));
        desk.send(insert("ann", "", "second"));
        desk.send(raise("ann", "second"));
        desk.send(insert("bob", "", "other"));
        // Ann's second insertion waits for her first; Bob's does not.
        assert_eq!((desk.jobs.len(), desk.answers().len()), (2, 0));
        desk.prepare_one();
        assert_eq!(desk.answers(), ["Insert first", "Move first"]);
        desk.prepare_one();
        assert_eq!(desk.answers(), ["Insert other"]);
        desk.prepare_one();
        assert_eq!(desk.answers(), ["Insert second", "Move second"]);
        assert!(desk.lanes.by_author.is_empty() && desk.lanes.waiting == 0);
    }

    #[test]
    fn an_insertion_sent_again_while_it_is_prepared_is_applied_once() {
        let mut desk = Desk::new();
        for _ in 0..50 {
            desk.send(insert("ann", "0190-same", "one"));
        }
        // The same id of somebody else is another command.
        desk.send(insert("bob", "0190-same", "two"));
        assert_eq!(desk.jobs.len(), 2);
        desk.prepare_one();
        assert_eq!(desk.answers(), ["Insert one"; 50]);
        desk.prepare_one();
        assert_eq!(desk.answers(), ["Insert two"]);
        assert!(!desk.has("one_1"));
    }

    #[test]
    fn what_does_not_fit_is_refused_and_the_rest_goes_on() {
        let mut desk = Desk::new();
        desk.most_jobs = 1;
        desk.send(insert("ann", "", "first"));
        desk.send(insert("bob", "", "second"));
        assert_eq!(desk.answers(), ["too many"]);
        // Nobody waits behind an insertion that never began.
        desk.send(raise("bob", "here"));
        assert_eq!(desk.answers(), ["Move here"]);
        for _ in 0..CAPACITY {
            desk.send(raise("ann", "here"));
        }
        assert_eq!(desk.answers().len(), 0);
        desk.send(raise("ann", "here"));
        assert_eq!(desk.answers(), ["The server is busy: 4096 commands wait. Try again"]);
        desk.prepare_one();
        assert_eq!(desk.answers().len(), 1 + CAPACITY);
        assert_eq!(desk.lanes.waiting, 0);
    }

    #[test]
    fn a_text_that_cannot_be_used_is_refused_in_its_turn() {
        let mut desk = Desk::new();
        let broken = InsertEntity { sdf: "<model".to_owned(), ..InsertEntity::default() };
        desk.send(command("ann", "", user_cmd::Command::InsertEntity(broken)));
        desk.send(raise("ann", "here"));
        desk.prepare_one();
        let answers = desk.answers();
        assert!(answers[0].starts_with("The SDF text cannot be used"), "{answers:?}");
        assert_eq!(answers[1], "Move here");
        let long = insert(&"a".repeat(1000), "", "x");
        desk.send(long);
        assert_eq!(desk.answers(), ["id, author and gesture may have 128 bytes each"]);
    }

    #[test]
    fn who_waits_at_the_end_is_told() {
        let mut desk = Desk::new();
        desk.send(insert("ann", "", "first"));
        desk.send(raise("ann", "first"));
        let (loader, lanes) = (Loader::default(), std::mem::take(&mut desk.lanes));
        Intake { loader, lanes, ..Intake::default() }.close();
        assert_eq!(desk.answers(), ["The server has stopped"]);
        // The loader finds nobody to hand the insertion to.
        let (_, other) = inbox();
        desk.inbox = other;
        desk.jobs.remove(0).run();
        assert_eq!(desk.answers(), ["The server has stopped"]);
    }
}
