//! Commands to a running server. They do not know whether it is in this process or another.

mod entity;
mod fields;
mod history;
mod introspect;
mod joint;
mod link;
mod log;
mod model;
mod motion;
mod numbers;
mod pending;
mod physics;
mod robot;
pub(crate) mod save;
mod script;
mod service;
mod timeline;
pub(crate) mod topic;
mod world;

use crate::cli::LiveCommand;
use crate::link::Link;
use crate::output::{Outcome, Printer};

/// Carries a live command out.
pub(crate) fn run(
    command: &LiveCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    match command {
        LiveCommand::World(command) => return world::run(command, link, printer),
        LiveCommand::Undo(args) => history::jump(history::Direction::Undo, args, link, printer)?,
        LiveCommand::Redo(args) => history::jump(history::Direction::Redo, args, link, printer)?,
        LiveCommand::History(args) => history::run(args, link, printer)?,
        LiveCommand::Timeline(command) => timeline::run(command, link, printer)?,
        LiveCommand::Entity(command) => entity::run(command, link, printer)?,
        LiveCommand::Model(command) => model::run(command, link, printer)?,
        LiveCommand::Joint(command) => joint::run(command, link, printer)?,
        LiveCommand::Motion(command) => return motion::run(command, link, printer),
        LiveCommand::Link(command) => link::run(command, link, printer)?,
        LiveCommand::Physics(args) => return physics::run(args, link, printer),
        LiveCommand::Topic(command) => topic::run(command, link, printer)?,
        LiveCommand::Introspect(command) => introspect::run(command, link, printer)?,
        LiveCommand::Log(command) => log::run(command, link, printer)?,
        LiveCommand::Robot(command) => return robot::run(command, link, printer),
        LiveCommand::Script(command) => script::run(command, link, printer)?,
        LiveCommand::Service(command) => return service::run(command, link, printer),
    }
    Ok(Outcome::Done)
}

/// Prints what a command did.
fn print_reply(reply: &retake_msgs::UserCmdReply, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let value = serde_json::json!({ "message": reply.message, "entities": reply.entities });
    printer.print(&value, |out| writeln!(out, "{}", reply.message))
}
