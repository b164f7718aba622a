//! `retake sdf …`: what the loader makes of a file.

use std::path::Path;

use anyhow::Context;
use retake_components::{EntityName, Inertia, JointSpec, Kind, path_of, spawn_world, world_pose};
use retake_diag::Diagnostics;
use retake_ecm::{Ecm, EntityId};
use serde_json::{Value, json};

use crate::cli::{Format, SdfCommand};
use crate::output::{Outcome, Printer, remark};
use crate::{replica, world_file};

pub(crate) fn run(command: &SdfCommand, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    match command {
        SdfCommand::Check { files, resource_path } => {
            let roots = world_file::roots(resource_path)?;
            let mut outcome = Outcome::Done;
            for file in files {
                let mut found = Diagnostics::new();
                let world = retake_sdf::load_world_file(file, &roots, &mut found);
                print_findings(file, &found, printer)?;
                if world.is_none() || !found.is_empty() {
                    outcome = Outcome::Failed;
                }
            }
            Ok(outcome)
        }
        SdfCommand::Print { file, resolved, resource_path } => {
            let roots = world_file::roots(resource_path)?;
            let mut found = Diagnostics::new();
            let world = retake_sdf::load_world_file(file, &roots, &mut found);
            found.items().iter().for_each(remark);
            let world = world
                .with_context(|| format!("No world could be loaded from {}", file.display()))?;
            if *resolved || printer.format == Format::Json {
                let value = resolved_world(&world)?;
                printer.print(&value, |out| writeln!(out, "{value:#}"))?;
            } else {
                write!(printer.out, "{}", retake_sdf::print_world(&world))?;
            }
            Ok(if found.has_errors() { Outcome::Failed } else { Outcome::Done })
        }
    }
}

fn print_findings(
    file: &Path,
    found: &Diagnostics,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let value = json!({
        "file": file,
        "findings": found.items(),
        "not_kept": found.not_kept(),
    });
    printer.print(&value, |out| match found.is_empty() {
        true => writeln!(out, "{}: no findings", file.display()),
        false => write!(out, "{found}"),
    })
}

/// Every model, link and joint with its pose in the world, and every profile.
fn resolved_world(world: &retake_description::World) -> anyhow::Result<Value> {
    let mut ecm = replica::empty();
    spawn_world(&mut ecm, world, 0)?;
    let of_kind = |wanted: Kind| {
        let all = ecm.iter::<Kind>().filter(move |(_, kind)| **kind == wanted);
        all.map(|(entity, _)| entity).collect::<Vec<EntityId>>()
    };
    let each = |kind: Kind, describe: fn(&Ecm, EntityId) -> Value| {
        of_kind(kind).into_iter().map(|entity| describe(&ecm, entity)).collect::<Vec<_>>()
    };
    Ok(json!({
        "world": world.name,
        "gravity": world.gravity.to_array(),
        "profiles": world.profiles,
        "default_profile": world.default_profile().map(|profile| &profile.name),
        "models": each(Kind::Model, placed),
        "links": each(Kind::Link, link),
        "joints": each(Kind::Joint, joint),
        "lights": each(Kind::Light, placed),
    }))
}

fn placed(ecm: &Ecm, entity: EntityId) -> Value {
    let pose = world_pose(ecm, entity);
    let q = pose.rotation;
    json!({
        "name": path_of(ecm, entity),
        "position": pose.position.to_array(),
        "rotation_wxyz": [q.w, q.x, q.y, q.z],
    })
}

fn link(ecm: &Ecm, entity: EntityId) -> Value {
    let mut value = placed(ecm, entity);
    value["inertial"] = json!(ecm.get::<Inertia>(entity));
    let of_kind = |kind: Kind| {
        let children = ecm.children(entity).iter();
        let named = children.filter(|child| ecm.get::<Kind>(**child) == Some(&kind));
        named
            .filter_map(|child| ecm.get::<EntityName>(*child))
            .map(|n| n.0.clone())
            .collect::<Vec<_>>()
    };
    value["collisions"] = json!(of_kind(Kind::Collision));
    value["visuals"] = json!(of_kind(Kind::Visual));
    value["sensors"] = json!(of_kind(Kind::Sensor));
    value
}

fn joint(ecm: &Ecm, entity: EntityId) -> Value {
    let mut value = placed(ecm, entity);
    if let Some(spec) = ecm.get::<JointSpec>(entity) {
        value["kind"] = json!(spec.kind);
        value["parent"] = json!(spec.parent.map_or_else(|| "world".into(), |p| path_of(ecm, p)));
        value["child"] = json!(path_of(ecm, spec.child));
        value["axes"] = json!(spec.axes);
    }
    value
}
