//! What is told of the memory that the past takes is what it really holds.
#![allow(unsafe_code, reason = "counting bytes means being the allocator")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use retake_msgs::{TimelineEdit, TimelineSettings, timeline_edit::Edit};
use retake_sim::{Request, Response, Server, ServerOptions, TimelineLimits, UndoLimits};
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

fn server(file: &str, max_bytes: u64) -> Server {
    let world = worlds().into_iter().find(|world| world.ends_with(file)).unwrap();
    let timeline = TimelineLimits { max_bytes, ..TimelineLimits::default() };
    let undo = UndoLimits { enabled: false, ..UndoLimits::default() };
    let options = ServerOptions { paused: true, timeline, undo, ..ServerOptions::default() };
    Server::new(load(&world), &options)
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

#[test]
fn what_is_told_of_the_timelines_memory_is_what_it_holds() {
    // Nothing squeezed, and all but the newest.
    for (steps, most) in [(1500, 64 * MIB), (6000, 4 * MIB)] {
        let mut server = server("stacks.sdf", most);
        (0..steps).for_each(|_| server.step());
        let (told, held) = told_and_held(&mut server);
        assert!(told <= most && told > MIB, "{told} of {most}");
        // Sizes of what the engine holds are estimates, and maps have some air in them.
        assert!(held < told + told / 4, "{told} bytes are told of, {held} are held");
        assert!(held > told / 2, "{told} bytes are told of, {held} are held");
    }
}
