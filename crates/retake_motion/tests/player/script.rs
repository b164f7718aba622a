//! Cases as text: a robot, what it is asked and when, and what came of it.
//!
//! `joint a at 1 continuous limits -1 1 stuck lag 0.1 wall 0.5`, `group arm a b`, `dt 0.01`,
//! `rules ros2 partial desired …` and `until 2` say what there is; lines that begin with a time say
//! what happens then. Points of a goal are `time:positions:velocities:accelerations`, actions
//! `!time:word`; other words of a goal are `key=value`.

use std::fmt::Write;

use retake_motion::blend::Blend;
use retake_motion::player::{
    GoalTime, Group, Joint, OnCancel, Order, Owner, Rules, Start, StartFrom,
};
use retake_motion::{Goal, GoalPoint, Interpolation, JointTolerance, TextCommand, TimedAction};

use super::stage::{Body, Stage, joint};

/// Plays a script and returns what came of it.
pub fn play(script: &str) -> String {
    let (mut joints, mut groups, mut bodies, mut at) = (vec![], vec![], vec![], vec![]);
    let (mut rules, mut until, mut dt, mut events) = (Rules::native(), 2.0, 0.01, vec![]);
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            "joint" => {
                let (joint, body, position) = read_joint(&words[1..]);
                joints.push(joint);
                bodies.push(body);
                at.push(position);
            }
            "group" => groups.push((words[1].to_owned(), words[2..].to_vec())),
            "rules" => rules = read_rules(&words[1..]),
            "until" => until = number(words[1]),
            "dt" => dt = number(words[1]),
            time => events.push((number(time), words[1..].to_vec())),
        }
    }
    let place = |name: &&str| joints.iter().position(|joint: &Joint| joint.name == *name).unwrap();
    let groups = groups.into_iter().map(|(name, members): (String, Vec<&str>)| Group {
        name,
        joints: members.iter().map(place).collect(),
    });
    let mut stage = Stage::new(joints.clone(), groups.collect());
    stage.bodies = bodies;
    stage.measured.iter_mut().zip(at).for_each(|(measured, at)| measured.position = at);
    let mut log = String::new();
    let period = (dt * 1e9_f64).round() as i64;
    let mut next = 0;
    while stage.now_nanos <= (until * 1e9_f64).round() as i64 {
        let secs = stage.now_nanos as f64 / 1e9;
        while let Some((_, words)) = events.get(next).filter(|(at, _)| *at <= secs + 1e-9) {
            happen(&mut stage, &rules, words, &mut log);
            tell_outcomes(&mut stage, &mut log);
            next += 1;
        }
        stage.advance(period);
        tell_outcomes(&mut stage, &mut log);
        for (goal, word) in stage.fired() {
            writeln!(log, "{:.2} {goal} fires {word}", stage.now_nanos as f64 / 1e9).unwrap();
        }
    }
    log
}

fn tell_outcomes(stage: &mut Stage, log: &mut String) {
    for outcome in stage.outcomes.drain(..) {
        let (at, number) = (outcome.at_nanos as f64 / 1e9, outcome.code.number());
        let colon = if outcome.text.is_empty() { "" } else { ": " };
        let (goal, end, text) = (&outcome.goal_id, outcome.end.word(), &outcome.text);
        writeln!(log, "{at:.2} {goal} {end} {number}{colon}{text}").unwrap();
    }
}

fn happen(stage: &mut Stage, rules: &Rules, words: &[&str], log: &mut String) {
    let at = stage.now_nanos as f64 / 1e9;
    let places = |stage: &Stage, names: &[&str]| -> Vec<usize> {
        names.iter().map(|name| stage.robot.find(name).unwrap()).collect()
    };
    match words[0] {
        "goal" => {
            let order = read_order(&words[1..], rules);
            let id = &order.goal_id;
            match stage.ask(|cycle| cycle.start(&order)) {
                Ok(Start::Begun) => writeln!(log, "{at:.2} {id} begun").unwrap(),
                Ok(Start::Later) => writeln!(log, "{at:.2} {id} waits").unwrap(),
                Err(refusal) => {
                    let number = refusal.code.number();
                    writeln!(log, "{at:.2} {id} refused {number}: {refusal}").unwrap();
                }
            }
        }
        "follow" => {
            let order = read_order(&[&[words[1], ""], &words[2..3]].concat(), rules);
            let pose = words[3..].iter().map(|pair| pair.split_once('=').unwrap());
            let pose: Vec<(&str, f64)> = pose.map(|(name, at)| (name, number(at))).collect();
            if let Err(refusal) = stage.ask(|cycle| cycle.follow(&order, &pose)) {
                let number = refusal.code.number();
                writeln!(log, "{at:.2} {} refused {number}: {refusal}", words[1]).unwrap();
            }
        }
        "cancel" => {
            let id = words.get(1).copied().unwrap_or_default();
            let count = stage.ask(|cycle| cycle.cancel(id));
            writeln!(log, "{at:.2} cancelled {count}").unwrap();
        }
        "speed" => match stage.ask(|cycle| cycle.set_speed(number(words[1]))) {
            Ok(()) => {}
            Err(refusal) => writeln!(log, "{at:.2} speed refused: {refusal}").unwrap(),
        },
        "alive" => stage.ask(|cycle| cycle.keep_alive(words[1])),
        "off" | "on" | "hold" => {
            let joints = places(stage, &words[1..]);
            stage.ask(|cycle| match words[0] {
                "off" => cycle.torque_off(&joints),
                "on" => cycle.torque_on(&joints),
                _ => cycle.hold_at(&joints),
            });
        }
        "put" => {
            let joint = stage.robot.find(words[1]).unwrap();
            stage.measured[joint].position = number(words[2]);
        }
        "release" => {
            stage.ask(|cycle| cycle.release());
            writeln!(log, "{at:.2} release").unwrap();
        }
        "see" => {
            for joint in places(stage, &words[1..]) {
                see(stage, joint, log);
            }
        }
        "weigh" => {
            let run = stage.goals.find_goal(words[1]).unwrap();
            let elapsed = stage.progress.find(run.id).unwrap().elapsed_nanos;
            let weight = stage.curves.of(run).unwrap().support(0, elapsed);
            writeln!(log, "{at:.2} {} carries {weight}", words[1]).unwrap();
        }
        other => panic!("no such event: {other}"),
    }
}

fn see(stage: &Stage, joint: usize, log: &mut String) {
    let at = stage.now_nanos as f64 / 1e9;
    let name = &stage.robot.joints()[joint].name;
    let drive = &stage.progress.drives[joint];
    // Rounding must not turn into a sign.
    let tidy = |value: f64| (value * 1e3).round() / 1e3 + 0.0;
    let (position, velocity) = (tidy(drive.reference.position), tidy(drive.reference.velocity));
    let owner = match drive.owner {
        Owner::Released => "released".to_owned(),
        Owner::Limp => "limp".to_owned(),
        Owner::Run(id) => {
            stage.goals.find(id).map_or("nobody".to_owned(), |run| format!("has {}", run.goal_id))
        }
        Owner::Hold { position, .. } => format!("holds {:.3}", tidy(position)),
    };
    let measured = stage.measured[joint].position;
    let error = tidy(stage.robot.joints()[joint].error(drive.reference.position, measured));
    let off = if error == 0.0 { String::new() } else { format!(", {error:.3} off") };
    writeln!(log, "{at:.2} {name} {owner}, told {position:.3} at {velocity:.3}/s{off}").unwrap();
}

fn read_joint(words: &[&str]) -> (Joint, Body, f64) {
    let (mut made, mut body, mut at) = (joint(words[0]), Body::Ideal, 0.0);
    let mut rest = words[1..].iter();
    while let Some(word) = rest.next() {
        let mut value = || number(rest.next().unwrap());
        match *word {
            "continuous" => made.continuous = true,
            "stuck" => body = Body::Stuck,
            "at" => at = value(),
            "lag" => body = Body::Lags(value()),
            "wall" => body = Body::Wall(value()),
            "limits" => made.limits = (value(), value()),
            other => panic!("no such word of a joint: {other}"),
        }
    }
    (made, body, at)
}

fn read_rules(words: &[&str]) -> Rules {
    let mut rules = match words[0] {
        "ros2" => Rules::ros2(),
        "native" => Rules::native(),
        other => panic!("no such rules: {other}"),
    };
    for word in &words[1..] {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match key {
            "partial" => rules.partial_goals = true,
            "moving_end" => rules.moving_end = true,
            "unchecked_start" => rules.check_start = false,
            "desired" => rules.start_from = StartFrom::Desired,
            "measured" => rules.start_from = StartFrom::Measured,
            "on_cancel" if value == "hold" => rules.on_cancel = OnCancel::Hold,
            "on_cancel" => rules.on_cancel = OnCancel::Decelerate,
            "path" => rules.path_tolerance = number(value),
            "goal" => rules.goal_tolerance = number(value),
            "stopped" => rules.stopped_velocity = number(value),
            "goal_time" => rules.goal_time = GoalTime::Secs(number(value)),
            "blend" if value == "none" => rules.blend = Blend::None,
            "blend" => rules.blend = Blend::transient(number(value)).unwrap(),
            "of" => {
                let parts: Vec<&str> = value.split(',').collect();
                let own = (number(parts[1]), number(parts[2]));
                rules.joint_tolerances.insert(parts[0].to_owned(), own);
            }
            other => panic!("no such rule: {other}"),
        }
    }
    rules
}

fn read_order(words: &[&str], rules: &Rules) -> Order {
    let mut order = Order {
        goal_id: words[0].to_owned(),
        player: 1,
        rules: rules.clone(),
        goal: Goal {
            name: words[0].to_owned(),
            joints: words[1].split(',').filter(|n| !n.is_empty()).map(str::to_owned).collect(),
            interpolation: Interpolation::Hermite,
            ..Goal::default()
        },
        nested: Vec::new(),
        keep_alive_secs: 0.0,
    };
    let goal = &mut order.goal;
    for word in &words[2..] {
        if let Some(action) = word.strip_prefix('!') {
            let (time, command) = action.split_once(':').unwrap();
            let command = TextCommand { command: command.to_owned(), ..TextCommand::default() };
            goal.actions.push(TimedAction { time_secs: number(time), command });
            continue;
        }
        let Some((key, value)) = word.split_once('=') else {
            goal.points.push(read_point(word));
            continue;
        };
        match key {
            "stamp" => goal.stamp_secs = Some(number(value)),
            "path" => goal.path_tolerance.push(read_tolerance(value)),
            "goal" => goal.goal_tolerance.push(read_tolerance(value)),
            "time" => goal.goal_time_tolerance_secs = number(value),
            "way" => goal.interpolation = Interpolation::from_word(value).unwrap(),
            "effort" => goal.points[0].effort = vec![number(value)],
            "keep_alive" => order.keep_alive_secs = number(value),
            "repeat" => goal.repeat = value == "yes",
            "player" => order.player = number(value) as u64,
            other => panic!("no such word of a goal: {other}"),
        }
    }
    order
}

fn read_point(word: &str) -> GoalPoint {
    let mut parts = word.split(':');
    let time_secs = number(parts.next().unwrap());
    let mut list = || -> Vec<f64> {
        let part = parts.next().unwrap_or_default();
        part.split(',').filter(|value| !value.is_empty()).map(number).collect()
    };
    let (positions, velocities, accelerations) = (list(), list(), list());
    GoalPoint { time_secs, positions, velocities, accelerations, effort: Vec::new() }
}

/// `joint,position` or `joint,position,velocity`.
fn read_tolerance(value: &str) -> JointTolerance {
    let parts: Vec<&str> = value.split(',').collect();
    let velocity = parts.get(2).map_or(0.0, |velocity| number(velocity));
    let (name, position) = (parts[0].to_owned(), number(parts[1]));
    JointTolerance { name, position, velocity, acceleration: 0.0 }
}

fn number(word: &str) -> f64 {
    word.parse().unwrap_or_else(|_| panic!("no number: {word}"))
}
