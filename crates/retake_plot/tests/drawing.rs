//! What must hold of drawings.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod drawn;

use drawn::Drawn;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use retake_plot::{
    AxisSpec, Color, CurveStyle, CurveTrace, MAX_POINTS, Mark, MarkKind, Picture, Sheet, Side,
    Size, Theme, svg,
};

const SIZE: Size = Size { width_px: 600, height_px: 300 };

fn any_value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..10.0,
        1 => any::<f64>(),
        1 => Just(f64::NAN),
        1 => Just(0.0),
    ]
}

fn any_label() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z:.]{0,40}", ".{0,20}", Just("<a href=\"&\">'".to_owned())]
}

fn any_axis() -> impl Strategy<Value = AxisSpec> {
    let range = prop::option::of((any_value(), any_value()));
    (any_label(), any_label(), range).prop_map(|(title, unit, range)| AxisSpec {
        title,
        unit,
        range,
    })
}

fn any_curve() -> impl Strategy<Value = CurveTrace> {
    let style = prop_oneof![
        Just(CurveStyle::Line),
        Just(CurveStyle::Points),
        Just(CurveStyle::Step),
        Just(CurveStyle::LinePoints),
    ];
    let side = prop_oneof![Just(Side::Left), Just(Side::Right)];
    let samples =
        (prop::collection::vec(any_value(), 0..30), prop::collection::vec(any_value(), 0..30));
    (any_label(), any::<[u8; 3]>(), any_value(), (style, side, any::<bool>()), samples).prop_map(
        |(label, [red, green, blue], width_px, (style, side, dimmed), (x, y))| CurveTrace {
            width_px,
            style,
            side,
            dimmed,
            ..CurveTrace::new(&label, Color { red, green, blue }, x, y)
        },
    )
}

fn any_picture() -> impl Strategy<Value = Picture> {
    let mark = (any_value(), any_label(), any::<bool>()).prop_map(|(x, label, jump)| Mark {
        x,
        label,
        kind: if jump { MarkKind::Jump } else { MarkKind::Cursor },
    });
    let axes = (any_axis(), any_axis(), any_axis());
    let curves = prop::collection::vec(any_curve(), 0..6);
    let marks = prop::collection::vec(mark, 0..4);
    let size = prop_oneof![4 => (100_u32..1200, 100_u32..800), 1 => any::<(u32, u32)>()];
    (size, any_label(), axes, curves, (marks, any::<bool>(), any::<bool>())).prop_map(
        |((width_px, height_px), title, (x, left, right), curves, (marks, legend, grid))| Picture {
            size: Size { width_px, height_px },
            title,
            x,
            left,
            right,
            curves,
            marks,
            legend,
            grid,
        },
    )
}

fn any_sheet() -> impl Strategy<Value = Sheet> {
    (prop::collection::vec(any_picture(), 0..4), 0_usize..4, any::<bool>()).prop_map(
        |(panels, columns, dark)| Sheet {
            theme: if dark { Theme::Dark } else { Theme::Light },
            columns,
            panels,
        },
    )
}

proptest! {
    #[test]
    fn any_sheet_is_valid_xml_with_finite_numbers_and_curves_in_their_plots(sheet in any_sheet()) {
        let text = svg(&sheet);
        let drawn = Drawn::parse(&text);
        prop_assert_eq!(drawn.plots().len(), sheet.panels.len());
        drawn.check_numbers();
        drawn.check_curves_are_inside();
        drawn.check_plots_are_on_the_sheet();
    }

    #[test]
    fn plots_of_a_column_are_in_line(pictures in prop::collection::vec(any_picture(), 4)) {
        let same_size = |picture: Picture| Picture { size: SIZE, ..picture };
        let panels = pictures.into_iter().map(same_size).collect();
        let text = svg(&Sheet { theme: Theme::Light, columns: 2, panels });
        let plots = Drawn::parse(&text).plots();
        for (upper, lower) in [(&plots[0], &plots[2]), (&plots[1], &plots[3])] {
            prop_assert_eq!(upper.left, lower.left);
            prop_assert_eq!(upper.width, lower.width);
        }
    }
}

fn one(curves: Vec<CurveTrace>) -> Picture {
    Picture { curves, ..Picture::new(SIZE) }
}

fn curve(label: &str, x: &[f64], y: &[f64]) -> CurveTrace {
    CurveTrace::new(label, Color::of_curve(0), x.to_vec(), y.to_vec())
}

fn words(picture: Picture) -> Vec<String> {
    Drawn::parse(&svg(&Sheet::of_one(picture, Theme::Light))).words()
}

#[test]
fn an_empty_plot_says_why() {
    let cases = [
        ("No curves", one(vec![])),
        ("No samples", one(vec![curve("a", &[], &[])])),
        ("No values: every sample is a gap", one(vec![curve("a", &[0.0, 1.0], &[f64::NAN; 2])])),
        ("No values: every sample is a gap", one(vec![curve("a", &[0.0], &[f64::INFINITY])])),
        ("No values in this range", {
            let mut picture = one(vec![curve("a", &[0.0, 1.0], &[1.0, 2.0])]);
            picture.x.range = Some((5.0, 6.0));
            picture
        }),
    ];
    for (remark, picture) in cases {
        assert!(words(picture).contains(&remark.to_owned()), "{remark}");
    }
    // A line that only crosses the range is something to be seen.
    let mut crossing = one(vec![curve("a", &[0.0, 10.0], &[1.0, 2.0])]);
    crossing.x.range = Some((5.0, 6.0));
    assert!(!words(crossing).iter().any(|word| word.starts_with("No ")));
}

#[test]
fn a_name_stands_in_the_legend_once() {
    let mut gone = curve("box.z", &[0.0, 1.0], &[0.0, 1.0]);
    gone.dimmed = true;
    let kept = curve("box.z", &[0.0, 1.0], &[0.0, 2.0]);
    let mut right = curve("box.z", &[0.0, 1.0], &[0.0, 2.0]);
    right.side = Side::Right;
    let names = |curves| {
        let mut names = words(one(curves));
        names.retain(|word| word.contains("box"));
        names
    };
    assert_eq!(names(vec![gone.clone(), kept.clone()]), ["box.z"]);
    assert_eq!(names(vec![gone]), ["box.z"]);
    assert_eq!(names(vec![kept, right]), ["box.z", "box.z (right)"]);
}

#[test]
fn a_legend_that_finds_no_room_counts_the_rest() {
    let name = |n: usize| format!("robot_{n:03}::{}", "long".repeat(40));
    let curves = (0..50).map(|n| curve(&name(n), &[0.0, 1.0], &[0.0, 1.0])).collect();
    let words = words(one(curves));
    let shown = words.iter().filter(|word| word.starts_with("robot_")).count();
    assert!(shown > 3, "{words:?}");
    assert!(words.contains(&format!("and {} more", 50 - shown)), "{words:?}");
}

#[test]
fn a_spike_among_a_million_samples_is_drawn() {
    let x: Vec<f64> = (0..1_000_000).map(f64::from).collect();
    let mut y: Vec<f64> = x.iter().map(|t| (t * 0.1).sin()).collect();
    y[777_777] = 1000.0;
    let text = svg(&Sheet::of_one(one(vec![curve("a", &x, &y)]), Theme::Light));
    let drawn = Drawn::parse(&text);
    let points = drawn.curve_points(0);
    assert!(points.len() < MAX_POINTS, "{}", points.len());
    let plot = &drawn.plots()[0];
    let highest = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    // The spike reaches up to the margin of a twentieth, the rest stays at the bottom.
    assert!(highest < plot.top + plot.height * 0.06, "{highest}");
}

#[test]
fn a_gap_breaks_the_line() {
    let y = [0.0, 1.0, f64::NAN, 1.0, 0.0];
    let text =
        svg(&Sheet::of_one(one(vec![curve("a", &[0.0, 1.0, 2.0, 3.0, 4.0], &y)]), Theme::Light));
    assert_eq!(Drawn::parse(&text).curve_path(0).matches('M').count(), 2);
}

#[test]
fn a_value_that_only_one_side_has_gets_its_own_axis() {
    let mut right = curve("b", &[0.0, 1.0], &[0.0, 500.0]);
    right.side = Side::Right;
    let words = words(one(vec![curve("a", &[0.0, 1.0], &[0.0, 1.0]), right]));
    assert!(words.contains(&"0.6".to_owned()) && words.contains(&"400".to_owned()), "{words:?}");
}

fn check(picture: Picture, expected: Expect) {
    expected.assert_eq(&svg(&Sheet::of_one(picture, Theme::Light)));
}

#[test]
fn a_small_plot_looks_like_this() {
    let picture = Picture {
        title: "Fall & rise".to_owned(),
        x: AxisSpec::new("Time", "s"),
        left: AxisSpec::new("Height", "m"),
        curves: vec![curve("box::z", &[0.0, 1.0, 2.0, 3.0], &[2.0, 1.5, f64::NAN, 0.25])],
        marks: vec![Mark { x: 1.0, label: "undo".to_owned(), kind: MarkKind::Jump }],
        ..Picture::new(Size { width_px: 320, height_px: 200 })
    };
    check(
        picture,
        expect![[r##"
            <svg xmlns="http://www.w3.org/2000/svg" width="320" height="200" viewBox="0 0 320 200" font-family="Noto Sans, Open Sans, DejaVu Sans, sans-serif">
             <rect width="320" height="200" fill="#ffffff"/>
             <clipPath id="plot0">
              <rect x="67.5" y="61.5" width="230" height="93"/>
             </clipPath>
             <g>
              <g font-size="11.5" fill="#161c26">
               <path d="M68.50 43.00H88.50" fill="none" stroke="#5c85e7" stroke-width="1.5"/>
               <text x="94.5" y="47.14">box::z</text>
              </g>
              <path d="M72.50 62.50V153.50M145.50 62.50V153.50M219.50 62.50V153.50M292.50 62.50V153.50M68.50 137.50H296.50M68.50 113.50H296.50M68.50 90.50H296.50M68.50 66.50H296.50" stroke="#e6e9ee" fill="none"/>
              <text x="68.5" y="25.5" font-size="13.5" font-weight="bold" fill="#161c26">Fall &amp; rise</text>
              <g font-size="11" fill="#475264">
               <path d="M68.50 153.50H296.50M72.50 153.50v4M145.50 153.50v4M219.50 153.50v4M292.50 153.50v4" stroke="#7d8899" fill="none"/>
               <text x="72.5" y="171.5" font-size="11" text-anchor="middle">0</text>
               <text x="145.5" y="171.5" font-size="11" text-anchor="middle">1</text>
               <text x="219.5" y="171.5" font-size="11" text-anchor="middle">2</text>
               <text x="292.5" y="171.5" font-size="11" text-anchor="middle">3</text>
               <text x="182.5" y="187.5" font-size="12" text-anchor="middle" fill="#161c26">Time [s]</text>
               <path d="M68.50 62.50V153.50M68.50 137.50h-4M68.50 113.50h-4M68.50 90.50h-4M68.50 66.50h-4" stroke="#7d8899" fill="none"/>
               <g text-anchor="end" fill="#475264">
               <text x="61.5" y="141.46">0.5</text>
               <text x="61.5" y="117.46">1.0</text>
               <text x="61.5" y="94.46">1.5</text>
               <text x="61.5" y="70.46">2.0</text>
               </g>
               <text x="20.4" y="108" font-size="12" text-anchor="middle" transform="rotate(-90 20.40 108.00)" fill="#161c26">Height [m]</text>
              </g>
              <g clip-path="url(#plot0)" fill="none" stroke-linejoin="round" stroke-linecap="round">
               <path stroke="#5c85e7" stroke-width="1.5" d="M72.88 66.64L145.96 90.27M292.12 149.36h.01"/>
              </g>
              <line x1="145.5" x2="145.5" y1="62.5" y2="153.5" stroke="#364152" stroke-dasharray="4 3" opacity="0.8"/>
              <text x="149.5" y="74.5" font-size="11" fill="#364152" stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke">undo</text>
             </g>
            </svg>
        "##]],
    );
}
