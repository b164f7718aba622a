//! Connections of other nodes to this one: those who listen to topics, and those who call services.

use std::sync::Arc;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use super::NODE;
use super::http::PATIENCE;
use super::tcpros::{Header, header, read_header, read_message, write_block, write_header};
use crate::hub::{Hub, Sample};
use crate::message::{Flavour, library, md5_sum, schema_text, service_md5_sum};
use crate::web::{Out, Outbox, is_taken};

/// Why a connection is given up whose other end reads nothing.
const NOT_TAKEN: &str = "messages are not taken";

/// Serves a connection until it ends.
pub(super) async fn serve(mut stream: TcpStream, hub: Hub) -> Result<(), String> {
    stream.set_nodelay(true).ok();
    let asked = tokio::time::timeout(PATIENCE, read_header(&mut stream)).await;
    let asked = asked.map_err(|_| "nothing was asked".to_owned())??;
    let served = match (asked.get("service"), asked.get("topic")) {
        (Some(service), _) => answer(&mut stream, &hub, &asked, service).await,
        (None, Some(topic)) => tell(&mut stream, &hub, &asked, topic).await,
        (None, None) => Err("neither topic nor service is named".to_owned()),
    };
    if let Err(reason) = &served {
        // Whoever asked may be gone, or take nothing.
        is_taken(write_header(&mut stream, &header(&[("error", reason)]))).await;
    }
    served
}

/// Compares what the other end takes a type to be with what it is here.
fn check(asked: &Header, sum: &str, type_name: &str) -> Result<(), String> {
    let theirs = asked.get("md5sum").map_or("*", String::as_str);
    match theirs == "*" || theirs == sum {
        true => Ok(()),
        false => Err(format!("{type_name} has the md5sum {sum} here, not {theirs}")),
    }
}

/// Sends the messages of a topic.
async fn tell(stream: &mut TcpStream, hub: &Hub, asked: &Header, name: &str) -> Result<(), String> {
    let graph = hub.graph();
    let topic = graph.topic(name).ok_or_else(|| format!("nobody publishes {name} here"))?;
    let (library, type_name) = (library(Flavour::Ros1), topic.type_name);
    let sum = md5_sum(library, type_name).map_err(|error| error.to_string())?;
    check(asked, &sum, type_name)?;
    let definition = schema_text(library, type_name);
    let latching = if topic.keeps_last { "1" } else { "0" };
    let told = header(&[
        ("callerid", NODE),
        ("md5sum", &sum),
        ("type", type_name),
        ("topic", name),
        ("latching", latching),
        ("message_definition", &definition),
    ]);
    write_header(stream, &told).await?;
    let outbox: Outbox<()> = Outbox::default();
    let (theirs, each) = (outbox.clone(), topic.counts_each);
    let _listening = hub.subscribe(
        name,
        Arc::new(move |sample: &Arc<Sample>| match each {
            true => theirs.push(Out::Newest(0, Arc::clone(sample))),
            false => theirs.newest(0, sample),
        }),
    );
    let (mut from, mut to) = stream.split();
    loop {
        let mut nothing = [0; 1];
        tokio::select! {
            out = outbox.next() => match out {
                Some(Out::Newest(_, sample)) => {
                    let bytes = library.to_ros1(type_name, &sample.message);
                    let bytes = bytes.map_err(|error| error.to_string())?;
                    if !is_taken(write_block(&mut to, &bytes)).await {
                        return Err(NOT_TAKEN.to_owned());
                    }
                }
                Some(Out::Message(())) => {}
                None => return Err(NOT_TAKEN.to_owned()),
            },
            // Listeners say nothing; what comes is their leaving.
            left = tokio::io::AsyncReadExt::read(&mut from, &mut nothing) => {
                if left.map_or(true, |count| count == 0) {
                    return Ok(());
                }
            }
        }
    }
}

/// Answers calls of a service.
async fn answer(
    stream: &mut TcpStream,
    hub: &Hub,
    asked: &Header,
    name: &str,
) -> Result<(), String> {
    let graph = hub.graph();
    let service = graph.service(name).ok_or_else(|| format!("nobody serves {name} here"))?;
    let (library, type_name) = (library(Flavour::Ros1), service.type_name);
    let sum = service_md5_sum(library, type_name).map_err(|error| error.to_string())?;
    check(asked, &sum, type_name)?;
    let types = library.service(type_name);
    let told = header(&[
        ("callerid", NODE),
        ("md5sum", &sum),
        ("type", type_name),
        ("request_type", &types.request),
        ("response_type", &types.response),
    ]);
    write_header(stream, &told).await?;
    if asked.get("probe").is_some_and(|probe| probe == "1") {
        return Ok(());
    }
    let stays = asked.get("persistent").is_some_and(|persistent| persistent == "1");
    loop {
        let Ok(bytes) = read_message(stream).await else { return Ok(()) };
        let answered = match library.from_ros1(&types.request, &bytes) {
            Ok(request) => call(hub, name, request).await,
            Err(error) => Err(error.to_string()),
        };
        let answered = answered.and_then(|response| {
            library.to_ros1(&types.response, &response).map_err(|error| error.to_string())
        });
        let (ok, bytes) = match answered {
            Ok(bytes) => (1, bytes),
            Err(reason) => (0, reason.into_bytes()),
        };
        let answering = async {
            stream.write_all(&[ok]).await.map_err(|error| error.to_string())?;
            write_block(stream, &bytes).await
        };
        if !is_taken(answering).await {
            return Err(NOT_TAKEN.to_owned());
        }
        if !stays {
            return Ok(());
        }
    }
}

async fn call(hub: &Hub, service: &str, request: Value) -> Result<Value, String> {
    let (send, answered) = oneshot::channel();
    // Nobody is left to read it when the caller is gone.
    hub.call(service, request, Box::new(move |answer| drop(send.send(answer))));
    answered.await.unwrap_or_else(|_| Err("the service gave no answer".to_owned()))
}
