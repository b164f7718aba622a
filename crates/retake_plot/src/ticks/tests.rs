//! What must hold of ticks, and how they look.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

/// Any stretch: of any size, at any place, also far narrower than its place.
fn any_span() -> impl Strategy<Value = Span> {
    let bound = prop_oneof![
        any::<f64>().prop_filter("finite", |value| value.is_finite()),
        -1000.0..1000.0,
        Just(0.0),
        (-30..30).prop_map(|power| 10_f64.powi(power)),
    ];
    let width = prop_oneof![bound.clone(), (-15..3).prop_map(|power| 10_f64.powi(power))];
    (bound, width, any::<bool>()).prop_map(|(first, second, relative)| {
        let second = if relative { first + first * second } else { second };
        Span::between(first, if second.is_finite() { second } else { 0.0 })
    })
}

/// What a label says together with the note.
fn meaning(ticks: &Ticks, label: &str) -> f64 {
    let number = |text: &str| -> f64 {
        let text = text.replace('−', "-").replace([' ', '+'], "");
        if text.is_empty() { 0.0 } else { text.parse().unwrap() }
    };
    number(&format!("{label}e{}", ticks.note.exponent)) + number(&ticks.note.summand)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn ticks_are_few_ascending_inside_and_told_apart(span in any_span(), most in 0_usize..=12) {
        let ticks = Ticks::choose(span, most);
        let count = ticks.values.len();
        prop_assert!((2..=most.max(LEAST_ASKED)).contains(&count), "{count} ticks in {span:?}");
        prop_assert_eq!(count, ticks.labels.len());
        prop_assert!(ticks.values.iter().all(|&value| span.contains(value)), "{:?}", ticks);
        prop_assert!(ticks.values.is_sorted_by(|a, b| a < b), "{:?}", ticks);
        let distinct: BTreeSet<&String> = ticks.labels.iter().collect();
        prop_assert_eq!(distinct.len(), count, "{:?}", ticks);
        let longest = ticks.labels.iter().map(|label| label.chars().count()).max();
        prop_assert!(longest.unwrap() <= 12, "{:?}", ticks);
    }

    #[test]
    fn labels_mean_what_the_ticks_are(span in any_span(), most in 5_usize..=12) {
        let ticks = Ticks::choose(span, most);
        prop_assert!(ticks.note.exponent % 3 == 0);
        for (value, label) in ticks.values.iter().zip(&ticks.labels) {
            // Parsing and adding round; ticks at a bound are moved onto it by 1e-9 steps at most.
            let size = span.low().abs().max(span.high().abs());
            let tolerance = size * 1e-15 + span.width() * 1e-8;
            prop_assert!((meaning(&ticks, label) - value).abs() <= tolerance, "{label}: {ticks:?}");
        }
    }
}

fn check(first: f64, last: f64, expected: Expect) {
    let ticks = Ticks::choose(Span::between(first, last), 6);
    let mut shown = ticks.labels.join("  ");
    if ticks.note.exponent != 0 {
        write!(shown, "  ×10^{}", ticks.note.exponent).unwrap();
    }
    if !ticks.note.summand.is_empty() {
        write!(shown, "  {}", ticks.note.summand).unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn plain_numbers() {
    check(0.0, 10.0, expect!["0  2  4  6  8  10"]);
    check(0.1, 0.7, expect!["0.2  0.4  0.6"]);
    check(-1.05, 1.05, expect!["−1.0  −0.5  0  0.5  1.0"]);
    check(3600.0, 3601.0, expect!["3600.0  3600.2  3600.4  3600.6  3600.8  3601.0"]);
    check(0.0, 50000.0, expect!["0  10000  20000  30000  40000  50000"]);
    check(-0.002, 0.0005, expect!["−0.0020  −0.0015  −0.0010  −0.0005  0  0.0005"]);
}

#[test]
fn large_and_small_numbers_share_an_exponent() {
    check(0.0, 2.5e6, expect!["0  0.5  1.0  1.5  2.0  2.5  ×10^6"]);
    check(-3e-7, 4e-7, expect!["−200  0  200  400  ×10^-9"]);
    check(1e20, 5e20, expect!["100  200  300  400  500  ×10^18"]);
    check(-1e308, 1e308, expect!["−1.0  −0.5  0  0.5  1.0  ×10^300"]);
}

#[test]
fn numbers_that_differ_late_share_a_summand() {
    check(1_700_000_000.0, 1_700_000_010.0, expect!["0  2  4  6  8  10  + 1700000000"]);
    check(123_456.000_1, 123_456.000_9, expect!["200  400  600  800  ×10^-6  + 123456"]);
    check(-1e9 - 2e-3, -1e9, expect!["−0.0020  −0.0015  −0.0010  −0.0005  0  − 1000000000"]);
    check(1e15, 1e15 + 1e5, expect!["0  20  40  60  80  100  ×10^3  + 1e15"]);
}

#[test]
fn one_value_gets_room_around_it() {
    check(9.81, 9.81, expect!["9.0  9.5  10.0  10.5"]);
    check(0.0, 0.0, expect!["−1.0  −0.5  0  0.5  1.0"]);
}
