//! Expressions: values by table, and every kind of mistake with its place.

use expect_test::{expect, expect_file};
use retake_series::expression::MAX_LENGTH;
use retake_series::{Evaluator, Expression};

/// Evaluates for samples 10 ms apart; `x` counts 1, 2, 3, … and `y` is given.
fn evaluate(text: &str, y: &[f64]) -> Vec<f64> {
    let expression = Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let times: Vec<i64> = (0..y.len() as i64).map(|index| index * 10_000_000).collect();
    let x: Vec<f64> = (0..y.len()).map(|index| index as f64 + 1.0).collect();
    let inputs: Vec<&[f64]> = expression
        .signals()
        .iter()
        .map(|signal| if signal.name == "y" { y } else { &x[..] })
        .collect();
    let mut out = Vec::new();
    Evaluator::new(&expression).evaluate(&times, &inputs, &mut out);
    out
}

fn text(values: &[f64]) -> String {
    let one = |value: &f64| {
        let rounded = (value * 1e6).round() / 1e6 + 0.0;
        if value.is_nan() { "-".to_owned() } else { rounded.to_string() }
    };
    values.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn values_by_table() {
    let cases = [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("2 ^ 3 ^ 2", 512.0),
        ("-2 ^ 2", -4.0),
        ("2 ^ -1", 0.5),
        ("7 % 4 - 1", 2.0),
        ("-7 % 4", -3.0),
        ("mod(-7, 4)", 1.0),
        ("10 - 3 - 2", 5.0),
        ("1e-3 * 2.5E+3 + .5", 3.0),
        ("1 < 2 && 2 <= 2 || 0", 1.0),
        ("!(3 > 4) == 1", 1.0),
        ("3 != 3 ? 10 : 1 > 0 ? 20 : 30", 20.0),
        ("if(0, 1, 2)", 2.0),
        ("2 * g", 19.6133),
        ("sin(pi / 2) + cos(0) + tan(0)", 2.0),
        ("ln(e) + log10(100) + log2(8)", 6.0),
        ("atan2(1, 1) * 4 - pi", 0.0),
        ("hypot(3, 4) + norm(1, 2, 2)", 8.0),
        ("min(4, 2, 3) + max(1, 5) * 10", 52.0),
        ("clamp(7, 0, 5) + clamp(-1, 0, inf)", 5.0),
        ("floor(-1.5) + ceil(1.2) + round(2.5) + trunc(-1.9)", 2.0),
        ("sign(-3) + sign(0) + sign(9)", 0.0),
        ("wrap(3 * pi) - pi", 0.0),
        ("wrap(-pi) - pi", 0.0),
        ("deg(pi) + rad(180) - pi", 180.0),
        ("pow(2, 10) + sqrt(16) + cbrt(27) + abs(-1)", 1032.0),
        ("asin(1) + acos(1) - atan(inf)", 0.0),
        ("sinh(0) + cosh(0) + tanh(0) + exp(0)", 2.0),
        ("asinh(sinh(1)) + acosh(cosh(1)) + atanh(tanh(1))", 3.0),
        // A quarter turn about each axis.
        ("deg(roll(sqrt(0.5), 0, 0, sqrt(0.5)))", 90.0),
        ("deg(pitch(0, sqrt(0.5), 0, sqrt(0.5)))", 90.0),
        ("deg(yaw(0, 0, 1, 1))", 90.0),
        ("convert(60, \"rpm\", \"rev/s\")", 1.0),
        ("convert(36, `km/h`, `m/s`)", 10.0),
        ("convert(1, \"turn\", \"deg\")", 360.0),
        ("convert(2, h, min)", 120.0),
        ("convert(1, ft, in) + convert(1, lb, oz)", 28.0),
        ("convert(1, \"kWh\", \"MJ\")", 3.6),
        ("convert(1, \"kgf*cm\", \"Nm\") * 1000", 98.0665),
        ("convert(1, hp, W)", 745.69987158227),
        ("convert(1, kN, lbf)", 224.80894309971),
        ("t + 1", 1.0),
    ];
    for (expression, expected) in cases {
        let found = evaluate(expression, &[0.0])[0];
        assert!((found - expected).abs() < 1e-9, "{expression} is {found}, not {expected}");
    }
}

#[test]
fn what_has_no_value_is_a_gap() {
    let cases = [
        "1 / 0",
        "0 / 0",
        "1 / (1 / 0)",
        "5 % 0",
        "mod(5, 0)",
        "ln(0)",
        "sqrt(-1)",
        "inf",
        "y + 1",
        "y > 1",
        "y && 0",
        "!y",
        "y ? 1 : 2",
        "min(y, 1)",
        "max(1, y)",
        "y ^ 0",
        "clamp(y, 0, 1)",
        "1e300 * 1e300",
        "roll(0, 0, 0, 0) + pitch(0, 0, 0, 0)",
        "avg(y, 3)",
        "cum(y)",
    ];
    for expression in cases {
        let found = evaluate(expression, &[f64::NAN])[0];
        assert!(found.is_nan(), "{expression} is {found}");
    }
}

#[test]
fn functions_that_look_back() {
    // The signal is 1 4 9 16 - 36 49 at 10 ms; a gap is a dash.
    let y = [1.0, 4.0, 9.0, 16.0, f64::NAN, 36.0, 49.0];
    let cases = [
        ("prev(y)", expect!["- 1 4 9 16 - 36"]),
        ("diff(y)", expect!["- 3 5 7 - - 13"]),
        ("deriv(y)", expect!["- 300 500 700 - - 1300"]),
        ("integral(y)", expect!["0 0.025 0.09 0.215 - 0.215 0.64"]),
        ("cum(y)", expect!["1 5 14 30 - 66 115"]),
        ("cummax(-y)", expect!["-1 -1 -1 -1 - -1 -1"]),
        ("cummin(-y)", expect!["-1 -4 -9 -16 - -36 -49"]),
        ("avg(y, 1)", expect!["1 4 9 16 - 36 49"]),
        ("avg(y, 2)", expect!["1 2.5 6.5 12.5 - 26 42.5"]),
        ("avg_time(y, 0.02)", expect!["1 2.5 6.5 12.5 - 36 42.5"]),
        ("rms(x, 2 * 1)", expect!["1 1.581139 2.54951 3.535534 4.527693 5.522681 6.519202"]),
        ("lowpass(x, 1 / 50)", expect!["1 1.393469 2.02559 2.80246 3.667124 4.585039 5.535252"]),
        ("delay(y, 0.02)", expect!["- - 1 4 9 16 -"]),
        ("delay(y, 0.015)", expect!["- - 1 4 9 16 -"]),
        ("deriv(integral(x))", expect!["- 1.5 2.5 3.5 4.5 5.5 6.5"]),
    ];
    for (expression, expected) in cases {
        expected.assert_eq(&text(&evaluate(expression, &y)));
    }
}

#[test]
fn signals_are_named_once_in_order() {
    let text = "\"box::link::x\" + y * `a \"b\"` + run(\"first\", y) - y + run(first, y) + été_1";
    let expression = Expression::parse(text).expect("signals");
    let named: Vec<String> = expression
        .signals()
        .iter()
        .map(|s| format!("{}{}", s.run.as_ref().map_or(String::new(), |r| format!("{r}/")), s.name))
        .collect();
    assert_eq!(named, ["box::link::x", "y", "a \"b\"", "first/y", "été_1"]);
    assert_eq!(expression.to_string(), text);
}

/// One mistake on each line.
const MISTAKES: &str = r#"

1 +
* 2
sqr(2)
integrate(x)
bananas(2)
atan2(1)
sqrt()
min()
(1 + 2
sin(1
1 + 2)
(1, 2)
1 2
sin(x y)
"été::x + 1
1 + ""
box::x + 1
box.x
été = 2
a < b < c
a ? 1
2 $ 3
1e999
avg(x, 0)
avg(x, 2.5)
avg(x, y)
rms(x, 1 + 65536)
lowpass(x, -1)
delay(x, t)
convert(x, "rads", "rpm")
convert(x, "kg", "rpm")
convert(x, "kg")
convert(x, 2, "kg")
run("a", x + 1)
run("a")
run(1, x)"#;

#[test]
fn mistakes_have_a_place_and_a_hint() {
    let mut found = String::new();
    for text in MISTAKES.lines().skip(1) {
        let error = Expression::parse(text).expect_err(text);
        let marks = if error.length == 0 { "|".to_owned() } else { "^".repeat(error.length) };
        let before = " ".repeat(error.column);
        found += &format!("{text}\n{before}{marks} {}\n\n", error.message);
    }
    expect_file!["mistakes.txt"].assert_eq(&found);
}

#[test]
fn what_is_too_much_is_refused() {
    let message = |text: &str| Expression::parse(text).expect_err("too much").to_string();
    let long = "1+".repeat(MAX_LENGTH / 2) + "1";
    expect!["the expression is longer than 4096 characters, at character 4096"]
        .assert_eq(&message(&long));
    expect!["this is nested deeper than 64 levels, at character 64"]
        .assert_eq(&message(&"(".repeat(1000)));
    expect!["this is nested deeper than 64 levels, at character 64"]
        .assert_eq(&message(&("-".repeat(1000) + "1")));
    expect!["an expression has at most 64 functions that look back, at character 512"]
        .assert_eq(&message(&vec!["diff(x)"; 65].join("+")));
    // A long sum is not deep.
    let sum = vec!["1"; MAX_LENGTH / 2].join("+");
    assert_eq!(evaluate(&sum, &[0.0]), [MAX_LENGTH as f64 / 2.0]);
}
