//! Records a world that is run as fast as possible, without a bus or a page.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use retake_board::Board;
use retake_msgs::{GetFilter, IntrospectionFilter, SetFilter};
use retake_sim::{Event, Request, Response, Server, ServerOptions};

use crate::cli::PlotArgs;
use crate::world_file::{self, WorldFile};

/// Filters by id, with samples per second in thousandths.
type Filters = BTreeMap<String, (u64, IntrospectionFilter)>;

pub(super) fn record(board: &mut Board, file: &Path, args: &PlotArgs) -> anyhow::Result<()> {
    let WorldFile { world, name, .. } = world_file::load(Some(file), &args.load)?;
    let simulation = world_file::simulate(&world, Some(file), &args.load)?;
    let options = ServerOptions { paused: true, world_file: name, ..ServerOptions::default() };
    let mut server = Server::new(simulation, &options);
    let mut filters = set_filters(board, &mut server)?;
    let step_secs = server.simulation().clock().step_size.as_secs_f64();
    let steps = (args.seconds / step_secs.max(f64::MIN_POSITIVE)).round() as u64;
    for _ in 0..steps {
        server.step();
        if server.failed() {
            bail!("The world failed at {}", server.simulation().clock().sim_time);
        }
        take_events(board, &mut server);
        take_samples(board, &mut server, &mut filters)?;
    }
    Ok(())
}

fn set_filters(board: &Board, server: &mut Server) -> anyhow::Result<Filters> {
    let wanted = board.wanted();
    if let Some(topic) = wanted.topics.first() {
        bail!("{topic} is a topic, and nobody publishes here. Start the world and plot live");
    }
    let mut filters = Filters::new();
    for ((manager, rate_mhz), items) in wanted.items {
        if let Some(manager) = manager {
            bail!("{manager} is another program. Start the world and plot live");
        }
        let rate_hz = rate_mhz as f64 / 1000.0;
        let request = SetFilter { filter_id: String::new(), item: items, rate_hz };
        let filter = filter_of(server.handle(Request::SetFilter(request)))?;
        filters.insert(filter.filter_id.clone(), (rate_mhz, filter));
    }
    Ok(filters)
}

fn filter_of(response: Response) -> anyhow::Result<IntrospectionFilter> {
    match response {
        Response::Filter(filter) if filter.ok => Ok(filter),
        Response::Filter(filter) => bail!("{}", filter.message),
        _ => bail!("the server gave no filter"),
    }
}

fn take_events(board: &mut Board, server: &mut Server) {
    for event in server.drain_events() {
        if let Event::TimeJumped(jump) = event {
            board.jump(&jump);
        }
    }
    // Nobody hears what systems publish.
    server.drain_messages();
}

fn take_samples(
    board: &mut Board,
    server: &mut Server,
    filters: &mut Filters,
) -> anyhow::Result<()> {
    for sampled in server.drain_samples() {
        let Some((rate_mhz, filter)) = filters.get_mut(&sampled.filter) else { continue };
        if filter.version != sampled.sample.filter_version {
            let request = GetFilter { filter_id: sampled.filter.clone() };
            *filter = filter_of(server.handle(Request::GetFilter(request)))?;
        }
        board.take((None, *rate_mhz), filter, &sampled.sample);
    }
    Ok(())
}
