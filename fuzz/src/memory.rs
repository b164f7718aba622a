//! How much memory a reader asks for.
#![allow(unsafe_code, reason = "counting bytes means being the allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts for each thread what it holds.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // A thread that ends frees what its counters no longer see.
    HELD.try_with(|held| {
        held.set(held.get() + bytes);
        MOST.try_with(|most| most.set(most.get().max(held.get()))).ok();
    })
    .ok();
}

fn size(layout: Layout) -> isize {
    isize::try_from(layout.size()).unwrap_or(isize::MAX)
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(size(layout));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(size(layout));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(isize::try_from(new_size).unwrap_or(isize::MAX) - size(layout));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(memory, layout, new_size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-size(layout));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Does something and returns how many bytes this thread held at most beyond those before.
pub(crate) fn most_held<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.with(Cell::get);
    MOST.with(|most| most.set(before));
    let result = work();
    let most = MOST.with(Cell::get) - before;
    (result, usize::try_from(most).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::most_held;

    #[test]
    fn memory_that_is_only_asked_for_counts() {
        let (_, most) = most_held(|| drop(std::hint::black_box(vec![0u8; 1 << 30])));
        assert!(most >= 1 << 30, "{most}");
        let (_, most) = most_held(|| std::hint::black_box(3));
        assert_eq!(most, 0);
    }
}
