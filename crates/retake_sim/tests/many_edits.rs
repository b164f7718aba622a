//! Ten thousand edits and ten thousand undos: the history stays within its budget, and memory flat.
//!
//! Alone in its program, because it counts all the memory that there is.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(unsafe_code, reason = "counting memory means being the allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_msgs::{EntityRef, MoveEntity, UndoRedo, UserCmd, Vector3, user_cmd};
use retake_sim::{
    Request, Server, ServerOptions, Simulation, SimulationOptions, TimelineLimits, UndoLimits,
};

/// The system's allocator, which counts the bytes in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MIB: u64 = 1024 * 1024;
const BUDGET: u64 = 8 * MIB;
const EDITS: usize = 10_000;

/// Some boxes in the air, so that a state is more than nothing.
fn server() -> Server {
    let model = |n: usize| {
        format!(
            "<model name='box{n}'><pose>{n} 0 2 0 0 0</pose><link name='l'><collision name='c'>\
             <geometry><box><size>.5 .5 .5</size></box></geometry></collision></link></model>"
        )
    };
    let models: String = (0..20).map(model).collect();
    let text = format!("<sdf version='1.11'><world name='w'>{models}</world></sdf>");
    let (roots, mut found) = (ResourceRoots::new(), Diagnostics::new());
    let world = retake_sdf::parse_world(&text, "test.sdf", &roots, &mut found).unwrap();
    let simulation = Simulation::load(&world, &SimulationOptions::default()).unwrap();
    let undo = UndoLimits { enabled: true, max_steps: 10_000, max_bytes: BUDGET };
    // The kept past has a budget and tests of its own.
    let timeline = TimelineLimits { max_bytes: 0, ..TimelineLimits::default() };
    let options = ServerOptions { paused: true, undo, timeline, ..ServerOptions::default() };
    Server::new(simulation, &options)
}

fn edit(server: &mut Server, number: usize) {
    let position = Some(Vector3 { x: (number % 20) as f64, y: (number % 97) as f64, z: 2.0 });
    let entity = Some(EntityRef::named(format!("box{}", number % 20)));
    let edit = MoveEntity { entity, position, ..MoveEntity::default() };
    let command = UserCmd {
        id: format!("edit {number}"),
        author: "ann".to_owned(),
        command: Some(user_cmd::Command::MoveEntity(edit)),
        ..UserCmd::default()
    };
    let reply = server.handle(Request::Command(Box::new(command))).into_reply();
    assert!(reply.ok, "{}", reply.message);
    server.step();
    settle(server);
}

/// Undoes the last edit, if there is one.
fn undo(server: &mut Server) -> bool {
    let Some(last) = server.history().undo.last().cloned() else { return false };
    let request = UndoRedo { id: last.id, undo: true, ..UndoRedo::default() };
    let reply = server.handle(Request::UndoRedo(request)).into_reply();
    assert!(reply.ok, "{}", reply.message);
    settle(server);
    true
}

/// Takes out what a runner would, and looks at the budget.
fn settle(server: &mut Server) {
    drop(server.drain_events());
    drop(server.drain_messages());
    drop(server.drain_samples());
    let bytes = server.history().bytes;
    assert!(bytes <= BUDGET, "the history has {bytes} bytes, and may have {BUDGET}");
}

fn in_use_mib() -> u64 {
    IN_USE.load(Ordering::Relaxed) as u64 / MIB
}

#[test]
fn ten_thousand_edits_and_undos_keep_to_the_budget_and_memory_stays_flat() {
    let mut server = server();
    let start = server.simulation().hash().unwrap();
    // Until the budget is full, memory grows; from then on it must not.
    (0..EDITS / 4).for_each(|number| edit(&mut server, number));
    assert!(server.history().dropped > 0, "{} bytes of the history", server.history().bytes);
    let full = in_use_mib();
    (EDITS / 4..EDITS).for_each(|number| edit(&mut server, number));
    let edited = in_use_mib();
    assert!(edited <= full + 4, "{full} MiB were in use, and {edited} after ten thousand edits");

    let mut undone = 0;
    while undo(&mut server) {
        undone += 1;
    }
    assert!(undone > 10, "only {undone} edits fit into the budget");
    assert_ne!(server.simulation().hash().unwrap(), start, "the oldest were dropped");
    let empty = server.simulation().hash().unwrap();
    for number in undone..EDITS {
        edit(&mut server, EDITS + number);
        assert!(undo(&mut server));
    }
    assert_eq!(server.simulation().hash().unwrap(), empty, "each undo led back");
    let after = in_use_mib();
    assert!(after <= full + 4, "{full} MiB were in use, and {after} after ten thousand undos");
}
