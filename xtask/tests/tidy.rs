//! The rules of the house, checked.

use std::collections::BTreeMap;

use xtask::{Repository, SourceFile};

/// Rows of the first table in `text` whose heading line contains `heading`.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let mut lines =
        text.lines().skip_while(|line| !(line.starts_with('|') && line.contains(heading)));
    lines.next();
    lines.next();
    lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

fn layers(repository: &Repository) -> BTreeMap<String, u32> {
    let rows = table(&repository.read("ARCHITECTURE.md"), "| layer |");
    let row = |cells: &Vec<String>| {
        let layer = cells[0].parse().unwrap_or_else(|_| panic!("no layer: {cells:?}"));
        (cells[1].trim_matches('`').to_owned(), layer)
    };
    rows.iter().map(row).collect()
}

#[test]
fn edges_between_crates_go_strictly_down() {
    let repository = Repository::open();
    let layers = layers(&repository);
    let mut wrong = Vec::new();
    for manifest in repository.crates() {
        let Some(own) = layers.get(&manifest.name) else {
            wrong.push(format!("{} is not in the layer table of ARCHITECTURE.md", manifest.name));
            continue;
        };
        for dependency in manifest.dependencies.iter().filter(|name| name.starts_with("retake")) {
            let below = layers.get(dependency).is_some_and(|layer| layer < own);
            if !below {
                wrong.push(format!("{} must not depend on {dependency}", manifest.name));
            }
        }
    }
    let known: Vec<String> = repository.crates().into_iter().map(|c| c.name).collect();
    let gone = layers.keys().filter(|name| !known.contains(name));
    wrong.extend(gone.map(|name| format!("{name} is in the layer table but not in crates/")));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn dependencies_are_confined_to_their_crates() {
    let confined: [(&str, &[&str]); 15] = [
        ("rapier3d-f64", &["retake_physics"]),
        ("mujoco-rs", &["retake_physics"]),
        ("quick-xml", &["retake_sdf", "retake_assets"]),
        ("zenoh", &["retake_transport"]),
        ("axum", &["retake_gui"]),
        ("tokio", &["retake_gui", "retake_ros", "retake_transport", "retake"]),
        ("rust-embed", &["retake_page"]),
        ("pulldown-cmark", &["retake_gui"]),
        ("clap", &["retake"]),
        ("anyhow", &["retake"]),
        ("stl_io", &["retake_assets"]),
        ("gltf-json", &["retake_assets"]),
        ("mlua", &["retake_script"]),
        ("mimalloc", &["retake"]),
        ("rustdds", &["retake_ros"]),
    ];
    let mut wrong = Vec::new();
    for manifest in Repository::open().crates() {
        for (dependency, allowed) in confined {
            let has = manifest.dependencies.contains(dependency);
            if has && !allowed.contains(&manifest.name.as_str()) {
                wrong.push(format!("{} must not depend on {dependency}", manifest.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The part of a Rust file before its tests.
fn without_tests(file: &SourceFile) -> &str {
    file.text.split("#[cfg(test)]").next().unwrap_or_default()
}

#[test]
fn no_clock_on_the_wall_below_the_runner() {
    let repository = Repository::open();
    let below = [
        "math",
        "diag",
        "msgs",
        "description",
        "ecm",
        "assets",
        "components",
        "script",
        "sdf",
        "physics",
    ];
    let mut wrong = Vec::new();
    for name in below {
        for file in repository.sources(&format!("crates/retake_{name}/src"), &[".rs"]) {
            let code = without_tests(&file);
            // Clippy refuses iteration over hash maps; here it is about time and chance.
            for word in ["Instant::", "SystemTime", "rand::", "thread_rng"] {
                if code.contains(word) {
                    wrong.push(format!("{} uses {word}", file.path));
                }
            }
        }
    }
    // In the simulator itself only the runner, who watches it, and what loads, records
    // and publishes for it may look at the clock.
    let allowed = [
        "loader.rs",
        "pace.rs",
        "stats.rs",
        "runner.rs",
        "watchdog.rs",
        "publisher.rs",
        "recorder.rs",
    ];
    for file in repository.sources("crates/retake_sim/src", &[".rs"]) {
        let may = allowed.iter().any(|name| file.path.ends_with(name));
        if !may && (without_tests(&file).contains("Instant::") || file.text.contains("SystemTime"))
        {
            wrong.push(format!("{} looks at the clock on the wall", file.path));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn source_files_keep_their_size() {
    const MOST: usize = 700;
    let repository = Repository::open();
    let mut files = repository.sources("crates", &[".rs"]);
    files.extend(repository.sources("web/src", &[".ts", ".svelte", ".css"]));
    let lines = |file: &SourceFile| without_tests(file).lines().count();
    let tested =
        |file: &&SourceFile| !file.path.contains("/tests/") && !file.path.contains(".test.");
    let long: Vec<String> = files
        .iter()
        .filter(tested)
        .filter(|file| lines(file) > MOST)
        .map(|file| format!("{} has {} lines; split it by subject", file.path, lines(file)))
        .collect();
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn files_are_put_in_place_by_one_piece_of_code() {
    // What replaces a file rests on the order of what is asked of the disk, which is tried in one
    // place. A folder of models, and a note that is gone with its process, are no files of users.
    let allowed = [
        "crates/retake_assets/src/whole_file.rs",
        "crates/retake_transport/src/rendezvous.rs",
        "crates/retake/src/builtin_models.rs",
    ];
    let sources = Repository::open().sources("crates", &[".rs"]);
    let renames = |file: &&SourceFile| {
        !file.path.contains("/tests/") && without_tests(file).contains("fs::rename(")
    };
    let found: Vec<&str> = sources.iter().filter(renames).map(|file| file.path.as_str()).collect();
    for file in allowed {
        assert!(found.contains(&file), "{file} renames nothing any more: take it off the list");
    }
    let others: Vec<&&str> = found.iter().filter(|file| !allowed.contains(file)).collect();
    assert!(others.is_empty(), "use retake_assets::write_whole: {others:#?}");
}

#[test]
fn the_tree_names_no_machine() {
    let repository = Repository::open();
    let folders = [
        ("crates", &[".rs", ".toml", ".proto"][..]),
        ("docs", &[".md"]),
        ("web", &[".ts", ".json", ".svelte"]),
        ("worlds", &[".sdf"]),
        ("scenarios", &[".scenario"]),
    ];
    let mut wrong = Vec::new();
    for (folder, endings) in folders {
        for file in repository.sources(folder, endings) {
            for folder in ["work", "root", "home"] {
                let path = format!("/{folder}/");
                if file.text.contains(&path) {
                    wrong.push(format!("{} names {path}", file.path));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_invariant_names_a_test_that_exists() {
    assert_tests_exist("ARCHITECTURE.md", &["| invariant |"]);
}

#[test]
fn every_guarantee_names_a_test_that_exists() {
    assert_tests_exist(
        "docs/guarantees.md",
        &["| when things fail |", "| when somebody attacks |"],
    );
}

/// Checks tables, known by their first heading: each row names tests in its second column.
fn assert_tests_exist(document: &str, headings: &[&str]) {
    let repository = Repository::open();
    let text = repository.read(document);
    let mut tests = repository.sources("crates", &[".rs"]);
    tests.extend(repository.sources("xtask", &[".rs"]));
    tests.extend(repository.sources("fuzz", &[".rs"]));
    let all: String = tests.into_iter().map(|file| file.text).collect();
    let journeys = repository.sources("web/e2e/journeys", &[".ts"]);
    let journeys: String = journeys.into_iter().map(|file| file.text).collect();
    let scenarios = repository.sources("scenarios", &[".scenario"]);
    let exists = |name: &str| match name.strip_suffix(".scenario") {
        Some(_) => scenarios.iter().any(|file| file.path.ends_with(name)),
        // Journeys are called by a sentence.
        None if name.contains(' ') => journeys.contains(&format!("it('{name}'")),
        None => all.contains(&format!("fn {name}(")),
    };
    let mut missing = Vec::new();
    for heading in headings {
        let rows = table(&text, heading);
        assert!(rows.len() >= 10, "the table of {heading} is gone");
        for row in rows {
            let named: Vec<&str> = row[1].split('`').skip(1).step_by(2).collect();
            assert!(!named.is_empty(), "no test is named for: {}", row[0]);
            let lost = named.iter().filter(|name| !exists(name));
            missing.extend(lost.map(|name| format!("{}: no test is called {name}", row[0])));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_guide_lists_every_topic_and_service() {
    let repository = Repository::open();
    let names = repository.read("crates/retake_msgs/src/names.rs");
    let guide = repository.read("docs/guide/transport.md");
    // Where a name is made; where one is taken apart, only pieces of it stand.
    let making = names.lines().filter(|line| line.contains("format!(") || line.contains("const "));
    let quoted = making.filter_map(|line| line.split('"').nth(1)).filter(|n| n.starts_with('/'));
    let shown = |name: &str| {
        name.replace("{world}", "<world>")
            .replace("{model}", "<model>")
            .replace("{joint}", "<joint>")
            .replace("{link}", "<link>")
            .replace("{axis}", "<axis>")
            .replace("{gui}", "<gui>")
            .replace("{manager}", "<manager>")
            .replace("{filter}", "<filter>")
            .replace("{plugin}", "<plugin>")
            .replace("{controller}", "<controller>")
    };
    let missing: Vec<String> =
        quoted.map(shown).filter(|name| !guide.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "not in docs/guide/transport.md: {missing:#?}");
}

#[test]
fn every_world_says_what_to_try() {
    let worlds = Repository::open().sources("worlds", &[".sdf"]);
    assert!(!worlds.is_empty());
    let silent: Vec<&str> = worlds
        .iter()
        .filter(|world| !world.text.lines().take(4).any(|line| line.contains("<!--")))
        .map(|world| world.path.as_str())
        .collect();
    assert!(silent.is_empty(), "no header comment: {silent:#?}");
}
