//! What GUIs did to their own copies while the world was paused, and how it comes into the world.
//!
//! A GUI in another process edits its own Ecm while paused and keeps each action as an edit. When
//! the world goes on they are collected ([`GuiActions`], on a thread of its own) and taken over
//! between two steps. A GUI in this process has no copy, so there is nothing to collect from it.

mod collect;
mod guis;
mod writers;

pub(crate) use collect::{Collection, Offered};
pub use collect::{GuiActions, NoAnswer, Offer};
pub(crate) use guis::{Guis, outcome};
pub(crate) use writers::{Writer, Writers};

use retake_msgs::{PausedAction, PausedActionsTaken};

/// What a GUI is told of its actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// The GUI.
    pub gui: u64,
    /// What became of each.
    pub taken: PausedActionsTaken,
}

/// Puts the actions of several GUIs in the order in which they were made.
///
/// Those of one GUI keep their order whatever its clock did.
pub(crate) fn in_order(lists: Vec<(u64, Vec<PausedAction>)>) -> Vec<(u64, PausedAction)> {
    let mut all = Vec::new();
    for (gui, mut actions) in lists {
        actions.sort_by_key(|action| action.number);
        let mut latest = i64::MIN;
        for action in actions {
            latest = latest.max(action.made_at_nanos);
            all.push((latest, gui, action));
        }
    }
    all.sort_by_key(|(made_at, gui, action)| (*made_at, *gui, action.number));
    all.into_iter().map(|(_, gui, action)| (gui, action)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_come_in_the_order_of_time_and_of_each_gui() {
        let action = |number, made_at_nanos| PausedAction {
            number,
            made_at_nanos,
            ..PausedAction::default()
        };
        // The first GUI's clock was set back between its two actions.
        let lists = vec![
            (1, vec![action(1, 50), action(2, 10), action(3, 60)]),
            (2, vec![action(7, 55), action(8, 55)]),
        ];
        let order: Vec<_> =
            in_order(lists).into_iter().map(|(gui, action)| (gui, action.number)).collect();
        assert_eq!(order, [(1, 1), (1, 2), (2, 7), (2, 8), (1, 3)]);
    }
}
