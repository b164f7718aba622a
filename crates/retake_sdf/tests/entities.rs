//! Files that declare entities: nothing is expanded, nothing is fetched, and the error says so.

mod common;

use common::read;

fn world_after(doctype: &str, inside: &str) -> String {
    format!(
        "<?xml version='1.0'?>\n{doctype}\n<sdf version='1.9'><world name='w'>{inside}</world></sdf>"
    )
}

/// Ten times ten times … a few letters: three gigabytes, were it expanded.
fn laughs() -> String {
    let mut text = "<!DOCTYPE sdf [<!ENTITY l0 'lol'>".to_owned();
    for level in 1..=9 {
        let inner = format!("&l{};", level - 1).repeat(10);
        text += &format!("<!ENTITY l{level} '{inner}'>");
    }
    text + "]>"
}

#[test]
fn entities_that_multiply_are_not_expanded() {
    let (world, said) = read(&world_after(&laughs(), "<model name='&l9;'/>"));
    assert!(world.is_none());
    let expected = "w.sdf:2:11: error[xml-entity-declaration]: \
                    the file declares entities, which are not expanded\n";
    assert_eq!(said, expected);
}

#[test]
fn entities_outside_are_not_fetched() {
    for source in [
        "SYSTEM 'file:///etc/passwd'",
        "SYSTEM 'http://127.0.0.1:9/secret'",
        "PUBLIC 'x' '/etc/passwd'",
    ] {
        let doctype = format!("<!DOCTYPE sdf [<!ENTITY x {source}>]>");
        let (world, said) = read(&world_after(&doctype, "<model name='&x;'/>"));
        assert!(world.is_none(), "{source}");
        assert!(said.contains("error[xml-entity-declaration]"), "{said}");
        assert!(!said.contains("root:"), "{said}");
    }
    // A document type elsewhere is not fetched either; the world is read without it.
    let (world, said) = read(&world_after("<!DOCTYPE sdf SYSTEM '/etc/passwd'>", ""));
    assert!(world.is_some());
    assert_eq!(said, "w.sdf:2:11: warning[xml-doctype]: the document type is ignored\n");
}

#[test]
fn entities_that_nobody_declared_stay_text() {
    let (world, said) = read(&world_after("", "<model name='a&nope;b'><link name='l'/></model>"));
    let world = world.unwrap();
    assert_eq!(world.models[0].name, "a&nope;b", "{said}");
}
