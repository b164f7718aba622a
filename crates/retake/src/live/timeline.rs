//! `retake timeline …`

mod picture;
mod values;

use anyhow::bail;
use retake_components::{resolve, world_pose};
use retake_ecm::Ecm;
use retake_math::SimTime;
use retake_msgs::undo_redo::StuckSystems;
use retake_msgs::{
    AddBookmark, Past, PastRequest, RenameInTimeline, ResumeTimeline, Time, Timeline,
    TimelineBranch, TimelineEdit, TimelineInstant, TimelineRequest, TimelineSettings, UserCmdReply,
    names, timeline_edit, user_cmd,
};
use retake_sim::Simulation;
use serde_json::{Value, json};

use super::print_reply;
use crate::cli::{GotoArgs, ResumeTimelineArgs, Stuck, TimelineCommand};
use crate::link::{Link, accepted};
use crate::output::{Printer, printable, write_table};

const MIB: u64 = 1024 * 1024;

pub(super) fn run(
    command: &TimelineCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    use timeline_edit::Edit;
    let edit = match command {
        TimelineCommand::Show => return show(&fetch(link)?, printer),
        TimelineCommand::Branches => return branches(&fetch(link)?, printer),
        TimelineCommand::Goto(args) => return goto(args, link, printer),
        TimelineCommand::Values(args) => return values::print(args, link, printer),
        TimelineCommand::Resume(args) => return resume(args, link, printer),
        TimelineCommand::Switch(args) => {
            let instant = TimelineInstant {
                branch: args.name.clone(),
                sim_time: args.at.map(Into::into),
                bookmark: String::new(),
            };
            return go_on(instant, "", args.stuck, link, printer);
        }
        TimelineCommand::Bookmark(args) => {
            let instant = args.at.map(|at| TimelineInstant {
                branch: args.branch.clone(),
                sim_time: Some(at.into()),
                bookmark: String::new(),
            });
            Edit::AddBookmark(AddBookmark { name: args.name.clone(), instant })
        }
        TimelineCommand::Rename { name, to, bookmark } => {
            let rename = RenameInTimeline { name: name.clone(), to: to.clone() };
            if *bookmark { Edit::RenameBookmark(rename) } else { Edit::RenameBranch(rename) }
        }
        TimelineCommand::Delete { name, bookmark } => match bookmark {
            true => Edit::DeleteBookmark(name.clone()),
            false => Edit::DeleteBranch(name.clone()),
        },
        TimelineCommand::Limit(args) => Edit::Settings(TimelineSettings {
            max_bytes: args.memory.map(|memory| u64::from(memory) * MIB),
            max_age_secs: args.age,
        }),
    };
    let request = TimelineEdit { author: link.author(), edit: Some(edit) };
    let reply: UserCmdReply = link.call(&names::timeline_edit(&link.world()), &request)?;
    print_reply(&accepted(reply)?, printer)
}

fn fetch(link: &mut dyn Link) -> anyhow::Result<Timeline> {
    link.call(&names::timeline_get(&link.world()), &TimelineRequest {})
}

fn resume(
    args: &ResumeTimelineArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    go_on(args.when.instant(&args.branch), &args.fork, args.stuck, link, printer)
}

fn go_on(
    instant: TimelineInstant,
    fork: &str,
    stuck: Stuck,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let stuck_systems = match stuck {
        Stuck::Refuse => StuckSystems::Refuse,
        Stuck::Restart => StuckSystems::Restart,
        Stuck::GoOn => StuckSystems::GoOn,
    };
    let command = user_cmd::Command::ResumeTimeline(ResumeTimeline {
        instant: Some(instant),
        fork: fork.to_owned(),
        stuck_systems: stuck_systems.into(),
    });
    print_reply(&link.command(command)?, printer)
}

fn ask(request: &PastRequest, link: &mut dyn Link) -> anyhow::Result<Past> {
    let past: Past = link.call(&names::timeline_past(&link.world()), request)?;
    if !past.ok {
        bail!("{}", past.message);
    }
    Ok(past)
}

/// Asks how the world was.
fn past(instant: TimelineInstant, link: &mut dyn Link) -> anyhow::Result<(Past, Ecm)> {
    let request =
        PastRequest { instant: Some(instant), hash: true, full: true, ..PastRequest::default() };
    let past = ask(&request, link)?;
    let mut ecm = Simulation::empty_ecm();
    if let Some(state) = &past.state {
        ecm.apply(state)?;
    }
    Ok((past, ecm))
}

fn goto(args: &GotoArgs, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let (past, ecm) = past(args.when.instant(&args.branch), link)?;
    let mut poses = Vec::new();
    for name in &args.entity {
        let pose = world_pose(&ecm, resolve(&ecm, name)?);
        let (x, y, z) = (pose.position.x, pose.position.y, pose.position.z);
        let rpy_rad = pose.rpy_rad();
        poses.push((name, [x, y, z, rpy_rad.x, rpy_rad.y, rpy_rad.z]));
    }
    let value = json!({
        "sim_time_secs": secs(past.sim_time.as_ref()),
        "iterations": past.iterations,
        "hash": past.hash,
        "component_hash": past.component_hash,
        "steps": past.steps,
        "entities": poses.iter().map(|(name, pose)| json!({ "name": name, "pose": pose })).collect::<Vec<_>>(),
        "message": past.message,
    });
    printer.print(&value, |out| {
        writeln!(out, "sim time    {} s", secs(past.sim_time.as_ref()))?;
        writeln!(out, "iterations  {}", past.iterations)?;
        writeln!(out, "hash        {}", past.hash)?;
        for (name, pose) in &poses {
            let numbers: Vec<String> = pose.iter().map(|number| format!("{number:.6}")).collect();
            writeln!(out, "pose        {} {}", printable(name), numbers.join(" "))?;
        }
        match past.message.is_empty() {
            true => Ok(()),
            false => writeln!(out, "{}", printable(&past.message)),
        }
    })
}

fn secs(time: Option<&Time>) -> f64 {
    time.map(SimTime::from).unwrap_or_default().as_secs_f64()
}

fn show(timeline: &Timeline, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    printer.print(&as_json(timeline), |out| {
        if !timeline.enabled {
            let on = "retake timeline limit --memory 256";
            return writeln!(out, "The timeline is off. Switch it on with: {on}");
        }
        for line in picture::draw(timeline) {
            writeln!(out, "{line}")?;
        }
        for bookmark in &timeline.bookmark {
            let (name, branch) = (printable(&bookmark.name), printable(&bookmark.branch));
            writeln!(out, "● {name}  {:.3} s on {branch}", secs(bookmark.sim_time.as_ref()))?;
        }
        for branch in &timeline.branch {
            for gap in &branch.gap {
                let (from, to) = (secs(gap.from.as_ref()), secs(gap.to.as_ref()));
                let name = printable(&branch.name);
                writeln!(out, "{name}: {from:.3} s to {to:.3} s cannot be shown any more")?;
            }
        }
        let (used, most) = (timeline.bytes as f64 / MIB as f64, timeline.max_bytes / MIB);
        let (states, age) = (timeline.keyframes, timeline.max_age_secs);
        writeln!(out, "{states} states, {used:.1} of {most} MiB, up to {age} s back")?;
        match timeline.dropped {
            0 => Ok(()),
            dropped => writeln!(out, "{dropped} names were dropped for lack of room"),
        }
    })
}

fn branches(timeline: &Timeline, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let value = Value::Array(timeline.branch.iter().map(branch_json).collect());
    printer.print(&value, |out| {
        let rows = timeline.branch.iter().map(|branch| {
            let begin = match branch.parent.is_empty() {
                true => {
                    format!("{:.3} s", secs(branch.segment.first().and_then(|s| s.from.as_ref())))
                }
                false => {
                    let parent = printable(&branch.parent);
                    format!("{:.3} s of {parent}", secs(branch.fork.as_ref()))
                }
            };
            vec![
                if branch.live { "*" } else { " " }.to_owned(),
                printable(&branch.name),
                begin,
                format!("{:.3} s", secs(branch.end.as_ref())),
                printable(&branch.author),
                printable(&branch.cause),
            ]
        });
        let head = ["", "branch", "from", "to", "left by", "because of"].map(str::to_owned);
        write_table(out, &std::iter::once(head.to_vec()).chain(rows).collect::<Vec<_>>())
    })
}

fn as_json(timeline: &Timeline) -> Value {
    json!({
        "enabled": timeline.enabled,
        "bytes": timeline.bytes,
        "max_bytes": timeline.max_bytes,
        "max_age_secs": timeline.max_age_secs,
        "keyframes": timeline.keyframes,
        "dropped": timeline.dropped,
        "branches": timeline.branch.iter().map(branch_json).collect::<Vec<_>>(),
        "bookmarks": timeline.bookmark.iter().map(|bookmark| json!({
            "name": bookmark.name,
            "author": bookmark.author,
            "branch": bookmark.branch,
            "sim_time_secs": secs(bookmark.sim_time.as_ref()),
        })).collect::<Vec<_>>(),
    })
}

fn branch_json(branch: &TimelineBranch) -> Value {
    let span = |from: &Option<Time>, to: &Option<Time>| json!({ "from_secs": secs(from.as_ref()), "to_secs": secs(to.as_ref()) });
    json!({
        "name": branch.name,
        "live": branch.live,
        "automatic": branch.automatic,
        "author": branch.author,
        "cause": branch.cause,
        "parent": branch.parent,
        "fork_secs": branch.fork.as_ref().map(|fork| secs(Some(fork))),
        "end_secs": secs(branch.end.as_ref()),
        "segments": branch.segment.iter().map(|s| span(&s.from, &s.to)).collect::<Vec<_>>(),
        "gaps": branch.gap.iter().map(|gap| span(&gap.from, &gap.to)).collect::<Vec<_>>(),
    })
}
