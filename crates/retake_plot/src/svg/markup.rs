//! Writing of SVG elements: everything is escaped, every number is finite and short.

use std::fmt::{Display, Write as _};

/// Coordinates beyond this are no place on any picture.
const FARTHEST_PX: f64 = 1e6;

/// An SVG text in the making.
#[derive(Default)]
pub(super) struct Markup {
    text: String,
    open: Vec<&'static str>,
}

/// An element whose attributes are being written.
#[must_use = "end the element with `empty`, `text` or `children`"]
pub(super) struct Tag<'a> {
    markup: &'a mut Markup,
    name: &'static str,
}

impl Markup {
    /// Begins an element.
    pub(super) fn tag(&mut self, name: &'static str) -> Tag<'_> {
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        Tag { markup: self, name }
    }

    /// Ends the innermost element that has children.
    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.indent();
            self.push_all(&["</", name, ">\n"]);
        }
    }

    /// Ends all elements and returns the text.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn indent(&mut self) {
        // Groups in groups are few; deeper lines would only make the file longer.
        for _ in 0..self.open.len().min(3) {
            self.text.push(' ');
        }
    }

    fn push_all(&mut self, parts: &[&str]) {
        for part in parts {
            self.text.push_str(part);
        }
    }
}

impl Tag<'_> {
    /// Adds a length or a place in pixels.
    pub(super) fn px(self, name: &str, value: f64) -> Self {
        self.markup.push_all(&[" ", name, "=\""]);
        push_px(&mut self.markup.text, value);
        self.markup.text.push('"');
        self
    }

    /// Adds any other value.
    pub(super) fn with(self, name: &str, value: impl Display) -> Self {
        self.markup.push_all(&[" ", name, "=\""]);
        push_escaped(&mut self.markup.text, &value.to_string());
        self.markup.text.push('"');
        self
    }

    /// Ends an element that holds nothing.
    pub(super) fn empty(self) {
        self.markup.text.push_str("/>\n");
    }

    /// Ends an element that holds text.
    pub(super) fn text(self, content: &str) {
        self.markup.text.push('>');
        push_escaped(&mut self.markup.text, content);
        self.markup.push_all(&["</", self.name, ">\n"]);
    }

    /// Ends a text element whose parts are each raised by so many pixels, in a size of their own.
    pub(super) fn raised_parts(self, parts: &[(&str, f64, f64)]) {
        self.markup.text.push('>');
        let mut raised = 0.0;
        for &(content, up_px, size_px) in parts {
            self.markup.text.push_str("<tspan dy=\"");
            push_px(&mut self.markup.text, raised - up_px);
            self.markup.text.push_str("\" font-size=\"");
            push_px(&mut self.markup.text, size_px);
            self.markup.text.push_str("\">");
            push_escaped(&mut self.markup.text, content);
            self.markup.text.push_str("</tspan>");
            raised = up_px;
        }
        self.markup.push_all(&["</", self.name, ">\n"]);
    }

    /// Leaves the element open for children.
    pub(super) fn children(self) {
        self.markup.text.push_str(">\n");
        self.markup.open.push(self.name);
    }
}

/// Writes a length with at most two decimals; what is not finite becomes zero.
pub(super) fn push_px(text: &mut String, value: f64) {
    let bounded = if value.is_finite() { value.clamp(-FARTHEST_PX, FARTHEST_PX) } else { 0.0 };
    let hundredths = (bounded * 100.0).round() as i64;
    if hundredths < 0 {
        text.push('-');
    }
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    // Writing to a string cannot fail.
    let _ = write!(text, "{whole}");
    if rest != 0 {
        let _ = if rest % 10 == 0 {
            write!(text, ".{}", rest / 10)
        } else {
            write!(text, ".{rest:02}")
        };
    }
}

/// Writes text for use between tags and in attributes; what XML cannot hold becomes a question mark.
fn push_escaped(text: &mut String, raw: &str) {
    for character in raw.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\t' | '\n' | '\r' => text.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => text.push('?'),
            plain => text.push(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_survives_as_xml(content in any::<String>(), value in any::<f64>()) {
            let mut markup = Markup::default();
            markup.tag("text").with("label", &content).px("x", value).text(&content);
            let text = markup.finish();
            let document = roxmltree::Document::parse(&text).unwrap();
            let expected: String = content
                .chars()
                .map(|c| match c {
                    '\t' | '\n' | '\r' => ' ',
                    '\u{fffe}' | '\u{ffff}' => '?',
                    c if c.is_control() => '?',
                    c => c,
                })
                .collect();
            prop_assert_eq!(document.root_element().text().unwrap_or_default(), &expected);
            prop_assert_eq!(document.root_element().attribute("label"), Some(expected.as_str()));
            let written: f64 = document.root_element().attribute("x").unwrap().parse().unwrap();
            prop_assert!(written.is_finite());
        }

        #[test]
        fn pixels_are_written_to_a_hundredth(value in -9999.0..9999.0) {
            let mut text = String::new();
            push_px(&mut text, value);
            let written: f64 = text.parse().unwrap();
            // Half of a hundredth, and what rounding adds.
            prop_assert!((written - value).abs() <= 0.005 + 1e-9, "{value} became {text}");
            prop_assert!(text != "-0" && !text.ends_with(".0"), "{text}");
        }
    }
}
