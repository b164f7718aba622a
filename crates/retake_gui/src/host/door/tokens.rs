//! Tokens: long secrets, each of which lets people in as something.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use retake_assets::open_named;
use subtle::ConstantTimeEq;

use super::Role;
use super::secret_file::{self, MAX_BYTES, Unread};

/// Shortest token that is taken: nobody guesses it.
const SHORTEST: usize = 16;
/// Longest token.
const LONGEST: usize = 256;
/// Most tokens of a file.
const MOST: usize = 1024;
/// Bytes of a token that is made here.
const MADE_BYTES: usize = 20;

/// Why there are no tokens.
#[derive(Debug, thiserror::Error)]
pub enum TokensError {
    /// The file cannot be read.
    #[error("The tokens cannot be read: {source}, in {path}")]
    Unreadable {
        /// Cause.
        source: io::Error,
        /// The file.
        path: PathBuf,
    },
    /// The file is longer than any file of tokens.
    #[error(
        "{path} has more than {MAX_BYTES} bytes, which no file of tokens has. Name one with a role \
         and a token on each line"
    )]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// Others can read the file.
    #[error("Others on this machine can read the tokens. Run: chmod 600 {path}")]
    Exposed {
        /// The file.
        path: PathBuf,
    },
    /// A line is not as it should be.
    #[error("{path}:{line}: {reason}. Write a role and a token, as in: editor 3f2a…")]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong; never the token itself.
        reason: String,
    },
    /// There is none.
    #[error("There is no token, in {path}. Write a role and a token on a line, as in: admin 3f2a…")]
    None {
        /// The file.
        path: PathBuf,
    },
    /// The system has no randomness.
    #[error("No token can be made: {reason}")]
    NoRandomness {
        /// Cause.
        reason: String,
    },
}

/// The tokens of a host. They are never shown but by [`Tokens::reveal`].
#[derive(Clone)]
pub struct Tokens(Vec<(Role, String)>);

impl Tokens {
    /// Makes a token for each role.
    ///
    /// # Errors
    /// [`TokensError::NoRandomness`] when the system gives none.
    pub fn make() -> Result<Self, TokensError> {
        let made = Role::ALL.into_iter().map(|role| Ok((role, secret()?)));
        made.collect::<Result<_, _>>().map(Self)
    }

    /// Reads a file: a role and a token on each line, `#` begins a comment.
    ///
    /// # Errors
    /// [`TokensError`] names the line, and a file that others may read or that is too long.
    pub fn read(path: &Path) -> Result<Self, TokensError> {
        let unreadable = |source| TokensError::Unreadable { source, path: path.to_owned() };
        let file = open_named(path).map_err(unreadable)?;
        if is_exposed(&file).map_err(unreadable)? {
            return Err(TokensError::Exposed { path: path.to_owned() });
        }
        let bytes = secret_file::read(file).map_err(|unread| match unread {
            Unread::TooLong => TokensError::TooLong { path: path.to_owned() },
            Unread::Io(source) => unreadable(source),
        })?;
        let no_text = || io::Error::new(io::ErrorKind::InvalidData, "it is no text");
        let text = std::str::from_utf8(&bytes).map_err(|_| unreadable(no_text()))?;
        let mut tokens = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let words: Vec<&str> =
                line.split('#').next().unwrap_or("").split_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            let wrong =
                |reason| TokensError::Line { path: path.to_owned(), line: number + 1, reason };
            if tokens.len() == MOST {
                return Err(wrong(format!("more than {MOST} tokens")));
            }
            let (role, token) = token(&words).map_err(wrong)?;
            if tokens.iter().any(|(_, known)| *known == token) {
                return Err(wrong("this token stands on an earlier line too".to_owned()));
            }
            tokens.push((role, token));
        }
        match tokens.is_empty() {
            true => Err(TokensError::None { path: path.to_owned() }),
            false => Ok(Self(tokens)),
        }
    }

    /// Returns the tokens themselves, for whoever starts the host.
    pub fn reveal(&self) -> impl Iterator<Item = (Role, &str)> {
        self.0.iter().map(|(role, token)| (*role, token.as_str()))
    }

    /// Returns what a token lets one in as. How long it takes tells nothing of the tokens.
    pub(super) fn role_of(&self, token: &str) -> Option<Role> {
        let mut found = None;
        for (role, known) in &self.0 {
            if bool::from(known.as_bytes().ct_eq(token.as_bytes())) {
                found = found.max(Some(*role));
            }
        }
        found
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tokens", self.0.len())
    }
}

fn token(words: &[&str]) -> Result<(Role, String), String> {
    let [role, token] = words else {
        return Err(format!("{} words", words.len()));
    };
    let role: Role =
        role.parse().map_err(|error: super::NoSuchRole| match role.len() < SHORTEST {
            true => error.to_string(),
            // Whoever turned the two around must not find the token in a log.
            false => "the first word is no role, and so long that it is not shown".to_owned(),
        })?;
    if !(SHORTEST..=LONGEST).contains(&token.len()) || !token.bytes().all(|b| b.is_ascii_graphic())
    {
        return Err(format!("a token has {SHORTEST} to {LONGEST} plain characters"));
    }
    Ok((role, (*token).to_owned()))
}

/// Makes a secret that nobody guesses, of letters that need no escaping anywhere.
pub(super) fn secret() -> Result<String, TokensError> {
    let mut bytes = [0; MADE_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| TokensError::NoRandomness { reason: error.to_string() })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(unix)]
fn is_exposed(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_exposed(_: &File) -> io::Result<bool> {
    Ok(false)
}
