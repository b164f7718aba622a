//! Which models are listed under resource folders, and under which names they are included.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use expect_test::{Expect, expect};
use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_sdf::{Library, LibraryLimits, list_models, parse_part, with_included};
use tempfile::TempDir;

const MODEL: &str = "<sdf version='1.9'><model name='thing'><link name='l'/></model></sdf>";

fn config(inner: &str) -> String {
    format!("<?xml version='1.0'?><model>{inner}</model>")
}

/// Puts files into a folder, with those around them.
fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Makes roots of folders inside one.
fn roots(folder: &TempDir, names: &[&str]) -> ResourceRoots {
    let mut roots = ResourceRoots::new();
    for name in names {
        fs::create_dir_all(folder.path().join(name)).unwrap();
        roots.add(&folder.path().join(name)).unwrap();
    }
    roots
}

fn list(roots: &ResourceRoots) -> Library {
    list_models(roots, &LibraryLimits::default(), &|| true)
}

/// Writes a library as one line for each model.
fn told(library: &Library) -> String {
    let mut text = String::new();
    for model in &library.models {
        text += &format!("{:?} {} in {}", model.name, model.uri, model.source);
        if !model.description.is_empty() {
            text += &format!(": {}", model.description);
        }
        if !model.authors.is_empty() {
            text += &format!(" by {}", model.authors.join(", "));
        }
        if let Some(problem) = &model.problem {
            text += &format!(" !! {problem}");
        }
        text.push('\n');
    }
    library.incomplete.iter().for_each(|why| text += &format!("… {why}\n"));
    text
}

fn check(library: &Library, expected: &Expect) {
    expected.assert_eq(&told(library));
}

#[test]
fn models_are_listed_with_what_their_config_says() {
    let folder = tempfile::tempdir().unwrap();
    let table = config(
        "<name>Kitchen table</name><version>1.2</version>\
         <sdf version='1.4'>old.sdf</sdf><sdf version='1.9'>model.sdf</sdf>\
         <author><name>Ann</name><email>a@b</email></author><author>Bob</author>\
         <description>\n  Four legs\n  and a top &amp; more </description>",
    );
    write(
        folder.path(),
        &[
            ("lib/table/model.config", &table),
            ("lib/table/model.sdf", MODEL),
            ("lib/table/parts/leg.sdf", MODEL),
            ("lib/deep/er/box.sdf", MODEL),
            ("lib/arm.urdf", "<robot name='arm'/>"),
            ("lib/world.sdf", "<sdf version='1.9'><world name='w'/></sdf>"),
            ("lib/notes.txt", "<model name='no'/>"),
            ("lib/.git/model.sdf", MODEL),
            ("lib/100%/model.config", &config("<sdf>model.sdf</sdf>")),
            ("lib/100%/model.sdf", MODEL),
        ],
    );
    let roots = roots(&folder, &["lib"]);
    let library = list(&roots);
    check(
        &library,
        &expect![[r#"
            "100%" model://100%25 in lib
            "arm" model://arm.urdf in lib
            "Kitchen table" model://table in lib: Four legs and a top & more by Ann, Bob
            "thing" model://deep/er/box.sdf in lib/deep/er
        "#]],
    );
    assert_eq!(library.models[2].version, "1.2");
    // Every name that is told is one by which the model is found.
    for model in library.models.iter().filter(|model| model.name != "arm") {
        let text = format!("<include><uri>{}</uri></include>", model.uri);
        let mut found = Diagnostics::new();
        let part = parse_part(&text, "part", &roots, &mut found);
        assert_eq!(part.map(|part| part.name().to_owned()).as_deref(), Some("thing"), "{found}");
    }
}

#[test]
fn a_damaged_model_is_told_and_the_others_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let long = format!("<name>{}</name><sdf>m.sdf</sdf>", "n".repeat(500));
    let huge = config(&"<a/>".repeat(400_000));
    write(
        folder.path(),
        &[
            ("lib/broken/model.config", "<model><name>Broken</nam"),
            ("lib/empty/model.config", ""),
            ("lib/huge/model.config", &huge),
            ("lib/lost/model.config", &config("<name>Lost</name><sdf>gone.sdf</sdf>")),
            ("lib/none/model.config", &config("<name>None</name>")),
            ("lib/world/model.config", &config("<sdf>w.sdf</sdf>")),
            ("lib/world/w.sdf", "<sdf version='1.9'><world name='w'/></sdf>"),
            ("lib/long/model.config", &config(&long)),
            ("lib/long/m.sdf", MODEL),
            ("lib/good.sdf", MODEL),
            ("lib/bad.sdf", "<sdf version='1.9'><model"),
            ("lib/noise.sdf", "\0\u{7}"),
        ],
    );
    fs::create_dir_all(folder.path().join("lib/latin")).unwrap();
    fs::write(folder.path().join("lib/latin/model.config"), b"<model>\xe9</model>").unwrap();
    let library = list(&roots(&folder, &["lib"]));
    let text = told(&library).replace(&"n".repeat(120), "n*120");
    expect![[r#"
        "bad.sdf" model://bad.sdf in lib
        "n*120" model://long in lib
        "thing" model://good.sdf in lib
        "broken" model://broken in lib !! model.config:1:20: error[xml-syntax]: syntax error: tag not closed: `>` not found before end of input
        "empty" model://empty in lib !! model.config is empty
        "huge" model://huge in lib !! model.config cannot be read: it has 1600036 bytes, more than the limit of 1048576
        "latin" model://latin in lib !! model.config is not UTF-8 text
        "Lost" model://lost in lib !! Its model.config names "gone.sdf", which is not there
        "None" model://none in lib !! Its model.config names no SDF file
        "world" model://world in lib !! w.sdf does not begin with a model
    "#]].assert_eq(&text);
}

#[test]
fn nothing_outside_of_the_folders_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[
            ("out/secret/model.config", &config("<name>Secret</name><sdf>model.sdf</sdf>")),
            ("out/secret/model.sdf", MODEL),
            ("out/plain.sdf", MODEL),
            ("in/named/model.config", &config("<sdf>../../out/plain.sdf</sdf>")),
            ("in/linked/model.config", &config("<sdf>link.sdf</sdf>")),
            ("in/a/box.sdf", MODEL),
        ],
    );
    let link = |to: &str, name: &str| symlink(folder.path().join(to), folder.path().join(name));
    link("out", "in/out").unwrap();
    link("out/secret", "in/secret").unwrap();
    link("out/plain.sdf", "in/plain.sdf").unwrap();
    link("out/plain.sdf", "in/linked/link.sdf").unwrap();
    // A circle, and a second way to the same model.
    link("in", "in/a/again").unwrap();
    link("in/a/box.sdf", "in/b.sdf").unwrap();
    check(
        &list(&roots(&folder, &["in"])),
        &expect![[r#"
            "thing" model://b.sdf in in
            "linked" model://linked in in !! Its model.config names "link.sdf", which is not there
            "named" model://named in in !! Its model.config names "../../out/plain.sdf", which is not there
        "#]],
    );
}

#[test]
fn of_two_with_one_name_the_second_is_told_as_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| config(&format!("<name>{name}</name><sdf>model.sdf</sdf>"));
    let other = MODEL.replace("thing", "other");
    write(
        folder.path(),
        &[
            ("one/box/model.config", &of("First")),
            ("one/box/model.sdf", MODEL),
            ("one/same.sdf", MODEL),
            ("two/box/model.config", &of("Second")),
            ("two/box/model.sdf", &other),
            ("two/same.sdf", MODEL),
            ("two/inner/lamp.sdf", MODEL),
        ],
    );
    // What lies in a root inside another root has the shorter name.
    check(
        &list(&roots(&folder, &["one", "two", "two/inner"])),
        &expect![[r#"
            "First" model://box in one
            "thing" model://lamp.sdf in inner
            "thing" model://same.sdf in one
            "Second" model://box in two !! model://box means the one in one, which comes first
        "#]],
    );
}

#[test]
fn models_that_were_downloaded_before_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let cone = "cache/fuel.gazebosim.org/open/models/cone";
    write(
        folder.path(),
        &[
            (&format!("{cone}/1/model.config"), &config("<name>Old</name><sdf>model.sdf</sdf>")),
            (&format!("{cone}/2/model.config"), &config("<name>Cone</name><sdf>model.sdf</sdf>")),
            (&format!("{cone}/2/model.sdf"), MODEL),
        ],
    );
    let mut roots = ResourceRoots::new();
    roots.add_fuel_cache(&folder.path().join("cache")).unwrap();
    check(
        &list(&roots),
        &expect![[r#"
            "Cone" https://fuel.gazebosim.org/1.0/open/models/cone in Fuel
        "#]],
    );
}

#[test]
fn thousands_are_listed_within_the_bounds() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..2_000 {
        let (name, inner) = (format!("lib/m{n:04}"), config("<sdf>model.sdf</sdf>"));
        write(
            folder.path(),
            &[(&format!("{name}/model.config"), &inner), (&format!("{name}/model.sdf"), MODEL)],
        );
    }
    write(folder.path(), &[("lib/a/b/c/d/e/far.sdf", MODEL), ("lib/a/b/c/d/near.sdf", MODEL)]);
    let roots = roots(&folder, &["lib"]);
    let library = list(&roots);
    assert_eq!((library.models.len(), library.incomplete.as_deref()), (2_001, None));
    let few = LibraryLimits { models: 10, ..LibraryLimits::default() };
    let library = list_models(&roots, &few, &|| true);
    assert_eq!(library.models.len(), 10);
    let why = "There are more than 10 models; the rest is not listed";
    assert_eq!(library.incomplete.as_deref(), Some(why));
    let few = LibraryLimits { folders: 2, ..LibraryLimits::default() };
    let library = list_models(&roots, &few, &|| true);
    let why = "There are more than 2 folders; the rest was not looked at";
    assert_eq!(library.incomplete.as_deref(), Some(why));
}

#[test]
fn whoever_asks_can_end_it() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("lib/a.sdf", MODEL), ("lib/b.sdf", MODEL), ("lib/c.sdf", MODEL)]);
    let roots = roots(&folder, &["lib"]);
    let why = "Looking through the folders took too long, so that some models are not listed";
    let library = list_models(&roots, &LibraryLimits::default(), &|| false);
    assert_eq!((library.models.len(), library.incomplete.as_deref()), (0, Some(why)));
    // Once for the folder, then once for each model.
    let left = Cell::new(3);
    let go_on = || {
        left.set(left.get() - 1);
        left.get() >= 0
    };
    let library = list_models(&roots, &LibraryLimits::default(), &go_on);
    assert_eq!((library.models.len(), library.incomplete.as_deref()), (2, Some(why)));
}

#[test]
fn what_is_included_can_be_written_out() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = "<sdf version='1.9'><model name='thing'><pose>1 2 3 0 0 0</pose><link name='l'>\
                <visual name='v'><geometry><mesh><uri>a.stl</uri></mesh></geometry></visual>\
                </link></model></sdf>";
    write(folder.path(), &[("lib/t/model.sdf", mesh), ("lib/t/a.stl", "")]);
    write(folder.path(), &[("lib/t/model.config", &config("<sdf>model.sdf</sdf>"))]);
    let roots = roots(&folder, &["lib"]);
    let text = "<sdf version='1.11'><include><uri>model://t</uri><name>one</name></include></sdf>";
    let written = with_included(text, &roots).unwrap();
    assert!(written.contains("<uri>model://t/a.stl</uri>"), "{written}");
    fs::remove_file(folder.path().join("lib/t/model.sdf")).unwrap();
    let mut found = Diagnostics::new();
    let part = parse_part(&written, "part", &roots, &mut found).unwrap();
    assert_eq!((part.name(), part.tag()), ("one", "model"));
    for other in [text, MODEL, "<include/>", "<include><uri>model://t</uri></include><light/>"] {
        assert_eq!(with_included(other, &roots), None, "{other}");
    }
}

#[test]
fn an_include_that_cannot_be_inserted_says_why() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("lib/t.sdf", MODEL)]);
    let roots = roots(&folder, &["lib"]);
    let told = |text: &str| {
        let mut found = Diagnostics::new();
        assert!(parse_part(text, "part", &roots, &mut found).is_none());
        found.to_string()
    };
    expect![[r#"
        part:1:1: error[sdf-include-not-found]: nothing under the resource folders is called "model://other". Check the name and --resource-path
    "#]].assert_eq(&told("<include><uri>model://other</uri></include>"));
    expect![[r#"
        part:1:10: error[sdf-merge-include]: there is no model around it that it could be merged into
    "#]].assert_eq(&told("<include merge='true'><uri>model://t.sdf</uri></include>"));
    expect![[r#"
        part:1:1: error[sdf-missing-uri]: <include> has no <uri>; it is left out
    "#]]
    .assert_eq(&told("<include><name>x</name></include>"));
}
