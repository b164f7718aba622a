//! `retake script …`

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use retake_components::{PluginConfig, path_of, resolve};
use retake_ecm::{Ecm, EntityId};
use retake_msgs::{CommandScript, ReloadScript, user_cmd};
use retake_sim::SystemFailure;
use retake_sim::systems::script::{FILENAME, ScriptSource, ScriptState};
use serde_json::{Value, json};

use super::entity::reference;
use super::print_reply;
use crate::cli::ScriptCommand;
use crate::link::Link;
use crate::output::{Printer, write_table};
use crate::replica;

pub(super) fn run(
    command: &ScriptCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    match command {
        ScriptCommand::List => list(link, printer),
        ScriptCommand::Show { plugin, text: false } => show(plugin, link, printer),
        ScriptCommand::Show { plugin, text: true } => show_text(plugin, link, printer),
        ScriptCommand::Reload { plugin, restart } => {
            let reply = link.command(reload(plugin, *restart))?;
            print_reply(&reply, printer)
        }
        ScriptCommand::Watch { plugin } => watch(plugin, link, printer),
        ScriptCommand::Tell { plugin, text } => {
            let told = CommandScript { plugin: Some(reference(plugin)), text: text.clone() };
            print_reply(&link.command(user_cmd::Command::CommandScript(told))?, printer)
        }
    }
}

fn reload(plugin: &str, restart: bool) -> user_cmd::Command {
    let plugin = Some(reference(plugin));
    user_cmd::Command::ReloadScript(ReloadScript { plugin, text: None, restart })
}

/// Reloads a script whenever its file changes; what is refused is told, and the old text goes on.
fn watch(name: &str, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    link.need_bus("script watch")?;
    let (ecm, _) = replica::fetch(link)?;
    let source = ecm.get::<ScriptSource>(find(&ecm, name)?);
    let file = source.map(|source| PathBuf::from(&source.path)).unwrap_or_default();
    anyhow::ensure!(!file.as_os_str().is_empty(), "{name} was not read from a file");
    // Absent while an editor puts another file in its place.
    let changed = |file: &Path| std::fs::metadata(file).and_then(|facts| facts.modified()).ok();
    let mut seen = changed(&file);
    loop {
        std::thread::sleep(WATCH_PERIOD);
        let now = changed(&file);
        if now.is_none() || now == seen {
            continue;
        }
        seen = now;
        match link.command(reload(name, false)) {
            Ok(reply) => print_reply(&reply, printer)?,
            Err(refused) => crate::output::complain(&refused),
        }
    }
}

/// How often the file of a script is looked at.
const WATCH_PERIOD: Duration = Duration::from_millis(200);

fn list(link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let (ecm, _) = replica::fetch(link)?;
    let scripts: Vec<(EntityId, &ScriptSource)> = ecm.iter::<ScriptSource>().collect();
    let value: Vec<Value> = scripts
        .iter()
        .map(|(plugin, source)| {
            json!({
                "name": path_of(&ecm, *plugin),
                "script": source.uri,
                "file": source.path,
                "reloads": source.reloads,
                "stopped": ecm.get::<SystemFailure>(*plugin).map(|failure| &failure.reason),
            })
        })
        .collect();
    printer.print(&value, |out| {
        let mut rows = vec![["plugin", "script", "state"].map(str::to_owned).to_vec()];
        rows.extend(scripts.iter().map(|(plugin, source)| {
            let failure = ecm.get::<SystemFailure>(*plugin);
            let state = failure.map_or("runs", |failure| failure.reason.as_str());
            vec![path_of(&ecm, *plugin), source.uri.clone(), state.to_owned()]
        }));
        write_table(out, &rows)
    })
}

fn show(name: &str, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let (ecm, _) = replica::fetch(link)?;
    let plugin = find(&ecm, name)?;
    let state = ecm.get::<ScriptState>(plugin);
    let value = serde_json::to_value(state.map(|state| &state.0.state))?;
    printer.print(&value, |out| match &value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().try_for_each(|(name, value)| writeln!(out, "{name} = {value}"))
        }
        _ => writeln!(out, "It remembers nothing"),
    })
}

fn show_text(name: &str, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let (ecm, _) = replica::fetch(link)?;
    let source = ecm.get::<ScriptSource>(find(&ecm, name)?).context("it has no text")?;
    let value = json!({ "script": source.uri, "text": &*source.text });
    printer.print(&value, |out| write!(out, "{}", source.text))
}

fn find(ecm: &Ecm, name: &str) -> anyhow::Result<EntityId> {
    let plugin = resolve(ecm, name)?;
    let is_script = ecm.get::<PluginConfig>(plugin).is_some_and(|p| p.0.filename == FILENAME)
        || ecm.get::<ScriptSource>(plugin).is_some();
    match is_script {
        true => Ok(plugin),
        false => anyhow::bail!("{name:?} is no script. See: retake script list"),
    }
}
