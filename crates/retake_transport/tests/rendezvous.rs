//! Finding servers by their records.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::unix::fs::PermissionsExt;

use retake_transport::rendezvous::{Rendezvous, RendezvousError, ServerRecord};
use tempfile::TempDir;

fn record(world: &str, pid: u32, port: u16) -> ServerRecord {
    ServerRecord {
        world_path: None,
        pid,
        world: world.to_owned(),
        world_file: format!("worlds/{world}.sdf"),
        endpoint: SocketAddrV4::new(Ipv4Addr::LOCALHOST, port),
        page: None,
        started_at: u64::from(pid),
    }
}

fn folder() -> (TempDir, Rendezvous) {
    let folder = TempDir::new().unwrap();
    let rendezvous = Rendezvous::at(&folder.path().join("retake")).unwrap();
    (folder, rendezvous)
}

#[test]
fn a_server_is_listed_while_it_lives() {
    let (_folder, rendezvous) = folder();
    let mut arm = rendezvous.announce(record("arm", 20, 8644)).unwrap();
    let cones = rendezvous.announce(record("cones", 10, 8643)).unwrap();
    assert_eq!(rendezvous.servers().unwrap(), [record("cones", 10, 8643), record("arm", 20, 8644)]);
    drop(cones);
    arm.set_page(Some("http://127.0.0.1:8642".into())).unwrap();
    let servers = rendezvous.servers().unwrap();
    assert_eq!(servers.len(), 1);
    assert_eq!(servers[0].page.as_deref(), Some("http://127.0.0.1:8642"));
}

#[test]
fn what_a_dead_server_left_is_removed() {
    let (folder, rendezvous) = folder();
    let servers = folder.path().join("retake/servers");
    // As after kill -9: both files are there, and nobody holds the lock.
    fs::write(servers.join("7-1.json"), serde_json::to_vec(&record("gone", 7, 1)).unwrap())
        .unwrap();
    fs::write(servers.join("7-1.lock"), "").unwrap();
    fs::write(servers.join("8-1.json"), "{ half a rec").unwrap();
    assert_eq!(rendezvous.servers().unwrap(), []);
    assert_eq!(fs::read_dir(servers).unwrap().count(), 0);
}

#[test]
fn one_is_picked_or_the_choice_is_listed() {
    let (_folder, rendezvous) = folder();
    let pick = |wanted| rendezvous.pick(wanted).map(|address| address.port());
    let refusal = |wanted| rendezvous.pick(wanted).unwrap_err().to_string();
    let none = "No Retake server is running. Start one with: retake run WORLD";
    assert_eq!(refusal(None), none);
    assert_eq!(refusal(Some("cones")), none);
    assert_eq!(pick(Some("127.0.0.1:99")).unwrap(), 99);
    assert_eq!(pick(Some("localhost:99")).unwrap(), 99);
    assert!(matches!(rendezvous.pick(Some("10.0.0.1:99")), Err(RendezvousError::NotLoopback(_))));

    let _cones = rendezvous.announce(record("cones", 10, 8643)).unwrap();
    assert_eq!(pick(None).unwrap(), 8643);
    let text = "No Retake server matches \"arm\". Running: \"cones\" at 127.0.0.1:8643";
    assert_eq!(refusal(Some("arm")), text);

    let _arm = rendezvous.announce(record("arm", 20, 8644)).unwrap();
    assert_eq!(pick(Some("arm")).unwrap(), 8644);
    assert_eq!(pick(Some("10")).unwrap(), 8643);
    let text = "Several Retake servers are running; name one by world, address or process:\n  \
                \"cones\" at 127.0.0.1:8643 (process 10)\n  \
                \"arm\" at 127.0.0.1:8644 (process 20)";
    assert_eq!(refusal(None), text);
}

#[test]
fn a_folder_that_others_may_write_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("retake");
    Rendezvous::at(&path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).unwrap();
    assert!(matches!(Rendezvous::at(&path), Err(RendezvousError::NotOurs(_))));
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(folder.path(), &link).unwrap();
    assert!(matches!(Rendezvous::at(&link), Err(RendezvousError::NotOurs(_))));
}
