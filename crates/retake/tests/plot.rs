//! Pictures and tables without a page.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::expect;
use support::Sandbox;

const ANGLE: &str = "pendulum::pivot::angle";

fn pendulum() -> &'static str {
    "scenarios/worlds/pendulum.sdf"
}

#[test]
fn every_format_is_written_and_twice_the_same() {
    let sandbox = Sandbox::new();
    let file = |name: &str| sandbox.folder.path().join(name).display().to_string();
    let energy =
        format!("energy = 0.5 * 1.004 * \"pendulum::pivot::velocity\"^2 - g * cos(\"{ANGLE}\")");
    let plot = |suffix: &str| {
        let outs: Vec<String> = ["svg", "png", "pdf", "csv", "parquet"]
            .map(|format| file(&format!("a{suffix}.{format}")))
            .into();
        let mut arguments = vec!["plot", pendulum(), "--seconds", "1", "--item", ANGLE];
        arguments.extend(["--item", &energy]);
        outs.iter().for_each(|out| arguments.extend(["--out", out]));
        sandbox.retake(&arguments).success();
        outs.iter().map(|out| std::fs::read(out).unwrap()).collect::<Vec<_>>()
    };
    let (first, second) = (plot("1"), plot("2"));
    let begins: Vec<String> =
        first.iter().map(|bytes| String::from_utf8_lossy(&bytes[..4]).into_owned()).collect();
    assert_eq!(begins, ["<svg", "\u{fffd}PNG", "%PDF", "time", "PAR1"]);
    for (one, two) in first.iter().zip(&second) {
        assert!(one == two, "not the same twice");
    }
    let table = String::from_utf8(first[3].clone()).unwrap();
    assert_eq!(table.lines().next().unwrap(), "time_s,pendulum::pivot::angle [rad],energy");
    assert_eq!(table.lines().count(), 1001);
}

#[test]
fn a_saved_table_is_plotted_again() {
    let sandbox = Sandbox::new();
    let file = |name: &str| sandbox.folder.path().join(name).display().to_string();
    for format in ["csv", "parquet"] {
        let (saved, again) = (file(&format!("run.{format}")), file("again.csv"));
        sandbox
            .retake(&["plot", pendulum(), "--seconds", "0.2", "--item", ANGLE, "--out", &saved])
            .success();
        let half = format!("half = \"{ANGLE}\" / 2");
        sandbox
            .retake(&["plot", &saved, "--item", ANGLE, "--item", &half, "--out", &again])
            .success();
        let again = std::fs::read_to_string(again).unwrap();
        assert_eq!(again.lines().count(), 201, "{format}");
        assert_eq!(again.lines().next().unwrap(), "time_s,pendulum::pivot::angle [rad],half");
    }
}

#[test]
fn what_cannot_be_plotted_is_told() {
    let sandbox = Sandbox::new();
    let mut told = String::new();
    let svg = sandbox.folder.path().join("x.svg").display().to_string();
    let layout = sandbox.write("bad.json", "{ \"version\": 1,\n \"tab\": 7 }");
    for (seconds, more) in [
        ("0.01", vec!["--item", "pendulum::nothing", "--out", &svg]),
        ("0.01", vec!["--item", "x = sqrt(", "--out", &svg]),
        ("0.01", vec!["--item", ANGLE, "--out", "x.jpg"]),
        ("0.01", vec!["--item", ANGLE, "--out", "/no/such/folder/x.svg"]),
        ("0.01", vec!["--item", "/clock:sim.sec", "--out", &svg]),
        ("0.01", vec!["--layout", &layout, "--out", &svg]),
        ("-1", vec!["--item", ANGLE, "--out", &svg]),
    ] {
        let arguments = [vec!["plot", pendulum(), "--seconds", seconds], more].concat();
        let ended = sandbox.retake(&arguments);
        told.push_str(&ended.complaint().replace(&*sandbox.folder.path().to_string_lossy(), "DIR"));
    }
    expect![[r#"
        exit 3
        pendulum::nothing has no values. Known signals: retake introspect list
        exit 3
        x: the expression ends where a value is missing
        exit 1
        retake: x.jpg: plots are saved as .svg, .png, .pdf, .csv or .parquet
        exit 1
        retake: Could not write /no/such/folder/x.svg: No such file or directory (os error 2). What was there before is untouched
        exit 1
        retake: /clock is a topic, and nobody publishes here. Start the world and plot live
        exit 1
        retake: DIR/bad.json: This is no layout, line 2, column 9: invalid type: integer `7`, expected a list
        exit 1
        retake: --seconds is -1; write a number above 0, up to 86400
    "#]]
    .assert_eq(&told);
}

#[test]
fn a_layout_given_at_the_start_has_the_first_step() {
    let sandbox = Sandbox::new();
    let layout = sandbox.write(
        "layout.json",
        r#"{ "version": 1, "tab": [{ "id": "t", "plot": [{ "id": "p", "curve": [
            { "id": "c", "signal": "pendulum::pivot::angle" }, { "id": "s", "signal": "iterations" } ] }] }] }"#,
    );
    let running =
        sandbox.start(&["run", pendulum(), "--port", "0", "--bus-port", "0", "--layout", &layout]);
    let get = |path: &str| {
        let mut stream = std::net::TcpStream::connect(running.page()).unwrap();
        let request = format!("GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", running.page());
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        let mut answer = String::new();
        std::io::Read::read_to_string(&mut stream, &mut answer).unwrap();
        answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()
    };
    let table = loop {
        let table = get("/plots/p/data.csv");
        if table.starts_with("time_s") {
            break table;
        }
    };
    let first = table.lines().nth(1).unwrap();
    assert!(first.starts_with("0.001,") && first.ends_with(",1"), "{first}");
    assert!(get("/plots/p/picture.svg?width=600").starts_with("<svg"));
    assert_eq!(get("/plots/none/picture.svg"), "There is no plot or tab \"none\"");
    assert_eq!(
        get("/plots/p/picture.gif"),
        "Plots are saved as .svg, .png, .pdf, .csv or .parquet"
    );
}
