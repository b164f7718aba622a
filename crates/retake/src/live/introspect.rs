//! `retake introspect …`

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::bail;
use retake_introspection::{IntrospectionClient, ItemType, Sampled};
use retake_msgs::{
    Any, GetFilter, IntrospectionFilter, IntrospectionItem, IntrospectionItems, ItemsRequest,
    RemoveFilter, SetFilter, any, names,
};
use serde_json::{Value, json};

use super::numbers::{Wanted, print_sample};
use crate::cli::{FilterCommand, IntrospectCommand};
use crate::link::Link;
use crate::output::{Printer, write_table};

/// Samples that may wait to be printed; beyond it new ones are left out.
const WAITING: usize = 4096;
/// How often a watch is looked after.
const KEEP: Duration = Duration::from_millis(500);

pub(super) fn run(
    command: &IntrospectCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    match command {
        IntrospectCommand::Managers => managers(link, printer),
        IntrospectCommand::List { search, values, manager } => {
            let request = ItemsRequest {
                search: search.clone().unwrap_or_default(),
                values: *values,
                ..ItemsRequest::default()
            };
            list(&request, manager.as_deref(), link, printer)
        }
        IntrospectCommand::Watch { items, rate, count, manager } => {
            let manager = manager.clone().unwrap_or_else(|| link.world());
            let wanted = Wanted::parse(items)?;
            watch(&wanted, &manager, (*rate, *count), link, printer)
        }
        IntrospectCommand::Filter(command) => filter(command, link, printer),
    }
}

fn managers(link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let bus = link.need_bus("introspect managers")?;
    let managers = IntrospectionClient::new(bus).managers()?;
    printer.print(&managers, |out| managers.iter().try_for_each(|id| writeln!(out, "{id}")))
}

fn list(
    request: &ItemsRequest,
    manager: Option<&str>,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let manager = manager.map_or_else(|| link.world(), str::to_owned);
    let service = names::introspection_items(&manager);
    let found: IntrospectionItems = link.call(&service, request)?;
    let shown = |at: usize| found.value.get(at).map(value_text).unwrap_or_default();
    let value: Vec<Value> = found
        .item
        .iter()
        .enumerate()
        .map(|(at, item)| {
            json!({
                "name": item.name, "type": type_name(item), "unit": item.unit, "frame": item.frame,
                "value": found.value.get(at).map(|_| shown(at)),
            })
        })
        .collect();
    printer.print(&value, |out| {
        let row = |(at, item): (usize, &IntrospectionItem)| {
            let frame =
                if item.frame.is_empty() { String::new() } else { format!("in {}", item.frame) };
            vec![item.name.clone(), type_name(item).to_owned(), item.unit.clone(), frame, shown(at)]
        };
        write_table(out, &found.item.iter().enumerate().map(row).collect::<Vec<_>>())?;
        match found.total as usize - found.item.len() {
            0 => Ok(()),
            more => writeln!(out, "and {more} more; search for a part of the name"),
        }
    })
}

fn type_name(item: &IntrospectionItem) -> &'static str {
    match ItemType::of_message(item) {
        None => "unknown",
        Some(ItemType::Double) => "number",
        Some(ItemType::Int) => "whole number",
        Some(ItemType::Bool) => "true or false",
        Some(ItemType::Text) => "text",
        Some(ItemType::Time) => "time",
        Some(ItemType::Vector2) => "vector of 2",
        Some(ItemType::Vector3) => "vector",
        Some(ItemType::Quaternion) => "rotation",
        Some(ItemType::Pose) => "pose",
        Some(ItemType::Color) => "colour",
    }
}

fn value_text(value: &Any) -> String {
    let joined = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    match &value.value {
        None => String::new(),
        Some(any::Value::StringValue(text)) => text.clone(),
        Some(any::Value::BoolValue(value)) => value.to_string(),
        Some(any::Value::IntValue(value)) => value.to_string(),
        Some(any::Value::DoubleValue(value)) => value.to_string(),
        Some(any::Value::TimeValue(time)) => retake_math::SimTime::from(time).to_string(),
        Some(any::Value::Vector2Value(v)) => joined(&[v.x, v.y]),
        Some(any::Value::Vector3Value(v)) => joined(&[v.x, v.y, v.z]),
        Some(any::Value::QuaternionValue(q)) => joined(&[q.x, q.y, q.z, q.w]),
        Some(any::Value::ColorValue(c)) => joined(&[c.r, c.g, c.b, c.a]),
        Some(any::Value::PoseValue(pose)) => {
            let pose = retake_math::Pose::from(pose);
            let (p, q) = (pose.position, pose.rotation);
            joined(&[p.x, p.y, p.z, q.x, q.y, q.z, q.w])
        }
    }
}

fn watch(
    wanted: &Wanted,
    manager: &str,
    (rate, count): (f64, Option<u64>),
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let client = IntrospectionClient::new(link.need_bus("introspect watch")?);
    let (sender, samples) = sync_channel(WAITING);
    let mut watch = client.watch(manager, move |sampled: &Sampled<'_>| {
        // A reader that cannot keep up sees fewer lines; nothing else waits for it.
        sender.try_send((Arc::clone(sampled.filter), sampled.sample.clone())).ok();
    });
    watch.want(wanted.items(), rate);
    watch.keep()?;
    tell_what_is_missing(watch.filter().as_deref())?;
    let mut left = count.unwrap_or(u64::MAX);
    while left > 0 {
        match samples.recv_timeout(KEEP) {
            Ok((filter, sample)) => {
                print_sample(&wanted.numbers(&filter, &sample)?, &sample, printer)?;
                left -= 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("No more samples come"),
        }
        if watch.is_behind() {
            watch.keep()?;
        }
    }
    Ok(())
}

/// Warns of items that are not there, and refuses when none is: lines without a value
/// would come for ever.
fn tell_what_is_missing(filter: Option<&IntrospectionFilter>) -> anyhow::Result<()> {
    let Some(filter) = filter else { return Ok(()) };
    if !filter.item.is_empty() && filter.item.iter().all(|place| place.gone) {
        let names = filter.item.iter().filter_map(|place| place.item.as_ref());
        let names: Vec<String> = names.map(|item| format!("{:?}", item.name)).collect();
        bail!("No item {}. See: retake introspect list", names.join(", "));
    }
    if !filter.message.is_empty() {
        crate::output::remark(filter.message.clone());
    }
    Ok(())
}

fn filter(
    command: &FilterCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let of = |manager: &Option<String>, link: &mut dyn Link| {
        manager.clone().unwrap_or_else(|| link.world())
    };
    let found: IntrospectionFilter = match command {
        FilterCommand::Set { items, rate, id, manager } => {
            let request = SetFilter {
                filter_id: id.clone().unwrap_or_default(),
                item: items.clone(),
                rate_hz: *rate,
            };
            let manager = of(manager, link);
            link.call(&names::introspection_set_filter(&manager), &request)?
        }
        FilterCommand::Show { id, manager } => {
            let manager = of(manager, link);
            let request = GetFilter { filter_id: id.clone() };
            link.call(&names::introspection_get_filter(&manager), &request)?
        }
        FilterCommand::Remove { id, manager } => {
            let manager = of(manager, link);
            let request = RemoveFilter { filter_id: id.clone() };
            link.call(&names::introspection_remove_filter(&manager), &request)?
        }
    };
    if !found.ok {
        bail!("{}", found.message);
    }
    print_filter(&found, printer)
}

fn print_filter(filter: &IntrospectionFilter, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let items: Vec<Value> = filter
        .item
        .iter()
        .filter_map(|place| Some((place, place.item.as_ref()?)))
        .map(|(place, item)| {
            json!({ "name": item.name, "offset": place.offset, "count": place.count, "gone": place.gone })
        })
        .collect();
    let value = json!({
        "id": filter.filter_id, "topic": filter.topic, "message": filter.message,
        "rate_hz": filter.rate_hz, "items": items,
    });
    printer.print(&value, |out| {
        writeln!(out, "Filter {} on {}", filter.filter_id, filter.topic)?;
        if !filter.message.is_empty() {
            writeln!(out, "{}", filter.message)?;
        }
        let rows = filter.item.iter().filter_map(|place| {
            let item = place.item.as_ref()?;
            let state = if place.gone { "gone" } else { "" };
            Some(vec![format!("  {}", item.name), type_name(item).to_owned(), state.to_owned()])
        });
        write_table(out, &rows.collect::<Vec<_>>())
    })
}
