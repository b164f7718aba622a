//! From text to program, by precedence climbing.
//!
//! Steps are put down as soon as their operands are, so there is no tree, and a long sum needs no
//! deep recursion.

use std::sync::Arc;

use super::error::{ExpressionError, Place, suggestion};
use super::evaluator::Evaluator;
use super::functions::{self, Body, Function, MAX_ARGUMENTS};
use super::lexer::{Token, split};
use super::memory::{MAX_WINDOW, Memory, Parameter, Recall};
use super::program::{Binary, Program, Step};
use super::{MAX_LENGTH, SignalRef, units};

/// Deepest nesting of parentheses, calls and the like.
const MAX_DEPTH: usize = 64;

/// How tightly the condition of `?:` binds; a larger number binds tighter.
const CONDITION: u8 = 1;
const UNARY: u8 = 8;
const POWER: u8 = 9;

/// Most calls of functions that look back: each may remember many samples. Whoever takes several
/// expressions bounds the sum, see [`super::Expression::kept_samples`].
const MAX_RECALLS: usize = 64;

/// Longest time that a function can look back.
const MAX_SECONDS: f64 = 1e9;

/// Parses an expression.
pub(super) fn parse(text: &str) -> Result<Program, ExpressionError> {
    let length = text.chars().count();
    if length > MAX_LENGTH {
        let place = Place { column: MAX_LENGTH, length: length - MAX_LENGTH };
        return Err(place.error(format!("the expression is longer than {MAX_LENGTH} characters")));
    }
    let mut parser = Parser {
        tokens: split(text)?,
        next: 0,
        nesting: 0,
        on_stack: 0,
        program: Program::default(),
    };
    parser.expression(0)?;
    match parser.peek() {
        (Token::End, _) => Ok(parser.program),
        (Token::Sign(")"), place) => Err(place.error("there is no ( for this )")),
        (_, place) => Err(place.error("an operator is missing before this")),
    }
}

struct Parser {
    tokens: Vec<(Token, Place)>,
    next: usize,
    nesting: usize,
    on_stack: usize,
    program: Program,
}

/// An argument of a call: where it is in the text and where its steps begin.
struct Argument {
    place: Place,
    step: usize,
}

impl Parser {
    fn peek(&self) -> (&Token, Place) {
        // The last token is the end, and nothing goes beyond it.
        let (token, place) = &self.tokens[self.next.min(self.tokens.len() - 1)];
        (token, *place)
    }

    fn take(&mut self) -> (Token, Place) {
        let (token, place) = self.peek();
        let taken = (token.clone(), place);
        self.next += 1;
        taken
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek().0, Token::Sign(found) if *found == sign);
        self.next += usize::from(found);
        found
    }

    fn put(&mut self, step: Step) {
        self.on_stack = (self.on_stack + 1).saturating_sub(step.operands());
        self.program.depth = self.program.depth.max(self.on_stack);
        self.program.steps.push(step);
    }

    /// Parses operators that bind at least as tightly as `least`.
    fn expression(&mut self, least: u8) -> Result<(), ExpressionError> {
        let (_, place) = self.peek();
        if self.nesting >= MAX_DEPTH {
            return Err(place.error(format!("this is nested deeper than {MAX_DEPTH} levels")));
        }
        self.nesting += 1;
        self.prefix()?;
        self.operators(least)?;
        self.nesting -= 1;
        Ok(())
    }

    fn operators(&mut self, least: u8) -> Result<(), ExpressionError> {
        let mut compared = None;
        while let (Token::Sign(sign), place) = self.peek() {
            if *sign == "?" && CONDITION >= least {
                self.next += 1;
                self.choice(place)?;
                continue;
            }
            let Some((operator, binds)) = operator(sign).filter(|(_, binds)| *binds >= least)
            else {
                break;
            };
            if operator.compares() && compared == Some(binds) {
                return Err(place.error("join comparisons with &&, as in a < b && b < c"));
            }
            compared = operator.compares().then_some(binds);
            self.next += 1;
            // Powers are taken from the right, all else from the left.
            self.expression(if binds == POWER { POWER } else { binds + 1 })?;
            self.put(Step::Binary(operator));
        }
        Ok(())
    }

    fn choice(&mut self, question: Place) -> Result<(), ExpressionError> {
        self.expression(0)?;
        if !self.take_sign(":") {
            return Err(question.error("the : for this ? is missing"));
        }
        self.expression(CONDITION)?;
        self.put(Step::Choose);
        Ok(())
    }

    fn prefix(&mut self) -> Result<(), ExpressionError> {
        let (token, place) = self.take();
        match token {
            Token::Number(number) => self.put(Step::Number(number)),
            Token::Quoted(name) => self.put_signal(None, name),
            Token::Name(name) => return self.name(name, place),
            Token::Sign("(") => {
                self.expression(0)?;
                self.close(place)?;
            }
            Token::Sign("-") => {
                self.expression(UNARY)?;
                self.put(Step::Negate);
            }
            Token::Sign("!") => {
                self.expression(UNARY)?;
                self.put(Step::Not);
            }
            Token::Sign(sign) => {
                return Err(place.error(format!("a value is missing before {sign}")));
            }
            Token::End => return Err(place.error("the expression ends where a value is missing")),
        }
        Ok(())
    }

    fn close(&mut self, open: Place) -> Result<(), ExpressionError> {
        if self.take_sign(")") {
            return Ok(());
        }
        match self.peek() {
            (Token::End, _) => Err(open.error("the ) for this ( is missing")),
            (Token::Sign(","), place) => Err(place.error("a , belongs between arguments only")),
            (_, place) => Err(place.error("an operator or a ) is missing before this")),
        }
    }

    fn name(&mut self, name: String, place: Place) -> Result<(), ExpressionError> {
        if matches!(self.peek().0, Token::Sign("(")) {
            return self.call(&name, place);
        }
        match functions::constant(&name) {
            Some(constant) => self.put(Step::Number(constant)),
            None if name == "t" => self.put(Step::TimeSecs),
            None => self.put_signal(None, name),
        }
        Ok(())
    }

    fn put_signal(&mut self, run: Option<String>, name: String) {
        let number = self.program.signal(SignalRef { run, name });
        self.put(Step::Signal(number));
    }

    fn call(&mut self, name: &str, place: Place) -> Result<(), ExpressionError> {
        let Some(function) = functions::find(name) else {
            let near = suggestion(name, functions::names());
            return Err(place.error(format!("there is no function {name}{near}")));
        };
        let (_, open) = self.take();
        match function.body {
            Body::Run => self.run(function, place, open),
            Body::Convert => self.convert(function, place, open),
            Body::Recall(recall) => {
                let arguments = self.arguments(function, place, open)?;
                if self.program.memories.len() >= MAX_RECALLS {
                    return Err(place.error(format!(
                        "an expression has at most {MAX_RECALLS} functions that look back"
                    )));
                }
                self.recall(recall, &arguments)
            }
            body => {
                let arguments = self.arguments(function, place, open)?.len();
                Step::call(body, arguments).into_iter().for_each(|step| self.put(step));
                Ok(())
            }
        }
    }

    fn arguments(
        &mut self,
        function: &Function,
        name: Place,
        open: Place,
    ) -> Result<Vec<Argument>, ExpressionError> {
        let mut arguments = Vec::new();
        if !self.take_sign(")") {
            loop {
                let (step, (_, from)) = (self.program.steps.len(), self.peek());
                self.expression(0)?;
                let place = from.to(self.tokens[self.next - 1].1);
                arguments.push(Argument { place, step });
                if !self.take_sign(",") {
                    break;
                }
            }
            self.close(open)?;
        }
        if function.arguments.contains(&arguments.len()) {
            return Ok(arguments);
        }
        Err(name.error(wrong_number(function, arguments.len())))
    }

    fn recall(&mut self, recall: Recall, arguments: &[Argument]) -> Result<(), ExpressionError> {
        let parameter = match (recall.parameter(), arguments.get(1)) {
            (Parameter::Samples, Some(argument)) => self.samples(argument)?,
            (Parameter::Seconds, Some(argument)) => self.seconds(argument)?,
            _ => 0.0,
        };
        let memory = self.program.memories.len();
        self.program.memories.push(Memory::new(recall, parameter));
        self.put(Step::Recall { memory });
        Ok(())
    }

    fn samples(&mut self, argument: &Argument) -> Result<f64, ExpressionError> {
        let number = self.constant(argument);
        let allowed =
            |number: &f64| *number >= 1.0 && *number <= MAX_WINDOW as f64 && number.fract() == 0.0;
        number.filter(allowed).ok_or_else(|| {
            let text = format!("the number of samples is a whole constant from 1 to {MAX_WINDOW}");
            argument.place.error(text)
        })
    }

    fn seconds(&mut self, argument: &Argument) -> Result<f64, ExpressionError> {
        let number = self.constant(argument);
        // Less than a nanosecond is no time at all.
        let allowed = |number: &f64| *number >= 1e-9 && *number <= MAX_SECONDS;
        number.filter(allowed).ok_or_else(|| {
            let text =
                format!("the time is a positive constant in seconds, {MAX_SECONDS:e} at most");
            argument.place.error(text)
        })
    }

    /// Takes back the steps of the last argument and returns its value if it is constant.
    fn constant(&mut self, argument: &Argument) -> Option<f64> {
        let program = self.program.tail(argument.step);
        self.program.steps.truncate(argument.step);
        self.on_stack -= 1;
        let mut value = Vec::new();
        Evaluator::of(Arc::new(program?)).evaluate(&[0], &[], &mut value);
        value.first().copied()
    }

    fn convert(
        &mut self,
        function: &Function,
        name: Place,
        open: Place,
    ) -> Result<(), ExpressionError> {
        self.expression(0)?;
        let mut found = Vec::new();
        while self.take_sign(",") {
            match self.take() {
                (Token::Quoted(text) | Token::Name(text), place) => found.push((text, place)),
                (_, place) => return Err(place.error("a unit is missing, as in \"rad/s\"")),
            }
        }
        self.close(open)?;
        let [(from, from_place), (to, to_place)] = &found[..] else {
            return Err(name.error(wrong_number(function, found.len() + 1)));
        };
        let from = units::find(from).map_err(|text| from_place.error(text))?;
        let to = units::find(to).map_err(|text| to_place.error(text))?;
        let factor =
            units::factor(from, to).map_err(|text| from_place.to(*to_place).error(text))?;
        self.put(Step::Scale(factor));
        Ok(())
    }

    fn run(
        &mut self,
        function: &Function,
        name: Place,
        open: Place,
    ) -> Result<(), ExpressionError> {
        let mut found = Vec::new();
        while !matches!(self.peek().0, Token::Sign(")") | Token::End) {
            match self.take() {
                (Token::Quoted(text) | Token::Name(text), _) => found.push(text),
                (_, place) => return Err(place.error(RUN_TAKES_NAMES)),
            }
            if !self.take_sign(",") {
                break;
            }
        }
        match self.peek() {
            (Token::Sign(")") | Token::End, _) => self.close(open)?,
            (_, place) => return Err(place.error(RUN_TAKES_NAMES)),
        }
        let count = found.len();
        let Ok([run, signal]) = <[String; 2]>::try_from(found) else {
            return Err(name.error(wrong_number(function, count)));
        };
        self.put_signal(Some(run), signal);
        Ok(())
    }
}

const RUN_TAKES_NAMES: &str = "run takes two names, as in run(\"first\", \"car::speed\")";

fn wrong_number(function: &Function, given: usize) -> String {
    let (least, most) = (*function.arguments.start(), *function.arguments.end());
    let wanted = match least {
        _ if least < most => format!("from {least} to {MAX_ARGUMENTS} arguments"),
        1 => "1 argument".to_owned(),
        _ => format!("{least} arguments"),
    };
    format!("{} takes {wanted}, not {given}", function.name)
}

impl Binary {
    fn compares(self) -> bool {
        use Binary::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Unequal};
        matches!(self, Less | LessOrEqual | Greater | GreaterOrEqual | Equal | Unequal)
    }
}

/// Returns the operator of a sign and how tightly it binds.
fn operator(sign: &str) -> Option<(Binary, u8)> {
    Some(match sign {
        "||" => (Binary::Or, 2),
        "&&" => (Binary::And, 3),
        "==" => (Binary::Equal, 4),
        "!=" => (Binary::Unequal, 4),
        "<" => (Binary::Less, 5),
        "<=" => (Binary::LessOrEqual, 5),
        ">" => (Binary::Greater, 5),
        ">=" => (Binary::GreaterOrEqual, 5),
        "+" => (Binary::Add, 6),
        "-" => (Binary::Subtract, 6),
        "*" => (Binary::Multiply, 7),
        "/" => (Binary::Divide, 7),
        "%" => (Binary::Remainder, 7),
        "^" => (Binary::Power, POWER),
        _ => return None,
    })
}
