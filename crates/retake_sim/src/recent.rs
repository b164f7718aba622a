//! What was answered lately.

use std::collections::VecDeque;

use retake_msgs::UserCmdReply;

/// Replies to recent requests, so that the same request sent again is carried out once.
///
/// Bounded: the oldest is forgotten first.
#[derive(Default)]
pub(crate) struct RecentReplies {
    replies: VecDeque<Remembered>,
}

struct Remembered {
    /// An id is its author's own: two clients may have chosen the same one.
    author: String,
    id: String,
    reply: UserCmdReply,
}

impl RecentReplies {
    const LIMIT: usize = 1024;

    /// Returns the reply that `author` got for `id`; requests without an id are never the same.
    pub(crate) fn find(&self, author: &str, id: &str) -> Option<UserCmdReply> {
        let same = |known: &&Remembered| known.id == id && known.author == author;
        let known = self.replies.iter().find(same).filter(|_| !id.is_empty());
        known.map(|known| known.reply.clone())
    }

    pub(crate) fn remember(&mut self, author: &str, id: &str, reply: &UserCmdReply) {
        if id.is_empty() {
            return;
        }
        if self.replies.len() == Self::LIMIT {
            self.replies.pop_front();
        }
        self.replies.push_back(Remembered {
            author: author.to_owned(),
            id: id.to_owned(),
            reply: reply.clone(),
        });
    }
}
