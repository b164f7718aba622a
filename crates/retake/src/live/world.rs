//! `retake world …`

use std::time::Duration;

use retake_math::SimTime;
use retake_msgs::{
    FailedSystem, HashReply, HashRequest, ResetWorld, StatisticsRequest, UserCmdReply,
    WorldControl, WorldStatistics, names, user_cmd,
};

use super::print_reply;
use crate::cli::WorldCommand;
use crate::link::{Link, accepted};
use crate::output::{Outcome, Printer};

pub(super) fn run(
    command: &WorldCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let control = match command {
        WorldCommand::Play { rtf } => {
            WorldControl { pause: Some(false), real_time_factor: *rtf, ..WorldControl::default() }
        }
        WorldCommand::Pause => WorldControl { pause: Some(true), ..WorldControl::default() },
        WorldCommand::Step { count } => {
            WorldControl { multi_step: Some(*count), ..WorldControl::default() }
        }
        WorldCommand::Speed { rtf } => {
            WorldControl { real_time_factor: Some(*rtf), ..WorldControl::default() }
        }
        WorldCommand::Reset { keep_profiles } => {
            let reset = ResetWorld { keep_profiles: *keep_profiles };
            let reply = link.command(user_cmd::Command::ResetWorld(reset))?;
            print_reply(&reply, printer)?;
            return Ok(Outcome::Done);
        }
        WorldCommand::Save(args) => return super::save::run(args, link, printer),
        WorldCommand::Pending => {
            return super::pending::list(link, printer).map(|()| Outcome::Done);
        }
        WorldCommand::Stats => return stats(link, printer).map(|()| Outcome::Done),
        WorldCommand::Hash => return hash(link, printer).map(|()| Outcome::Done),
    };
    send(&control, link, printer)?;
    if control.multi_step.is_some() {
        wait_for_steps(link)?;
    }
    Ok(Outcome::Done)
}

/// Waits until the steps that were asked for are made, so that the next command sees them.
fn wait_for_steps(link: &mut dyn Link) -> anyhow::Result<()> {
    while statistics(link)?.steps_due > 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

fn statistics(link: &mut dyn Link) -> anyhow::Result<WorldStatistics> {
    link.call(&names::stats_get(&link.world()), &StatisticsRequest {})
}

fn send(
    control: &WorldControl,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let reply: UserCmdReply = link.call(&names::control(&link.world()), control)?;
    print_reply(&accepted(reply)?, printer)
}

fn stats(link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let stats = statistics(link)?;
    let sim_time = stats.sim_time.as_ref().map(SimTime::from).unwrap_or_default();
    // As the page has it: a paused world waits for nobody but whoever paused it.
    let stands = stats.paused && stats.steps_due == 0;
    let waits_for = if stands { &[][..] } else { &stats.waits_for };
    let stopped = |FailedSystem { name, reason }: &FailedSystem| serde_json::json!({ "name": name, "reason": reason });
    let value = serde_json::json!({
        "world": link.world(),
        "paused": stats.paused,
        "sim_time": sim_time.as_secs_f64(),
        "iterations": stats.iterations,
        "real_time_factor": stats.real_time_factor,
        "target_real_time_factor": stats.target_real_time_factor,
        "step_size": stats.step_size_secs,
        "entities": stats.entity_count,
        "profile": stats.profile,
        "waits_for": waits_for,
        "stopped": stats.failed_systems.iter().map(stopped).collect::<Vec<_>>(),
    });
    printer.print(&value, |out| {
        let state = if stats.paused { "paused" } else { "running" };
        writeln!(out, "world             {} ({state})", link.world())?;
        writeln!(out, "sim time          {sim_time}")?;
        writeln!(out, "iterations        {}", stats.iterations)?;
        writeln!(out, "real time factor  {:.2}", stats.real_time_factor)?;
        writeln!(out, "step size         {} ms", stats.step_size_secs * 1e3)?;
        writeln!(out, "entities          {}", stats.entity_count)?;
        writeln!(out, "profile           {}", stats.profile)?;
        if !waits_for.is_empty() {
            writeln!(out, "waits for         {}", waits_for.join(", "))?;
        }
        stats.failed_systems.iter().try_for_each(|failed| {
            writeln!(out, "stopped           {}: {}", failed.name, failed.reason)
        })
    })
}

fn hash(link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let reply: HashReply = link.call(&names::hash(&link.world()), &HashRequest {})?;
    let value = serde_json::json!({
        "hash": reply.hash,
        "component_hash": reply.component_hash,
        "iterations": reply.iterations,
    });
    printer.print(&value, |out| writeln!(out, "{}", reply.hash))
}
