//! Same world, same commands, same build: same bits, in any process and with any thread count.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use support::Sandbox;

fn hash(arguments: &[&str]) -> String {
    let mut all = vec!["run"];
    all.extend(arguments);
    all.extend(["--headless", "--iterations", "1500", "--hash"]);
    Sandbox::new().retake(&all).success()
}

#[test]
fn two_processes_and_any_thread_count_give_one_hash() {
    for world in ["worlds/cones.sdf", "worlds/stacks.sdf"] {
        let first = hash(&[world]);
        assert_eq!(first.trim().len(), 32, "{first}");
        assert_eq!(first, hash(&[world]), "a second process, {world}");
        assert_eq!(first, hash(&[world, "--threads", "2"]), "two threads, {world}");
        assert_eq!(first, hash(&[world, "--threads", "4"]), "four threads, {world}");
    }
}

#[test]
fn the_seed_counts() {
    assert_ne!(hash(&["worlds/cones.sdf"]), hash(&["worlds/cones.sdf", "--seed", "2"]));
}
