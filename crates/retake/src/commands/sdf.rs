//! `retake sdf …`: what the loader makes of a file.

use std::path::Path;

use anyhow::Context;
use retake_diag::Diagnostics;
use retake_sdf::{Contents, LoadOptions, load_file};
use serde_json::json;

use super::sdf_convert;
use crate::cli::{Format, SdfCommand};
use crate::output::{Outcome, Printer, remark};
use crate::world_file;

pub(crate) fn run(command: &SdfCommand, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    match command {
        SdfCommand::Check { files, resource_path } => {
            let roots = world_file::roots(resource_path)?;
            let mut outcome = Outcome::Done;
            for file in files {
                let mut found = Diagnostics::new();
                let contents = load_file(file, &roots, &LoadOptions::default(), &mut found);
                print_findings(file, &found, printer)?;
                if contents.is_none() || !found.is_empty() {
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
                value["file"] = json!(file);
                printer.print(&value, |out| writeln!(out, "{value:#}"))?;
            } else {
                print_sdf(file, contents, &found, printer)?;
            }
            Ok(if found.has_errors() { Outcome::Failed } else { Outcome::Done })
        }
        SdfCommand::Convert(args) => sdf_convert::run(args, printer),
    }
}

fn print_findings(
    file: &Path,
    found: &Diagnostics,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let value = json!({
        "file": file,
        "findings": found.items(),
        "not_kept": found.not_kept(),
    });
    printer.print(&value, |out| match found.is_empty() {
        true => writeln!(out, "{}: no findings", file.display()),
        false => write!(out, "{found}"),
    })
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
