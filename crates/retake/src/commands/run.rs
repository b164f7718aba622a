//! `retake run`: server and page in one process.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};

use retake_gui::{Host, HostOptions};
use retake_sim::Event;

use super::page_link;
use super::server::{finish, load, print_hash, start};
use crate::cli::{RunArgs, ServerArgs};
use crate::output::{Outcome, remark};
use crate::world_file;

pub(crate) fn run(args: &RunArgs, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    if args.headless && args.server.iterations.is_some() && args.server.rtf.is_none() {
        return run_to_end(&args.server, out);
    }
    let headless = args.headless;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let started = start(&args.server, |server, inbox| {
        if headless {
            return Ok((Vec::new(), None));
        }
        let (sink, link) = page_link::connect(server, inbox);
        let roots = world_file::roots_around(args.server.world.as_deref(), &args.server.load)?;
        let options = HostOptions { roots, ..HostOptions::default() };
        let host = Host::bind(address, link, options)?.spawn()?;
        Ok((vec![sink], Some(host)))
    })?;
    match &started.record.page {
        Some(page) => writeln!(out, "Page: {page}")?,
        None => writeln!(out, "Serving {} on {}", started.record.world, started.record.endpoint)?,
    }
    out.flush()?;
    finish(started, &args.server, out)
}

/// Makes a given number of steps and nothing else: no bus, no page, no clock on the wall.
fn run_to_end(args: &ServerArgs, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let mut server = load(args)?;
    let steps = args.iterations.unwrap_or(0);
    for _ in 0..steps {
        server.step();
        if server.failed() {
            break;
        }
    }
    for event in server.drain_events() {
        if let Event::Notified(notification) = event {
            remark(notification.text);
        }
    }
    print_hash(&server, args, out)?;
    Ok(if server.failed() { Outcome::Failed } else { Outcome::Done })
}
