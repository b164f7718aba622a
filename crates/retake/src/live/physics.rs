//! `retake physics …`

use anyhow::{Context, bail};
use retake_msgs::{
    CreateProfile, LoadProfiles, PhysicsParam, PhysicsProfile, PhysicsProfilesRequest,
    PhysicsState, PhysicsUnused, RemoveProfile, SetCurrentProfile, SetProfileParam, UserCmdReply,
    names, user_cmd,
};
use serde_json::{Map, Value, json};

use super::save;
use crate::cli::{PhysicsArgs, PhysicsCommand};
use crate::input_file::{MOST_TEXT, read_text};
use crate::link::Link;
use crate::output::{Outcome, Printer, write_table};

pub(super) fn run(
    args: &PhysicsArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let command = match (&args.profile, &args.command) {
        (Some(_), Some(_)) => bail!("--profile NAME switches; it goes with no other command"),
        (None, None) => bail!("Say what to do. See: retake physics --help"),
        (Some(name), None) => {
            user_cmd::Command::SetCurrentProfile(SetCurrentProfile { name: name.clone() })
        }
        (None, Some(command)) => match edit(command)? {
            Some(edit) => edit,
            None => return look(command, link, printer),
        },
    };
    let reply = link.command(command)?;
    print_change(&reply, printer)?;
    Ok(Outcome::Done)
}

/// Makes the user command of those that edit.
fn edit(command: &PhysicsCommand) -> anyhow::Result<Option<user_cmd::Command>> {
    Ok(Some(match command {
        PhysicsCommand::Set { profile, key, value } => {
            let param = PhysicsParam { key: key.clone(), value: value.join(" ") };
            user_cmd::Command::SetProfileParam(SetProfileParam {
                profile: profile.clone().unwrap_or_default(),
                param: vec![param],
            })
        }
        PhysicsCommand::Create { name, from, file } => {
            user_cmd::Command::CreateProfile(CreateProfile {
                name: name.clone().unwrap_or_default(),
                sdf: file
                    .as_deref()
                    .map(|file| read_text(file, MOST_TEXT))
                    .transpose()?
                    .unwrap_or_default(),
                copy_of: from.clone().unwrap_or_default(),
            })
        }
        PhysicsCommand::Remove { name } => {
            user_cmd::Command::RemoveProfile(RemoveProfile { name: name.clone() })
        }
        PhysicsCommand::Load { file } => {
            user_cmd::Command::LoadProfiles(LoadProfiles { sdf: read_text(file, MOST_TEXT)? })
        }
        _ => return Ok(None),
    }))
}

fn look(
    command: &PhysicsCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    if let PhysicsCommand::Save(args) = command {
        return save::run_profiles(args, link, printer);
    }
    let state: PhysicsState =
        link.call(&names::physics(&link.world()), &PhysicsProfilesRequest {})?;
    match command {
        PhysicsCommand::Show { name, sdf: true } => {
            let name = name.as_deref().unwrap_or(&state.current);
            write!(printer.out, "{}", profile(&state, name)?.sdf)?;
        }
        PhysicsCommand::Show { name: Some(name), .. } => {
            show_profile(&state, profile(&state, name)?, printer)?;
        }
        PhysicsCommand::Show { .. } => show_in_force(&state, printer)?,
        PhysicsCommand::Keys => keys(&state, printer)?,
        _ => list(&state, printer)?,
    }
    Ok(Outcome::Done)
}

fn profile<'a>(state: &'a PhysicsState, name: &str) -> anyhow::Result<&'a PhysicsProfile> {
    let known = || state.profiles.iter().map(|profile| profile.name.as_str());
    let found = state.profiles.iter().find(|profile| profile.name == name);
    found.with_context(|| {
        let known = known().collect::<Vec<_>>().join(", ");
        format!("No profile named {name:?} in this world. Known: {known}")
    })
}

fn list(state: &PhysicsState, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let value = |profile: &PhysicsProfile, key: &str| {
        let found = profile.values.iter().find(|value| value.key == key);
        found.map(|value| value.value.clone()).unwrap_or_default()
    };
    let profiles: Vec<Value> = state.profiles.iter().map(|p| profile_json(state, p)).collect();
    printer.print(&profiles, |out| {
        let mut rows = vec![["profile", "type", "step", "speed", ""].map(str::to_owned).to_vec()];
        rows.extend(state.profiles.iter().map(|profile| {
            let mark = match (profile.name == state.current, profile.is_default) {
                (true, true) => "in force, default",
                (true, false) => "in force",
                (false, true) => "default",
                (false, false) => "",
            };
            vec![
                profile.name.clone(),
                value(profile, "type"),
                format!("{} s", value(profile, "max_step_size")),
                value(profile, "real_time_factor"),
                mark.to_owned(),
            ]
        }));
        write_table(out, &rows)
    })
}

fn profile_json(state: &PhysicsState, profile: &PhysicsProfile) -> Value {
    let values = profile.values.iter();
    let values: Map<String, Value> = values
        .map(|v| (v.key.clone(), json!({ "value": v.value, "written": v.written })))
        .collect();
    json!({
        "name": profile.name,
        "current": profile.name == state.current,
        "default": profile.is_default,
        "values": values,
        "not_used": unused_json(&profile.not_used),
        "sdf": profile.sdf,
    })
}

fn show_profile(
    state: &PhysicsState,
    profile: &PhysicsProfile,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    printer.print(&profile_json(state, profile), |out| {
        let force = if profile.name == state.current { " (in force)" } else { "" };
        writeln!(out, "profile {}{force}", profile.name)?;
        let rows = profile.values.iter().map(|value| {
            let note = match (value.written, value.value.is_empty()) {
                (false, true) => "the world's",
                (false, false) => "default",
                (true, _) => "",
            };
            let shown = with_unit(state, &value.key, &value.value);
            vec![value.key.clone(), shown, note.to_owned()]
        });
        write_table(out, &rows.collect::<Vec<_>>())?;
        write_unused(out, &profile.not_used)
    })
}

fn show_in_force(state: &PhysicsState, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let value = json!({
        "current": state.current,
        "in_force": params_json(&state.in_force),
        "not_used": unused_json(&state.not_used),
    });
    printer.print(&value, |out| {
        writeln!(out, "profile {}, in force:", state.current)?;
        let row = |p: &PhysicsParam| vec![p.key.clone(), with_unit(state, &p.key, &p.value)];
        write_table(out, &state.in_force.iter().map(row).collect::<Vec<_>>())?;
        write_unused(out, &state.not_used)
    })
}

fn keys(state: &PhysicsState, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let values: Vec<Value> = state
        .keys
        .iter()
        .map(|key| {
            json!({
                "key": key.key,
                "unit": key.unit,
                "allowed": key.allowed,
                "min": key.min,
                "max": key.max,
                "choices": key.choices,
                "default": key.default_value,
                "description": key.description,
                "engines": key.engines,
            })
        })
        .collect();
    printer.print(&values, |out| {
        let mut rows = vec![["key", "allowed", "default", "used by"].map(str::to_owned).to_vec()];
        rows.extend(state.keys.iter().map(|key| {
            let engines =
                if key.engines.is_empty() { "none".to_owned() } else { key.engines.join(", ") };
            vec![key.key.clone(), key.allowed.clone(), key.default_value.clone(), engines]
        }));
        write_table(out, &rows)
    })
}

fn with_unit(state: &PhysicsState, key: &str, value: &str) -> String {
    let unit = state.keys.iter().find(|known| known.key == key).map_or("", |key| &key.unit);
    if value.is_empty() { String::new() } else { format!("{value} {unit}").trim_end().to_owned() }
}

fn write_unused(out: &mut dyn std::io::Write, unused: &[PhysicsUnused]) -> std::io::Result<()> {
    if unused.is_empty() {
        return Ok(());
    }
    writeln!(out, "not used:")?;
    let row = |u: &PhysicsUnused| vec![format!("  {}", u.key), u.value.clone(), u.reason.clone()];
    write_table(out, &unused.iter().map(row).collect::<Vec<_>>())
}

fn params_json(params: &[PhysicsParam]) -> Map<String, Value> {
    params.iter().map(|param| (param.key.clone(), json!(param.value))).collect()
}

fn unused_json(unused: &[PhysicsUnused]) -> Vec<Value> {
    let one = |u: &PhysicsUnused| json!({ "key": u.key, "value": u.value, "reason": u.reason });
    unused.iter().map(one).collect()
}

fn print_change(reply: &UserCmdReply, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let value = json!({
        "message": reply.message,
        "in_force": params_json(&reply.in_force),
        "not_used": unused_json(&reply.not_used),
    });
    printer.print(&value, |out| writeln!(out, "{}", reply.message))
}
