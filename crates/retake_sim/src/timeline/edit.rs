//! Bookmarks, names and limits, as people change them. Nothing of it touches the world.

use retake_msgs::{AddBookmark, RenameInTimeline, TimelineEdit, timeline_edit};

use super::TimelineError;
use super::branches::{Bookmark, MAX_BOOKMARKS, check_name};
use super::find::Goal;
use super::keeper::Timeline;
use crate::Keyframe;

const MIB: u64 = 1024 * 1024;

impl Timeline {
    /// Carries an edit out, and says what was done; `now` captures the present state.
    ///
    /// # Errors
    /// [`TimelineError`]: nothing has changed.
    pub(crate) fn edit(
        &mut self,
        edit: &TimelineEdit,
        now: impl FnOnce() -> Keyframe,
    ) -> Result<String, TimelineError> {
        use timeline_edit::Edit;
        let what = edit.edit.as_ref().ok_or(TimelineError::Empty)?;
        if !self.is_on() && !matches!(what, Edit::Settings(_)) {
            return Err(TimelineError::Off);
        }
        let done = match what {
            Edit::AddBookmark(add) => self.add_bookmark(add, &edit.author, now),
            Edit::DeleteBookmark(name) => self.delete_bookmark(name),
            Edit::DeleteBranch(name) => self.delete_branch(name),
            Edit::RenameBookmark(rename) => self.rename_bookmark(rename),
            Edit::RenameBranch(rename) => self.rename_branch(rename),
            Edit::Settings(settings) => {
                self.set_limits(self.limits.changed(settings)?, now);
                Ok(self.told_limits())
            }
        };
        self.told = None;
        done
    }

    fn told_limits(&self) -> String {
        let secs = self.limits.max_age.as_secs_f64();
        match self.limits.max_bytes / MIB {
            0 => "The timeline is off, and the past is forgotten".to_owned(),
            mib => format!("Up to {mib} MiB and {secs} s of the past are kept"),
        }
    }

    fn add_bookmark(
        &mut self,
        add: &AddBookmark,
        author: &str,
        now: impl FnOnce() -> Keyframe,
    ) -> Result<String, TimelineError> {
        check_name(&add.name)?;
        self.check_new_bookmark(&add.name)?;
        if self.bookmarks.len() >= MAX_BOOKMARKS {
            return Err(TimelineError::Full { what: "bookmarks", most: MAX_BOOKMARKS });
        }
        let (epoch, goal) = match &add.instant {
            None => {
                let end = self.stretches.get(&self.live.tip).map(|stretch| stretch.end);
                self.keep(now());
                (self.live.tip, Goal::Place(end.ok_or(TimelineError::Off)?))
            }
            Some(instant) => {
                // That it can be come to is known before it gets a name.
                let way = self.find(instant)?;
                (way.epoch, way.goal)
            }
        };
        let (name, author) = (add.name.clone(), author.to_owned());
        self.bookmarks.push(Bookmark { name, author, epoch, goal });
        Ok(format!("Bookmark {:?} at {}", add.name, goal.sim_time()))
    }

    fn check_new_bookmark(&self, name: &str) -> Result<(), TimelineError> {
        // Where people name an instant, these are none of bookmarks.
        if name == "end" || name.parse::<f64>().is_ok() {
            return Err(TimelineError::Instant { name: name.to_owned() });
        }
        match self.bookmarks.iter().any(|bookmark| bookmark.name == name) {
            true => Err(TimelineError::Taken { what: "bookmark", name: name.to_owned() }),
            false => Ok(()),
        }
    }

    fn delete_bookmark(&mut self, name: &str) -> Result<String, TimelineError> {
        self.bookmark(name)?;
        self.bookmarks.retain(|bookmark| bookmark.name != name);
        self.prune();
        Ok(format!("Deleted bookmark {name:?}"))
    }

    fn delete_branch(&mut self, name: &str) -> Result<String, TimelineError> {
        if self.branch(name)?.name == self.live.name {
            return Err(TimelineError::Live { name: self.live.name.clone() });
        }
        self.branches.retain(|branch| branch.name != name);
        self.prune();
        Ok(format!("Deleted branch {name:?}"))
    }

    fn rename_bookmark(&mut self, rename: &RenameInTimeline) -> Result<String, TimelineError> {
        let RenameInTimeline { name, to } = rename;
        self.bookmark(name)?;
        check_name(to)?;
        self.check_new_bookmark(to)?;
        let found = self.bookmarks.iter_mut().find(|bookmark| bookmark.name == *name);
        found.into_iter().for_each(|bookmark| bookmark.name.clone_from(to));
        Ok(format!("Bookmark {name:?} is called {to:?} now"))
    }

    fn rename_branch(&mut self, rename: &RenameInTimeline) -> Result<String, TimelineError> {
        let RenameInTimeline { name, to } = rename;
        let name = self.branch(name)?.name.clone();
        self.check_new_branch(to)?;
        let all = std::iter::once(&mut self.live).chain(&mut self.branches);
        for branch in all.filter(|branch| branch.name == name) {
            branch.name.clone_from(to);
            branch.automatic = false;
        }
        Ok(format!("Branch {name:?} is called {to:?} now"))
    }
}
