//! Elements, and their text.

use retake_description::Element;

/// Starts an element without content.
pub(super) fn element(name: &str) -> Element {
    Element { name: name.to_owned(), ..Element::default() }
}

/// Makes an element that holds only text.
pub(super) fn leaf(name: &str, text: impl Into<String>) -> Element {
    Element { text: text.into(), ..element(name) }
}

/// Adds to elements while they are made.
pub(super) trait Build {
    /// Adds an attribute.
    fn with(self, name: &str, value: &str) -> Self;
    /// Adds children.
    fn holding(self, children: Vec<Element>) -> Self;
    /// Adds what the readers kept: remains of an element that is here go into it, all else to the
    /// end.
    fn merged(self, extras: &[Element]) -> Self;
}

impl Build for Element {
    fn with(mut self, name: &str, value: &str) -> Self {
        self.attributes.push((name.to_owned(), value.to_owned()));
        self
    }

    fn holding(mut self, mut children: Vec<Element>) -> Self {
        self.children.append(&mut children);
        self
    }

    fn merged(mut self, extras: &[Element]) -> Self {
        merge(&mut self.children, extras);
        self
    }
}

fn merge(children: &mut Vec<Element>, extras: &[Element]) {
    let written = children.len();
    for extra in extras {
        let same = children[..written].iter_mut().find(|child| child.name == extra.name);
        match same {
            Some(child) if is_remains(extra) => merge(&mut child.children, &extra.children),
            _ => children.push(extra.clone()),
        }
    }
}

/// Remains of an element that was read in part have nothing but children.
fn is_remains(element: &Element) -> bool {
    element.attributes.is_empty() && element.text.is_empty() && !element.children.is_empty()
}

/// Lays out a document.
pub(super) fn rendered(root: &Element) -> String {
    let mut text = String::from("<?xml version=\"1.0\"?>\n");
    render(root, 0, &mut text);
    text
}

fn render(element: &Element, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    text.push_str(&indent);
    text.push('<');
    text.push_str(&element.name);
    for (name, value) in &element.attributes {
        text.push(' ');
        text.push_str(name);
        text.push_str("=\"");
        escape(value, text);
        text.push('"');
    }
    if element.children.is_empty() && element.text.is_empty() {
        text.push_str("/>\n");
        return;
    }
    text.push('>');
    escape(&element.text, text);
    if !element.children.is_empty() {
        text.push('\n');
        for child in &element.children {
            render(child, depth + 1, text);
        }
        text.push_str(&indent);
    }
    text.push_str("</");
    text.push_str(&element.name);
    text.push_str(">\n");
}

fn escape(raw: &str, text: &mut String) {
    for character in raw.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\r' => text.push_str("&#13;"),
            other => text.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remains_are_merged_and_the_rest_is_added() {
        let extras = [
            element("surface").holding(vec![leaf("soft", "1")]),
            leaf("laser_retro", "a<b"),
            leaf("laser_retro", "c"),
        ];
        let made = element("collision")
            .with("name", "\"x\"")
            .holding(vec![element("surface").holding(vec![element("bounce")])])
            .merged(&extras);
        let expected = "<?xml version=\"1.0\"?>\n<collision name=\"&quot;x&quot;\">\n  <surface>\n    \
             <bounce/>\n    <soft>1</soft>\n  </surface>\n  <laser_retro>a&lt;b</laser_retro>\n  \
             <laser_retro>c</laser_retro>\n</collision>\n";
        assert_eq!(rendered(&made), expected);
    }
}
