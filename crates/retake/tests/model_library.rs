//! Models of the library, listed and inserted by pages and the command line, in both wirings.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use retake_msgs::{
    InsertEntity, LibraryModel, ModelLibraryRequest, Reply, UndoRedo, UserCmd, WorldControl,
    request, user_cmd,
};
use serde_json::Value;
use support::page::Page;
use support::{Running, Sandbox};

/// A folder of models beside the sandbox's runtime folder, with one that is damaged.
fn models(sandbox: &Sandbox) -> String {
    let folder = sandbox.folder.path().join("shop");
    for name in ["lamp", "broken"] {
        std::fs::create_dir_all(folder.join(name)).unwrap();
    }
    let config =
        "<model><name>Lamp</name><sdf>model.sdf</sdf><description>Shines</description></model>";
    std::fs::write(folder.join("lamp/model.config"), config).unwrap();
    let sdf = "<sdf version='1.9'><model name='lamp'><link name='l'/></model></sdf>";
    std::fs::write(folder.join("lamp/model.sdf"), sdf).unwrap();
    std::fs::write(folder.join("broken/model.config"), "<model><name>").unwrap();
    folder.display().to_string()
}

async fn library(page: &mut Page) -> Vec<LibraryModel> {
    let reply = page.call(request::Request::Library(ModelLibraryRequest {})).await;
    assert!(reply.ok, "{}", reply.message);
    let library = reply.library.unwrap();
    assert_eq!(library.incomplete, "");
    library.model
}

async fn insert(page: &mut Page, uri: &str) -> Reply {
    let sdf = format!("<sdf version='1.11'><include><uri>{uri}</uri></include></sdf>");
    let insert = InsertEntity { sdf, allow_renaming: true, ..InsertEntity::default() };
    let command = Some(user_cmd::Command::InsertEntity(insert));
    let command = UserCmd { id: format!("insert {uri}"), command, ..UserCmd::default() };
    page.call(request::Request::Command(Box::new(command))).await
}

/// A page lists the models and inserts two; the command line sees them once the world has gone on.
async fn go_through(sandbox: &Sandbox, page: &mut Page) {
    page.until_paused(true).await;
    let models = library(page).await;
    let of = |uri: &str| models.iter().find(|model| model.uri == uri).unwrap();
    let lamp = of("model://lamp");
    assert_eq!((lamp.name.as_str(), lamp.description.as_str()), ("Lamp", "Shines"));
    assert_eq!((lamp.source.as_str(), lamp.problem.as_str()), ("shop", ""));
    assert!(of("model://broken").problem.starts_with("model.config:1:"), "{models:?}");
    // Those beside the world file are those that come with the program, so they are there once.
    assert_eq!(models.iter().filter(|model| model.name == "Table").count(), 1);
    assert_eq!(of("model://table").source, "models");
    let whole = sandbox.folder.path().display().to_string();
    let told = format!("{models:?}");
    assert!(!told.contains(&whole) && !told.contains("/worlds/models"), "{told}");

    let refused = insert(page, "model://broken").await;
    assert!(
        !refused.ok && refused.message.contains("has no model.config that names"),
        "{refused:?}"
    );
    let refused = insert(page, "model://../secret").await;
    assert!(!refused.ok && refused.message.contains("nothing under the resource folders"));
    for uri in ["model://lamp", "model://rover"] {
        let reply = insert(page, uri).await;
        assert!(reply.ok, "{}", reply.message);
    }
    let id = "insert model://rover".to_owned();
    let undo = UndoRedo { id, undo: true, ..UndoRedo::default() };
    let undone = page.call(request::Request::UndoRedo(undo)).await;
    assert_eq!(undone.message, "Undone: Insert rover");
    page.control(WorldControl { pause: Some(false), ..WorldControl::default() }).await;
    page.until_paused(false).await;
    let listed = sandbox.retake(&["entity", "list", "--format", "json"]).success();
    assert!(listed.contains("\"lamp\"") && !listed.contains("\"rover\""), "{listed}");
}

fn block_on(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
}

#[test]
fn in_one_process() {
    let sandbox = Sandbox::new();
    let shop = models(&sandbox);
    let world = "worlds/cones.sdf";
    let arguments = ["run", world, "--paused", "--port", "0", "--bus-port", "0"];
    let run = sandbox.start(&[&arguments[..], &["--resource-path", &shop]].concat());
    block_on(async { go_through(&sandbox, &mut Page::open(&run.page()).await).await });
}

#[test]
fn in_two_processes() {
    let sandbox = Sandbox::new();
    let shop = models(&sandbox);
    let arguments = ["server", "worlds/cones.sdf", "--bus-port", "0", "--paused"];
    let _server = sandbox.start(&[&arguments[..], &["--resource-path", &shop]].concat());
    let gui = sandbox.start(&["gui", "--port", "0"]);
    block_on(async { go_through(&sandbox, &mut Page::open(&gui.page()).await).await });
}

#[test]
fn the_command_line_lists_and_inserts() {
    let sandbox = Sandbox::new();
    let shop = models(&sandbox);
    // The demo, which has no folder of its own.
    let arguments = ["server", "--bus-port", "0", "--paused", "--resource-path", &shop];
    let _server: Running = sandbox.start(&arguments);
    let listed = sandbox.retake(&["model", "list", "--format", "json"]).success();
    let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
    let of = |name: &str| listed.iter().find(|model| model["name"] == name).unwrap();
    assert_eq!(of("Lamp")["uri"], "model://lamp");
    assert_eq!(of("Lamp")["problem"], Value::Null);
    assert_eq!(
        (&of("Table")["source"], &of("Table")["uri"]),
        (&"Retake".into(), &"model://table".into())
    );
    assert!(of("broken")["problem"].is_string());

    let found = sandbox.retake(&["model", "list", "SHINES"]).success();
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 2, "{found}");
    assert!(lines[0].starts_with("uri ") && lines[1].starts_with("model://lamp  Lamp  shop"));
    let nothing = sandbox.retake(&["model", "list", "zebra"]).success();
    assert!(nothing.contains("models has \"zebra\" in its name or description"), "{nothing}");

    let done = sandbox.retake(&["entity", "insert", "model://table", "--at", "1", "2", "0"]);
    assert_eq!(done.success().trim(), "Insert table");
    let refused = sandbox.retake(&["entity", "insert", "model://tabel"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("nothing under the resource folders is called \"model://tabel\"")
    );
}

#[test]
fn a_log_needs_the_model_no_more() {
    let sandbox = Sandbox::new();
    let shop = models(&sandbox);
    let log = sandbox.folder.path().join("a.mcap").display().to_string();
    let world = "worlds/cones.sdf";
    let arguments = ["server", world, "--bus-port", "0", "--paused", "--record", &log];
    let server = sandbox.start(&[&arguments[..], &["--resource-path", &shop]].concat());
    sandbox.retake(&["entity", "insert", "model://lamp", "--at", "1", "1", "0"]).success();
    sandbox.retake(&["world", "step", "50"]).success();
    loop {
        let status = sandbox.retake(&["log", "status", "--format", "json"]).success();
        let status: Value = serde_json::from_str(&status).unwrap();
        if status["recorded_secs"].as_f64().unwrap() >= 0.05 {
            break;
        }
    }
    sandbox.retake(&["log", "stop"]).success();
    drop(server);
    std::fs::remove_dir_all(&shop).unwrap();
    let verified = sandbox.retake(&["verify", &log]);
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
}
