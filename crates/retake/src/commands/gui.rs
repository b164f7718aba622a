//! `retake gui`: a page for a server in another process.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use retake_gui::{BusLink, Host, HostOptions, WorldSaver};
use retake_transport::{Bus, ZenohBus};

use super::{opening, signals};
use crate::cli::GuiArgs;
use crate::live::save::save_for_page;
use crate::output::Outcome;
use crate::plots::layout_file;
use crate::world_file;

pub(crate) fn run(
    args: &GuiArgs,
    server: Option<&str>,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let layout = args.layout.as_deref().map(layout_file).transpose()?;
    let wanted = server.map(str::to_owned);
    let connect = move || -> Result<Arc<dyn Bus>, String> {
        let bus = ZenohBus::connect_to(wanted.as_deref()).map_err(|e| e.to_string())?;
        Ok(Arc::new(bus))
    };
    let registry = retake_sim::systems::registry();
    let roots = world_file::roots(&[])?;
    let started = BusLink::start(registry, roots.clone(), connect);
    let (link, _replica) = started.map_err(anyhow::Error::msg)?;
    let (address, opening) = opening::opening(&args.opening)?;
    let options = HostOptions {
        opening: opening.clone(),
        roots,
        layout,
        saver: Some(WorldSaver::new(save_for_page)),
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
