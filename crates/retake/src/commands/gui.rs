//! `retake gui`: a page for a server in another process.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use retake_gui::{BusLink, Host, HostOptions};
use retake_transport::{Bus, ZenohBus, rendezvous};

use super::signals;
use crate::cli::GuiArgs;
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
        let address = rendezvous::pick_server(wanted.as_deref()).map_err(|e| e.to_string())?;
        let bus = ZenohBus::connect(address).map_err(|e| e.to_string())?;
        Ok(Arc::new(bus))
    };
    let registry = retake_sim::systems::registry();
    let roots = world_file::roots(&[])?;
    let started = BusLink::start(registry, roots.clone(), connect);
    let (link, _replica) = started.map_err(anyhow::Error::msg)?;
    let options = HostOptions { roots, layout, ..HostOptions::default() };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let host = Host::bind(address, Arc::new(link), options)?.spawn()?;
    writeln!(out, "Page: http://{}/", host.address())?;
    out.flush()?;
    let end = signals::end_requested()?;
    while !end.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(Outcome::Done)
}
