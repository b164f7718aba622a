//! Doing again what a log says was done.

use retake_msgs::{LoggedInput, SerializedState, logged_input};

use super::Simulation;

impl Simulation {
    /// Does again what came from outside, as it was done when it was recorded.
    ///
    /// What changed nothing then is left out; jumps in time are not made again.
    ///
    /// # Errors
    /// What went otherwise than it did then.
    pub fn replay(&mut self, input: &LoggedInput) -> Result<(), String> {
        let was_refused = input.reply.as_ref().is_some_and(|reply| !reply.ok);
        match &input.input {
            Some(logged_input::Input::Command(command)) if !was_refused => {
                let reply = self.execute(command);
                if !reply.ok {
                    return Err(format!("A command is refused now: {}", reply.message));
                }
            }
            Some(logged_input::Input::Message(message)) => {
                self.deliver(&message.topic, &message.data);
            }
            Some(logged_input::Input::TakeOver(taken)) => {
                let empty = SerializedState::default();
                let edits = taken.action.iter().map(|a| a.state.as_ref().unwrap_or(&empty));
                self.take_over(&edits.collect::<Vec<_>>());
            }
            _ => {}
        }
        Ok(())
    }
}
