//! Editing while paused across processes: a server, two GUI hosts with a page each, the command
//! line.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use retake_msgs::host_message::Message as Told;
use retake_msgs::{UndoRedo, WorldControl, request};
use rustix::process::{Pid, Signal, kill_process};
use support::page::Page;
use support::{Running, Sandbox};

/// A paused server and two GUI hosts.
struct Place {
    sandbox: Sandbox,
    _server: Running,
    guis: [Running; 2],
}

impl Place {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let server = sandbox.start(&["server", "worlds/cones.sdf", "--bus-port", "0", "--paused"]);
        let guis = [(), ()].map(|()| sandbox.start(&["gui", "--port", "0"]));
        Self { sandbox, _server: server, guis }
    }

    async fn pages(&self) -> [Page; 2] {
        let [one, two] = &self.guis;
        let mut pages = [Page::open(&one.page()).await, Page::open(&two.page()).await];
        for page in &mut pages {
            page.until_paused(true).await;
        }
        pages
    }

    /// Where the server has a model, in x and y.
    fn place_of(&self, name: &str) -> (f64, f64) {
        let shown = self.sandbox.retake(&["entity", "show", name, "--format", "json"]).success();
        let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
        let position = &shown["world_pose"]["position"];
        // A world that runs settles by less than a millimetre.
        let millimetres = |axis: usize| (position[axis].as_f64().unwrap() * 1e3).round() / 1e3;
        (millimetres(0), millimetres(1))
    }

    fn cli(&self, arguments: &[&str]) -> String {
        self.sandbox.retake(arguments).success()
    }
}

fn play() -> WorldControl {
    WorldControl { pause: Some(false), ..WorldControl::default() }
}

fn block_on(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
}

fn signal(process: &Running, signal: Signal) {
    let id = Pid::from_raw(i32::try_from(process.id()).unwrap()).unwrap();
    kill_process(id, signal).unwrap();
}

#[test]
fn what_two_guis_did_comes_into_the_world_when_it_goes_on() {
    let place = Place::new();
    block_on(async {
        let [mut one, mut two] = place.pages().await;
        assert_eq!(one.move_to("cone_1", 5.0, 5.0).await.message, "Move cone_1");
        two.until_pending(&["Move cone_1"]).await;
        assert!(two.move_to("cone_2", 6.0, 6.0).await.ok);
        one.until_pending(&["Move cone_1", "Move cone_2"]).await;
        // Everybody can see what waits, and the world does not have it.
        let listed = place.cli(&["world", "pending"]);
        assert!(listed.contains("gui 1  test 1.1  Move cone_1  waits"), "{listed}");
        assert_eq!(place.place_of("cone_1"), (-1.6, 1.55));
        let not_saved = place.sandbox.retake(&["world", "save", "-"]);
        assert_eq!(not_saved.code, 3);
        assert!(not_saved.stderr.contains("2 actions wait in GUIs"), "{}", not_saved.stderr);

        place.cli(&["world", "step", "1"]);
        assert_eq!(place.place_of("cone_1"), (5.0, 5.0));
        assert_eq!(place.place_of("cone_2"), (6.0, 6.0));
        one.until_pending(&[]).await;
        let history = place.cli(&["history"]);
        assert!(history.contains("Move cone_1") && history.contains("Move cone_2"), "{history}");
        place.cli(&["undo"]);
        assert_eq!(place.place_of("cone_2"), (0.9, -0.2));
        assert_eq!(place.place_of("cone_1"), (5.0, 5.0));
        assert_eq!(place.cli(&["world", "pending"]), "");
    });
}

#[test]
fn what_only_a_gui_holds_is_undone_without_the_server() {
    let place = Place::new();
    block_on(async {
        let [mut one, mut two] = place.pages().await;
        one.move_to("cone_1", 5.0, 5.0).await;
        let head = one
            .until(|told| match told {
                Told::History(history) => history.undo.last().filter(|e| e.pending).cloned(),
                _ => None,
            })
            .await;
        assert_eq!(head.description, "Move cone_1");
        let undo = UndoRedo { id: head.id, undo: true, ..UndoRedo::default() };
        let undone = one.call(request::Request::UndoRedo(undo)).await;
        assert_eq!(undone.message, "Undone: Move cone_1");
        two.until_pending(&[]).await;
        assert!(one.control(play()).await.ok);
        two.until_paused(false).await;
        assert!(place.cli(&["history"]).lines().all(|line| !line.contains("cone_1")));
    });
}

#[test]
fn one_field_by_two_guis_is_told_to_both() {
    let place = Place::new();
    block_on(async {
        let [mut one, mut two] = place.pages().await;
        one.move_to("cone_1", 5.0, 5.0).await;
        two.until_pending(&["Move cone_1"]).await;
        two.move_to("cone_1", 6.0, 6.0).await;
        assert!(two.control(play()).await.ok);
        for page in [&mut one, &mut two] {
            let conflict = page
                .until(|told| match told {
                    Told::Conflict(conflict) => Some(conflict.clone()),
                    _ => None,
                })
                .await;
            let (won, lost) = (conflict.won.unwrap(), conflict.lost.unwrap());
            assert_eq!((conflict.name.as_str(), conflict.field.as_str()), ("cone_1", "position"));
            assert_eq!((won.author.as_str(), won.text.as_str()), ("test 2.1", "[6, 6, 0]"));
            assert_eq!((lost.author.as_str(), lost.text.as_str()), ("test 1.1", "[5, 5, 0]"));
        }
        assert_eq!(place.place_of("cone_1"), (6.0, 6.0));
    });
}

#[test]
fn a_gui_that_dies_takes_its_actions_along_and_nothing_else() {
    let place = Place::new();
    block_on(async {
        let [mut one, mut two] = place.pages().await;
        one.move_to("cone_1", 5.0, 5.0).await;
        two.move_to("cone_2", 6.0, 6.0).await;
        two.until_pending(&["Move cone_1", "Move cone_2"]).await;
        signal(&place.guis[0], Signal::KILL);
        let told = two.until_told("went away").await;
        assert_eq!(told, "gui 1 went away with 1 actions that were not taken over");
        assert!(two.control(play()).await.ok);
        two.until_paused(false).await;
        assert_eq!(place.place_of("cone_2"), (6.0, 6.0));
        assert_eq!(place.place_of("cone_1"), (-1.6, 1.55));
    });
}

#[test]
fn a_gui_that_does_not_answer_is_named_and_its_actions_come_later() {
    let place = Place::new();
    block_on(async {
        let [mut one, mut two] = place.pages().await;
        one.move_to("cone_1", 5.0, 5.0).await;
        two.until_pending(&["Move cone_1"]).await;
        signal(&place.guis[0], Signal::STOP);
        assert!(two.control(play()).await.ok);
        let told = two.until_told("gui 1").await;
        signal(&place.guis[0], Signal::CONT);
        assert!(told.contains("gave no actions") || told.contains("went away"), "{told}");
        // It sees that the world runs without them, and offers them again by itself.
        let arrived = (0..200).any(|_| place.place_of("cone_1") == (5.0, 5.0));
        assert!(arrived);
    });
}
