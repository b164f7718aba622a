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
    /// Adds elements that are written only when the readers kept something of them: their values
    /// are SDF's defaults.
    fn by_default(self, extras: &[Element], defaults: Vec<Element>) -> Self;
    /// Adds what the readers kept: attributes of the element itself, remains of an element that
    /// is here into that, all else to the end.
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

    fn by_default(mut self, extras: &[Element], defaults: Vec<Element>) -> Self {
        for default in defaults {
            let kept = extras.iter().any(|extra| extra.name == default.name);
            let written = self.children.iter().any(|child| child.name == default.name);
            if kept && !written {
                self.children.push(default);
            }
        }
        self
    }

    fn merged(mut self, extras: &[Element]) -> Self {
        merge(&mut self, extras);
        self
    }
}

fn merge(element: &mut Element, extras: &[Element]) {
    let written = element.children.len();
    for extra in extras {
        if extra.name.is_empty() {
            add_attributes(element, extra);
            continue;
        }
        let same = element.children[..written].iter_mut().find(|child| child.name == extra.name);
        match same {
            Some(child) => {
                add_attributes(child, extra);
                merge(child, &extra.children);
            }
            None => element.children.push(extra.clone()),
        }
    }
}

fn add_attributes(element: &mut Element, extra: &Element) {
    for (name, value) in &extra.attributes {
        if element.attribute(name).is_none() {
            element.attributes.push((name.clone(), value.clone()));
        }
    }
}

/// How elements are laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<'a> {
    /// What stands before every line but the first.
    pub(crate) indent: &'a str,
    /// What stands before each line of an element's children in addition.
    pub(crate) unit: &'a str,
    /// What ends a line.
    pub(crate) newline: &'a str,
}

impl Layout<'_> {
    /// All in one line.
    pub(crate) const INLINE: Self = Self { indent: "", unit: "", newline: "" };

    /// Lays out an element, without an end to its last line.
    pub(crate) fn render(&self, element: &Element) -> String {
        let mut text = String::new();
        render(element, self, 0, &mut text);
        text
    }

    fn break_line(&self, depth: usize, text: &mut String) {
        text.push_str(self.newline);
        text.push_str(self.indent);
        (0..depth).for_each(|_| text.push_str(self.unit));
    }
}

/// Lays out a document.
pub(super) fn rendered(root: &Element) -> String {
    let layout = Layout { indent: "", unit: "  ", newline: "\n" };
    format!("<?xml version=\"1.0\"?>\n{}\n", layout.render(root))
}

fn render(element: &Element, layout: &Layout<'_>, depth: usize, text: &mut String) {
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
        text.push_str("/>");
        return;
    }
    text.push('>');
    escape(&element.text, text);
    if !element.children.is_empty() {
        for child in &element.children {
            layout.break_line(depth + 1, text);
            render(child, layout, depth + 1, text);
        }
        layout.break_line(depth, text);
    }
    text.push_str("</");
    text.push_str(&element.name);
    text.push('>');
}

/// Writes text so that it reads as itself.
pub(crate) fn escaped(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    escape(raw, &mut text);
    text
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
