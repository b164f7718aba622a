//! `retake link …`

use anyhow::bail;
use retake_msgs::{PullLink, user_cmd};

use super::entity::vector;
use super::print_reply;
use crate::cli::LinkCommand;
use crate::link::Link;
use crate::output::Printer;

pub(super) fn run(
    command: &LinkCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let LinkCommand::Pull { link: pulled, at, to, lasts_secs, .. } = command;
    if *lasts_secs == 0.0 {
        bail!("--for is 0; write seconds above 0, or --let-go");
    }
    let pull = PullLink {
        link: pulled.clone(),
        point: Some(vector(at).into()),
        target: to.as_deref().map(|to| vector(to).into()),
        lasts_secs: *lasts_secs,
    };
    print_reply(&link.command(user_cmd::Command::PullLink(pull))?, printer)
}
