//! Loading world files for the command line.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use retake_assets::ResourceRoots;
use retake_description::World;
use retake_diag::{Diagnostic, Diagnostics, Severity};
use retake_ecm::StateHash;
use retake_msgs::{Finding, Findings, WorldSource, finding};
use retake_sdf::{Contents, FileFormat, FixedJoints, LoadOptions, load_file};
use retake_sim::{LoadProgress, Simulation, SimulationOptions, SystemWatch};

use crate::builtin_models;
use crate::cli::LoadArgs;
use crate::output::remark;

/// The world that runs when none is named.
const DEMO: (&str, &str) = ("cones.sdf (built in)", include_str!("../../../worlds/cones.sdf"));

/// Variables that list folders, in the order of search: ours, then those of Gazebo and ROS.
pub(crate) const RESOURCE_VARIABLES: [&str; 6] = [
    "RETAKE_RESOURCE_PATH",
    "GZ_SIM_RESOURCE_PATH",
    "IGN_GAZEBO_RESOURCE_PATH",
    "SDF_PATH",
    "GAZEBO_MODEL_PATH",
    "ROS_PACKAGE_PATH",
];

/// Where resources may come from: what the user names and what Gazebo users have set.
pub(crate) fn roots(extra: &[PathBuf]) -> anyhow::Result<ResourceRoots> {
    let mut roots = ResourceRoots::new();
    for folder in extra {
        roots.add(folder)?;
    }
    for variable in RESOURCE_VARIABLES {
        let folders = std::env::var_os(variable).unwrap_or_default();
        for folder in std::env::split_paths(&folders).filter(|path| !path.as_os_str().is_empty()) {
            // A folder of another machine in a variable is common, and no reason to stop.
            if let Err(error) = roots.add(&folder) {
                remark(format!("{variable}: {error}"));
            }
        }
    }
    fuel_caches().iter().for_each(|cache| {
        // Most people have none, or one.
        roots.add_fuel_cache(cache).ok();
    });
    Ok(roots)
}

/// Where Fuel clients keep what they have downloaded.
fn fuel_caches() -> Vec<PathBuf> {
    let named = ["GZ_FUEL_CACHE_PATH", "IGN_FUEL_CACHE_PATH"].map(std::env::var_os);
    let home = std::env::home_dir().unwrap_or_default();
    let usual = [".gz/fuel", ".ignition/fuel"].map(|folder| home.join(folder));
    named.into_iter().flatten().map(PathBuf::from).chain(usual).collect()
}

/// Findings that a server tells others of.
const MOST_FINDINGS: usize = 200;

/// A world, and what loading it had to say.
pub(crate) struct WorldFile {
    pub(crate) world: World,
    /// The file, for people to read.
    pub(crate) name: String,
    pub(crate) findings: Findings,
    pub(crate) format: FileFormat,
}

/// Loads a world file, or the demo; complains on standard error about what it found.
pub(crate) fn load(file: Option<&Path>, args: &LoadArgs) -> anyhow::Result<WorldFile> {
    let roots = roots(&args.resource_path)?;
    let mut found = Diagnostics::new();
    let mut format = FileFormat::Sdf;
    let (world, name) = match file {
        Some(path) => {
            refuse_other_kinds(path)?;
            let fixed_joints = fixed_joints(args.keep_fixed_joints);
            let options = LoadOptions { keep_going: args.keep_going, fixed_joints };
            let contents = load_file(path, &roots, &options, &mut found);
            format = contents.as_ref().map_or(format, |contents| contents.format);
            (contents.map(Contents::into_world), path.display().to_string())
        }
        None => (retake_sdf::parse_world(DEMO.1, DEMO.0, &roots, &mut found), DEMO.0.to_owned()),
    };
    let told = |item: &&Diagnostic| item.severity > Severity::Note;
    let findings: Vec<&Diagnostic> = found.items().iter().filter(told).collect();
    if let (None, [only]) = (&world, findings.as_slice()) {
        // One reason makes one line.
        bail!("{only}");
    }
    findings.iter().for_each(remark);
    if found.has_errors() && !args.keep_going {
        bail!("{name} has errors. Mend them, or start anyway with --keep-going");
    }
    let world = world.with_context(|| format!("No world could be loaded from {name}"))?;
    let findings = findings_message(&findings, found.not_kept());
    Ok(WorldFile { world, name, findings, format })
}

/// Refuses what has another verb; as XML it would be told of in words that help nobody.
fn refuse_other_kinds(file: &Path) -> anyhow::Result<()> {
    let name = file.to_string_lossy();
    if !file.is_file() {
        return Ok(());
    }
    if retake_gui::is_log(&name) {
        bail!(
            "{name} is a log, not a world. Show it with: retake play {name}, or go on from it with: \
             retake run --resume {name}"
        );
    }
    if name.ends_with(".motion.toml") {
        bail!("{name} is a motion, not a world. Check it with: retake motion check {name}");
    }
    Ok(())
}

/// Makes a message of what was found; what there is no room for is counted.
fn findings_message(findings: &[&Diagnostic], not_kept: usize) -> Findings {
    let left_out = findings.len().saturating_sub(MOST_FINDINGS) + not_kept;
    let finding = findings.iter().take(MOST_FINDINGS).map(|found| finding_message(found));
    Findings { finding: finding.collect(), left_out: left_out as u32 }
}

fn finding_message(found: &Diagnostic) -> Finding {
    let severity = match found.severity {
        Severity::Note => finding::Severity::Note,
        Severity::Warning => finding::Severity::Warning,
        Severity::Error => finding::Severity::Error,
    };
    let place = found.place.as_ref();
    Finding {
        severity: severity.into(),
        code: found.code.to_owned(),
        text: found.message.clone(),
        help: found.help.clone().unwrap_or_default(),
        file: place.map(|place| place.file.to_string()).unwrap_or_default(),
        line: place.map_or(0, |place| place.line),
        column: place.map_or(0, |place| place.column),
    }
}

/// Describes a world file for saving, and where a GUI elsewhere finds its models; call it before
/// loading, so that no change is missed. A file whose name is no text has a hash but no path.
pub(crate) fn source(file: Option<&Path>, args: &LoadArgs) -> anyhow::Result<WorldSource> {
    // A message is text; what is not is named differently then, and not found.
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    // A world file must be found again or not at all: under another name it would be another file.
    let named = |path: &Path| path.to_str().map(str::to_owned).unwrap_or_default();
    let roots = roots_around(file, args)?;
    let own = file.map(std::path::absolute).transpose()?;
    let resource_folders = roots.folders().iter().map(|folder| shown(folder)).collect();
    // What cannot be read is told by loading.
    let bytes = file.and_then(read_whole);
    let (path, hash) = match (own.as_deref(), bytes) {
        (Some(own), Some(bytes)) => (named(own), hash_of(&bytes)),
        _ => (String::new(), String::new()),
    };
    Ok(WorldSource { path, hash, resource_folders, ..WorldSource::default() })
}

/// Reads a world file; none when loading it would not read it either.
pub(crate) fn read_whole(file: &Path) -> Option<Vec<u8>> {
    retake_assets::read_file(file, retake_sdf::MAX_FILE_BYTES).ok()
}

/// Hashes the content of a file.
pub(crate) fn hash_of(bytes: &[u8]) -> String {
    let mut hash = StateHash::new();
    // Hashing writes nowhere, so that it cannot fail.
    hash.write_all(bytes).ok();
    hash.to_string()
}

/// What becomes of the fixed joints of URDF files, by the flag.
pub(crate) fn fixed_joints(kept: bool) -> FixedJoints {
    if kept { FixedJoints::Kept } else { FixedJoints::Lumped }
}

/// Where the resources of a world may come from: the roots, the folder of its own file with its
/// models, and what comes with the program.
pub(crate) fn roots_around(file: Option<&Path>, args: &LoadArgs) -> anyhow::Result<ResourceRoots> {
    let mut roots = roots(&args.resource_path)?;
    let absolute = file.map(std::path::absolute).transpose()?;
    if let Some(folder) = absolute.as_deref().and_then(Path::parent) {
        // As while the file is loaded, what lies beside it comes first.
        roots = roots.with_first(folder);
        let models = folder.join("models");
        if models.is_dir() {
            roots.add(&models)?;
        }
    }
    match builtin_models::folder() {
        Ok(folder) => folder.iter().try_for_each(|folder| roots.add(folder))?,
        // Worlds need none of them.
        Err(error) => remark(format!("The models that come with Retake are not there: {error:#}")),
    }
    Ok(roots)
}

/// Makes the simulation of a world.
pub(crate) fn simulate(
    world: &World,
    file: Option<&Path>,
    args: &LoadArgs,
) -> anyhow::Result<Simulation> {
    let roots = roots_around(file, args)?;
    let options = SimulationOptions {
        seed: args.seed,
        profile: args.profile.clone(),
        worker_threads: args.threads,
        roots,
        watch: Some(SystemWatch::start("Loading", remark)),
    };
    let told = Mutex::new(Instant::now());
    Ok(Simulation::load_telling(world, &options, &|progress| tell(&told, progress))?)
}

/// How often a long load says how far it has come.
const TELL_PERIOD: Duration = Duration::from_millis(500);

/// Says how far a load has come, unless something was said just now.
fn tell(told: &Mutex<Instant>, progress: LoadProgress) {
    let mut last = told.lock().unwrap_or_else(PoisonError::into_inner);
    if last.elapsed() >= TELL_PERIOD {
        *last = Instant::now();
        remark(progress);
    }
}
