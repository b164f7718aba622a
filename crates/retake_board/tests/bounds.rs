//! What the parts of a layout need together.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use expect_test::{Expect, expect};
use retake_board::{Board, Run};
use retake_msgs::{DerivedItem, Plot, PlotCurve, PlotLayout, PlotRun, PlotTab};
use retake_series::Series;

const WIDE: usize = 65_536;

fn item(name: &str, expression: &str) -> DerivedItem {
    DerivedItem { name: name.to_owned(), expression: expression.to_owned(), unit: String::new() }
}

/// An item with so many windows.
fn averages(name: &str, calls: usize, samples: usize) -> DerivedItem {
    item(name, &vec![format!("avg(x,{samples})"); calls].join("+"))
}

/// A layout that shows signals, each in a plot of its own, at samples per second.
fn layout(derived: Vec<DerivedItem>, shown: &[(&str, f64)]) -> PlotLayout {
    let plot = shown.iter().enumerate().map(|(number, (signal, rate_hz))| Plot {
        id: format!("p{number}"),
        rate_hz: *rate_hz,
        curve: vec![PlotCurve {
            id: format!("c{number}"),
            signal: (*signal).to_owned(),
            ..PlotCurve::default()
        }],
        ..Plot::default()
    });
    let tab = PlotTab { id: "t".to_owned(), plot: plot.collect(), ..PlotTab::default() };
    PlotLayout { version: 1, tab: vec![tab], derived, ..PlotLayout::default() }
}

fn taken(layout: PlotLayout) -> String {
    let taken = Board::new().replace_layout(layout, "test");
    taken.map_or_else(|error| error.to_string(), |()| "taken".to_owned())
}

fn check(layout: PlotLayout, expected: Expect) {
    expected.assert_eq(&taken(layout));
}

#[test]
fn windows_of_all_derived_items_are_bounded() {
    let many = || (0..300).map(|number| averages(&format!("d{number}"), 64, WIDE)).collect();
    let refusal = expect![[r#"
        The derived item "d3" goes beyond the limit: functions that look back keep 1258291200 samples in this layout, each item counted at each of its rates, and may keep 16000000. Look back on fewer"#]];
    check(layout(many(), &[]), refusal);
    // None of these functions keeps a sample in a window.
    let last = |more: &str| item("last", &format!("integral(x) + lowpass(x, 1) + cummax(x){more}"));
    let at_the_limit = |more: &str| {
        let items = (0..8).map(|number| averages(&format!("d{number}"), 50, 40_000));
        items.chain([last(more)]).collect()
    };
    check(layout(at_the_limit(""), &[("d0", 0.0), ("x", 5.0)]), expect!["taken"]);
    check(
        layout(at_the_limit("+ rms(x, 1)"), &[]),
        expect![[r#"
            The derived item "last" goes beyond the limit: functions that look back keep 16000001 samples in this layout, each item counted at each of its rates, and may keep 16000000. Look back on fewer"#]],
    );
}

#[test]
fn an_item_counts_at_each_rate_at_which_it_is_needed() {
    // Times are as wide as windows get. What shows the item needs it as well.
    let items = || vec![item("shown", "wide * 2"), item("wide", &["delay(x,1)"; 64].join("+"))];
    let rates = |count: u32| -> Vec<(&str, f64)> {
        (0..count).map(|rate| ("shown", f64::from(rate))).collect()
    };
    check(layout(items(), &rates(3)), expect!["taken"]);
    check(
        layout(items(), &rates(4)),
        expect![[r#"
            The derived item "wide" goes beyond the limit: functions that look back keep 16777216 samples in this layout, each item counted at each of its rates, and may keep 16000000. Look back on fewer"#]],
    );
    let same = [("shown", 0.0); 4];
    check(layout(items(), &same), expect!["taken"]);
}

#[test]
fn signals_that_expressions_need_are_bounded() {
    let signals: Vec<String> = (0..500).map(|number| format!("s{number}")).collect();
    let items = || vec![item("sum", &signals.join("+"))];
    let rates: Vec<(&str, f64)> = (0..20).map(|rate| ("sum", f64::from(rate))).collect();
    check(layout(items(), &rates[..19]), expect!["taken"]);
    check(
        layout(items(), &rates),
        expect![
            "A layout needs at most 10000 signals, those of expressions counted for each and at each rate, and this one needs more. Show fewer, or at fewer rates"
        ],
    );
}

#[test]
fn an_item_that_needs_itself_is_no_trap() {
    let items = vec![item("a", "b + avg(x, 2)"), item("b", "a + 1")];
    check(layout(items, &[("a", 0.0), ("b", 5.0)]), expect!["taken"]);
}

#[test]
fn texts_that_are_told_with_each_curve_are_bounded() {
    let long = "m".repeat(4097);
    let mut unit = layout(vec![item("d", "x")], &[]);
    unit.derived[0].unit.clone_from(&long);
    check(unit, expect![[r#"unit of "d" is 4097 bytes long; write no more than 4096 bytes"#]]);
    let run = |title: &str, file: &str| {
        let run = PlotRun {
            id: "r".to_owned(),
            title: title.to_owned(),
            file: file.to_owned(),
            ..PlotRun::default()
        };
        PlotLayout { run: vec![run], ..layout(Vec::new(), &[]) }
    };
    check(
        run(&long, ""),
        expect![[r#"title of "r" is 4097 bytes long; write no more than 4096 bytes"#]],
    );
    check(
        run("", &long),
        expect![[r#"file of "r" is 4097 bytes long; write no more than 4096 bytes"#]],
    );
    let mut of_run = layout(Vec::new(), &[("x", 0.0)]);
    of_run.tab[0].plot[0].curve[0].run = long;
    check(of_run, expect![[r#"run of "c0" is 4097 bytes long; write no more than 4096 bytes"#]]);
}

#[test]
fn derived_items_of_runs_share_what_may_be_kept() {
    // 9,000 series: 90 runs with a chain of 100 items each.
    let mut items = vec![item("d0", "x + 1")];
    items.extend(
        (1..100).map(|number| item(&format!("d{number}"), &format!("d{} + 1", number - 1))),
    );
    let mut layout = layout(items, &[("d99", 0.0); 90]);
    for (number, plot) in layout.tab[0].plot.iter_mut().enumerate() {
        plot.curve[0].run = format!("r{number}");
        layout.run.push(PlotRun { id: format!("r{number}"), ..PlotRun::default() });
    }
    let mut board = Board::new();
    board.replace_layout(layout, "test").unwrap();
    let mut x = Series::new();
    (0..30_000).for_each(|time_ns| {
        x.push(0, time_ns, 1.0);
    });
    let mut run = Run::default();
    run.signals.insert("x".to_owned(), (x, String::new()));
    board.fill_run("r0", run);
    let curve = board.samples("p0", 0.0, 1.0).unwrap().remove(0);
    let values = &curve.traces[0].y;
    // 11,111 each, and less than two chunks of 4,096 more; the latest stay.
    assert!((11_111..11_111 + 8192).contains(&values.len()), "{}", values.len());
    assert_eq!((curve.traces[0].x.last(), values.last()), (Some(&29_999e-9), Some(&101.0)));
}
