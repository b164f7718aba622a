//! The robots outside, as the server tells of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::thread::{self, Thread};
use std::time::Duration;

use retake_msgs::{RealRobot, RobotList, RobotListRequest, names};
use retake_transport::typed;

use crate::link::ServerLink;
use crate::lock::locked;

/// How often the server is asked while a page looks.
const OFTEN: Duration = Duration::from_millis(100);
/// How long it may take to answer.
const TIMEOUT: Duration = Duration::from_secs(1);

/// What the server told last of the robots outside.
#[derive(Default)]
pub(super) struct Twins {
    robots: Mutex<Vec<RealRobot>>,
    wanted: AtomicBool,
    /// The thread that asks; it rests while nobody wants to know.
    thread: OnceLock<Thread>,
}

impl Twins {
    /// Returns the robot outside of a model, if it has one.
    pub(super) fn of(&self, robot: &str) -> Option<RealRobot> {
        locked(&self.robots).iter().find(|twin| twin.robot == robot).cloned()
    }

    /// Has the server asked again and again, or not any more.
    pub(super) fn want(&self, wanted: bool) {
        if self.wanted.swap(wanted, Ordering::Relaxed) != wanted {
            self.wake();
        }
    }

    fn wake(&self) {
        if let Some(thread) = self.thread.get() {
            thread.unpark();
        }
    }

    /// Asks the server now.
    pub(super) fn look(&self, link: &dyn ServerLink) {
        let world = link.views().borrow().world.name.clone();
        let list: Option<RobotList> = link.bus().and_then(|bus| {
            let service = names::robot_list(&world);
            typed::call(&*bus, &service, &RobotListRequest {}, TIMEOUT).ok()
        });
        *locked(&self.robots) = list.unwrap_or_default().robot;
    }
}

impl Drop for Twins {
    fn drop(&mut self) {
        self.wake();
    }
}

/// Starts the thread that asks; it ends when nobody needs the answers.
pub(super) fn start(twins: &Arc<Twins>, link: &Arc<dyn ServerLink>) {
    let (theirs, link) = (Arc::downgrade(twins), Arc::downgrade(link));
    let thread = thread::Builder::new().name("retake-twins".to_owned());
    match thread.spawn(move || run(&theirs, &link)) {
        Ok(handle) => drop(twins.thread.set(handle.thread().clone())),
        Err(error) => tracing::error!(%error, "no thread for real robots; pages do not see them"),
    }
}

fn run(twins: &Weak<Twins>, link: &Weak<dyn ServerLink>) {
    while let (Some(twins), Some(link)) = (twins.upgrade(), link.upgrade()) {
        let wanted = twins.wanted.load(Ordering::Relaxed);
        if wanted {
            twins.look(link.as_ref());
        }
        drop((twins, link));
        match wanted {
            true => thread::park_timeout(OFTEN),
            false => thread::park(),
        }
    }
}
