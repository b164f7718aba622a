//! Plots of pages, with the server in another process and in their own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use retake_msgs::host_message::Message as Told;
use retake_msgs::{
    BrowseSignals, KeepPlotRun, LoadPlotLayout, LoadPlotRun, MeasurePlot, PlotCurve, PlotFrame,
    PlotLayout, PlotLayoutState, PlotTab, PlotView, SetPlotLayout, WatchPlots, page_message,
    request,
};
use support::Sandbox;
use support::page::Page;

fn layout(signals: &[&str]) -> PlotLayout {
    let curve = signals.iter().map(|signal| PlotCurve {
        id: (*signal).to_owned(),
        signal: (*signal).to_owned(),
        ..PlotCurve::default()
    });
    let plot = retake_msgs::Plot { id: "p".into(), curve: curve.collect(), ..Default::default() };
    let tab = PlotTab { id: "t".into(), plot: vec![plot], ..PlotTab::default() };
    PlotLayout { version: 1, tab: vec![tab], ..PlotLayout::default() }
}

async fn state_where(page: &mut Page, fits: impl Fn(&PlotLayoutState) -> bool) -> PlotLayoutState {
    page.until(|told| match told {
        Told::PlotLayout(state) if fits(state) => Some(state.clone()),
        _ => None,
    })
    .await
}

async fn show(page: &mut Page, layout: PlotLayout) -> PlotLayoutState {
    let known = state_where(page, |_| true).await;
    let set = SetPlotLayout { layout: Some(layout), base_revision: known.revision };
    let reply = page.call(request::Request::SetPlotLayout(set)).await;
    assert!(reply.ok, "{}", reply.message);
    let view =
        PlotView { plot_id: "p".into(), pixels: 500, from_secs: Some(0.0), to_secs: Some(1e6) };
    page.say(page_message::Message::WatchPlots(WatchPlots { view: vec![view] })).await;
    state_where(page, |state| state.revision > known.revision).await
}

async fn frame_where(page: &mut Page, fits: impl Fn(&PlotFrame) -> bool) -> PlotFrame {
    page.until(|told| match told {
        Told::PlotFrame(frame) if fits(frame) => Some(frame.clone()),
        _ => None,
    })
    .await
}

fn samples(frame: &PlotFrame, trace: usize) -> usize {
    frame.trace.get(trace).map_or(0, |trace| trace.y.len() / 8)
}

#[test]
fn two_pages_of_a_host_share_plots_and_another_host_has_its_own() {
    let sandbox = Sandbox::new();
    let _server = sandbox.start(&["server", "worlds/pendulums.sdf", "--bus-port", "0"]);
    let (first, second) =
        (sandbox.start(&["gui", "--port", "0"]), sandbox.start(&["gui", "--port", "0"]));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut one = Page::open(&first.page()).await;
        let signals = ["wave_1::pivot::angle", "/world/pendulums/stats:iterations"];
        let shown = show(&mut one, layout(&signals)).await;
        assert_eq!(shown.author, "test 1.1");
        let frame = frame_where(&mut one, |f| samples(f, 0) > 20 && samples(f, 1) > 1).await;
        assert_eq!(frame.trace[0].curve_id, signals[0]);
        let measure = MeasurePlot { plot_id: "p".into(), from_secs: 0.0, to_secs: 1e6 };
        let measured = one.call(request::Request::MeasurePlot(measure)).await.measures.unwrap();
        assert!(measured.curve[0].count > 20 && measured.curve[0].min < measured.curve[0].max);

        let mut beside = Page::open(&first.page()).await;
        let seen = state_where(&mut beside, |_| true).await;
        assert_eq!(seen.layout, shown.layout);
        let late = SetPlotLayout { layout: Some(layout(&[])), base_revision: 0 };
        let refused = beside.call(request::Request::SetPlotLayout(late)).await;
        assert!(refused.message.starts_with("The plots were changed by test 1.1 meanwhile"));

        let mut other = Page::open(&second.page()).await;
        let seen = state_where(&mut other, |_| true).await;
        assert!(seen.layout.unwrap().tab.is_empty());
    });
}

#[test]
fn undo_dims_what_it_takes_back_and_runs_are_compared() {
    let sandbox = Sandbox::new();
    let host = sandbox.start(&["run", "worlds/pendulums.sdf", "--port", "0", "--bus-port", "0"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut page = Page::open(&host.page()).await;
        show(&mut page, layout(&["wave_1::pivot::angle"])).await;
        frame_where(&mut page, |frame| samples(frame, 0) > 20).await;
        let moved = page.move_to("wave_2", 5.0, 0.0).await;
        assert!(moved.ok, "{}", moved.message);
        let before = frame_where(&mut page, |frame| samples(frame, 0) > 0).await;
        frame_where(&mut page, |frame| frame.now_secs > before.now_secs + 0.2).await;
        sandbox.retake(&["undo"]).success();
        let jumped = frame_where(&mut page, |frame| frame.trace.iter().any(|t| t.discarded)).await;
        assert_eq!(jumped.jump[0].cause, "undo");

        let kept = KeepPlotRun { title: "First".into(), ..KeepPlotRun::default() };
        assert!(page.call(request::Request::KeepPlotRun(kept)).await.ok);
        let kept =
            |state: &PlotLayoutState| state.layout.as_ref().is_some_and(|l| l.run.len() == 1);
        let state = state_where(&mut page, kept).await;
        let mut layout = state.layout.unwrap();
        let run = layout.run[0].id.clone();
        let overlay = PlotCurve {
            id: "old".into(),
            signal: "wave_1::pivot::angle".into(),
            run: run.clone(),
            ..PlotCurve::default()
        };
        layout.tab[0].plot[0].curve.push(overlay);
        let set = SetPlotLayout { layout: Some(layout), base_revision: state.revision };
        assert!(page.call(request::Request::SetPlotLayout(set)).await.ok);
        frame_where(&mut page, |f| f.trace.iter().any(|t| t.curve_id == "old")).await;
        let nodes = browse(&mut page, &format!("runs/{run}")).await;
        assert_eq!(nodes, ["wave_1::pivot::angle"]);
    });
}

async fn browse(page: &mut Page, node: &str) -> Vec<String> {
    let request = BrowseSignals { node: node.to_owned(), search: String::new() };
    let reply = page.call(request::Request::BrowseSignals(request)).await;
    assert!(reply.ok, "{node}: {}", reply.message);
    reply.signals.unwrap().node.into_iter().map(|node| node.label).collect()
}

#[test]
fn signals_are_found_in_the_tree_and_by_searching() {
    let sandbox = Sandbox::new();
    let host = sandbox.start(&["run", "worlds/pendulums.sdf", "--port", "0", "--bus-port", "0"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut page = Page::open(&host.page()).await;
        assert_eq!(browse(&mut page, "").await, ["Topics", "Models", "Simulation", "Programs"]);
        let simulation = browse(&mut page, "simulation").await;
        assert_eq!(simulation, ["sim_time", "real_time", "iterations", "real_time_factor"]);
        assert!(browse(&mut page, "topics").await.contains(&"/world/pendulums/pose/info".into()));
        let elements = browse(&mut page, "topics//world/pendulums/pose/info:pose").await;
        assert!(elements.len() > 10 && elements[3] == "[3]", "{elements:?}");
        let inside = browse(&mut page, "topics//world/pendulums/pose/info:pose[3].pose").await;
        assert_eq!(inside, ["position", "orientation"]);
        let search = BrowseSignals { node: String::new(), search: "WAVE_1::pivot::ANG".into() };
        let found = page.call(request::Request::BrowseSignals(search)).await.signals.unwrap();
        assert_eq!(found.node[0].signal, ["wave_1::pivot::angle"]);
        let gone = BrowseSignals { node: "nowhere".into(), search: String::new() };
        let refused = page.call(request::Request::BrowseSignals(gone)).await;
        assert_eq!(refused.message, "There is no node \"nowhere\" any more");
    });
}

#[test]
fn files_of_users_are_taken_or_refused_with_the_place() {
    let sandbox = Sandbox::new();
    let host = sandbox.start(&["run", "worlds/pendulums.sdf", "--port", "0", "--bus-port", "0"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut page = Page::open(&host.page()).await;
        let load =
            |json: &str| request::Request::LoadPlotLayout(LoadPlotLayout { json: json.into() });
        let refused = page.call(load("{ \"version\": 1,\n  \"tab\": 3 }")).await;
        assert!(
            refused.message.starts_with("This is no layout, line 2, column"),
            "{}",
            refused.message
        );
        assert!(page.call(load("{ \"version\": 1, \"tab\": [{ \"id\": \"a\" }] }")).await.ok);
        let table = |name: &str, data: &str| {
            request::Request::LoadPlotRun(LoadPlotRun { name: name.into(), data: data.into() })
        };
        let done = page.call(table("old.csv", "time_s,x [m]\n0,1\n0.5,2\n")).await;
        assert!(done.ok, "{}", done.message);
        assert_eq!(browse(&mut page, "runs").await, ["old.csv"]);
        let refused = page.call(table("old.txt", "")).await;
        assert_eq!(refused.message, "old.txt: runs are read from .mcap, .csv and .parquet");
    });
}

/// A page plots a value only after two seconds and a jump, and compares with what was left.
async fn compare_with_what_nobody_plotted(sandbox: &Sandbox, page: &str) {
    let mut page = Page::open(page).await;
    sandbox.retake(&["world", "step", "2000"]).success();
    sandbox.retake(&["timeline", "resume", "0.5"]).success();
    sandbox.retake(&["world", "step", "100"]).success();
    page.until_seen(0.6).await;
    show(&mut page, layout(&["vehicle::pose.position.x"])).await;
    let keep = KeepPlotRun { branch: "main-1".into(), ..KeepPlotRun::default() };
    let kept = page.call(request::Request::KeepPlotRun(keep)).await;
    assert!(kept.ok, "{}", kept.message);
    let known = state_where(&mut page, |state| {
        state.layout.as_ref().is_some_and(|layout| !layout.run.is_empty())
    });
    let known = known.await;
    let mut layout = known.layout.unwrap();
    layout.tab[0].plot[0].curve[0].run = kept.plot_run;
    let set = SetPlotLayout { layout: Some(layout), base_revision: known.revision };
    assert!(page.call(request::Request::SetPlotLayout(set)).await.ok);
    let measure = MeasurePlot { plot_id: "p".into(), from_secs: 0.0, to_secs: 2.0 };
    let measured = page.call(request::Request::MeasurePlot(measure)).await.measures.unwrap();
    let curve = &measured.curve[0];
    assert_eq!(curve.count, 2000, "each step of the branch is there");
    let at_the_end = |secs: &str| {
        let branch = ["timeline", "goto", secs, "--branch", "main-1", "--entity", "vehicle"];
        let told = sandbox.retake(&[&branch[..], &["--format", "json"]].concat()).success();
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        told["entities"][0]["pose"][0].as_f64()
    };
    assert_eq!(curve.last, at_the_end("end"));
}

#[test]
fn what_nobody_plotted_on_a_branch_is_computed_again() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let apart = Sandbox::new();
    let _server = apart.start(&["server", "worlds/cones.sdf", "--bus-port", "0", "--paused"]);
    let gui = apart.start(&["gui", "--port", "0"]);
    runtime.block_on(compare_with_what_nobody_plotted(&apart, &gui.page()));
    let together = Sandbox::new();
    let whole =
        together.start(&["run", "worlds/cones.sdf", "--bus-port", "0", "--port", "0", "--paused"]);
    runtime.block_on(compare_with_what_nobody_plotted(&together, &whole.page()));
}
