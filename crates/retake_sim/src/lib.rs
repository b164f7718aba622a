//! Runner, clock, inbox, schedule, systems and user commands.
