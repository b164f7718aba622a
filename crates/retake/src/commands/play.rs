//! `retake play`: a log in the page, as if it were live.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use retake_gui::{Host, HostOptions, LinkRequest, LogLink, ServerLink};
use retake_log::Log;
use retake_msgs::PlaybackControl;
use retake_sim::systems::registry;

use super::{opening, signals};
use crate::cli::PlayArgs;
use crate::logs::Files;
use crate::output::{Outcome, remark};
use crate::plots::layout_file;
use crate::world_file;

pub(crate) fn run(args: &PlayArgs, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let layout = args.layout.as_deref().map(layout_file).transpose()?;
    let log = Arc::new(Log::open(&args.file)?);
    for damage in log.damage() {
        remark(damage.to_string());
    }
    let files = Files::unpack(&log)?;
    let places = files.places().clone();
    let shown = LogLink::start(Arc::clone(&log), &args.file, registry(), places);
    let (link, _playing) = shown.map_err(anyhow::Error::msg)?;
    if !args.paused {
        let play = PlaybackControl { play: Some(true), ..PlaybackControl::default() };
        // Its place in the order is taken; nobody waits for the reply.
        drop(link.request(LinkRequest::Playback(play)));
    }
    let (address, opening) = opening::opening(&args.opening)?;
    let options = HostOptions {
        opening: opening.clone(),
        roots: world_file::roots(&[])?,
        layout,
        ..HostOptions::default()
    };
    let host = Host::bind(address, Arc::new(link), options)?.spawn()?;
    opening::tell(&args.opening, &host, &opening, out)?;
    let end = signals::end_requested()?;
    while !end.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(Outcome::Done)
}
