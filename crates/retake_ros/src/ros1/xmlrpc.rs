//! XML-RPC, as far as ROS 1 uses it.

use std::fmt::Write;

use roxmltree::{Document, Node, ParsingOptions};

/// Most values inside one another.
const MAX_DEPTH: usize = 16;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Int(i32),
    Bool(bool),
    Text(String),
    Double(f64),
    Array(Vec<Value>),
}

impl Value {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_int(&self) -> Option<i32> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn as_array(&self) -> &[Value] {
        match self {
            Self::Array(values) => values,
            _ => &[],
        }
    }

    fn write(&self, to: &mut String) {
        to.push_str("<value>");
        // Writing to a string does not fail.
        match self {
            Self::Int(number) => write!(to, "<int>{number}</int>").ok(),
            Self::Bool(truth) => write!(to, "<boolean>{}</boolean>", u8::from(*truth)).ok(),
            Self::Text(text) => write!(to, "<string>{}</string>", escaped(text)).ok(),
            Self::Double(number) => write!(to, "<double>{number}</double>").ok(),
            Self::Array(values) => {
                to.push_str("<array><data>");
                values.iter().for_each(|value| value.write(to));
                to.push_str("</data></array>");
                None
            }
        };
        to.push_str("</value>");
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // As it is, a reader of XML would take it for the end of a line.
    text.replace('\r', "&#13;")
}

/// Writes a call.
pub(super) fn write_call(method: &str, params: &[Value]) -> String {
    let mut text = "<?xml version=\"1.0\"?><methodCall><methodName>".to_owned();
    text.push_str(&escaped(method));
    text.push_str("</methodName>");
    write_params(params, &mut text);
    text + "</methodCall>"
}

/// Writes a response.
pub(super) fn write_response(value: &Value) -> String {
    let mut text = "<?xml version=\"1.0\"?><methodResponse>".to_owned();
    write_params(std::slice::from_ref(value), &mut text);
    text + "</methodResponse>"
}

fn write_params(params: &[Value], to: &mut String) {
    to.push_str("<params>");
    for param in params {
        to.push_str("<param>");
        param.write(to);
        to.push_str("</param>");
    }
    to.push_str("</params>");
}

/// Reads a call: the method, and what it is given.
pub(super) fn read_call(text: &str) -> Result<(String, Vec<Value>), String> {
    let document = parse(text)?;
    let call = document.root_element();
    let method = child(call, "methodName").and_then(|name| name.text()).unwrap_or_default();
    Ok((method.trim().to_owned(), params(call)?))
}

/// Reads a response.
pub(super) fn read_response(text: &str) -> Result<Value, String> {
    let document = parse(text)?;
    let response = document.root_element();
    if let Some(fault) = child(response, "fault") {
        let words: Vec<&str> = fault.descendants().filter_map(|node| node.text()).collect();
        return Err(format!("it failed: {}", words.join(" ").trim()));
    }
    params(response)?.into_iter().next().ok_or_else(|| "the response is empty".to_owned())
}

fn parse(text: &str) -> Result<Document<'_>, String> {
    let options = ParsingOptions { nodes_limit: 100_000, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| format!("no XML: {error}"))
}

fn params(holder: Node<'_, '_>) -> Result<Vec<Value>, String> {
    let Some(params) = child(holder, "params") else { return Ok(Vec::new()) };
    let all = params.children().filter(|node| node.has_tag_name("param"));
    all.map(|param| read(child(param, "value").ok_or("a param has no value")?, 0)).collect()
}

fn read(value: Node<'_, '_>, depth: usize) -> Result<Value, String> {
    if depth > MAX_DEPTH {
        return Err("values lie too deep in one another".to_owned());
    }
    let Some(typed) = value.children().find(Node::is_element) else {
        // Without a type it is text.
        return Ok(Value::text(value.text().unwrap_or_default()));
    };
    let text = typed.text().unwrap_or_default();
    let number = |what: &str| format!("{text:?} is no {what}");
    Ok(match typed.tag_name().name() {
        "int" | "i4" => Value::Int(text.trim().parse().map_err(|_| number("int"))?),
        "boolean" => Value::Bool(text.trim() == "1"),
        "double" => Value::Double(text.trim().parse().map_err(|_| number("double"))?),
        "array" => {
            let data = child(typed, "data").ok_or("an array has no data")?;
            let values = data.children().filter(|node| node.has_tag_name("value"));
            Value::Array(values.map(|value| read(value, depth + 1)).collect::<Result<_, _>>()?)
        }
        // Structures and dates are not for nodes like this one.
        _ => Value::text(text),
    })
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|child| child.has_tag_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let params = vec![
            Value::text("/retake & <co>\r\n\r"),
            Value::Int(-3),
            Value::Bool(true),
            Value::Double(0.5),
            Value::Array(vec![Value::Array(vec![Value::text("TCPROS")]), Value::Array(Vec::new())]),
        ];
        let text = write_call("requestTopic", &params);
        assert_eq!(read_call(&text).unwrap(), ("requestTopic".to_owned(), params.clone()));
        let array = Value::Array(params);
        assert_eq!(read_response(&write_response(&array)).unwrap(), array);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(read_call("<methodCall>").unwrap_err().starts_with("no XML"));
        assert!(read_response("<methodResponse/>").unwrap_err().contains("empty"));
        let deep = "<array><data><value>".repeat(40) + &"</value></data></array>".repeat(40);
        let deep = format!(
            "<methodResponse><params><param><value>{deep}</value></param></params></methodResponse>"
        );
        assert!(read_response(&deep).unwrap_err().contains("too deep"));
    }
}
