//! Messages of ROS: definitions, JSON, CDR and the bytes of ROS 1; and what nodes of ROS 1 say to
//! each other around them.

use fastrand::Rng;
use retake_ros::ros1_wire::{XmlRpc, read_http_head, rewrite_tcpros_header};
use retake_ros::{Count, Definition, Flavour, Kind, Library, MessageError, Primitive, library};
use serde_json::{Value, json};

use super::{Verdict, ensure, seen, text};
use crate::samples::texts;

/// The samples of a flavour: each starts with the number of its type.
fn all(
    flavour: Flavour,
    encode: impl Fn(&Library, &str, &Value) -> Option<Vec<u8>>,
) -> Vec<Vec<u8>> {
    let library = library(flavour);
    let mut rng = Rng::with_seed(1);
    let each = library.names().enumerate().filter_map(|(number, name)| {
        let bytes = encode(library, name, &message(library, name, &mut rng))?;
        let number = u16::try_from(number).ok()?;
        Some([number.to_le_bytes().to_vec(), bytes].concat())
    });
    each.collect()
}

/// Takes an input apart into a type and its bytes.
fn typed(flavour: Flavour, input: &[u8]) -> Option<(&'static Library, String, &[u8])> {
    let library = library(flavour);
    let (number, rest) = input.split_first_chunk::<2>()?;
    let names: Vec<&str> = library.names().collect();
    let name = names[usize::from(u16::from_le_bytes(*number)) % names.len()];
    Some((library, name.to_owned(), rest))
}

fn message(library: &Library, name: &str, rng: &mut Rng) -> Value {
    let Ok(definition) = library.find(name) else { return Value::Null };
    let fields = definition.fields.iter().map(|field| {
        let many = match field.count {
            Count::One => return (field.name.clone(), element(library, &field.kind, rng)),
            Count::Any => rng.usize(..3),
            Count::Exactly(many) => many,
        };
        let all = (0..many).map(|_| element(library, &field.kind, rng)).collect();
        (field.name.clone(), Value::Array(all))
    });
    Value::Object(fields.collect())
}

fn element(library: &Library, kind: &Kind, rng: &mut Rng) -> Value {
    match kind {
        Kind::Message(name) => message(library, name, rng),
        Kind::Primitive(Primitive::Bool) => json!(rng.bool()),
        Kind::Primitive(Primitive::Int(_) | Primitive::Uint(_)) => json!(rng.u8(..128)),
        Kind::Primitive(Primitive::Float(_)) => json!(f64::from(rng.i16(..)) / 8.0),
        Kind::Primitive(Primitive::Text) => json!("joint"),
        Kind::Primitive(Primitive::Time | Primitive::Duration) => {
            json!({"sec": rng.u16(..), "nanosec": rng.u16(..)})
        }
    }
}

pub(super) fn definition_samples() -> Vec<Vec<u8>> {
    library(Flavour::Ros2).texts().map(|(_, text)| text.as_bytes().to_vec()).collect()
}

pub(super) fn json_samples() -> Vec<Vec<u8>> {
    all(Flavour::Ros2, |library, name, value| {
        library.to_json(name, value).ok().map(|value| value.to_string().into_bytes())
    })
}

pub(super) fn cdr_samples() -> Vec<Vec<u8>> {
    all(Flavour::Ros2, |library, name, value| library.to_cdr(name, value).ok())
}

pub(super) fn ros1_samples() -> Vec<Vec<u8>> {
    all(Flavour::Ros1, |library, name, value| library.to_ros1(name, value).ok())
}

pub(super) fn read_definition(input: &[u8]) -> Verdict {
    let read = Definition::read("pkg", &text(input));
    if let Err(reason) = &read {
        ensure(!reason.is_empty(), || "refused without a word".to_owned())?;
    }
    Ok(seen(read.is_ok()))
}

pub(super) fn read_json(input: &[u8]) -> Verdict {
    let Some((library, name, bytes)) = typed(Flavour::Ros2, input) else { return Ok(seen(false)) };
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return Ok(seen(false)) };
    let inner = match library.from_json(&name, &value) {
        Ok(inner) => inner,
        Err(error) => return refused(&error),
    };
    // What was taken has the shape of its type, so that every encoding can carry it.
    library.to_cdr(&name, &inner).map_err(|error| format!("{name} {value} was taken: {error}"))?;
    Ok(seen(true))
}

pub(super) fn read_cdr(input: &[u8]) -> Verdict {
    let Some((library, name, bytes)) = typed(Flavour::Ros2, input) else { return Ok(seen(false)) };
    let value = match library.from_cdr(&name, bytes) {
        Ok(value) => value,
        Err(error) => return refused(&error),
    };
    let again = library.to_cdr(&name, &value);
    let again = again.and_then(|bytes| library.from_cdr(&name, &bytes));
    same(&name, &value, again)
}

pub(super) fn read_ros1(input: &[u8]) -> Verdict {
    let Some((library, name, bytes)) = typed(Flavour::Ros1, input) else { return Ok(seen(false)) };
    let value = match library.from_ros1(&name, bytes) {
        Ok(value) => value,
        Err(error) => return refused(&error),
    };
    let again = library.to_ros1(&name, &value);
    let again = again.and_then(|bytes| library.from_ros1(&name, &bytes));
    same(&name, &value, again)
}

fn same(name: &str, value: &Value, again: Result<Value, MessageError>) -> Verdict {
    let same = again.as_ref().is_ok_and(|again| again == value);
    ensure(same, || format!("{name} {value} read back as {again:?}"))?;
    Ok(seen(true))
}

fn refused(error: &MessageError) -> Verdict {
    ensure(!error.to_string().is_empty(), || "refused without a word".to_owned())?;
    Ok(seen(false))
}

pub(super) fn xmlrpc_samples() -> Vec<Vec<u8>> {
    texts(&[
        "<?xml version=\"1.0\"?><methodCall><methodName>requestTopic</methodName><params>\
         <param><value><string>/other</string></value></param><param><value>/clock</value></param>\
         <param><value><array><data><value><array><data><value>TCPROS</value></data></array>\
         </value></data></array></value></param></params></methodCall>",
        "<methodCall><methodName>publisherUpdate</methodName><params><param><value>/master</value>\
         </param><param><value>/cmd_vel</value></param><param><value><array><data><value>\
         http://127.0.0.1:4000/</value></data></array></value></param></params></methodCall>",
        "<?xml version='1.0'?><methodResponse><params><param><value><array><data><value><int>1</int>\
         </value><value><string>a &amp; b &#13;&#10;</string></value><value><boolean>0</boolean>\
         </value><value><double>-2.5e3</double></value><value><i4>-7</i4></value></data></array>\
         </value></param></params></methodResponse>",
        "<methodResponse><fault><value><struct><member><name>faultString</name><value>no such \
         method</value></member></struct></value></fault></methodResponse>",
    ])
}

pub(super) fn http_samples() -> Vec<Vec<u8>> {
    texts(&[
        "POST /RPC2 HTTP/1.1\r\nHost: 127.0.0.1:11311\r\nContent-Type: text/xml\r\n\
         Content-Length: 120\r\nConnection: close\r\n\r\n",
        "HTTP/1.0 200 OK\r\nServer: BaseHTTP/0.6\r\ncontent-length:17\r\n\r\n",
    ])
}

pub(super) fn header_samples() -> Vec<Vec<u8>> {
    let header = |fields: &[&str]| -> Vec<u8> {
        fields.iter().fold(Vec::new(), |mut bytes, field| {
            bytes.extend((field.len() as u32).to_le_bytes());
            bytes.extend(field.as_bytes());
            bytes
        })
    };
    vec![
        header(&["callerid=/other", "topic=/clock", "md5sum=*", "type=rosgraph_msgs/Clock"]),
        header(&["callerid=/o", "message_definition=time clock\n", "latching=1", "tcp_nodelay=0"]),
        header(&["error=no such topic"]),
    ]
}

/// Reads an input as a call and as an answer.
pub(super) fn read_xmlrpc(input: &[u8]) -> Verdict {
    let text = text(input);
    let mut taken = false;
    for read in [XmlRpc::read_call, XmlRpc::read_response] {
        match read(&text) {
            Ok(value) => {
                taken = true;
                let again = read(&value.write());
                // Not a number equals nothing, itself included; what is written does.
                let same = again.as_ref().is_ok_and(|again| again.write() == value.write());
                ensure(same, || format!("{value:?} read back as {again:?}"))?;
            }
            Err(reason) => ensure(!reason.is_empty(), || "refused without a word".to_owned())?,
        }
    }
    Ok(seen(taken))
}

pub(super) fn read_http(input: &[u8]) -> Verdict {
    let read = read_http_head(input);
    if let Ok((_, length)) = &read {
        ensure(*length <= 4 << 20, || format!("content of {length} bytes would be waited for"))?;
    }
    Ok(seen(read.is_ok()))
}

pub(super) fn read_header(input: &[u8]) -> Verdict {
    let Ok(once) = rewrite_tcpros_header(input) else { return Ok(seen(false)) };
    let twice = rewrite_tcpros_header(&once);
    ensure(twice.as_ref() == Ok(&once), || format!("{once:?} read back as {twice:?}"))?;
    Ok(seen(true))
}
