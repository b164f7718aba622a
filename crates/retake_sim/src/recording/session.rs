//! The step thread's side of a recorder.

use std::sync::Arc;

use retake_msgs::LogStatus;

use super::recorder::{Asked, Recorder};
use super::tap::{Flow, Pressure, Tap};
use crate::Server;

/// Carries what happens to a server to its recorder, while somebody records.
pub struct Recording {
    recorder: Arc<Recorder>,
    tap: Option<Tap>,
}

impl Recording {
    /// Makes one that waits to be asked.
    pub fn new(recorder: Arc<Recorder>) -> Self {
        Self { recorder, tap: None }
    }

    /// Returns the recorder.
    pub fn recorder(&self) -> &Arc<Recorder> {
        &self.recorder
    }

    /// Begins or ends when that was asked for, and hands over what happened since the last call.
    pub fn follow(&mut self, server: &mut Server) {
        match self.recorder.asked() {
            Some(Asked::Begin(tap, rate_hz)) => {
                server.begin_tape(rate_hz);
                self.tap = Some(tap);
            }
            Some(Asked::End) => self.end(server),
            None => {}
        }
        self.pour(server);
    }

    /// Says how well the disk follows; none while nothing is recorded.
    pub(crate) fn pressure(&self) -> Option<Pressure> {
        self.tap.as_ref().map(Tap::pressure)
    }

    /// Ends a recording, if there is one, and waits until its file is complete.
    pub fn stop(&mut self, server: &mut Server) -> LogStatus {
        self.let_go(server);
        self.recorder.finish()
    }

    /// Ends a recording without waiting for the disk.
    pub fn let_go(&mut self, server: &mut Server) {
        self.follow(server);
        self.end(server);
    }

    fn end(&mut self, server: &mut Server) {
        let recorded = server.taped();
        let (happened, left_out) = server.end_tape();
        if let Some(mut tap) = self.tap.take() {
            // Whether anybody still writes makes no difference any more.
            tap.pour(happened, left_out);
            tap.tell(recorded);
        }
    }

    fn pour(&mut self, server: &mut Server) {
        let Some(tap) = &mut self.tap else { return };
        let (happened, left_out) = server.drain_tape();
        tap.tell(server.taped());
        if tap.pour(happened, left_out) == Flow::Over {
            server.end_tape();
            self.tap = None;
        }
    }
}
