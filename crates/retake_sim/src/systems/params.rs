//! Reading the parameters of a plugin.

use retake_description::{Element, Plugin};

use crate::system::SystemError;

/// The parameters of a plugin, checked as they are read.
#[derive(Clone, Copy)]
pub struct Params<'a> {
    body: &'a [Element],
    attributes: &'a [(String, String)],
}

impl<'a> Params<'a> {
    pub(crate) fn new(plugin: &'a Plugin) -> Self {
        Self { body: &plugin.body, attributes: &[] }
    }

    /// Returns the parameters inside an element: its children and its attributes.
    pub fn of(element: &'a Element) -> Self {
        Self { body: &element.children, attributes: &element.attributes }
    }

    /// Returns the text of a parameter.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        let child = self.body.iter().find(|element| element.name == name);
        let attribute = || self.attributes.iter().find(|(known, _)| known == name);
        child
            .map(|child| child.text.as_str())
            .or_else(|| attribute().map(|(_, text)| text.as_str()))
    }

    /// Returns the elements of that name.
    pub fn elements(&self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.body.iter().filter(move |element| element.name == name)
    }

    /// Returns one of `words`, or `otherwise` when the parameter is not given.
    ///
    /// # Errors
    /// [`SystemError::BadParameter`] when something else stands there.
    pub fn word_or(
        &self,
        name: &str,
        otherwise: &'static str,
        words: &[&'static str],
    ) -> Result<&'static str, SystemError> {
        let Some(text) = self.text(name) else { return Ok(otherwise) };
        let word = words.iter().find(|word| **word == text.trim()).copied();
        word.ok_or_else(|| SystemError::BadWord {
            parameter: name.to_owned(),
            text: text.to_owned(),
            words: words.to_vec(),
        })
    }

    /// Returns a number that is not negative, or `otherwise` when it is not given.
    ///
    /// # Errors
    /// [`SystemError::BadParameter`] when something else stands there.
    pub fn at_least_zero(&self, name: &str, otherwise: f64) -> Result<f64, SystemError> {
        match self.number_or(name, otherwise)? {
            value if value >= 0.0 => Ok(value),
            _ => Err(bad(name, self.text(name).unwrap_or_default(), "a number not below 0")),
        }
    }

    /// Returns whether a parameter says yes, or `otherwise` when it is not given.
    ///
    /// # Errors
    /// [`SystemError::BadParameter`] when it is not a truth value.
    pub fn flag_or(&self, name: &str, otherwise: bool) -> Result<bool, SystemError> {
        match self.text(name) {
            Some(_) => self.flag(name),
            None => Ok(otherwise),
        }
    }

    /// Returns the texts of a parameter that may be given several times.
    pub fn texts(&self, name: &str) -> Vec<&'a str> {
        let named = self.body.iter().filter(|element| element.name == name);
        let attribute = self.attributes.iter().filter(|(known, _)| known == name);
        let attribute = attribute.map(|(_, text)| text.as_str());
        named.map(|element| element.text.as_str()).chain(attribute).collect()
    }

    /// Returns a parameter that must be there.
    ///
    /// # Errors
    /// [`SystemError::MissingParameter`].
    pub fn required(&self, name: &'static str) -> Result<&'a str, SystemError> {
        let text = self.text(name).filter(|text| !text.is_empty());
        text.ok_or(SystemError::MissingParameter { parameter: name })
    }

    /// Returns a finite number.
    ///
    /// # Errors
    /// [`SystemError::BadParameter`] when something else stands there.
    pub fn number(&self, name: &str) -> Result<Option<f64>, SystemError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match text.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => Err(bad(name, text, "a number")),
        }
    }

    /// Returns a number, or `otherwise` when it is not given.
    ///
    /// # Errors
    /// [`SystemError::BadParameter`] when something else stands there.
    pub fn number_or(&self, name: &str, otherwise: f64) -> Result<f64, SystemError> {
        Ok(self.number(name)?.unwrap_or(otherwise))
    }

    /// Returns a number above zero, or `otherwise` when it is not given.
    ///
    /// # Errors
    /// [`SystemError::BadParameter`] when something else stands there.
    pub fn positive_or(&self, name: &str, otherwise: f64) -> Result<f64, SystemError> {
        match self.number_or(name, otherwise)? {
            value if value > 0.0 => Ok(value),
            _ => Err(bad(name, self.text(name).unwrap_or_default(), "a number above 0")),
        }
    }

    /// Returns whether a parameter says yes.
    ///
    /// # Errors
    /// [`SystemError::BadParameter`] when it is not a truth value.
    pub fn flag(&self, name: &str) -> Result<bool, SystemError> {
        match self.text(name).map(str::trim) {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1" | "") => Ok(true),
            Some(other) => Err(bad(name, other, "true or false")),
        }
    }

    /// Returns every parameter of that name as a row of `N` numbers.
    ///
    /// # Errors
    /// [`SystemError::BadParameter`] when one of them is something else.
    pub fn rows<const N: usize>(
        &self,
        name: &str,
        expected: &'static str,
    ) -> Result<Vec<[f64; N]>, SystemError> {
        let row = |text: &&str| {
            let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
            let numbers = numbers.ok().filter(|all| all.iter().all(|number| number.is_finite()));
            let row = numbers.and_then(|all| <[f64; N]>::try_from(all).ok());
            row.ok_or_else(|| bad(name, text, expected))
        };
        self.texts(name).iter().map(row).collect()
    }
}

fn bad(name: &str, text: &str, expected: &'static str) -> SystemError {
    SystemError::BadParameter { parameter: name.to_owned(), text: text.to_owned(), expected }
}
