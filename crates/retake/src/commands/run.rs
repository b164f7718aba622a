//! `retake run`: server and page in one process.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::bail;

use retake_gui::{Host, HostOptions, WorldSaver};
use retake_sim::{Event, Recording, SystemWatch, WhenFull};

use super::server::{finish, load, outcome_of_run, print_hash, start};
use super::{bridges, opening, page_link, record, signals};
use crate::cli::{PastArgs, RunArgs, ServerArgs};
use crate::live::save::save_for_page;
use crate::output::{Outcome, remark};
use crate::plots::layout_file;
use crate::world_file;

pub(crate) fn run(args: &RunArgs, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    if args.headless && args.layout.is_some() {
        bail!(
            "--layout needs the page. Without one, use: retake plot live --layout FILE --out FILE"
        );
    }
    let server = &args.server;
    let talks = !server.robots.robot.is_empty() || !server.lockstep.lockstep.is_empty();
    let alone = args.headless && !talks;
    let alone = alone && server.bus_open.is_none() && !bridges::any(&server.bridges)?;
    if alone && args.server.iterations.is_some() && args.server.rtf.is_none() {
        return run_to_end(&args.server, out);
    }
    let headless = args.headless;
    let layout = args.layout.as_deref().map(layout_file).transpose()?;
    let records = layout.is_some();
    let mut server_args = args.server.clone();
    // Plots are to have the first step too: time passes once they hear everything.
    server_args.paused |= records;
    let (address, opening) = opening::opening(&args.opening)?;
    let told = opening.clone();
    let started = start(&server_args, |server, around| {
        if headless {
            return Ok((Vec::new(), None));
        }
        let (sink, link) = page_link::connect(server, around);
        let roots = world_file::roots_around(args.server.world.as_deref(), &args.server.load)?;
        let options = HostOptions {
            opening,
            roots,
            layout,
            saver: Some(WorldSaver::new(save_for_page)),
            ..HostOptions::default()
        };
        let host = Host::bind(address, link, options)?.spawn()?;
        Ok((vec![sink], Some(host)))
    })?;
    if records {
        started.wait_for_plots();
        if !args.server.paused {
            started.play();
        }
    }
    match started.page() {
        Some(page) => opening::tell(&args.opening, page, &told, out)?,
        None => writeln!(out, "Serving {} on {}", started.record.world, started.record.endpoint)?,
    }
    started.tell_bridges(out)?;
    out.flush()?;
    finish(started, &args.server, out)
}

/// Makes a given number of steps and nothing else: no bus, no page, no clock on the wall.
fn run_to_end(args: &ServerArgs, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    // Nobody can look back at a run that nobody can ask anything.
    let past = PastArgs { no_timeline: true, ..args.past.clone() };
    let args = &ServerArgs { past, ..args.clone() };
    let (mut server, _files) = load(args)?;
    let end = signals::end_requested()?;
    let _watch = SystemWatch::of(server.simulation(), "The run", remark);
    let recorder = record::recorder(&server, &args.record, WhenFull::Wait, None);
    record::begin(&recorder, &server, &args.record)?;
    let mut recording = Recording::new(Arc::clone(&recorder));
    recording.follow(&mut server);
    let steps = args.iterations.unwrap_or(0);
    let mut made = 0;
    while made < steps && !end.load(Ordering::Relaxed) {
        server.step();
        made += 1;
        // Nobody but the recording hears what systems publish.
        server.drain_messages();
        recording.follow(&mut server);
        if server.failed() {
            break;
        }
    }
    recording.stop(&mut server);
    let recorded = record::tell(&recorder);
    for event in server.drain_events() {
        if let Event::Notified(notification) = event {
            remark(notification.text);
        }
    }
    print_hash(&server, args, out)?;
    if made < steps && !server.failed() {
        bail!("Ended after {made} of {steps} steps, as was asked for");
    }
    Ok(outcome_of_run(&server, recorded))
}
