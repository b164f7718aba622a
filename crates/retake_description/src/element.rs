//! Raw elements of the source file.

use serde::{Deserialize, Serialize};

/// An element as it stood in the file: kept for plugins and for what no type here knows.
///
/// Among the extras of a thing, an element without a name stands for the thing's own element: it
/// holds the attributes that no type here knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// Tag name.
    pub name: String,
    /// Attributes in the order of the file.
    pub attributes: Vec<(String, String)>,
    /// Text content, trimmed; empty when there is none.
    pub text: String,
    /// Child elements in the order of the file.
    pub children: Vec<Element>,
}

impl Element {
    /// Makes the nameless element that holds attributes of a thing's own element.
    pub fn own(attributes: Vec<(String, String)>) -> Self {
        Self { attributes, ..Self::default() }
    }

    /// Returns the first child called `name`.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}
