//! `retake joint …`

use anyhow::bail;
use retake_components::{
    JointCommand as Commanded, JointEffort, JointPosition, JointSpec, JointVelocity, path_of,
    resolve,
};
use retake_ecm::{Ecm, EntityId};
use retake_msgs::{CommandJoint, SetJointPosition, command_joint, user_cmd};
use serde_json::{Value, json};

use super::entity::reference;
use super::print_reply;
use crate::cli::JointCommand;
use crate::link::Link;
use crate::output::{Printer, write_table};
use crate::replica;

pub(super) fn run(
    command: &JointCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    match command {
        JointCommand::List => list(link, printer),
        JointCommand::Show { joint } => show(joint, link, printer),
        JointCommand::Set { joint, position, axis } => {
            let command = user_cmd::Command::SetJointPosition(SetJointPosition {
                joint: Some(reference(joint)),
                axis: *axis,
                position: *position,
            });
            print_reply(&link.command(command)?, printer)
        }
        JointCommand::Command { joint, position, velocity, effort, axis, resume, .. } => {
            let what = position.map(command_joint::Command::Position);
            let what = what.or(velocity.map(command_joint::Command::Velocity));
            let what = what.or(effort.map(command_joint::Command::Effort));
            let what = what.or(resume.then_some(command_joint::Command::Resume(true)));
            let command = user_cmd::Command::CommandJoint(CommandJoint {
                joint: Some(reference(joint)),
                axis: *axis,
                command: Some(what.unwrap_or(command_joint::Command::Release(true))),
                ..CommandJoint::default()
            });
            print_reply(&link.command(command)?, printer)
        }
    }
}

fn list(link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let (ecm, _) = replica::fetch(link)?;
    let joints: Vec<EntityId> = ecm.iter::<JointSpec>().map(|(joint, _)| joint).collect();
    let value: Vec<Value> = joints.iter().map(|joint| joint_json(&ecm, *joint)).collect();
    printer.print(&value, |out| {
        let mut rows =
            vec![["joint", "kind", "position", "velocity", "effort"].map(str::to_owned).to_vec()];
        rows.extend(joints.iter().map(|joint| row(&ecm, *joint)));
        write_table(out, &rows)
    })
}

fn show(name: &str, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let (ecm, _) = replica::fetch(link)?;
    let joint = resolve(&ecm, name)?;
    let Some(spec) = ecm.get::<JointSpec>(joint) else {
        bail!("{name:?} is no joint. See: retake joint list");
    };
    let link_name = |link: Option<EntityId>| {
        link.map_or_else(|| "world".to_owned(), |link| path_of(&ecm, link))
    };
    let mut value = joint_json(&ecm, joint);
    value["parent"] = link_name(spec.parent).into();
    value["child"] = link_name(Some(spec.child)).into();
    value["axes"] = serde_json::to_value(&spec.axes)?;
    value["command"] = serde_json::to_value(ecm.get::<Commanded>(joint).map(|all| &all.0))?;
    printer.print(&value, |out| {
        let fields = value.as_object().into_iter().flatten();
        fields.into_iter().try_for_each(|(name, value)| writeln!(out, "{name:9} {value}"))
    })
}

fn joint_json(ecm: &Ecm, joint: EntityId) -> Value {
    json!({
        "id": joint.raw(),
        "name": path_of(ecm, joint),
        "kind": ecm.get::<JointSpec>(joint).map(|spec| spec.kind.name()),
        "position": ecm.get::<JointPosition>(joint).map(|all| &all.0),
        "velocity": ecm.get::<JointVelocity>(joint).map(|all| &all.0),
        "effort": ecm.get::<JointEffort>(joint).map(|all| &all.0),
    })
}

fn row(ecm: &Ecm, joint: EntityId) -> Vec<String> {
    let numbers = |all: Option<&Vec<f64>>| {
        let texts = all.into_iter().flatten().map(|value| format!("{value:.4}"));
        texts.collect::<Vec<_>>().join(" ")
    };
    vec![
        path_of(ecm, joint),
        ecm.get::<JointSpec>(joint).map_or("", |spec| spec.kind.name()).to_owned(),
        numbers(ecm.get::<JointPosition>(joint).map(|all| &all.0)),
        numbers(ecm.get::<JointVelocity>(joint).map(|all| &all.0)),
        numbers(ecm.get::<JointEffort>(joint).map(|all| &all.0)),
    ]
}
