//! `retake service …`

use anyhow::bail;
use retake_transport::Message;
use serde_json::json;

use super::topic::{descriptor, from_json, to_json};
use crate::cli::ServiceCommand;
use crate::link::Link;
use crate::output::{Printer, write_table};

pub(super) fn run(
    command: &ServiceCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    match command {
        ServiceCommand::List => list(link, printer),
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
) -> anyhow::Result<()> {
    let bus = link.need_bus("service call")?;
    let services = bus.services()?;
    let Some(known) = services.iter().find(|known| known.name == service) else {
        let names: Vec<&str> = services.iter().map(|known| known.name.as_str()).collect();
        bail!("No service {service:?}. Known: {}", names.join(", "));
    };
    let type_name = known.types.request.clone();
    let bytes = from_json(descriptor(Some(bus.as_ref()), &type_name)?, request)?;
    let reply = link.call_raw(service, Message { type_name, bytes })?;
    let value = to_json(descriptor(Some(bus.as_ref()), &known.types.reply)?, &reply)?;
    printer.print(&value, |out| writeln!(out, "{value}"))
}
