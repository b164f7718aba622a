//! A board from the layout to what is drawn.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::f64::consts::TAU;
use std::fmt::Write;

use expect_test::expect;
use prost::Message;
use retake_board::{Board, Run, Window, layout_from_json, layout_to_json};
use retake_math::SimTime;
use retake_msgs::{
    EntityPose, FilteredItem, IntrospectionFilter, IntrospectionItem, IntrospectionSample,
    PastPart, PastSamples, PastStretch, PlotFrame, PoseV, TimeJumped, introspection_item,
};

const LAYOUT: &str = r#"{
  "version": 1,
  "tab": [{ "id": "t", "title": "Swing", "plot": [
    { "id": "p", "curve": [
      { "id": "a", "signal": "m::pivot::angle" },
      { "id": "e", "signal": "energy", "rightAxis": true }
    ] }
  ] }],
  "derived": [
    { "name": "energy", "expression": "speed^2 / 2 + g * (1 - cos(\"m::pivot::angle\"))", "unit": "J" },
    { "name": "speed", "expression": "\"m::pivot::velocity\"", "unit": "rad/s" }
  ]
}"#;

const ALL: Window = Window { from_secs: Some(-1e6), to_secs: Some(1e6), pixels: 1000 };

fn board(layout: &str) -> Board {
    let mut board = Board::new();
    board.replace_layout(layout_from_json(layout).unwrap(), "test").unwrap();
    board
}

fn filter(items: &[(&str, &str)]) -> IntrospectionFilter {
    let item = items.iter().enumerate().map(|(place, (name, unit))| FilteredItem {
        item: Some(IntrospectionItem {
            name: (*name).to_owned(),
            r#type: introspection_item::Type::Double.into(),
            unit: (*unit).to_owned(),
            ..IntrospectionItem::default()
        }),
        offset: place as u32,
        count: 1,
        gone: false,
    });
    IntrospectionFilter { ok: true, item: item.collect(), ..IntrospectionFilter::default() }
}

fn pendulum() -> IntrospectionFilter {
    filter(&[("m::pivot::angle", "rad"), ("m::pivot::velocity", "rad/s")])
}

fn sample(millis: i64, epoch: u64, value: &[f64]) -> IntrospectionSample {
    IntrospectionSample {
        stamp: Some(SimTime::from_nanos(millis * 1_000_000).into()),
        epoch,
        value: value.to_vec(),
        ..IntrospectionSample::default()
    }
}

fn jump(epoch: u64, parent_epoch: u64, from: i64, to: i64) -> TimeJumped {
    let time = |millis: i64| Some(SimTime::from_nanos(millis * 1_000_000).into());
    let cause = "undo".to_owned();
    TimeJumped { from: time(from), to: time(to), cause, epoch, parent_epoch, ..Default::default() }
}

/// The lines of a frame, as text.
fn lines(frame: &PlotFrame) -> String {
    let numbers = |bytes: &[u8]| -> Vec<String> {
        let number = |eight: &[u8]| f64::from_le_bytes(eight.try_into().unwrap());
        bytes.chunks(8).map(|eight| format!("{:.3}", number(eight))).collect()
    };
    let mut text = String::new();
    for trace in &frame.trace {
        let dim = if trace.discarded { " discarded" } else { "" };
        let x = if trace.x.is_empty() { "same".to_owned() } else { numbers(&trace.x).join(" ") };
        let y = numbers(&trace.y).join(" ");
        writeln!(text, "{}{dim}: {x} | {y}", trace.curve_id).unwrap();
    }
    text
}

#[test]
fn curves_and_derived_items_follow_their_samples() {
    let mut board = board(LAYOUT);
    let wanted = board.wanted();
    assert_eq!(wanted.items[&(None, 0)], ["m::pivot::angle", "m::pivot::velocity"]);
    for (millis, angle, velocity) in [(0, 0.0, 2.0), (1, 0.5, 1.0), (2, f64::NAN, 0.0)] {
        board.take((None, 0), &pendulum(), &sample(millis, 0, &[angle, velocity]));
    }
    expect![[r#"
        a: 0.000 0.001 0.002 | 0.000 0.500 NaN
        e: same | 2.000 1.701 NaN
    "#]]
    .assert_eq(&lines(&board.frame("p", ALL).unwrap()));
    let state = board.state();
    let units: Vec<_> = state.curve.iter().map(|c| (c.unit.as_str(), c.gone)).collect();
    assert_eq!(units, [("rad", false), ("J", false)]);
    assert_eq!(state.problem, []);
}

#[test]
fn a_curve_is_there_as_soon_as_its_filter_is() {
    let mut board = board(LAYOUT);
    assert!(board.state().curve.iter().all(|curve| curve.gone));
    board.describe((None, 0), &pendulum());
    let facts: Vec<_> =
        board.state().curve.into_iter().map(|curve| (curve.unit, curve.gone)).collect();
    assert_eq!(facts, [("rad".to_owned(), false), ("J".to_owned(), false)]);
}

#[test]
fn undo_leaves_a_branch_and_what_is_integrated_goes_on_from_there() {
    let layout = r#"{ "version": 1, "tab": [{ "id": "t", "plot": [{ "id": "p", "curve": [
        { "id": "v", "signal": "v" }, { "id": "way", "signal": "way" } ] }] }],
        "derived": [{ "name": "way", "expression": "integral(v) * 1000" }] }"#;
    let mut board = board(layout);
    let described = filter(&[("v", "m/s")]);
    for millis in 0..4 {
        board.take((None, 0), &described, &sample(millis, 0, &[1.0]));
    }
    // The sample of the new stretch comes before the news of the jump.
    board.take((None, 0), &described, &sample(2, 1, &[5.0]));
    board.jump(&jump(1, 0, 3, 1));
    board.take((None, 0), &described, &sample(3, 1, &[5.0]));
    expect![[r#"
        v: 0.000 0.001 0.002 0.003 | 1.000 1.000 5.000 5.000
        v discarded: 0.001 0.002 0.003 | 1.000 1.000 1.000
        way: 0.000 0.001 0.002 0.003 | 0.000 1.000 4.000 9.000
    "#]]
    .assert_eq(&lines(&board.frame("p", ALL).unwrap()));
    assert_eq!(board.frame("p", ALL).unwrap().jump[0].cause, "undo");
}

#[test]
fn a_host_that_comes_late_goes_on_without_the_past() {
    let mut board = board(LAYOUT);
    board.take((None, 0), &pendulum(), &sample(7, 3, &[1.0, 0.0]));
    board.settle();
    assert_eq!(lines(&board.frame("p", ALL).unwrap()), "", "the news of the jump may still come");
    board.settle();
    assert!(lines(&board.frame("p", ALL).unwrap()).starts_with("a: 0.007 | 1.000\n"));
}

#[test]
fn a_kept_run_is_laid_over_and_subtracted() {
    let mut board = board(LAYOUT);
    for millis in 0..3 {
        board.take((None, 0), &pendulum(), &sample(millis, 0, &[millis as f64, 0.0]));
    }
    let id = board.keep_run("First", "test").unwrap();
    board.jump(&jump(1, 0, 2, -1));
    for millis in 0..3 {
        board.take((None, 0), &pendulum(), &sample(millis, 1, &[millis as f64 * 10.0, 0.0]));
    }
    let mut layout = board.layout().clone();
    layout.run[0].offset_secs = 0.001;
    let curve = |id: &str, signal: &str, run: &str| retake_msgs::PlotCurve {
        id: id.to_owned(),
        signal: signal.to_owned(),
        run: run.to_owned(),
        ..Default::default()
    };
    layout.tab[0].plot[0].curve =
        vec![curve("a", "m::pivot::angle", ""), curve("b", "energy", &id), curve("d", "gap", "")];
    layout.tab[0].plot[0].curve.push(curve("o", "m::pivot::angle", &id));
    layout.derived.push(retake_msgs::DerivedItem {
        name: "gap".to_owned(),
        expression: format!("\"m::pivot::angle\" - run(\"{id}\", \"m::pivot::angle\")"),
        unit: "rad".to_owned(),
    });
    board.set_layout(layout, board.revision(), "test").unwrap();
    for millis in 3..5 {
        board.take((None, 0), &pendulum(), &sample(millis, 1, &[millis as f64 * 10.0, 0.0]));
    }
    expect![[r#"
        a: 0.000 0.001 0.002 0.003 0.004 | 0.000 10.000 20.000 30.000 40.000
        a discarded: 0.000 0.001 0.002 | 0.000 1.000 2.000
        b: 0.001 0.002 0.003 | 0.000 4.508 13.888
        d: 0.000 0.001 0.002 0.003 | NaN 10.000 19.000 28.000
        o: 0.001 0.002 0.003 | 0.000 1.000 2.000
    "#]]
    .assert_eq(&lines(&board.frame("p", ALL).unwrap()));
}

/// Two branches that part at 1 ms; what is live now left both at 0 ms.
fn branches() -> Board {
    let mut board = board(LAYOUT);
    for millis in 0..4 {
        board.take((None, 0), &pendulum(), &sample(millis, 0, &[millis as f64, 0.0]));
    }
    board.jump(&jump(1, 0, 3, 1));
    for millis in 2..6 {
        board.take((None, 0), &pendulum(), &sample(millis, 1, &[millis as f64 * 10.0, 0.0]));
    }
    board.jump(&jump(2, 0, 5, 0));
    board.take((None, 0), &pendulum(), &sample(1, 2, &[-1.0, 0.0]));
    board
}

#[test]
fn branches_are_laid_over_one_another_and_subtracted() {
    let mut board = branches();
    let one = board.keep_branch("main-1", (0, 3_000_000), None, "test").unwrap();
    let other = board.keep_branch("main-2", (1, 4_000_000), None, "test").unwrap();
    assert_eq!(
        board.layout().run.iter().map(|run| run.title.as_str()).collect::<Vec<_>>(),
        ["main-1", "main-2"]
    );
    let mut layout = board.layout().clone();
    let curve = |id: &str, signal: &str, run: &str| retake_msgs::PlotCurve {
        id: id.to_owned(),
        signal: signal.to_owned(),
        run: run.to_owned(),
        ..Default::default()
    };
    let angle = "m::pivot::angle";
    layout.tab[0].plot[0].curve =
        vec![curve("a", angle, &one), curve("b", angle, &other), curve("d", "apart", &one)];
    layout.derived.push(retake_msgs::DerivedItem {
        name: "apart".to_owned(),
        expression: format!("\"{angle}\" - run(\"{other}\", \"{angle}\")"),
        unit: "rad".to_owned(),
    });
    board.set_layout(layout, board.revision(), "test").unwrap();
    // Nothing of one branch is on the other, nor of what is live, and none goes beyond its end.
    expect![[r#"
        a: 0.000 0.001 0.002 0.003 | 0.000 1.000 2.000 3.000
        b: 0.000 0.001 0.002 0.003 0.004 | 0.000 1.000 20.000 30.000 40.000
        d: 0.000 0.001 0.002 0.003 | 0.000 0.000 -18.000 -27.000
    "#]]
    .assert_eq(&lines(&board.frame("p", ALL).unwrap()));
}

#[test]
fn what_was_not_heard_of_a_branch_is_said_to_be_missing() {
    let mut board = branches();
    let refused = board.keep_branch("elsewhere", (7, i64::MAX), None, "test").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Nothing that is plotted is known of \"elsewhere\". Plot values of the world: those are \
         computed again as far back as the timeline is kept"
    );
    // A value that is plotted only now is in no branch that was left before.
    let mut layout = board.layout().clone();
    let late = retake_msgs::PlotCurve {
        id: "late".to_owned(),
        signal: "late".to_owned(),
        ..Default::default()
    };
    layout.tab[0].plot[0].curve.push(late);
    board.set_layout(layout, board.revision(), "test").unwrap();
    board.take((None, 0), &filter(&[("late", "m")]), &sample(2, 2, &[4.0]));
    let id = board.keep_branch("main-1", (0, 3_000_000), None, "test").unwrap();
    assert!(!board.run_signals(&id).iter().any(|(signal, _)| signal == "late"));
    let mut layout = board.layout().clone();
    if let Some(curve) = layout.tab[0].plot[0].curve.last_mut() {
        curve.run = id;
    }
    board.set_layout(layout, board.revision(), "test").unwrap();
    let told = board.state().problem;
    assert!(told.iter().any(|problem| problem.message == "late is not in this run"), "{told:?}");
}

/// What a branch was like, computed again.
fn computed() -> PastSamples {
    let sampled = |millis: i64, epoch: u64| sample(millis, epoch, &[millis as f64 * 0.5]);
    let begin = |millis: i64| Some(SimTime::from_nanos(millis * 1_000_000).into());
    let stretch = |epoch: u64, millis: i64| PastStretch { epoch, begin: begin(millis) };
    let samples = [(1, 0), (2, 0), (3, 1), (4, 1)].map(|(millis, epoch)| sampled(millis, epoch));
    let part = PastPart { filter: Some(filter(&[("late", "m")])), sample: samples.to_vec() };
    PastSamples { stretch: vec![stretch(0, 0), stretch(1, 2)], part: vec![part], every: 1 }
}

#[test]
fn what_was_computed_again_completes_what_was_heard() {
    let mut board = branches();
    let mut layout = board.layout().clone();
    let curve = |id: &str, signal: &str, run: &str| retake_msgs::PlotCurve {
        id: id.to_owned(),
        signal: signal.to_owned(),
        run: run.to_owned(),
        ..Default::default()
    };
    layout.tab[0].plot[0].curve.push(curve("late", "late", ""));
    board.set_layout(layout, board.revision(), "test").unwrap();
    let run = Run::of_past(board.layout(), &computed()).unwrap();
    let id = board.keep_branch("main-2", (1, 4_000_000), Some(run), "test").unwrap();
    let mut layout = board.layout().clone();
    layout.tab[0].plot[0].curve = vec![curve("a", "m::pivot::angle", &id), curve("l", "late", &id)];
    board.set_layout(layout, board.revision(), "test").unwrap();
    expect![[r#"
        a: 0.000 0.001 0.002 0.003 0.004 | 0.000 1.000 20.000 30.000 40.000
        l: 0.001 0.003 0.004 | 0.500 1.500 2.000
    "#]]
    .assert_eq(&lines(&board.frame("p", ALL).unwrap()));
}

#[test]
fn runs_are_aligned_by_an_event() {
    let layout = r#"{ "version": 1, "tab": [{ "id": "t", "plot": [{ "id": "p", "curve": [
        { "id": "h", "signal": "h" } ] }] }] }"#;
    let mut board = board(layout);
    let described = filter(&[("h", "m")]);
    for (millis, height) in [(0, 0.0), (1, 0.0), (2, 5.0)] {
        board.take((None, 0), &described, &sample(millis, 0, &[height]));
    }
    let id = board.keep_run("", "test").unwrap();
    let mut layout = board.layout().clone();
    layout.run[0].set_align(retake_msgs::plot_run::Align::Event);
    layout.run[0].align_event = "h > 1".to_owned();
    layout.tab[0].plot[0].curve[0].run = id;
    board.set_layout(layout, board.revision(), "test").unwrap();
    board.jump(&jump(1, 0, 2, -1));
    for (millis, height) in [(0, 0.0), (1, 0.0), (2, 0.0), (3, 0.0), (4, 7.0)] {
        board.take((None, 0), &described, &sample(millis, 1, &[height]));
    }
    board.realign();
    let frame = board.frame("p", ALL).unwrap();
    assert_eq!(lines(&frame), "h: 0.002 0.003 0.004 | 0.000 0.000 5.000\n");
}

#[test]
fn numbers_of_topics_are_taken_at_their_own_times() {
    let layout = r#"{ "version": 1, "tab": [{ "id": "t", "plot": [{ "id": "p", "rateHz": 500, "curve": [
        { "id": "i", "signal": "/poses:pose[1].pose.position.x" },
        { "id": "k", "signal": "/poses:pose{name=box}.pose.position.x" },
        { "id": "w", "signal": "/poses:pose[0].wrong" } ] }] }] }"#;
    let mut board = board(layout);
    assert!(board.wanted().topics.contains("/poses"));
    let pool = retake_msgs::descriptor_pool();
    board.learn_topic("/poses", pool.get_message_by_name("retake.msgs.PoseV").unwrap());
    let entity = |name: &str, x: f64| EntityPose {
        name: name.to_owned(),
        pose: Some(retake_math::Pose::from_position(retake_math::Vec3::X * x).into()),
        ..EntityPose::default()
    };
    for millis in 0..5 {
        let message = PoseV {
            stamp: Some(SimTime::from_nanos(millis * 1_000_000).into()),
            pose: vec![entity("box", millis as f64), entity("ball", -1.0)],
        };
        board.take_message("/poses", &message.encode_to_vec());
    }
    expect![[r#"
        i: 0.000 0.002 0.004 | -1.000 -1.000 -1.000
        k: same | 0.000 2.000 4.000
    "#]]
    .assert_eq(&lines(&board.frame("p", ALL).unwrap()));
    let gone: Vec<bool> = board.state().curve.iter().map(|curve| curve.gone).collect();
    assert_eq!(gone, [false, false, true]);
    let problems = board.state().problem;
    assert_eq!(problems.len(), 1);
    assert!(problems[0].message.starts_with("retake.msgs.EntityPose has no field \"wrong\""));
}

#[test]
fn topics_alone_are_given_a_clock() {
    let of = |signals: &[&str]| {
        let curve =
            |(at, signal): (usize, &&str)| format!(r#"{{ "id": "c{at}", "signal": "{signal}" }}"#);
        let curves: Vec<String> = signals.iter().enumerate().map(curve).collect();
        let plot = format!(r#"{{ "id": "p", "curve": [{}] }}"#, curves.join(","));
        board(&format!(r#"{{ "version": 1, "tab": [{{ "id": "t", "plot": [{plot}] }}] }}"#))
    };
    let items = |signals: &[&str]| of(signals).wanted().with_clock().items;
    assert!(items(&[]).is_empty());
    assert_eq!(items(&["m::pivot::angle"]).len(), 1);
    assert_eq!(items(&["/clock:sim.sec", "m::pivot::angle"]).len(), 1);
    let key = (None, 100_000);
    for signals in [&["/clock:sim.sec"][..], &["/clock:sim.sec", "mine#gain"]] {
        assert_eq!(items(signals)[&key], ["sim_time"], "{signals:?}");
    }
    // It is told, although no curve shows it.
    let mut board = of(&["/clock:sim.sec"]);
    board.take((None, key.1), &IntrospectionFilter::default(), &sample(7, 0, &[0.007]));
    assert_eq!(board.now_secs(), 0.007);
}

#[test]
fn cursors_measure_what_is_between_them() {
    let mut board = board(LAYOUT);
    for millis in 0..=1000 {
        let turn = f64::from(millis) / 1000.0 * TAU;
        board.take((None, 0), &pendulum(), &sample(millis.into(), 0, &[turn.sin(), 0.0]));
    }
    let measured = board.measure("p", 0.75, 0.25).unwrap().curve.remove(0);
    let rounded = |number: Option<f64>| (number.unwrap() * 1000.0).round() / 1000.0;
    assert_eq!(measured.count, 501);
    assert_eq!((rounded(measured.first), rounded(measured.last)), (1.0, -1.0));
    assert_eq!((rounded(measured.min), rounded(measured.max)), (-1.0, 1.0));
    assert_eq!((rounded(measured.mean), rounded(measured.rms)), (0.0, 0.708));
}

#[test]
fn other_kinds_of_plots() {
    let layout = r#"{ "version": 1, "tab": [{ "id": "t", "plot": [
        { "id": "xy", "kind": "KIND_XY", "curve": [
            { "id": "c", "signal": "m::pivot::velocity", "xSignal": "m::pivot::angle" } ] },
        { "id": "f", "kind": "KIND_SPECTRUM", "curve": [
            { "id": "s", "signal": "m::pivot::angle" } ] } ] }] }"#;
    let mut board = board(layout);
    for millis in 0..1024 {
        let turn = f64::from(millis) / 1024.0 * TAU * 16.0;
        board.take(
            (None, 0),
            &pendulum(),
            &sample(millis.into(), 0, &[3.0 * turn.sin(), turn.cos()]),
        );
    }
    let frame = board.frame("xy", Window { pixels: 4096, ..ALL }).unwrap();
    assert_eq!(frame.trace[0].x.len(), 1024 * 8);
    let (.., curves) = board.drawn("f", ALL).unwrap();
    let trace = &curves[0].traces[0];
    let loudest = trace.y.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
    assert!((trace.x[loudest] - 15.64).abs() < 0.1, "{} Hz", trace.x[loudest]);
    assert!((trace.y[loudest] - 3.0).abs() < 0.01, "{}", trace.y[loudest]);
}

#[test]
fn layouts_survive_printing() {
    let layout = layout_from_json(LAYOUT).unwrap();
    assert_eq!(layout_from_json(&layout_to_json(&layout)).unwrap(), layout);
}

#[test]
fn bad_layouts_are_refused_with_the_place() {
    let plot = |inside: &str| {
        format!(
            r#"{{ "version": 1, "tab": [{{ "id": "t", "plot": [{{ "id": "p", {inside} }}] }}] }}"#
        )
    };
    let mut table = String::new();
    for text in [
        "{ \"version\": 1,\n  \"tab\": [ }".to_owned(),
        "{ \"version\": 1,\n  \"tabs\": [] }".to_owned(),
        "{}".to_owned(),
        "{ \"version\": 2 }".to_owned(),
        plot(r#""rateHz": -1"#),
        plot(r#""left": { "min": 2, "max": 1 }"#),
        plot(r#""curve": [{ "id": "c" }, { "id": "c" }]"#),
        plot(r#""curve": [{ "id": "c", "color": "red" }]"#),
        r#"{ "version": 1, "derived": [{ "name": "2x" }] }"#.to_owned(),
    ] {
        writeln!(table, "{}", layout_from_json(&text).unwrap_err()).unwrap();
    }
    expect![[r#"
        This is no layout, line 2, column 12: expected value
        This is no layout, line 2, column 8: unrecognized field name 'tabs'
        The layout is of version 0, and only version 1 can be read
        The layout is of version 2, and only version 1 can be read
        rate_hz of "p" is -1; write a number that makes sense
        min of "p" is 2; write a number below max
        curve "c" is there twice or has no name. Give each a name of its own
        color of "c" is "red"; write it as in #1f77b4
        name of "2x" is "2x"; write letters, digits and _, not beginning with a digit
    "#]]
    .assert_eq(&table);
}

#[test]
fn mistakes_in_expressions_are_placed_and_do_no_harm() {
    let layout = r#"{ "version": 1, "tab": [{ "id": "t", "plot": [{ "id": "p", "curve": [
        { "id": "a", "signal": "ring" }, { "id": "b", "signal": "wrong" } ] }] }],
        "derived": [
            { "name": "ring", "expression": "other + 1" },
            { "name": "other", "expression": "ring - 1" },
            { "name": "wrong", "expression": "sqrt(x" },
            { "name": "still", "expression": "1 + 2" }
        ] }"#;
    let mut board = board(layout);
    let mut table = String::new();
    for problem in board.state().problem {
        let retake_msgs::PlotProblem { subject, message, column, length } = problem;
        writeln!(table, "{subject} {column}+{length}: {message}").unwrap();
    }
    expect![[r#"
        other 0+8: other is computed from itself
        still 0+5: the expression needs at least one signal, whose samples it follows
        wrong 4+1: the ) for this ( is missing
    "#]]
    .assert_eq(&table);
    assert_eq!(lines(&board.frame("p", ALL).unwrap()), "");
}

#[test]
fn who_is_too_late_is_told() {
    let mut board = board(LAYOUT);
    let layout = board.layout().clone();
    let refused = board.set_layout(layout, 0, "page 2").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "The plots were changed by test meanwhile. Look at them and do it again"
    );
}
