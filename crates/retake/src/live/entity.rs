//! `retake entity …`

use std::path::Path;

use anyhow::bail;
use retake_components::{Kind, path_of, resolve, world_pose};
use retake_ecm::{Ecm, EntityId};
use retake_math::{Pose, Vec3, quat_from_rpy};
use retake_msgs::{
    CopyEntity, DeleteEntities, EntityRef, InsertEntity, MoveEntities, MoveEntity, ScaleEntity,
    SnapEntity, SurfacePoint, user_cmd,
};
use serde_json::{Value, json};

use super::{fields, print_reply};
use crate::cli::{AlignArgs, EntityCommand, InsertArgs, MoveArgs, RotateArgs};
use crate::input_file::{self, MOST_TEXT};
use crate::link::Link;
use crate::output::{Printer, escaped, write_table};
use crate::replica;

pub(super) fn run(
    command: &EntityCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    match command {
        EntityCommand::List { kind } => list(kind.as_deref(), link, printer),
        EntityCommand::Show { entity } => show(entity, link, printer),
        EntityCommand::Fields { what } => fields::list(what.as_deref(), link, printer),
        EntityCommand::Set { entity, field, value } => {
            fields::set(entity, field, value, link, printer)
        }
        EntityCommand::Move(args) => move_to(args, link, printer),
        EntityCommand::Rotate(args) => rotate(args, link, printer),
        EntityCommand::Insert(args) => insert(args, link, printer),
        EntityCommand::Copy { entity, name, at } => {
            let command = user_cmd::Command::CopyEntity(CopyEntity {
                entity: Some(reference(entity)),
                name: name.clone().unwrap_or_default(),
                pose: pose_from(at.as_deref(), None).map(Into::into),
            });
            print_reply(&link.command(command)?, printer)
        }
        EntityCommand::Scale { entity, factor } => {
            let factor = match factor.as_slice() {
                [even] => Vec3::splat(*even),
                [x, y, z] => Vec3::new(*x, *y, *z),
                _ => bail!("write one factor or three"),
            };
            let command = user_cmd::Command::ScaleEntity(ScaleEntity {
                entity: Some(reference(entity)),
                factor: Some(factor.into()),
            });
            print_reply(&link.command(command)?, printer)
        }
        EntityCommand::Snap(args) => {
            let place = |entity: &str, point: &[f64], normal: &[f64]| SurfacePoint {
                entity: Some(reference(entity)),
                point: Some(vector(point).into()),
                normal: Some(vector(normal).into()),
            };
            let snap = SnapEntity {
                from: Some(place(&args.entity, &args.point, &args.normal)),
                to: Some(place(&args.to, &args.at, &args.facing)),
            };
            let command = user_cmd::Command::SnapEntity(Box::new(snap));
            print_reply(&link.command(command)?, printer)
        }
        EntityCommand::Align(args) => align(args, link, printer),
        EntityCommand::Delete { entities } => {
            let entity = entities.iter().map(|name| reference(name)).collect();
            let command = user_cmd::Command::DeleteEntities(DeleteEntities { entity });
            print_reply(&link.command(command)?, printer)
        }
    }
}

/// Names an entity in a message: by path, or by id when written as `#12`.
pub(super) fn reference(name: &str) -> EntityRef {
    match name.strip_prefix('#').and_then(|digits| digits.parse().ok()) {
        Some(id) => EntityRef::with_id(id),
        None => EntityRef::named(name),
    }
}

fn list(kind: Option<&str>, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    if let Some(kind) =
        kind.filter(|kind| !Kind::ALL.iter().any(|known| known.to_string() == **kind))
    {
        let known = Kind::ALL.map(|known| known.to_string()).join(", ");
        bail!("Entities are of no kind {kind:?}. Known: {known}");
    }
    let (ecm, _) = replica::fetch(link)?;
    let wanted = |found: &Kind| kind.is_none_or(|kind| found.to_string() == kind);
    let entities: Vec<(EntityId, Kind)> = ecm
        .iter::<Kind>()
        .filter(|(_, k)| wanted(k))
        .map(|(entity, kind)| (entity, *kind))
        .collect();
    let rows = |(entity, kind): &(EntityId, Kind)| json!({ "id": entity.raw(), "kind": kind.to_string(), "name": path_of(&ecm, *entity) });
    let value: Vec<Value> = entities.iter().map(rows).collect();
    printer.print(&value, |out| {
        let row = |(entity, kind): &(EntityId, Kind)| {
            vec![entity.to_string(), kind.to_string(), path_of(&ecm, *entity)]
        };
        write_table(out, &entities.iter().map(row).collect::<Vec<_>>())
    })
}

fn show(name: &str, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let (ecm, _) = replica::fetch(link)?;
    let entity = resolve(&ecm, name)?;
    let components = ecm.components_json(entity);
    let pose = world_pose(&ecm, entity);
    let value = json!({
        "id": entity.raw(),
        "path": path_of(&ecm, entity),
        "world_pose": pose_json(&pose),
        "components": components.iter().cloned().collect::<serde_json::Map<_, _>>(),
    });
    printer.print(&value, |out| {
        writeln!(out, "{} {}", path_of(&ecm, entity), entity)?;
        let (p, r) = (pose.position, pose.rpy_rad());
        writeln!(out, "world pose  {} {} {} m  {} {} {} rad", p.x, p.y, p.z, r.x, r.y, r.z)?;
        components.iter().try_for_each(|(name, value)| writeln!(out, "{name}  {value}"))
    })
}

pub(super) fn pose_json(pose: &Pose) -> Value {
    json!({ "position": pose.position.to_array(), "rpy": pose.rpy_rad().to_array() })
}

fn move_to(args: &MoveArgs, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let by = args.by.as_deref().map(|by| position_after(by, &args.entity, link)).transpose()?;
    let to = args.to.as_deref().map(vector).or(by);
    let command = user_cmd::Command::MoveEntity(MoveEntity {
        entity: Some(reference(&args.entity)),
        position: to.map(Into::into),
        orientation: args.rpy.as_deref().map(|rpy| quat_from_rpy(vector(rpy)).into()),
        keep_velocity: args.keep_velocity,
    });
    print_reply(&link.command(command)?, printer)
}

fn position_after(by: &[f64], entity: &str, link: &mut dyn Link) -> anyhow::Result<Vec3> {
    Ok(pose_now(entity, link)?.position + vector(by))
}

fn rotate(args: &RotateArgs, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let turn = |rpy: &Vec<f64>| quat_from_rpy(vector(rpy));
    let orientation = match (&args.to, &args.by) {
        (Some(to), _) => turn(to),
        (None, Some(by)) => turn(by) * pose_now(&args.entity, link)?.rotation,
        (None, None) => bail!("write --to or --by"),
    };
    let command = user_cmd::Command::MoveEntity(MoveEntity {
        entity: Some(reference(&args.entity)),
        position: None,
        orientation: Some(orientation.into()),
        keep_velocity: args.keep_velocity,
    });
    print_reply(&link.command_as(&format!("Rotate {}", args.entity), command)?, printer)
}

fn pose_now(entity: &str, link: &mut dyn Link) -> anyhow::Result<Pose> {
    let (ecm, _): (Ecm, _) = replica::fetch(link)?;
    Ok(world_pose(&ecm, resolve(&ecm, entity)?))
}

fn align(args: &AlignArgs, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let (ecm, _) = replica::fetch(link)?;
    let target = world_pose(&ecm, resolve(&ecm, &args.to)?).position;
    let mut moves = Vec::new();
    for name in &args.entities {
        let own = world_pose(&ecm, resolve(&ecm, name)?).position;
        let pick = |on: bool, theirs: f64, own: f64| if on { theirs } else { own };
        let position = Vec3::new(
            pick(args.x, target.x, own.x),
            pick(args.y, target.y, own.y),
            pick(args.z, target.z, own.z),
        );
        moves.push(MoveEntity {
            entity: Some(reference(name)),
            position: Some(position.into()),
            ..MoveEntity::default()
        });
    }
    let words = format!("Align {} to {}", args.entities.join(", "), args.to);
    let command = user_cmd::Command::MoveEntities(MoveEntities { r#move: moves });
    print_reply(&link.command_as(&words, command)?, printer)
}

fn insert(args: &InsertArgs, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let command = user_cmd::Command::InsertEntity(InsertEntity {
        sdf: sdf_of(&args.file)?,
        name: args.name.clone().unwrap_or_default(),
        pose: pose_from(args.at.as_deref(), args.rpy.as_deref()).map(Into::into),
        allow_renaming: true,
        parent: args.into.as_deref().map(reference),
    });
    print_reply(&link.command(command)?, printer)
}

/// Returns what is to be inserted: the text of a file, or an include of a model that the server finds.
fn sdf_of(file: &Path) -> anyhow::Result<String> {
    match file.to_str().filter(|name| name.contains("://")) {
        Some(uri) => Ok(format!("<include><uri>{}</uri></include>", escaped(uri))),
        None => read_text(file),
    }
}

/// Reads a file, or what comes in when it is called `-`.
fn read_text(file: &Path) -> anyhow::Result<String> {
    match file.as_os_str() == "-" {
        true => input_file::read_standard_input(MOST_TEXT),
        false => input_file::read_text(file, MOST_TEXT),
    }
}

fn pose_from(at: Option<&[f64]>, rpy: Option<&[f64]>) -> Option<Pose> {
    (at.is_some() || rpy.is_some())
        .then(|| Pose::from_xyz_rpy(at.map_or(Vec3::ZERO, vector), rpy.map_or(Vec3::ZERO, vector)))
}

/// The command line has checked that there are three numbers.
pub(super) fn vector(numbers: &[f64]) -> Vec3 {
    let at = |axis: usize| numbers.get(axis).copied().unwrap_or(0.0);
    Vec3::new(at(0), at(1), at(2))
}
