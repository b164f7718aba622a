//! Laws of expressions: what is written is what is computed, in any portions, and no text harms.

use proptest::collection::vec;
use proptest::prelude::*;
use retake_series::{Evaluator, Expression};

/// A tree, and what the plainest evaluation of it gives.
#[derive(Clone, Debug)]
enum Tree {
    Number(f64),
    X,
    Y,
    Negate(Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Choose(Box<Tree>, Box<Tree>, Box<Tree>),
}

const OPERATORS: [(&str, u8); 14] = [
    ("||", 2),
    ("&&", 3),
    ("==", 4),
    ("!=", 4),
    ("<", 5),
    ("<=", 5),
    (">", 5),
    (">=", 5),
    ("+", 6),
    ("-", 6),
    ("*", 7),
    ("/", 7),
    ("%", 7),
    ("^", 9),
];

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0_u32..20).prop_map(|number| Tree::Number(f64::from(number) / 4.0)),
        Just(Tree::X),
        Just(Tree::Y),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let inner = inner.prop_map(Box::new);
        prop_oneof![
            1 => inner.clone().prop_map(Tree::Negate),
            6 => (0_usize..OPERATORS.len(), inner.clone(), inner.clone())
                .prop_map(|(operator, a, b)| Tree::Binary(OPERATORS[operator].0, a, b)),
            1 => (inner.clone(), inner.clone(), inner).prop_map(|(c, a, b)| Tree::Choose(c, a, b)),
        ]
    })
}

impl Tree {
    /// Written with as few parentheses as possible.
    fn text(&self, least: u8) -> String {
        let (binds, text) = match self {
            Self::Number(number) => (10, number.to_string()),
            Self::X => (10, "x".to_owned()),
            Self::Y => (10, "\"y\"".to_owned()),
            Self::Negate(a) => (8, format!("-{}", a.text(8))),
            Self::Binary(sign, a, b) => {
                let binds = OPERATORS.iter().find(|o| o.0 == *sign).map_or(0, |o| o.1);
                // Comparisons are never chained, powers go from the right and take a sign there.
                let (left, right) = match binds {
                    4 | 5 => (binds + 1, binds + 1),
                    9 => (10, 8),
                    _ => (binds, binds + 1),
                };
                (binds, format!("{} {sign} {}", a.text(left), b.text(right)))
            }
            Self::Choose(c, a, b) => (1, format!("{} ? {} : {}", c.text(2), a.text(0), b.text(1))),
        };
        if binds < least { format!("({text})") } else { text }
    }

    fn value(&self, x: f64, y: f64) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::X => x,
            Self::Y => y,
            Self::Negate(a) => -a.value(x, y),
            Self::Choose(c, a, b) => match c.value(x, y) {
                c if c.is_nan() => f64::NAN,
                c => {
                    if c != 0.0 {
                        a.value(x, y)
                    } else {
                        b.value(x, y)
                    }
                }
            },
            Self::Binary(sign, a, b) => {
                let (a, b) = (a.value(x, y), b.value(x, y));
                if a.is_nan() || b.is_nan() {
                    return f64::NAN;
                }
                match *sign {
                    "||" => f64::from(a != 0.0 || b != 0.0),
                    "&&" => f64::from(a != 0.0 && b != 0.0),
                    "==" => f64::from(a == b),
                    "!=" => f64::from(a != b),
                    "<" => f64::from(a < b),
                    "<=" => f64::from(a <= b),
                    ">" => f64::from(a > b),
                    ">=" => f64::from(a >= b),
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" if b == 0.0 => f64::NAN,
                    "/" => a / b,
                    "%" => a % b,
                    _ if b == 2.0 => a * a,
                    _ => a.powf(b),
                }
            }
        }
    }
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    a.len() == b.len() && a.iter().zip(b).all(same)
}

const LOOKING_BACK: [&str; 15] = [
    "deriv(x)",
    "integral(y)",
    "avg(y, 3)",
    "avg(y, 500)",
    "avg_time(y, 0.5)",
    "rms(y, 7)",
    "lowpass(y, 0.1)",
    "delay(y, 0.3)",
    "diff(x * y)",
    "prev(y)",
    "cum(y)",
    "cummax(y)",
    "cummin(x)",
    "avg(integral(deriv(y)), 10) + t",
    "y > 0 ? cum(x) : prev(y)",
];

proptest! {
    #[test]
    fn a_written_tree_is_parsed_into_the_same_tree(
        tree in tree(), samples in vec((-4.0..4.0_f64, -4.0..4.0_f64), 1..5),
    ) {
        let text = tree.text(0);
        let expression = Expression::parse(&text);
        prop_assume!(expression.as_ref().err().is_none_or(|e| !e.message.contains("nested")));
        let expression = expression.map_err(|e| TestCaseError::fail(format!("{text}: {e}")))?;
        let again = Expression::parse(&expression.to_string()).expect("what was parsed once");
        let expected: Vec<f64> = samples.iter().map(|(x, y)| tree.value(*x, *y))
            .map(|value| if value.is_finite() { value } else { f64::NAN }).collect();
        for expression in [expression, again] {
            let (x, y): (Vec<f64>, Vec<f64>) = samples.iter().copied().unzip();
            let inputs: Vec<&[f64]> = expression.signals().iter()
                .map(|signal| if signal.name == "x" { &x[..] } else { &y[..] }).collect();
            let times = vec![0; samples.len()];
            let mut out = Vec::new();
            Evaluator::new(&expression).evaluate(&times, &inputs, &mut out);
            prop_assert!(same_bits(&out, &expected), "{}: {:?} {:?}", text, out, expected);
        }
    }

    #[test]
    fn any_portions_give_the_same_bits(
        which in 0..LOOKING_BACK.len(),
        steps in vec((1_i64..80_000_000, prop_oneof![9 => -5.0..5.0_f64, 1 => Just(f64::NAN)]), 1..3000),
        cuts in vec(1_usize..1500, 1..20),
    ) {
        let expression = Expression::parse(LOOKING_BACK[which]).expect("in the table");
        let mut time = 0;
        let times: Vec<i64> = steps.iter().map(|(step, _)| { time += step; time }).collect();
        let y: Vec<f64> = steps.iter().map(|(_, value)| *value).collect();
        let x: Vec<f64> = y.iter().map(|value| value * 3.0 + 1.0).collect();
        let rows: Vec<&[f64]> = expression.signals().iter()
            .map(|signal| if signal.name == "x" { &x[..] } else { &y[..] }).collect();
        let mut evaluator = Evaluator::new(&expression);
        let mut whole = Vec::new();
        evaluator.evaluate(&times, &rows, &mut whole);
        evaluator.reset();
        let mut portions = Vec::new();
        let mut from = 0;
        for cut in cuts.into_iter().cycle() {
            let until = (from + cut).min(times.len());
            let part: Vec<&[f64]> = rows.iter().map(|row| &row[from..until]).collect();
            evaluator.evaluate(&times[from..until], &part, &mut portions);
            from = until;
            if from == times.len() { break; }
        }
        prop_assert!(same_bits(&whole, &portions));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in prop_oneof![
        ".{0,200}",
        "[-+*/%^()<>=!&|?:,.0-9a-z\"` ]{0,80}",
        vec(prop::sample::select(vec![
            "(", ")", ",", "x", "\"a b\"", "1", "2.5", "+", "-", "^", "?", ":", "<", "&&", "!",
            "avg", "avg(", "if(", "run(", "convert(", "\"rpm\"", "min(", "delay(", "t", "nan", " ",
        ]), 0..60).prop_map(|words| words.concat()),
    ]) {
        match Expression::parse(&text) {
            Ok(expression) => {
                // The only input is too short, and the others are missing: these are gaps.
                let mut out = Vec::new();
                Evaluator::new(&expression).evaluate(&[0, 5, 9], &[&[1.0, f64::NAN]], &mut out);
                prop_assert_eq!(out.len(), 3);
            }
            Err(error) => {
                prop_assert!(error.column + error.length <= text.chars().count());
                prop_assert!(!error.message.is_empty());
            }
        }
    }
}
