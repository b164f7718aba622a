//! A server against a plain model of its history.

use fastrand::Rng;
use retake_msgs::{UndoRedo, UserCmd, UserCmdReply};

use super::{Violation, scenes};
use crate::{Request, Server, ServerOptions, UndoLimits};

/// Commands that are kept, few enough for the oldest to be dropped often.
const MAX_STEPS: usize = 12;

const CLIENTS: [&str; 3] = ["ann", "bob", "eve"];

/// What the history should be, with states by their hashes.
#[derive(Default)]
struct Model {
    undo: Vec<Known>,
    redo: Vec<Known>,
    now: String,
}

#[derive(Clone)]
struct Known {
    id: String,
    before: String,
    undone_at: String,
}

/// Three clients do `operations` things at random: commands, steps, undo, redo, jumps, requests
/// that come too late, requests sent again. Lists, replies and states must be the model's.
///
/// # Errors
/// [`Violation`] names the operation after which they are not.
pub fn follow_reference_model(seed: u64, operations: u32) -> Result<(), Violation> {
    let mut rng = Rng::with_seed(seed);
    let simulation = scenes::load(seed, &mut rng)?;
    let undo = UndoLimits { max_steps: MAX_STEPS as u32, ..UndoLimits::default() };
    let server = Server::new(simulation, &ServerOptions { undo, ..ServerOptions::default() });
    let mut run = Run { seed, server, model: Model::default(), last: None, made: 0 };
    run.model.now = run.server.simulation().hash()?;
    for operation in 0..operations {
        let what = run.operate(&mut rng)?;
        run.compare(&format!("operation {operation}, {what}"))?;
    }
    Ok(())
}

struct Run {
    seed: u64,
    server: Server,
    model: Model,
    /// The last request that was answered, to be sent again.
    last: Option<(Request, UserCmdReply)>,
    made: u64,
}

impl Run {
    fn operate(&mut self, rng: &mut Rng) -> Result<&'static str, Violation> {
        let author = CLIENTS[rng.usize(0..CLIENTS.len())];
        Ok(match rng.u32(0..12) {
            0..=2 => self.command(author, rng)?,
            3..=4 => {
                (0..rng.u32(1..20)).for_each(|_| self.server.step());
                self.model.now = self.server.simulation().hash()?;
                "steps"
            }
            5..=6 => self.jump(author, Way::Undo, None),
            7 => self.jump(author, Way::Redo, None),
            8 => self.jump(author, Way::Undo, Some(rng.usize(0..MAX_STEPS))),
            9 => self.jump(author, Way::Redo, Some(rng.usize(0..MAX_STEPS))),
            10 => self.too_late(author),
            _ => self.again()?,
        })
    }

    fn command(&mut self, author: &str, rng: &mut Rng) -> Result<&'static str, Violation> {
        let Some(command) = scenes::command(rng) else { return Ok("a rest") };
        let id = self.next_id();
        let command = UserCmd {
            id: id.clone(),
            author: author.to_owned(),
            command: Some(command),
            ..UserCmd::default()
        };
        let before = self.model.now.clone();
        if self.send(Request::Command(Box::new(command))).ok {
            self.model.push(Known { id, before, undone_at: String::new() });
            self.model.now = self.server.simulation().hash()?;
        }
        Ok("a command")
    }

    /// Goes one way, to the head or to the entry that many behind it.
    fn jump(&mut self, author: &str, way: Way, behind: Option<usize>) -> &'static str {
        let list = if way == Way::Undo { &self.model.undo } else { &self.model.redo };
        let at = list.len().checked_sub(1 + behind.unwrap_or(0));
        let id = at.map_or("none".to_owned(), |at| list[at].id.clone());
        let request = UndoRedo {
            id,
            undo: way == Way::Undo,
            author: author.to_owned(),
            request_id: self.next_id(),
            jump: behind.is_some(),
            ..UndoRedo::default()
        };
        let ok = self.send(Request::UndoRedo(request)).ok;
        if let Some(at) = at.filter(|_| ok) {
            self.model.jump(way, at);
        }
        match (ok, at) {
            (true, Some(_)) => "a jump",
            (false, None) => "a jump to nowhere",
            _ => "a jump with the wrong answer",
        }
    }

    /// Means a command that is not at the head any more.
    fn too_late(&mut self, author: &str) -> &'static str {
        let Some(older) = self.model.undo.iter().rev().nth(1) else { return "nothing" };
        let (id, author) = (older.id.clone(), author.to_owned());
        let request = UndoRedo { id, undo: true, author, ..UndoRedo::default() };
        match self.send(Request::UndoRedo(request)) {
            reply if reply.message.starts_with("head moved: ") && !reply.ok => "a late undo",
            _ => "a late undo with the wrong answer",
        }
    }

    fn again(&mut self) -> Result<&'static str, Violation> {
        let Some((request, reply)) = self.last.clone() else { return Ok("nothing") };
        let second = self.server.handle(request).into_reply();
        match second == reply {
            true => Ok("the same again"),
            false => Err(self.unexpected("the same again", &reply, &second)),
        }
    }

    fn send(&mut self, request: Request) -> UserCmdReply {
        let reply = self.server.handle(request.clone()).into_reply();
        let has_id = !matches!(&request, Request::UndoRedo(undo) if undo.request_id.is_empty());
        self.last = has_id.then(|| (request, reply.clone()));
        reply
    }

    fn next_id(&mut self) -> String {
        self.made += 1;
        format!("id-{}", self.made)
    }

    fn compare(&self, place: &str) -> Result<(), Violation> {
        if place.ends_with("the wrong answer") {
            return Err(self.unexpected(place, &"the right answer", &"another"));
        }
        let stats = self.server.history();
        let told = |list: &[retake_msgs::HistoryEntry]| -> Vec<String> {
            list.iter().map(|entry| entry.id.clone()).collect()
        };
        let known = |list: &[Known]| -> Vec<String> { list.iter().map(|k| k.id.clone()).collect() };
        let found = (told(&stats.undo), told(&stats.redo));
        let expected = (known(&self.model.undo), known(&self.model.redo));
        if found != expected {
            return Err(self.unexpected(place, &expected, &found));
        }
        if self.server.simulation().hash()? != self.model.now {
            let what = "from the reference model's";
            return Err(Violation::Differs { seed: self.seed, place: place.to_owned(), what });
        }
        Ok(())
    }

    fn unexpected<T: std::fmt::Debug>(&self, place: &str, expected: &T, found: &T) -> Violation {
        Violation::Unexpected {
            seed: self.seed,
            place: place.to_owned(),
            expected: format!("{expected:?}"),
            found: format!("{found:?}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Undo,
    Redo,
}

impl Model {
    fn push(&mut self, known: Known) {
        self.redo.clear();
        self.undo.push(known);
        if self.undo.len() > MAX_STEPS {
            self.undo.remove(0);
        }
    }

    /// Goes one entry at a time, as a user would.
    fn jump(&mut self, way: Way, at: usize) {
        match way {
            Way::Undo => {
                while self.undo.len() > at {
                    let Some(mut known) = self.undo.pop() else { return };
                    known.undone_at = std::mem::replace(&mut self.now, known.before.clone());
                    self.redo.push(known);
                }
            }
            Way::Redo => {
                while self.redo.len() > at {
                    let Some(known) = self.redo.pop() else { return };
                    self.now.clone_from(&known.undone_at);
                    self.undo.push(known);
                }
            }
        }
    }
}
