//! `retake service …`

use anyhow::bail;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use retake_transport::Message;
use serde_json::json;

use super::topic::{descriptor, from_json, to_json};
use crate::cli::ServiceCommand;
use crate::link::Link;
use crate::output::{Outcome, Printer, write_table};

pub(super) fn run(
    command: &ServiceCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    match command {
        ServiceCommand::List => list(link, printer).map(|()| Outcome::Done),
        ServiceCommand::Call { service, request } => call(service, request, link, printer),
    }
}

fn list(link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let services = link.need_bus("service list")?.services()?;
    let value: Vec<_> = services
        .iter()
        .map(|s| json!({ "name": s.name, "request": s.types.request, "reply": s.types.reply }))
        .collect();
    printer.print(&value, |out| {
        let row = |s: &retake_transport::Service| {
            vec![s.name.clone(), s.types.request.clone(), s.types.reply.clone()]
        };
        write_table(out, &services.iter().map(row).collect::<Vec<_>>())
    })
}

fn call(
    service: &str,
    request: &str,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let bus = link.need_bus("service call")?;
    let services = bus.services()?;
    let Some(known) = services.iter().find(|known| known.name == service) else {
        let names: Vec<&str> = services.iter().map(|known| known.name.as_str()).collect();
        bail!("No service {service:?}. Known: {}", names.join(", "));
    };
    let type_name = known.types.request.clone();
    let bytes = from_json(descriptor(Some(bus.as_ref()), &type_name)?, request)?;
    let reply = link.call_raw(service, Message { type_name, bytes })?;
    let kind = descriptor(Some(bus.as_ref()), &known.types.reply)?;
    let refused = is_refusal(kind.clone(), &reply)?;
    let mut value = to_json(kind, &reply)?;
    if refused {
        // JSON leaves out what is false, and this is what matters.
        value["ok"] = json!(false);
    }
    printer.print(&value, |out| writeln!(out, "{value}"))?;
    Ok(if refused { Outcome::Failed } else { Outcome::Done })
}

/// Says whether a reply is a no: such have a field for it.
fn is_refusal(kind: MessageDescriptor, reply: &[u8]) -> anyhow::Result<bool> {
    let reply = DynamicMessage::decode(kind, reply)?;
    let ok = reply.get_field_by_name("ok").and_then(|ok| ok.as_bool());
    Ok(ok == Some(false))
}
