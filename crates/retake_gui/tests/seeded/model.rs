//! What the server should be, told plainly.

use std::collections::BTreeMap;

use retake_msgs::{HistoryEntry, UserCmdReply};
use retake_sim::{Request, Server, Taken};

/// A command that can be undone or redone, with states by their hashes as far as they are known.
#[derive(Clone)]
struct Known {
    id: String,
    before: Option<String>,
    undone_at: Option<String>,
}

/// The lists, and what everybody was answered.
#[derive(Default)]
pub struct Model {
    undo: Vec<Known>,
    redo: Vec<Known>,
    answers: BTreeMap<(String, String), UserCmdReply>,
    /// How often each action of a GUI was put into the world.
    taken: BTreeMap<String, u32>,
}

pub fn hash(server: &Server) -> String {
    server.simulation().hash().unwrap()
}

/// Author and id of a request that is carried out once.
pub fn key_of(request: &Request) -> Option<(String, String)> {
    match request {
        Request::Command(command) => Some((command.author.clone(), command.id.clone())),
        Request::UndoRedo(undo) => Some((undo.author.clone(), undo.request_id.clone())),
        _ => None,
    }
}

impl Model {
    /// Lets the server carry a request out, and compares what it does with what it should.
    pub fn carry_out(
        &mut self,
        server: &mut Server,
        request: &Request,
    ) -> Result<UserCmdReply, String> {
        let before = hash(server);
        let reply = server.handle(request.clone()).into_reply();
        let after = hash(server);
        let Some(key) = key_of(request) else { return Ok(reply) };
        if let Some(known) = self.answers.get(&key) {
            if *known != reply {
                return Err(format!("{key:?} was answered {known:?}, and again {reply:?}"));
            }
            if before != after {
                return Err(format!("{key:?} was carried out twice"));
            }
            return self.compare(server, "a request sent again").map(|()| reply);
        }
        if !reply.ok && before != after {
            return Err(format!("{key:?} was refused and changed the world: {}", reply.message));
        }
        self.note(request, reply.ok, before, &after)?;
        self.answers.insert(key, reply.clone());
        self.compare(server, &format!("{request:?}"))?;
        Ok(reply)
    }

    fn note(
        &mut self,
        request: &Request,
        ok: bool,
        before: String,
        after: &str,
    ) -> Result<(), String> {
        match request {
            Request::Command(command) if ok => self.push(&command.id, Some(before)),
            Request::UndoRedo(undo) => {
                let list = if undo.undo { &self.undo } else { &self.redo };
                let at = list.iter().position(|known| known.id == undo.id);
                let at = at.filter(|at| undo.jump || at + 1 == list.len());
                if at.is_some() != ok {
                    let lists = (ids(&self.undo), ids(&self.redo));
                    return Err(format!("{undo:?} of {lists:?} was answered {ok}"));
                }
                let now = at.map(|at| self.jump(undo.undo, at, before));
                if let Some(Some(now)) = now.filter(|now| now.as_deref() != Some(after)) {
                    return Err(format!("{undo:?} led to {after}, not to {now}"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn push(&mut self, id: &str, before: Option<String>) {
        self.redo.clear();
        self.undo.push(Known { id: id.to_owned(), before, undone_at: None });
    }

    /// Goes one entry at a time; returns the state that is known to be there.
    fn jump(&mut self, undo: bool, at: usize, before: String) -> Option<String> {
        let mut now = Some(before);
        match undo {
            true => {
                while self.undo.len() > at {
                    let mut known = self.undo.pop()?;
                    known.undone_at = std::mem::replace(&mut now, known.before.clone());
                    self.redo.push(known);
                }
            }
            false => {
                while self.redo.len() > at {
                    let known = self.redo.pop()?;
                    now.clone_from(&known.undone_at);
                    self.undo.push(known);
                }
            }
        }
        now
    }

    /// Takes note of what was taken over; `ids` has those of what was offered, by GUI and number.
    pub fn take_over(
        &mut self,
        server: &Server,
        before: &str,
        taken: &[Taken],
        ids: &BTreeMap<(u64, u64), String>,
    ) -> Result<(), String> {
        let mut fresh = Vec::new();
        for told in taken {
            for outcome in told.taken.outcome.iter().filter(|outcome| outcome.ok) {
                let id = ids.get(&(told.gui, outcome.number)).cloned();
                let id = id.ok_or("something was taken that nobody offered")?;
                // What was taken before is told again, and not done again.
                if !self.taken.contains_key(&id) {
                    fresh.push(id);
                }
            }
        }
        let listed = &server.history().undo;
        let new = listed.len().checked_sub(fresh.len()).map_or(&[][..], |from| &listed[from..]);
        let in_order: Vec<String> = new.iter().map(|entry| entry.id.clone()).collect();
        let mut sorted = (in_order.clone(), fresh);
        sorted.0.sort();
        sorted.1.sort();
        if sorted.0 != sorted.1 {
            return Err(format!("{:?} was taken, and the list ends with {in_order:?}", sorted.1));
        }
        for (place, id) in in_order.iter().enumerate() {
            *self.taken.entry(id.clone()).or_default() += 1;
            self.push(id, (place == 0).then(|| before.to_owned()));
        }
        self.compare(server, "taking over")
    }

    pub fn times_taken(&self, id: &str) -> u32 {
        self.taken.get(id).copied().unwrap_or(0)
    }

    pub fn answer(&self, key: &(String, String)) -> Option<&UserCmdReply> {
        self.answers.get(key)
    }

    fn compare(&self, server: &Server, after: &str) -> Result<(), String> {
        let stats = server.history();
        let told = |list: &[HistoryEntry]| -> Vec<String> {
            list.iter().map(|entry| entry.id.clone()).collect()
        };
        let found = (told(&stats.undo), told(&stats.redo));
        let expected = (ids(&self.undo), ids(&self.redo));
        match found == expected {
            true => Ok(()),
            false => Err(format!("after {after} the lists are {found:?}, not {expected:?}")),
        }
    }
}

fn ids(list: &[Known]) -> Vec<String> {
    list.iter().map(|known| known.id.clone()).collect()
}
