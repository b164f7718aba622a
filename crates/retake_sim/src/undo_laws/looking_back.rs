//! The law of the timeline: an instant of the past is shown as it was, bit by bit.

use std::collections::BTreeMap;

use fastrand::Rng;
use retake_msgs::{
    AddBookmark, Past, PastRequest, ResumeTimeline, TimelineEdit, TimelineInstant, UndoRedo,
    UserCmd, timeline_edit, user_cmd,
};

use super::{Violation, scenes};
use crate::{Request, Response, Server, ServerOptions, TimelineLimits};

/// Lets a generated world run through commands, undo, redo and resumes, and looks at `looks` random
/// instants of everything that it ever was. Little memory is given, so that states are squeezed,
/// thinned and dropped on the way.
///
/// Returns how many instants were shown; the others were dropped, and the timeline says so.
///
/// # Errors
/// [`Violation`] when an instant is shown otherwise than it was.
pub fn past_is_shown_as_it_was(
    seed: u64,
    limits: TimelineLimits,
    (operations, looks): (u32, u32),
) -> Result<u32, Violation> {
    let mut rng = Rng::with_seed(seed);
    let simulation = scenes::load(seed, &mut rng)?;
    let options = ServerOptions { timeline: limits, ..ServerOptions::default() };
    let server = Server::new(simulation, &options);
    let mut run = Run { seed, server, known: BTreeMap::new(), made: 0, shown: 0 };
    run.note()?;
    for operation in 0..operations {
        run.operate(&mut rng)?;
        for _ in 0..looks {
            run.look(operation, &mut rng)?;
        }
    }
    Ok(run.shown)
}

struct Run {
    seed: u64,
    server: Server,
    /// Hashes of the states in which the world came to each instant: by stretch and steps made.
    known: BTreeMap<(u64, u64), String>,
    made: u64,
    shown: u32,
}

impl Run {
    fn operate(&mut self, rng: &mut Rng) -> Result<(), Violation> {
        match rng.u32(0..12) {
            0..=4 => self.steps(rng.u32(1..400))?,
            5..=7 => {
                self.made += 1;
                let (id, command) = (format!("id-{}", self.made), scenes::command(rng));
                let command = UserCmd { id, command, ..UserCmd::default() };
                self.server.handle(Request::Command(Box::new(command)));
            }
            8 => self.undo_redo(true)?,
            9 => self.undo_redo(false)?,
            10 => {
                self.made += 1;
                let (name, instant) = (format!("mark {}", self.made), None);
                let edit = Some(timeline_edit::Edit::AddBookmark(AddBookmark { name, instant }));
                let edit = TimelineEdit { edit, ..TimelineEdit::default() };
                self.server.handle(Request::EditTimeline(Box::new(edit)));
            }
            _ => self.resume(rng)?,
        }
        Ok(())
    }

    fn steps(&mut self, steps: u32) -> Result<(), Violation> {
        for _ in 0..steps {
            self.server.step();
            self.note()?;
        }
        Ok(())
    }

    /// Remembers the present state as one that the world came to.
    fn note(&mut self) -> Result<(), Violation> {
        let simulation = self.server.simulation();
        let at = (simulation.epoch(), simulation.clock().iterations);
        self.known.insert(at, simulation.hash()?);
        Ok(())
    }

    fn undo_redo(&mut self, undo: bool) -> Result<(), Violation> {
        let stats = self.server.history();
        let list = if undo { &stats.undo } else { &stats.redo };
        let Some(id) = list.last().map(|entry| entry.id.clone()) else { return Ok(()) };
        let before = self.server.simulation().epoch();
        self.server.handle(Request::UndoRedo(UndoRedo { id, undo, ..UndoRedo::default() }));
        match self.server.simulation().epoch() == before {
            true => Ok(()),
            false => self.note(),
        }
    }

    /// Goes on from a random instant; it must be the one that was shown.
    fn resume(&mut self, rng: &mut Rng) -> Result<(), Violation> {
        let instant = self.any_instant(rng);
        let shown = self.show(&instant);
        self.made += 1;
        let fork = if rng.bool() { format!("fork {}", self.made) } else { String::new() };
        let resume = ResumeTimeline { instant: Some(instant), fork, stuck_systems: 0 };
        let command = Some(user_cmd::Command::ResumeTimeline(resume));
        let id = format!("id-{}", self.made);
        let command = UserCmd { id, command, ..UserCmd::default() };
        let reply = self.server.handle(Request::Command(Box::new(command))).into_reply();
        if reply.ok != shown.ok {
            return Err(self.unexpected("a resume", &shown.message, &reply.message));
        }
        if reply.ok {
            let now = self.server.simulation().hash()?;
            if now != shown.hash {
                return Err(self.differs("after a resume".to_owned()));
            }
            self.note()?;
        }
        Ok(())
    }

    /// Shows a random instant and compares it with what the world was.
    fn look(&mut self, operation: u32, rng: &mut Rng) -> Result<(), Violation> {
        let instant = self.any_instant(rng);
        let present = self.server.simulation().hash()?;
        let past = self.show(&instant);
        if self.server.simulation().hash()? != present {
            return Err(self.differs(format!("of the present world, operation {operation}")));
        }
        if !past.ok {
            return match past.message.contains("cannot be shown") {
                true => Ok(()),
                false => Err(self.unexpected("a look", "an instant", &past.message)),
            };
        }
        self.shown += 1;
        let is_end = instant.sim_time.is_none() || !instant.bookmark.is_empty();
        let known = self.known.get(&(past.epoch, past.iterations));
        match known {
            // After edits, of which no hash was taken.
            _ if is_end => Ok(()),
            Some(known) if *known == past.hash => Ok(()),
            _ => Err(self.differs(format!("operation {operation}, {instant:?}"))),
        }
    }

    /// Chooses an instant of any branch, or a bookmark.
    fn any_instant(&mut self, rng: &mut Rng) -> TimelineInstant {
        let Response::Timeline(timeline) = self.server.handle(Request::Timeline) else {
            return Default::default();
        };
        if let Some(mark) = rng.choice(&timeline.bookmark).filter(|_| rng.u32(0..8) == 0) {
            return TimelineInstant { bookmark: mark.name.clone(), ..Default::default() };
        }
        let Some(branch) = rng.choice(&timeline.branch) else { return Default::default() };
        let Some(segment) = rng.choice(&branch.segment) else { return Default::default() };
        let nanos = |time: &Option<retake_msgs::Time>| {
            time.as_ref().map(retake_math::SimTime::from).unwrap_or_default().as_nanos()
        };
        let (from, to) = (nanos(&segment.from), nanos(&segment.to));
        let at = retake_math::SimTime::from_nanos(rng.i64(from..=to));
        let end = nanos(&branch.end) == at.as_nanos();
        let sim_time = (!end).then(|| at.into());
        TimelineInstant { branch: branch.name.clone(), sim_time, ..Default::default() }
    }

    fn show(&mut self, instant: &TimelineInstant) -> Past {
        let request =
            PastRequest { instant: Some(instant.clone()), hash: true, ..PastRequest::default() };
        match self.server.handle(Request::Past(request)) {
            Response::Past(Ok(answer)) => answer.header(),
            Response::Past(Err(refusal)) => *refusal,
            _ => Past::default(),
        }
    }

    fn differs(&self, place: String) -> Violation {
        Violation::Differs { seed: self.seed, place, what: "from what the world was" }
    }

    fn unexpected(&self, place: &str, expected: &str, found: &str) -> Violation {
        Violation::Unexpected {
            seed: self.seed,
            place: place.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
        }
    }
}
