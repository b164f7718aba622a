//! Builds the page with npm into `OUT_DIR`, or puts a plain fallback there when npm is missing.
//!
//! This is the only build script that runs npm. `npm ci` runs only when `package-lock.json`
//! differs from the copy that the last install left in `node_modules`.

use std::error::Error;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// Copy of `package-lock.json` that an install leaves; `package.json` writes the same one.
const STAMP: &str = "node_modules/.installed-lock.json";

/// What the page is made of, relative to `web/`.
const INPUTS: [&str; 9] = [
    "public",
    "src",
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
    "buf.gen.yaml",
];

/// Made by the build itself; watching it would make every build the cause of the next.
const GENERATED: &str = "src/protocol/generated";

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let web = root.join("../../web");
    let dist = PathBuf::from(env::var("OUT_DIR")?).join("dist");
    for input in INPUTS {
        watch(&web.join(input), &web.join(GENERATED))?;
    }
    watch(&root.join("../retake_msgs/proto"), &web.join(GENERATED))?;
    // The guide is embedded as it is; a page that is new has to be found.
    println!("cargo::rerun-if-changed={}", root.join("../../docs/guide").display());
    if npm_is_there()? { build_page(&web, &dist) } else { write_fallback(&dist) }
}

/// Tells cargo to build again when `path`, or a file below it, changes.
///
/// Files are named one by one instead of their folder, because the folder holds generated code.
/// A new file needs no watching: it counts only once a watched one imports it.
fn watch(path: &Path, except: &Path) -> Result<(), Box<dyn Error>> {
    if path == except {
        return Ok(());
    }
    if !path.is_dir() {
        println!("cargo::rerun-if-changed={}", path.display());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        watch(&entry?.path(), except)?;
    }
    Ok(())
}

fn npm_is_there() -> Result<bool, Box<dyn Error>> {
    match Command::new("npm").arg("--version").stdout(Stdio::null()).status() {
        Ok(status) => Ok(status.success()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn build_page(web: &Path, dist: &Path) -> Result<(), Box<dyn Error>> {
    let lock = fs::read(web.join("package-lock.json"))?;
    if fs::read(web.join(STAMP)).ok().as_deref() != Some(lock.as_slice()) {
        npm(web, &["ci", "--no-audit", "--no-fund"]);
        // package.json does the same after an install, unless scripts are switched off.
        fs::write(web.join(STAMP), &lock)?;
    }
    let dist = dist.to_str().ok_or("the target directory's path is not UTF-8")?;
    npm(web, &["run", "build", "--", "--outDir", dist, "--emptyOutDir"]);
    Ok(())
}

/// Runs npm in `web` and panics with the command to try by hand when it fails.
fn npm(web: &Path, arguments: &[&str]) {
    let by_hand = format!("cd {} && npm {}", web.display(), arguments.join(" "));
    let output = Command::new("npm")
        .args(arguments)
        .current_dir(web)
        .output()
        .unwrap_or_else(|error| panic!("cannot start npm: {error}. Try by hand: {by_hand}"));
    assert!(
        output.status.success(),
        "building the page failed. Try by hand: {by_hand}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
}

fn write_fallback(dist: &Path) -> Result<(), Box<dyn Error>> {
    println!(
        "cargo::warning=npm is missing, so the page is only a note. Install Node.js and build again"
    );
    // A file that never exists makes cargo run this script again, so npm is found once it is there.
    println!("cargo::rerun-if-changed={}", dist.join("never").display());
    if dist.exists() {
        fs::remove_dir_all(dist)?;
    }
    fs::create_dir_all(dist)?;
    fs::copy("src/fallback.html", dist.join("index.html"))?;
    Ok(())
}
