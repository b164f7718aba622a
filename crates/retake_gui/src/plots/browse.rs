//! The tree of signals: what there is to plot.
//!
//! Node ids are paths: `models/ENTITY`, `topics/TOPIC:FIELD`, `programs/MANAGER`, `runs/ID`.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use retake_components::{EntityName, Kind, path_of, world_entity};
use retake_ecm::{Ecm, EntityId};
use retake_introspection::fields::{FieldNodes, children, message_descriptor};
use retake_introspection::{IntrospectionClient, ItemType, NumberOf};
use retake_msgs::{BrowseSignals, IntrospectionItem, ItemsRequest, SignalNode, SignalNodes};
use retake_sim::introspection::{Offered, offered};
use retake_transport::{Bus, MessageRef, Name};

use super::{Plots, log_topics};

/// Nodes in one reply; the rest is counted.
const MAX_NODES: usize = 2000;
/// Leaves that a search finds; the rest is counted.
const MAX_FOUND: usize = 500;
/// How long a message is waited for, to see how long its arrays are.
const SAMPLE: Duration = Duration::from_millis(600);

pub(super) fn browse(plots: &Plots, request: &BrowseSignals) -> Result<SignalNodes, String> {
    if !request.search.is_empty() {
        return Ok(search(plots, &request.search));
    }
    let (group, rest) = request.node.split_once('/').unwrap_or((&request.node, ""));
    match group {
        "" => Ok(bounded(groups(plots))),
        "models" => models(plots, rest),
        "simulation" => Ok(bounded(simulation(plots))),
        "topics" => topics(plots, rest),
        "programs" => programs(plots, rest),
        "derived" => Ok(bounded(derived(plots))),
        "runs" => Ok(bounded(runs(plots, rest))),
        _ => Err(format!("There is no node {:?} any more", request.node)),
    }
}

fn groups(plots: &Plots) -> Vec<SignalNode> {
    let group = |id: &str, label: &str, detail: &str| SignalNode {
        id: id.to_owned(),
        label: label.to_owned(),
        detail: detail.to_owned(),
        expandable: true,
        ..SignalNode::default()
    };
    let mut groups = vec![
        group("topics", "Topics", "messages on the bus"),
        group("models", "Models", "links, joints, shapes"),
        group("simulation", "Simulation", "time and speed"),
        group("programs", "Programs", "values of other programs"),
    ];
    let board = plots.board();
    if !board.layout().derived.is_empty() {
        groups.push(group("derived", "Derived", "computed from others"));
    }
    if !board.layout().run.is_empty() {
        groups.push(group("runs", "Runs", "kept or recorded"));
    }
    groups
}

fn models(plots: &Plots, path: &str) -> Result<SignalNodes, String> {
    let view = Arc::clone(&plots.link.views().borrow());
    let ecm: &Ecm = &view.ecm;
    let world = world_entity(ecm).ok_or("The world is not there")?;
    let (path, part) = path.split_once('@').map_or((path, None), |(path, q)| (path, Some(q)));
    let at = match path {
        "" => world,
        path => {
            let raw = path.parse().map_err(|_| format!("{path:?} is no entity"))?;
            EntityId::from_raw(raw)
        }
    };
    if !ecm.exists(at) {
        return Err("It is not there any more".to_owned());
    }
    if let Some(name) = part {
        let name = name.to_owned();
        let found = offered(ecm, at).into_iter().find(|offered| offered.name == name);
        let parts = found.map(|found| parts_of(&path_of(ecm, at), &found)).unwrap_or_default();
        return Ok(bounded(parts));
    }
    let mut nodes = Vec::new();
    if at != world {
        let path = path_of(ecm, at);
        nodes.extend(offered(ecm, at).iter().map(|offered| item_node(at, &path, offered)));
    }
    let shown = |child: &&EntityId| has_items(ecm, **child);
    nodes.extend(ecm.children(at).iter().filter(shown).map(|child| entity_node(ecm, *child)));
    Ok(bounded(nodes))
}

fn has_items(ecm: &Ecm, entity: EntityId) -> bool {
    let kind = ecm.get::<Kind>(entity);
    matches!(kind, Some(Kind::Model | Kind::Link | Kind::Joint | Kind::Collision | Kind::Visual))
}

fn entity_node(ecm: &Ecm, entity: EntityId) -> SignalNode {
    let kind = ecm.get::<Kind>(entity).map(ToString::to_string).unwrap_or_default();
    SignalNode {
        id: format!("models/{}", entity.raw()),
        label: ecm.get::<EntityName>(entity).map(|name| name.0.clone()).unwrap_or_default(),
        detail: kind,
        expandable: true,
        ..SignalNode::default()
    }
}

fn item_node(entity: EntityId, path: &str, offered: &Offered) -> SignalNode {
    let item = offered.item(path);
    let single = offered.kind.parts() == [""];
    SignalNode {
        id: format!("models/{}@{}", entity.raw(), offered.name),
        label: offered.name.clone(),
        detail: if offered.frame.is_empty() {
            String::new()
        } else {
            format!("in {}", offered.frame)
        },
        unit: offered.unit.to_owned(),
        signal: dropped(&item.name, offered.kind),
        expandable: !single,
    }
}

/// What dropping a value on a plot adds: a number itself, the numbers of a vector, a pose's
/// position.
fn dropped(item: &str, kind: ItemType) -> Vec<String> {
    let parts = kind.parts();
    let parts = if kind == ItemType::Pose { &parts[..3] } else { parts };
    parts.iter().map(|part| joined(item, part)).collect()
}

fn joined(item: &str, part: &str) -> String {
    if part.is_empty() { item.to_owned() } else { format!("{item}.{part}") }
}

fn parts_of(path: &str, offered: &Offered) -> Vec<SignalNode> {
    let item = offered.item(path).name;
    numbers_of(&item, offered.kind, offered.unit)
}

fn numbers_of(item: &str, kind: ItemType, unit: &str) -> Vec<SignalNode> {
    let number = |part: &str| {
        let unit = NumberOf::find(item, kind, part).map_or("", |number| number.unit(kind, unit));
        let signal = joined(item, part);
        SignalNode {
            id: format!("signal/{signal}"),
            label: part.to_owned(),
            unit: unit.to_owned(),
            signal: vec![signal],
            ..SignalNode::default()
        }
    };
    NumberOf::names(kind).into_iter().map(number).collect()
}

fn simulation(plots: &Plots) -> Vec<SignalNode> {
    let view = Arc::clone(&plots.link.views().borrow());
    let Some(world) = world_entity(&view.ecm) else { return Vec::new() };
    offered(&view.ecm, world).iter().map(|offered| item_node(world, "", offered)).collect()
}

fn bus_of(plots: &Plots) -> Result<Arc<dyn Bus>, String> {
    plots.link.bus().ok_or_else(|| "The server is not there. Try again when it is back".to_owned())
}

fn topics(plots: &Plots, rest: &str) -> Result<SignalNodes, String> {
    if let Some(log) = plots.link.log() {
        return log_topics::nodes(&log, rest);
    }
    let bus = bus_of(plots)?;
    let mut topics = bus.topics().map_err(|error| error.to_string())?;
    // Samples of filters are offered as what they are samples of.
    topics.retain(|topic| !topic.name.starts_with("/introspection/"));
    if rest.is_empty() {
        let nodes = topics.iter().map(|topic| topic_node(&topic.name, &topic.type_name));
        return Ok(bounded(nodes.collect()));
    }
    let found = topics.iter().find(|topic| {
        rest.strip_prefix(&topic.name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    });
    let topic = found.ok_or_else(|| format!("Nobody publishes {rest} any more"))?;
    let path = rest[topic.name.len()..].trim_start_matches(':');
    let described = message_descriptor(bus.as_ref(), &topic.type_name);
    let described = described.map_err(|error| error.to_string())?;
    let sample = one_message(bus.as_ref(), &topic.name);
    Ok(field_nodes(&topic.name, &children(&described, sample.as_deref(), path)))
}

/// Lists a topic.
pub(super) fn topic_node(name: &str, type_name: &str) -> SignalNode {
    SignalNode {
        id: format!("topics/{name}"),
        label: name.to_owned(),
        detail: type_name.to_owned(),
        expandable: true,
        ..SignalNode::default()
    }
}

/// Lists the fields of a topic's messages.
pub(super) fn field_nodes(topic: &str, fields: &FieldNodes) -> SignalNodes {
    let signal = |path: &String| format!("{topic}:{path}");
    let nodes = fields.nodes.iter().map(|node| SignalNode {
        id: format!("topics/{topic}:{}", node.path),
        label: node.label.clone(),
        detail: node.detail.clone(),
        unit: String::new(),
        signal: node.numbers.iter().map(signal).collect(),
        expandable: node.expandable,
    });
    let mut reply = bounded(nodes.collect());
    reply.left_out += fields.left_out as u32;
    reply
}

/// Waits for one message of a topic; none when nothing comes.
fn one_message(bus: &dyn Bus, topic: &str) -> Option<Vec<u8>> {
    let (sender, message) = sync_channel(1);
    let take = move |message: MessageRef<'_>| {
        // The first is enough.
        sender.try_send(message.bytes.to_vec()).ok();
    };
    let _listening = bus.subscribe(&Name::new(topic).ok()?, Arc::new(take)).ok()?;
    message.recv_timeout(SAMPLE).ok()
}

fn programs(plots: &Plots, rest: &str) -> Result<SignalNodes, String> {
    if plots.link.log().is_some() {
        // What other programs told is on the topics that were recorded.
        return Ok(SignalNodes::default());
    }
    let client = IntrospectionClient::new(bus_of(plots)?);
    let world = plots.link.views().borrow().world.name.clone();
    if rest.is_empty() {
        let managers = client.managers().map_err(|error| error.to_string())?;
        let node = |manager: &String| SignalNode {
            id: format!("programs/{manager}"),
            label: manager.clone(),
            expandable: true,
            ..SignalNode::default()
        };
        return Ok(bounded(managers.iter().filter(|id| **id != world).map(node).collect()));
    }
    let (manager, item) = rest.split_once('#').map_or((rest, None), |(m, item)| (m, Some(item)));
    let items = client.items(manager, &ItemsRequest::default()).map_err(|e| e.to_string())?;
    let named = |item: &IntrospectionItem| format!("{manager}#{}", item.name);
    let nodes = match item {
        None => items.item.iter().map(|item| program_node(&named(item), item)).collect(),
        Some(name) => {
            let found = items.item.iter().find(|item| item.name == name);
            let kind = found.and_then(ItemType::of_message);
            found
                .zip(kind)
                .map(|(i, kind)| numbers_of(&named(i), kind, &i.unit))
                .unwrap_or_default()
        }
    };
    Ok(bounded(nodes))
}

fn program_node(name: &str, item: &IntrospectionItem) -> SignalNode {
    let kind = ItemType::of_message(item);
    SignalNode {
        id: format!("programs/{name}"),
        label: item.name.clone(),
        detail: item.frame.clone(),
        unit: item.unit.clone(),
        signal: kind.map(|kind| dropped(name, kind)).unwrap_or_default(),
        expandable: kind.is_some_and(|kind| kind.parts().len() > 1),
    }
}

fn derived(plots: &Plots) -> Vec<SignalNode> {
    let node = |item: &retake_msgs::DerivedItem| SignalNode {
        id: format!("derived/{}", item.name),
        label: item.name.clone(),
        detail: item.expression.clone(),
        unit: item.unit.clone(),
        signal: vec![item.name.clone()],
        expandable: false,
    };
    plots.board().layout().derived.iter().map(node).collect()
}

/// The signals of a run are named as those of the live one; the page adds which run they are of.
fn runs(plots: &Plots, id: &str) -> Vec<SignalNode> {
    let board = plots.board();
    if id.is_empty() {
        let node = |run: &retake_msgs::PlotRun| SignalNode {
            id: format!("runs/{}", run.id),
            label: if run.title.is_empty() { run.id.clone() } else { run.title.clone() },
            detail: run.file.clone(),
            expandable: true,
            ..SignalNode::default()
        };
        return board.layout().run.iter().map(node).collect();
    }
    let node = |(signal, unit): (String, String)| SignalNode {
        id: format!("runs/{id}/{signal}"),
        label: signal.clone(),
        unit,
        signal: vec![signal],
        ..SignalNode::default()
    };
    board.run_signals(id).into_iter().map(node).collect()
}

/// Finds leaves of the world, of derived items and of topics by a part of their names.
fn search(plots: &Plots, wanted: &str) -> SignalNodes {
    let wanted = wanted.to_lowercase();
    let view = Arc::clone(&plots.link.views().borrow());
    let ecm: &Ecm = &view.ecm;
    let world = world_entity(ecm);
    let mut found = SignalNodes::default();
    let mut add = |node: SignalNode| match found.node.len() < MAX_FOUND {
        true => found.node.push(node),
        false => found.left_out += 1,
    };
    let derived = derived(plots).into_iter();
    derived.filter(|node| node.label.to_lowercase().contains(&wanted)).for_each(&mut add);
    for entity in ecm.entities() {
        let is_world = Some(entity) == world;
        if !is_world && !has_items(ecm, entity) {
            continue;
        }
        let path = if is_world { String::new() } else { path_of(ecm, entity) };
        for offered in offered(ecm, entity) {
            let name = offered.item(&path).name;
            if name.to_lowercase().contains(&wanted) {
                add(SignalNode { label: name, ..item_node(entity, &path, &offered) });
            }
        }
    }
    let topics = plots.link.bus().and_then(|bus| bus.topics().ok()).unwrap_or_default();
    let topics = topics.iter().filter(|topic| topic.name.to_lowercase().contains(&wanted));
    for topic in topics.filter(|topic| !topic.name.starts_with("/introspection/")) {
        add(topic_node(&topic.name, &topic.type_name));
    }
    found
}

pub(super) fn bounded(mut nodes: Vec<SignalNode>) -> SignalNodes {
    let left_out = nodes.len().saturating_sub(MAX_NODES) as u32;
    nodes.truncate(MAX_NODES);
    SignalNodes { node: nodes, left_out }
}
