//! Shows a log in the page as if it were live.

mod file;
mod files;
mod link;
mod player;

pub use files::relocate;
pub use link::{LogLink, LogLinkGuard};
