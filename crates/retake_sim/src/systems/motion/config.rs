//! What the world file says of a player.

use std::collections::BTreeMap;

use retake_description::Element;
use retake_motion::blend::Blend;
use retake_motion::player::{BadTolerances, GoalTime, OnCancel, Rules, StartFrom};

use super::components::{Eyes, Gains, MotionPlayer, PlayerKind};
use crate::system::SystemError;
use crate::systems::Params;

pub(super) fn read(params: &Params<'_>, kind: PlayerKind) -> Result<MotionPlayer, SystemError> {
    let folders = params.texts("trajectories_path").into_iter().map(|text| text.trim().to_owned());
    Ok(MotionPlayer {
        kind,
        rules: rules(params, kind)?,
        folders: folders.filter(|folder| !folder.is_empty()).collect(),
        groups: params.elements("group").map(group).collect::<Result<_, _>>()?,
        gains: own_gains(params)?,
        eyes: params.elements("eyes").next().map(eyes).transpose()?.unwrap_or_default(),
    })
}

fn rules(params: &Params<'_>, kind: PlayerKind) -> Result<Rules, SystemError> {
    let mut rules = match params.word_or("rules", "native", &["native", "ros2"])? {
        "ros2" => Rules::ros2(),
        _ => Rules::native(),
    };
    if kind == PlayerKind::Follow {
        // What others publish comes in steps, and is followed smoothly.
        rules.blend = Blend::LowPass { time_secs: 0.3 };
    }
    rules.blend = blend(params, rules.blend)?;
    let words = &["measured", "desired"];
    rules.start_from = match params.word_or("start_from", "", words)? {
        "measured" => StartFrom::Measured,
        "desired" => StartFrom::Desired,
        _ => rules.start_from,
    };
    rules.on_cancel = match params.word_or("on_cancel", "", &["hold", "decelerate"])? {
        "hold" => OnCancel::Hold,
        "decelerate" => OnCancel::Decelerate,
        _ => rules.on_cancel,
    };
    rules.bad_tolerances = match params.word_or("bad_tolerances", "", &["refuse", "defaults"])? {
        "refuse" => BadTolerances::Refuse,
        "defaults" => BadTolerances::UseDefaults,
        _ => rules.bad_tolerances,
    };
    rules.check_start = params.flag_or("check_start", rules.check_start)?;
    rules.check_limits = params.flag_or("check_limits", rules.check_limits)?;
    rules.partial_goals = params.flag_or("allow_partial_joints_goal", rules.partial_goals)?;
    let moving_end = "allow_nonzero_velocity_at_trajectory_end";
    rules.moving_end = params.flag_or(moving_end, rules.moving_end)?;
    rules.stop_secs = params.positive_or("stop_time", rules.stop_secs)?;
    rules.path_tolerance = params.at_least_zero("path_tolerance", rules.path_tolerance)?;
    rules.goal_tolerance = params.at_least_zero("goal_tolerance", rules.goal_tolerance)?;
    rules.stopped_velocity =
        params.at_least_zero("stopped_velocity_tolerance", rules.stopped_velocity)?;
    rules.goal_time = match params.number("goal_time")? {
        Some(secs) if secs < 0.0 => GoalTime::Unlimited,
        Some(secs) => GoalTime::Secs(secs),
        None => rules.goal_time,
    };
    for element in params.elements("tolerance") {
        let params = Params::of(element);
        let joint = params.required("joint")?.to_owned();
        let path = params.at_least_zero("path", rules.path_tolerance)?;
        let goal = params.at_least_zero("goal", rules.goal_tolerance)?;
        rules.joint_tolerances.insert(joint, (path, goal));
    }
    Ok(rules)
}

fn blend(params: &Params<'_>, otherwise: Blend) -> Result<Blend, SystemError> {
    let words = &["none", "transient", "low_pass", "jerk_limited"];
    let default_secs = match otherwise {
        Blend::Transient { time_secs } | Blend::LowPass { time_secs } => time_secs,
        _ => 0.5,
    };
    let time_secs = params.positive_or("transient_time", default_secs)?;
    Ok(match params.word_or("blending", "", words)? {
        "none" => Blend::None,
        "transient" => Blend::Transient { time_secs },
        "low_pass" => Blend::LowPass { time_secs },
        "jerk_limited" => Blend::JerkLimited {
            max_velocity: params.positive_or("max_velocity", 3.0)?,
            max_acceleration: params.positive_or("max_acceleration", 10.0)?,
            max_jerk: params.positive_or("max_jerk", 100.0)?,
        },
        _ => match otherwise {
            Blend::Transient { .. } => Blend::Transient { time_secs },
            Blend::LowPass { .. } => Blend::LowPass { time_secs },
            other => other,
        },
    })
}

fn own_gains(params: &Params<'_>) -> Result<BTreeMap<String, Gains>, SystemError> {
    let mut all = BTreeMap::new();
    for element in params.elements("gains") {
        let params = Params::of(element);
        let default = Gains::default();
        let gains = Gains {
            stiffness: params.positive_or("p_gain", default.stiffness)?,
            damping: params.at_least_zero("d_gain", default.damping)?,
            max_effort: params.number("max_effort")?.map_or(f64::INFINITY, f64::abs),
        };
        for joint in params.texts("joint") {
            all.insert(joint.trim().to_owned(), gains);
        }
    }
    Ok(all)
}

fn group(element: &Element) -> Result<(String, Vec<String>), SystemError> {
    let params = Params::of(element);
    let name = params.required("name")?.to_owned();
    let joints = params.texts("joint").into_iter().map(|joint| joint.trim().to_owned());
    Ok((name, joints.collect()))
}

fn eyes(element: &Element) -> Result<Eyes, SystemError> {
    let params = Params::of(element);
    let visuals = params.texts("visual").into_iter().map(|path| path.trim().to_owned()).collect();
    let mut emotions = BTreeMap::new();
    for element in params.elements("emotion") {
        let params = Params::of(element);
        let name = params.required("name")?.to_owned();
        let colours = params.rows::<3>("color", "three numbers from 0 to 1")?;
        let colour = colours.first().ok_or(SystemError::MissingParameter { parameter: "color" })?;
        emotions.insert(name, colour.map(|part| part.clamp(0.0, 1.0) as f32));
    }
    Ok(Eyes { visuals, emotions })
}
