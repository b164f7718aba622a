//! `retake config show`: what holds on this machine when nothing else is said.

use anyhow::bail;
use clap::Parser;
use serde_json::json;

use crate::cli::{Cli, Command, RunArgs};
use crate::output::{Outcome, Printer, write_table};
use crate::world_file;

/// One thing that holds, and what changes it.
struct Setting {
    name: &'static str,
    value: String,
    changed_by: String,
}

pub(crate) fn show(printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let settings = settings()?;
    let rows = settings.iter().map(|Setting { name, value, changed_by }| {
        json!({ "name": name, "value": value, "changed_by": changed_by })
    });
    printer.print(&rows.collect::<Vec<_>>(), |out| {
        let row = |setting: &Setting| {
            vec![setting.name.to_owned(), setting.value.clone(), setting.changed_by.clone()]
        };
        write_table(out, &settings.iter().map(row).collect::<Vec<_>>())
    })?;
    Ok(Outcome::Done)
}

fn settings() -> anyhow::Result<Vec<Setting>> {
    let run = defaults()?;
    let server = &run.server;
    let setting = |name, value: String, changed_by: &str| Setting {
        name,
        value,
        changed_by: changed_by.to_owned(),
    };
    let mut all = vec![
        setting("version", env!("CARGO_PKG_VERSION").to_owned(), ""),
        setting("page", format!("http://127.0.0.1:{}/", run.opening.port), "--port, --listen"),
        setting("bus", format!("127.0.0.1:{}", server.bus_port), "--bus-port, --bus-open"),
        setting(
            "undo",
            format!("{} commands, {} MiB", server.past.undo_steps, server.past.undo_memory),
            "--undo-steps, --undo-memory, --no-undo",
        ),
        setting(
            "timeline",
            format!("{} MiB, {} s", server.past.timeline_memory, server.past.timeline_age),
            "--timeline-memory, --timeline-age, --no-timeline",
        ),
        setting("seed", server.load.seed.to_string(), "--seed"),
        setting("physics threads", server.load.threads.to_string(), "--threads"),
        setting("recordings", server.record.log_dir.display().to_string(), "--log-dir"),
        setting(
            "running servers are listed in",
            retake_transport::rendezvous::runtime_dir()?.display().to_string(),
            "XDG_RUNTIME_DIR",
        ),
    ];
    let variables = format!("--resource-path, {}", world_file::RESOURCE_VARIABLES.join(", "));
    let roots = world_file::roots(&[])?;
    all.extend(
        roots
            .folders()
            .iter()
            .map(|folder| setting("resource folder", folder.display().to_string(), &variables)),
    );
    if roots.folders().is_empty() {
        all.push(setting("resource folder", "only that of the world file".to_owned(), &variables));
    }
    all.extend(retake_transport::rendezvous::find_servers()?.into_iter().map(|found| {
        let page = found.page.map(|page| format!(", page {page}")).unwrap_or_default();
        let value = format!("{} at {}, process {}{page}", found.world, found.endpoint, found.pid);
        setting("running server", value, "--server")
    }));
    Ok(all)
}

/// Returns what the command line says when nothing is typed: the one place where defaults stand.
fn defaults() -> anyhow::Result<RunArgs> {
    match Cli::try_parse_from(["retake", "run"])?.command {
        Command::Run(args) => Ok(args),
        _ => bail!("`retake run` was read as something else"),
    }
}
