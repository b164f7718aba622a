//! The gateway's services on the bus.

use retake_msgs::{RobotArm, RobotCommand, RobotList, RobotListRequest, RobotReply, names};
use retake_transport::{Bus, BusError, Guard, typed};

use crate::mailbox::{Mail, Mailbox, Reply};
use crate::twin::refused;

/// What whoever asks is told when nobody can deal with it.
pub(crate) const BUSY: &str = "The robots of this server are busy or gone. Try again";

pub(crate) fn serve(bus: &dyn Bus, world: &str, mailbox: &Mailbox) -> Result<Vec<Guard>, BusError> {
    let (listed, armed, commanded) = (mailbox.clone(), mailbox.clone(), mailbox.clone());
    Ok(vec![
        typed::serve(bus, &names::robot_list(world), move |_: RobotListRequest, reply| {
            list(&listed, Box::new(move |robots| reply.answer(&robots)));
        })?,
        typed::serve(bus, &names::robot_arm(world), move |request: RobotArm, reply| {
            arm(&armed, request, Box::new(move |answer| reply.answer(&answer)));
        })?,
        typed::serve(bus, &names::robot_command(world), move |request: RobotCommand, reply| {
            command(&commanded, request, Box::new(move |answer| reply.answer(&answer)));
        })?,
    ])
}

pub(crate) fn list(mailbox: &Mailbox, reply: Reply<RobotList>) {
    if let Err(Mail::List(reply)) = mailbox.put(Mail::List(reply)) {
        reply(RobotList::default());
    }
}

pub(crate) fn arm(mailbox: &Mailbox, request: RobotArm, reply: Reply<RobotReply>) {
    if let Err(Mail::Arm(_, reply)) = mailbox.put(Mail::Arm(request, reply)) {
        reply(refused(0, BUSY.to_owned()));
    }
}

pub(crate) fn command(mailbox: &Mailbox, command: RobotCommand, reply: Reply<RobotReply>) {
    if let Err(Mail::Command(_, reply)) = mailbox.put(Mail::Command(Box::new(command), reply)) {
        reply(refused(0, BUSY.to_owned()));
    }
}
