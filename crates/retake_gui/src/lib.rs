//! The GUI host: serves the page and speaks with it over a WebSocket.
//!
//! A [`Host`] sees its server through a [`ServerLink`]: in the server's own process through a
//! [`FeedLink`], in another process through a [`BusLink`] that keeps a replica. Everything else is
//! the same code. [`stream`] turns views of the world into what pages receive, once for all of
//! them; a session per page sends it, newest first for states, without loss for replies and
//! events. The protocol is in `retake_msgs`' `page.proto`.
//!
//! [`plots`] keeps the samples of what pages plot, [`teaching`] the motions that they teach.
//!
//! Deliberately not here: any truth about the world (I9), and any work on the step thread.

mod host;
mod link;
mod lock;
mod paused;
mod playback;
mod plots;
mod stream;
mod teaching;
mod topics;
mod wire;

pub use host::{
    DEFAULT_PAGE_PORT, Host, HostError, HostGuard, HostOptions, NoSuchRole, Opening, Role,
    SavedPart, Tls, TlsError, Tokens, TokensError, WorldSaver,
};
pub use link::{
    BusLink, BusLinkGuard, Connection, Event, Feed, FeedLink, LinkRequest, PastFuture, PastView,
    ReplyFuture, ReplyTo, ServerLink, ShowTo, Shown, View, WorldTitle, log_reply, text_command,
};
pub use paused::{Cleared, GuiUserCommands, Undone};
pub use playback::{LogLink, LogLinkGuard, relocate};
pub use plots::{LogFeed, LogRunError, is_log, run_of_log, signals_of};
