//! `retake sdf …`: what the loader makes of a file.

use std::path::Path;

use anyhow::Context;
use retake_description::{PhysicsProfile, World};
use retake_diag::{Diagnostics, Severity};
use retake_physics::{Remark, UnusedSetting, unsupported, unused_settings};
use retake_sdf::{Contents, LoadOptions, load_file};
use serde_json::{Value, json};

use super::sdf_convert;
use crate::cli::{Format, SdfCommand};
use crate::output::{Outcome, Printer, remark, write_table};
use crate::world_file;

pub(crate) fn run(command: &SdfCommand, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    match command {
        SdfCommand::Check { files, resource_path } => {
            let roots = world_file::roots(resource_path)?;
            let mut outcome = Outcome::Done;
            for file in files {
                let mut found = Diagnostics::new();
                let contents = load_file(file, &roots, &LoadOptions::default(), &mut found);
                let loaded = contents.is_some();
                let not_used = contents.map(|all| not_used(&all.into_world())).unwrap_or_default();
                print_findings(file, &found, &not_used, printer)?;
                if !loaded || complains(&found) {
                    outcome = Outcome::Failed;
                }
            }
            Ok(outcome)
        }
        SdfCommand::Print { file, resolved, resource_path } => {
            let roots = world_file::roots(resource_path)?;
            let mut found = Diagnostics::new();
            let contents = load_file(file, &roots, &LoadOptions::default(), &mut found);
            if *resolved || printer.format == Format::Json {
                let mut value = retake_sdf::resolved(contents.as_ref(), &found);
                value["file"] = json!(file.display().to_string());
                printer.print(&value, |out| writeln!(out, "{value:#}"))?;
            } else {
                print_sdf(file, contents, &found, printer)?;
            }
            Ok(if found.has_errors() { Outcome::Failed } else { Outcome::Done })
        }
        SdfCommand::Convert(args) => sdf_convert::run(args, printer),
    }
}

/// Says whether something is wrong; notes say only how a file was understood.
fn complains(found: &Diagnostics) -> bool {
    let wrong = |severity: Severity| severity != Severity::Note;
    // Of what was not kept nobody knows.
    found.not_kept() > 0 || found.items().iter().any(|found| wrong(found.severity))
}

fn print_findings(
    file: &Path,
    found: &Diagnostics,
    not_used: &[Remark],
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let unused = not_used.iter();
    let unused: Vec<Value> =
        unused.map(|r| json!({ "path": r.path, "message": r.message })).collect();
    let value = json!({
        "file": file.display().to_string(),
        "findings": found.items(),
        "not_kept": found.not_kept(),
        "not_used": unused,
    });
    printer.print(&value, |out| {
        match found.is_empty() {
            true => writeln!(out, "{}: no findings", file.display())?,
            false => write!(out, "{found}")?,
        }
        if not_used.is_empty() {
            return Ok(());
        }
        writeln!(out, "not used:")?;
        let row = |remark: &Remark| vec![format!("  {}", remark.path), remark.message.clone()];
        write_table(out, &not_used.iter().map(row).collect::<Vec<_>>())
    })
}

/// Lists what a world says that will not be simulated so.
fn not_used(world: &World) -> Vec<Remark> {
    let of_profile = |profile: &PhysicsProfile| {
        let path = format!("physics[{}]", profile.name);
        // SDF's default engine is what a file has that does not care.
        let chosen = |unused: &UnusedSetting| unused.key != "type" || unused.value != "ode";
        let unused = unused_settings(profile).into_iter().filter(chosen);
        let remark = move |unused: UnusedSetting| Remark {
            path: format!("{path}/{}", unused.key),
            message: format!("{}: {}", unused.value, unused.reason),
        };
        unused.map(remark).collect::<Vec<_>>()
    };
    let in_profiles = world.profiles.iter().flat_map(of_profile);
    in_profiles.chain(unsupported(world)).collect()
}

fn print_sdf(
    file: &Path,
    contents: Option<Contents>,
    found: &Diagnostics,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    found.items().iter().for_each(remark);
    let contents =
        contents.with_context(|| format!("Nothing could be loaded from {}", file.display()))?;
    write!(printer.out, "{}", retake_sdf::print_world(&contents.into_world()))?;
    Ok(())
}
