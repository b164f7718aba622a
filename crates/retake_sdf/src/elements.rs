//! Elements as text and back, for whoever edits them.

use std::sync::Arc;

use retake_description::Element;
use retake_diag::{Diagnostic, Diagnostics};

use crate::sdf::element;
use crate::write::{Layout, escaped};
use crate::xml;

/// What the text is put into, so that it is one document; it takes a line of its own.
const OPEN: &str = "<body>\n";
const CLOSE: &str = "</body>";

/// Most elements of such a text.
const MAX_ELEMENTS: usize = 10_000;

/// Writes elements one below the other; the text of a nameless one comes first.
pub fn print_elements(elements: &[Element]) -> String {
    let layout = Layout { indent: "", unit: "  ", newline: "\n" };
    let lines = elements.iter().map(|element| match element.name.is_empty() {
        true => escaped(&element.text),
        false => layout.render(element),
    });
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Reads elements; text between them becomes that of a nameless one, which comes first.
///
/// Returns none when it is no XML, which `diagnostics` then says with its place in the text.
pub fn parse_elements(
    text: &str,
    file_name: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Element>> {
    let limits = xml::Limits {
        depth: crate::MAX_DEPTH,
        elements: MAX_ELEMENTS,
        all_elements: MAX_ELEMENTS,
        per_thing: 0,
        things: MAX_ELEMENTS,
    };
    let whole = format!("{OPEN}{text}\n{CLOSE}");
    let mut found = Diagnostics::new();
    let document = xml::read(&whole, &Arc::from(file_name), limits, &mut found);
    for item in found.items() {
        diagnostics.push(placed_in_text(item.clone()));
    }
    let document = document?;
    let roots: Vec<_> = document.roots().collect();
    let [body] = roots.as_slice() else {
        let message = "an element is closed that was never opened";
        diagnostics.push(Diagnostic::error("xml-syntax", message));
        return None;
    };
    let own = Element { text: body.text().to_owned(), ..Element::default() };
    let own = (!own.text.is_empty()).then_some(own);
    Some(own.into_iter().chain(body.children().map(element)).collect())
}

fn placed_in_text(mut item: Diagnostic) -> Diagnostic {
    if let Some(place) = &mut item.place {
        place.line = place.line.saturating_sub(1).max(1);
    }
    item
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Element>, String> {
        let mut found = Diagnostics::new();
        parse_elements(text, "body", &mut found).ok_or_else(|| found.to_string())
    }

    #[test]
    fn what_is_printed_reads_as_itself() {
        let text = "<p_gain>5 &amp; 6</p_gain>\n<wheel side=\"left\">\n  <r>0.1</r>\n</wheel>";
        let elements = read(text).unwrap();
        assert_eq!(elements.len(), 2);
        assert_eq!(print_elements(&elements), text);
        let spoken = read("hello <a/>").unwrap();
        assert_eq!((spoken[0].text.as_str(), spoken[1].name.as_str()), ("hello", "a"));
        assert_eq!(read("").unwrap(), []);
    }

    #[test]
    fn faults_are_placed_in_the_text() {
        assert!(read("<a>\n<b =></a>").unwrap_err().starts_with("body:2:"));
        assert!(read("</body><x/><body>").is_err());
        assert!(read(&"<a>".repeat(1000)).is_err());
    }
}
