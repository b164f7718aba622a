//! `retake sdf convert`: a robot in URDF as a model in SDF.

use anyhow::{Context, bail};
use retake_diag::{Diagnostics, Severity};
use retake_sdf::{Contents, Fragment, LoadOptions, load_file, print_model};

use crate::cli::ConvertArgs;
use crate::output::{Outcome, Printer, remark};
use crate::world_file;

/// Converts one file; errors in it that leave a model make it done with loss.
pub(super) fn run(args: &ConvertArgs, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let roots = world_file::roots(&args.resource_path)?;
    let fixed_joints = world_file::fixed_joints(args.keep_fixed_joints);
    // A fault in one value is no reason to give nothing of the others.
    let options = LoadOptions { keep_going: true, fixed_joints };
    let mut found = Diagnostics::new();
    let contents = load_file(&args.file, &roots, &options, &mut found);
    // That a model has no world around it is what is wanted here.
    let told = found.items().iter().filter(|item| item.severity > Severity::Note);
    told.for_each(remark);
    let shown = args.file.display();
    let model = match contents {
        Some(Contents { fragment: Some(Fragment::Model(model)), .. }) => model,
        Some(_) => bail!("{shown} holds no robot. Worlds are printed by: retake sdf print {shown}"),
        None => bail!("Nothing could be loaded from {shown}"),
    };
    let text = print_model(&model);
    match &args.output {
        Some(output) => std::fs::write(output, text)
            .with_context(|| format!("Cannot write {}", output.display()))?,
        None => write!(printer.out, "{text}")?,
    }
    Ok(if found.has_errors() { Outcome::Loss } else { Outcome::Done })
}
