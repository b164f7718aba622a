//! Folders of motions: changes are seen, bad files do not hurt the others.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use retake_motion::file::Shelf;
use tempfile::TempDir;

fn motion(note: &str) -> String {
    format!(
        "format = 1\ndescription = \"{note}\"\njoints = [\"a\"]\n\
         waypoints = [{{ time = 0, positions = [0] }}, {{ time = 2, positions = [1] }}]\n"
    )
}

fn playing(names: &[&str]) -> String {
    let action = |name: &&str| {
        format!("{{ time = 0, type = \"motion/joint_trajectory\", command = \"{name}\" }}")
    };
    let actions: Vec<String> = names.iter().map(action).collect();
    format!("{}actions = [{}]\n", motion("plays"), actions.join(", "))
}

/// A folder with files, and the shelf of it.
struct Case {
    folder: TempDir,
    shelf: Shelf,
}

impl Case {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let shelf = Shelf::new(vec![folder.path().to_owned()]);
        let mut case = Self { folder, shelf };
        files.iter().for_each(|(name, text)| case.put(name, text));
        assert!(case.shelf.refresh());
        assert!(!case.shelf.refresh(), "nothing changed");
        case
    }

    fn put(&mut self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// Returns names and descriptions, then problems without the folder.
    fn told(&self) -> String {
        let folder = self.folder.path().display().to_string();
        let motions = self.shelf.motions().map(|(name, path, motion)| {
            let file = path.file_name().unwrap().to_str().unwrap();
            format!("{name} = {} ({file})\n", motion.description)
        });
        let problems = self.shelf.problems().into_iter().map(|problem| format!("! {problem}\n"));
        motions.chain(problems).collect::<String>().replace(&folder, "…")
    }

    fn resolved(&self, name: &str) -> String {
        let folder = self.folder.path().display().to_string();
        match self.shelf.resolve(name) {
            Ok(resolved) => {
                let names: Vec<&str> = resolved.nested.iter().map(|m| m.name.as_str()).collect();
                format!("{} plays [{}]", resolved.motion.name, names.join(", "))
            }
            Err(error) => error.to_string().replace(&folder, "…"),
        }
    }
}

fn check(case: &Case, expected: Expect) {
    expected.assert_eq(&case.told());
}

#[test]
fn changes_are_seen() {
    let mut case = Case::new(&[("nod.motion.toml", &motion("one")), ("readme.md", "not a motion")]);
    check(
        &case,
        expect![[r#"
        nod = one (nod.motion.toml)
    "#]],
    );
    let old = case.shelf.get("nod").unwrap();

    case.put("nod.motion.toml", &motion("another"));
    case.put("bow.csv", "time,a\n0,1\n");
    assert!(case.shelf.refresh());
    check(
        &case,
        expect![[r#"
        bow =  (bow.csv)
        nod = another (nod.motion.toml)
    "#]],
    );
    assert_eq!(old.description, "one", "who holds a motion keeps it");

    case.put("nod.motion.toml", "format = 1\nwaypionts = []\n");
    assert!(case.shelf.refresh());
    check(
        &case,
        expect![[r#"
        bow =  (bow.csv)
        ! …/nod.motion.toml:2:1: error[motion-unknown-key]: "waypionts" is not known here. Did you mean "waypoints"?
    "#]],
    );

    fs::remove_file(case.folder.path().join("nod.motion.toml")).unwrap();
    assert!(case.shelf.refresh());
    check(
        &case,
        expect![[r#"
        bow =  (bow.csv)
    "#]],
    );
}

#[test]
fn what_did_not_change_is_not_read_again() {
    let mut case = Case::new(&[("nod.motion.toml", &motion("one"))]);
    let before = case.shelf.get("nod").unwrap();
    case.put("bow.motion.toml", &motion("two"));
    assert!(case.shelf.refresh());
    assert!(std::sync::Arc::ptr_eq(&before, &case.shelf.get("nod").unwrap()));
}

#[cfg(unix)]
#[test]
fn a_file_put_in_the_place_of_another_is_seen() {
    let mut case = Case::new(&[("nod.motion.toml", &motion("one"))]);
    case.put("half-written", &motion("two"));
    let folder = case.folder.path();
    // Of the same length, and as old: only its place on the disk is another.
    let old = fs::metadata(folder.join("nod.motion.toml")).unwrap().modified().unwrap();
    let new = fs::File::options().write(true).open(folder.join("half-written")).unwrap();
    new.set_modified(old).unwrap();
    fs::rename(folder.join("half-written"), folder.join("nod.motion.toml")).unwrap();
    assert!(case.shelf.refresh());
    assert_eq!(case.shelf.get("nod").unwrap().description, "two");
}

#[test]
fn one_name_counts_once() {
    let late = TempDir::new().unwrap();
    fs::write(late.path().join("nod.motion.toml"), motion("late")).unwrap();
    fs::write(late.path().join("bow.motion.toml"), motion("late")).unwrap();
    let mut case =
        Case::new(&[("nod.csv", "time,a\n0,1\n"), ("nod.motion.toml", &motion("first"))]);
    let folders = [case.folder.path(), late.path(), Path::new("/no/such/folder")];
    case.shelf = Shelf::new(folders.map(Path::to_owned).to_vec());
    assert!(case.shelf.refresh());
    let told = case.told().replace(&late.path().display().to_string(), "late");
    expect![[r#"
        bow = late (bow.motion.toml)
        nod = first (nod.motion.toml)
        ! /no/such/folder: No such file or directory (os error 2). Name a folder that can be read
        ! …/nod.csv: the name "nod" is taken by …/nod.motion.toml. Rename one of them
        ! late/nod.motion.toml: the name "nod" is taken by …/nod.motion.toml. Rename one of them
    "#]]
    .assert_eq(&told);
}

#[test]
fn a_broken_file_is_not_replaced_by_a_later_one() {
    let late = TempDir::new().unwrap();
    fs::write(late.path().join("nod.motion.toml"), motion("late")).unwrap();
    let mut case = Case::new(&[("nod.motion.toml", "format = 2")]);
    case.shelf = Shelf::new(vec![case.folder.path().to_owned(), late.path().to_owned()]);
    assert!(case.shelf.refresh());
    assert!(case.shelf.get("nod").is_none());
    expect![[r#"motion "nod" cannot be read: …/nod.motion.toml:1:10: error[motion-format]: format 2 is not known. Write format = 1"#]].assert_eq(&case.resolved("nod"));
}

#[test]
fn motions_of_motions_are_found() {
    let chain: Vec<(String, String)> = (0..10)
        .map(|index| {
            (format!("deep{index}.motion.toml"), playing(&[&format!("deep{}", index + 1)]))
        })
        .collect();
    let mut files: Vec<(&str, String)> = vec![
        ("nod.motion.toml", motion("")),
        ("sit.motion.toml", playing(&["nod"])),
        ("greet.motion.toml", playing(&["sit", "nod", "sit"])),
        ("deep10.motion.toml", motion("")),
        ("snake.motion.toml", playing(&["tail"])),
        ("tail.motion.toml", playing(&["snake"])),
        ("lost.motion.toml", playing(&["nodd"])),
        ("outside.motion.toml", playing(&["../nod"])),
        ("broken.motion.toml", "format = 1\njoints = [".to_owned()),
        ("breaks.motion.toml", playing(&["broken"])),
    ];
    files.extend(chain.iter().map(|(name, text)| (name.as_str(), text.clone())));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let case = Case::new(&files);
    let names = [
        "nod", "greet", "deep2", "deep1", "snake", "lost", "outside", "../nod", "breaks", "gret",
        "",
    ];
    let told: Vec<String> = names.map(|name| case.resolved(name)).to_vec();
    expect![[r#"
        nod plays []
        greet plays [sit, nod]
        deep2 plays [deep3, deep4, deep5, deep6, deep7, deep8, deep9, deep10]
        motions play motions more than 8 deep: deep1 → deep2 → deep3 → deep4 → deep5 → deep6 → deep7 → deep8 → deep9 → deep10
        motions play one another without end: snake → tail → snake
        no motion named "nodd", which "lost" plays. Did you mean "nod"?
        "../nod" is not the name of a motion; write a name without folders
        "../nod" is not the name of a motion; write a name without folders
        motion "broken" cannot be read: …/broken.motion.toml:2:11: error[motion-syntax]: unclosed array, expected `]`. Correct the TOML here
        no motion named "gret". Did you mean "greet"?
        "" is not the name of a motion; write a name without folders
    "#]].assert_eq(&(told.join("\n") + "\n"));
}

#[test]
fn many_ways_through_motions_are_followed_once() {
    let names: Vec<String> = (0..8).map(|index| format!("m{index}")).collect();
    let texts: Vec<(String, String)> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let next = names.get(index + 1).map(String::as_str);
            (
                format!("{name}.motion.toml"),
                playing(&vec![next; 200].into_iter().flatten().collect::<Vec<_>>()),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let case = Case::new(&files);
    assert_eq!(case.shelf.resolve("m0").unwrap().nested.len(), 7);
}

#[test]
fn a_compound_has_the_times_of_the_shelf() {
    let compound = r#"{"action_list": [
        {"cmd": {"type": "motion/joint_trajectory", "command": "nod"}, "seq_delay": 0.5, "seq_num": 0},
        {"cmd": {"type": "voice/say", "command": "Hello"}, "seq_delay": 1.0, "seq_num": 1},
        {"cmd": {"type": "motion/joint_trajectory", "command": "bow"}, "seq_delay": 0.0, "seq_num": 2}
    ]}"#;
    let mut case = Case::new(&[("nod.motion.toml", &motion("")), ("hello.json", compound)]);
    let times = |case: &Case| -> Vec<f64> {
        case.shelf.get("hello").unwrap().actions.iter().map(|action| action.time_secs).collect()
    };
    assert_eq!(times(&case), [0.5, 3.5, 3.5]);
    check(
        &case,
        expect![[r#"
        hello =  (hello.json)
        nod =  (nod.motion.toml)
        ! …/hello.json: nobody knows how long voice/say "Hello" takes. It counts as 0 s
    "#]],
    );
    // A motion that becomes longer moves what waits for it.
    case.put("nod.motion.toml", &motion("longer").replace("time = 2", "time = 4"));
    assert!(case.shelf.refresh());
    assert_eq!(times(&case), [0.5, 5.5, 5.5]);
}

#[cfg(unix)]
#[test]
fn links_that_leave_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = TempDir::new().unwrap();
    fs::write(outside.path().join("secret.motion.toml"), motion("outside")).unwrap();
    let mut case = Case::new(&[("nod.motion.toml", &motion("inside"))]);
    let folder = case.folder.path();
    symlink(outside.path().join("secret.motion.toml"), folder.join("secret.motion.toml")).unwrap();
    symlink(folder.join("nod.motion.toml"), folder.join("same.motion.toml")).unwrap();
    fs::create_dir(folder.join("folder.motion.toml")).unwrap();
    fs::write(folder.join("bytes.csv"), [0xff, 0xfe]).unwrap();
    assert!(case.shelf.refresh());
    check(
        &case,
        expect![[r#"
        nod = inside (nod.motion.toml)
        same = inside (same.motion.toml)
        ! …/secret.motion.toml: the link leads out of the folder. Put the file here
        ! …/bytes.csv: byte 0 is not UTF-8. Save it as UTF-8 text
    "#]],
    );
}
