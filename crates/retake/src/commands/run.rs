//! `retake run`: server and page in one process.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::bail;

use retake_gui::{Host, HostOptions};
use retake_sim::{Event, Recording, WhenFull};

use super::server::{finish, load, print_hash, start};
use super::{page_link, record};
use crate::cli::{RunArgs, ServerArgs};
use crate::output::{Outcome, remark};
use crate::plots::layout_file;
use crate::world_file;

pub(crate) fn run(args: &RunArgs, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let alone = args.headless && args.server.robots.robot.is_empty();
    if alone && args.server.iterations.is_some() && args.server.rtf.is_none() {
        return run_to_end(&args.server, out);
    }
    let headless = args.headless;
    let layout = args.layout.as_deref().map(layout_file).transpose()?;
    if headless && layout.is_some() {
        bail!(
            "--layout needs the page. Without one, use: retake plot live --layout FILE --out FILE"
        );
    }
    let records = layout.is_some();
    let mut server_args = args.server.clone();
    // Plots are to have the first step too: time passes once they hear everything.
    server_args.paused |= records;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let started = start(&server_args, |server, around| {
        if headless {
            return Ok((Vec::new(), None));
        }
        let (sink, link) = page_link::connect(server, around);
        let roots = world_file::roots_around(args.server.world.as_deref(), &args.server.load)?;
        let options = HostOptions { roots, layout, ..HostOptions::default() };
        let host = Host::bind(address, link, options)?.spawn()?;
        Ok((vec![sink], Some(host)))
    })?;
    if records {
        started.wait_for_plots();
        if !args.server.paused {
            started.play();
        }
    }
    match &started.record.page {
        Some(page) => writeln!(out, "Page: {page}")?,
        None => writeln!(out, "Serving {} on {}", started.record.world, started.record.endpoint)?,
    }
    out.flush()?;
    finish(started, &args.server, out)
}

/// Makes a given number of steps and nothing else: no bus, no page, no clock on the wall.
fn run_to_end(args: &ServerArgs, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let (mut server, _files) = load(args)?;
    let recorder = record::recorder(&server, &args.record, WhenFull::Wait, None)?;
    let mut recording = Recording::new(Arc::clone(&recorder));
    recording.follow(&mut server);
    let steps = args.iterations.unwrap_or(0);
    for _ in 0..steps {
        server.step();
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
    Ok(if server.failed() { Outcome::Failed } else { recorded })
}
