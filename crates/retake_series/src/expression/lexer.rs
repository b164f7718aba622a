//! Splitting the text of an expression into words and signs.

use super::error::{ExpressionError, Place};

/// A word or sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A number, never negative.
    Number(f64),
    /// A bare word: a function, a constant or a signal.
    Name(String),
    /// A text in quotes or backticks.
    Quoted(String),
    /// An operator, a parenthesis or a comma.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// Longer signs first, so that `<=` is not read as `<`.
const SIGNS: [&str; 21] = [
    "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "^", "<", ">", "!", "?", ":", "(",
    ")", ",", "=",
];

/// Splits a text; the last token is the end.
pub(super) fn split(text: &str) -> Result<Vec<(Token, Place)>, ExpressionError> {
    let mut lexer = Lexer { letters: text.chars().collect(), at: 0 };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next()?;
        let ended = token.0 == Token::End;
        tokens.push(token);
        if ended {
            return Ok(tokens);
        }
    }
}

struct Lexer {
    letters: Vec<char>,
    at: usize,
}

impl Lexer {
    fn next(&mut self) -> Result<(Token, Place), ExpressionError> {
        self.skip(char::is_whitespace);
        let start = self.at;
        let token = match self.letters.get(start) {
            None => Token::End,
            Some('"' | '`') => self.quoted()?,
            Some(letter) if letter.is_ascii_digit() => self.number()?,
            Some('.') if self.is_digit(start + 1) => self.number()?,
            Some(letter) if letter.is_alphabetic() || *letter == '_' => self.name(),
            Some(_) => self.sign()?,
        };
        Ok((token, self.since(start)))
    }

    fn since(&self, start: usize) -> Place {
        Place { column: start, length: self.at - start }
    }

    fn is_digit(&self, at: usize) -> bool {
        self.letters.get(at).is_some_and(char::is_ascii_digit)
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        while self.letters.get(self.at).is_some_and(|letter| wanted(*letter)) {
            self.at += 1;
        }
    }

    fn name(&mut self) -> Token {
        let start = self.at;
        self.skip(|letter| letter.is_alphanumeric() || letter == '_');
        Token::Name(self.letters[start..self.at].iter().collect())
    }

    fn quoted(&mut self) -> Result<Token, ExpressionError> {
        let start = self.at;
        let quote = self.letters[start];
        self.at += 1;
        self.skip(|letter| letter != quote);
        if self.at >= self.letters.len() {
            return Err(self.since(start).error(format!("the closing {quote} is missing")));
        }
        let name: String = self.letters[start + 1..self.at].iter().collect();
        self.at += 1;
        if name.is_empty() {
            return Err(self.since(start).error("there is no name between the quotes"));
        }
        Ok(Token::Quoted(name))
    }

    fn number(&mut self) -> Result<Token, ExpressionError> {
        let start = self.at;
        self.skip(|letter| letter.is_ascii_digit());
        if self.letters.get(self.at) == Some(&'.') {
            self.at += 1;
            self.skip(|letter| letter.is_ascii_digit());
        }
        if matches!(self.letters.get(self.at), Some('e' | 'E')) {
            let signed = matches!(self.letters.get(self.at + 1), Some('+' | '-'));
            let digits = self.at + 1 + usize::from(signed);
            if self.is_digit(digits) {
                self.at = digits;
                self.skip(|letter| letter.is_ascii_digit());
            }
        }
        let text: String = self.letters[start..self.at].iter().collect();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Token::Number(number)),
            _ => Err(self.since(start).error("this number is too large")),
        }
    }

    fn sign(&mut self) -> Result<Token, ExpressionError> {
        let start = self.at;
        let here = |sign: &&str| {
            sign.chars().enumerate().all(|(at, c)| self.letters.get(start + at) == Some(&c))
        };
        let colons = self.letters[start..].starts_with(&[':', ':']);
        match SIGNS.iter().copied().find(here).filter(|_| !colons) {
            Some("=") => {
                self.at += 1;
                Err(self.since(start).error("write == to compare"))
            }
            Some(sign) => {
                self.at += sign.len();
                Ok(Token::Sign(sign))
            }
            None => {
                self.at += if colons { 2 } else { 1 };
                let found: String = self.letters[start..self.at].iter().collect();
                let place = self.since(start);
                Err(match found.as_str() {
                    "." | "::" | "[" | "]" => place.error(format!(
                        "{found} is not an operator; put names of signals in quotes"
                    )),
                    _ => place.error(format!("{found} has no meaning here")),
                })
            }
        }
    }
}
