//! What is told of the memory that the past takes is what it really holds.
#![allow(unsafe_code, reason = "counting bytes means being the allocator")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_msgs::{TimelineEdit, TimelineSettings, timeline_edit::Edit};
use retake_sim::{
    Request, Response, Server, ServerOptions, Simulation, SimulationOptions, TimelineLimits,
    UndoLimits,
};
use support::{load, worlds};

const MIB: u64 = 1024 * 1024;

/// The system's allocator, which counts for each thread what it holds.
struct Counting;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: i64) {
    // A thread that ends frees what its counter no longer sees.
    HELD.try_with(|held| held.set(held.get() + bytes)).ok();
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn shipped(file: &str) -> Simulation {
    load(&worlds().into_iter().find(|world| world.ends_with(file)).unwrap())
}

/// Many things that drift, with an engine that holds little more than where they are.
fn drifting() -> Simulation {
    let drift = "<plugin filename='x' name='gz::sim::systems::VelocityControl'>
        <initial_linear>0.1 0 0</initial_linear></plugin>";
    let thing = |number: usize| {
        format!(
            "<model name='m{number}'><pose>0 {number} 0 0 0 0</pose><link name='l'/>{drift}</model>"
        )
    };
    let things: String = (0..300).map(thing).collect();
    let text = format!(
        "<sdf version='1.11'><world name='w'><physics name='p' type='tpe'/>{things}</world></sdf>"
    );
    let mut found = Diagnostics::new();
    let world = retake_sdf::parse_world(&text, "test.sdf", &ResourceRoots::new(), &mut found);
    Simulation::load(&world.unwrap(), &SimulationOptions::default()).unwrap()
}

fn server(simulation: Simulation, max_bytes: u64) -> Server {
    let timeline = TimelineLimits { max_bytes, ..TimelineLimits::default() };
    let undo = UndoLimits { enabled: false, ..UndoLimits::default() };
    let options = ServerOptions { paused: true, timeline, undo, ..ServerOptions::default() };
    Server::new(simulation, &options)
}

/// Lets go of all that is kept; returns the bytes that were told and those that it really held.
fn told_and_held(server: &mut Server) -> (u64, u64) {
    let Response::Timeline(told) = server.handle(Request::Timeline) else { panic!("no timeline") };
    let told = told.bytes;
    let before = HELD.with(Cell::get);
    let off = TimelineSettings { max_bytes: Some(0), max_age_secs: None };
    let edit = TimelineEdit { edit: Some(Edit::Settings(off)), ..TimelineEdit::default() };
    let edit = Box::new(edit);
    assert!(server.handle(Request::EditTimeline(edit)).into_reply().ok);
    (told, u64::try_from(before - HELD.with(Cell::get)).unwrap())
}

fn assert_told_is_held(simulation: Simulation, steps: usize, most: u64) {
    let mut server = server(simulation, most);
    (0..steps).for_each(|_| server.step());
    assert!(!server.failed());
    let (told, held) = told_and_held(&mut server);
    assert!(told <= most && told > MIB, "{told} of {most}");
    // Sizes of what the engine holds are estimates, and maps have some air in them.
    assert!(held < told + told / 4, "{told} bytes are told of, {held} are held");
    assert!(held > told / 2, "{told} bytes are told of, {held} are held");
}

#[test]
fn what_is_told_of_the_timelines_memory_is_what_it_holds() {
    // Nothing squeezed, and all but the newest.
    assert_told_is_held(shipped("stacks.sdf"), 1500, 64 * MIB);
    assert_told_is_held(shipped("stacks.sdf"), 6000, 4 * MIB);
}

#[test]
fn entities_count_as_well_as_the_engine() {
    assert_told_is_held(drifting(), 3000, 64 * MIB);
}
