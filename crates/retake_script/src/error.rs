//! What went wrong in a script, and where.

use thiserror::Error;

use crate::budget::SPENT;

/// Why a script cannot be used or was stopped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScriptError {
    /// The text is longer than scripts may be.
    #[error("{file} has {bytes} bytes; a script may have {most}")]
    TooLong {
        /// The file.
        file: String,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        most: usize,
    },
    /// The text is no Luau, or something in it failed.
    #[error("{place}: {message}")]
    Failed {
        /// File and line, or the file alone where no line is known.
        place: String,
        /// What the language, the host or the script itself said.
        message: String,
    },
    /// It went on for too long.
    #[error(
        "{place}: {handler} takes too long: it went through loops and calls {limit} times. \
         Is there a loop that never ends? Spread long work over several steps"
    )]
    OutOfWork {
        /// File and line at which it was stopped.
        place: String,
        /// What was called.
        handler: &'static str,
        /// How much it may do.
        limit: u64,
    },
    /// It went on for too long with much in its memory.
    #[error(
        "{place}: {handler} takes too long with what it holds: beyond 1 MiB, each turn of a loop \
         and each call counts the more, the more there is. Hold less, or spread the work over \
         several steps"
    )]
    TooHeavy {
        /// File and line at which it was stopped.
        place: String,
        /// What was called.
        handler: &'static str,
    },
    /// It used too much memory.
    #[error(
        "{file}: {handler} needs more than the {limit_mib} MiB of memory that a script may use"
    )]
    OutOfMemory {
        /// The file.
        file: String,
        /// What was called.
        handler: &'static str,
        /// How much it may use, in MiB.
        limit_mib: usize,
    },
    /// It has nothing that could be called.
    #[error(
        "{file} defines none of init, step, on_command and on_message, so that it would never act"
    )]
    NoHandler {
        /// The file.
        file: String,
    },
    /// Something that cannot be kept was put into `state`.
    #[error("{file}: after {handler}, {reason}")]
    BadState {
        /// The file.
        file: String,
        /// What was called.
        handler: &'static str,
        /// What is wrong, and where in `state`.
        reason: String,
    },
}

/// What is needed to tell an error of the engine to people.
pub(crate) struct Context<'a> {
    pub(crate) file: &'a str,
    pub(crate) handler: &'static str,
    pub(crate) work_limit: u64,
    /// Whether memory was part of the work that was counted.
    pub(crate) heavy: bool,
    pub(crate) memory_limit: usize,
}

impl Context<'_> {
    /// Tells an error of the engine.
    pub(crate) fn tell(&self, error: &mlua::Error) -> ScriptError {
        let (text, traceback) = unwrap(error);
        if matches!(root(error), mlua::Error::MemoryError(_)) {
            return ScriptError::OutOfMemory {
                file: self.file.to_owned(),
                handler: self.handler,
                limit_mib: self.memory_limit >> 20,
            };
        }
        let (place, message) = match self.place_in(&text) {
            Some((place, message)) => (place, message),
            None => (self.first_place(traceback.as_deref()), text.trim().to_owned()),
        };
        match message.contains(SPENT) {
            true if self.heavy => ScriptError::TooHeavy { place, handler: self.handler },
            true => ScriptError::OutOfWork { place, handler: self.handler, limit: self.work_limit },
            false => ScriptError::Failed { place, message },
        }
    }

    /// Takes `file:line:` off the front of a text.
    fn place_in(&self, text: &str) -> Option<(String, String)> {
        let behind = text.trim_start().strip_prefix(self.file)?.strip_prefix(':')?;
        let digits = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let message = behind.get(digits..)?.strip_prefix(':')?;
        let line = &behind[..digits];
        // What the engine adds below is about its own stack.
        let message = message.split("\nstack traceback").next().unwrap_or(message);
        Some((format!("{}:{line}", self.file), message.trim().to_owned()))
    }

    /// Finds the first line of the script in a traceback.
    fn first_place(&self, traceback: Option<&str>) -> String {
        let lines = traceback.unwrap_or_default().lines();
        let mut line = lines.filter_map(|line| {
            let at = line.find(&format!("{}:", self.file))?;
            let digits = line[at + self.file.len() + 1..].chars();
            let digits: String = digits.take_while(char::is_ascii_digit).collect();
            (!digits.is_empty()).then_some(digits)
        });
        match line.next() {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.to_owned(),
        }
    }
}

/// Returns what a callback's error is about, and where it was called from.
fn unwrap(error: &mlua::Error) -> (String, Option<String>) {
    match error {
        mlua::Error::CallbackError { traceback, cause } => {
            let (text, inner) = unwrap(cause);
            (text, inner.or_else(|| Some(traceback.clone())))
        }
        mlua::Error::RuntimeError(text) => match text.split_once("\nstack traceback:") {
            Some((text, traceback)) => (text.to_owned(), Some(traceback.to_owned())),
            None => (text.clone(), None),
        },
        mlua::Error::SyntaxError { message, .. } => (message.clone(), None),
        other => (other.to_string(), None),
    }
}

/// Returns the error at the bottom.
fn root(error: &mlua::Error) -> &mlua::Error {
    match error {
        mlua::Error::CallbackError { cause, .. } => root(cause),
        other => other,
    }
}
