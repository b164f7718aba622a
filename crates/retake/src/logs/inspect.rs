//! `retake log info`, `check` and `recover`, and `retake verify`.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use retake_log::{CheckReport, Log, LogFacts, check, recover};
use retake_sim::{SimulationOptions, SystemWatch};
use serde_json::json;

use super::verify;
use crate::cli::{LogCommand, VerifyArgs};
use crate::output::{Outcome, Printer, printable, printable_name, remark};
use crate::{plots, world_file};

/// Does what is about a file.
pub(crate) fn run(command: &LogCommand, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    match command {
        LogCommand::Info { file } => info(file, printer),
        LogCommand::Check { file } => check_file(file, printer),
        LogCommand::Export(args) => plots::export_log(args),
        LogCommand::Recover { file, to } => recover_file(file, to, printer),
        LogCommand::Start(_) | LogCommand::Stop | LogCommand::Status => {
            bail!("this needs a running server")
        }
    }
}

fn info(file: &Path, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let log = Log::open(file)?;
    let facts = log.facts();
    let stretches: Vec<_> = log
        .stretches()
        .iter()
        .map(|stretch| {
            json!({
                "epoch": stretch.epoch,
                "parent_epoch": stretch.parent_epoch,
                "recorded_from_secs": stretch.begin.as_secs_f64(),
                "recorded_to_secs": stretch.end.as_secs_f64(),
                "sim_from_secs": stretch.sim_begin.as_secs_f64(),
                "sim_to_secs": stretch.sim_end().as_secs_f64(),
                "begins_with": stretch.jump.as_ref().map(|jump| &jump.cause),
                "author": stretch.jump.as_ref().map(|jump| &jump.author),
            })
        })
        .collect();
    let topics: Vec<_> = log
        .topics()
        .iter()
        .map(|t| json!({ "name": &*t.name, "type": t.type_name, "messages": t.messages }))
        .collect();
    let attachments: Vec<_> = log.attachments().iter().map(|a| a.name.clone()).collect();
    let damage: Vec<String> = log.damage().iter().map(ToString::to_string).collect();
    let value = json!({
        "world": facts.world,
        "world_file": facts.world_file,
        "run": facts.run,
        "version": facts.version,
        "seed": facts.seed,
        "profile": facts.profile,
        "engine": facts.engine_version,
        "bytes": log.bytes(),
        "recorded_secs": log.length().as_secs_f64(),
        "finished": log.finished(),
        "stretches": stretches,
        "topics": topics,
        "attachments": attachments,
        "damage": damage,
    });
    printer.print(&value, |out| {
        match facts.world.is_empty() {
            true => writeln!(out, "Nothing of a world was recorded")?,
            false => write_facts(facts, out)?,
        }
        let finished = if log.finished() { "" } else { ", not finished" };
        writeln!(out, "Recorded   {}, {} bytes{finished}", log.length(), log.bytes())?;
        for stretch in log.stretches() {
            let cause = stretch.jump.as_ref().map_or("start", |jump| jump.cause.as_str());
            let cause = printable_name(cause);
            let (from, to) = (stretch.sim_begin, stretch.sim_end());
            writeln!(
                out,
                "  at {:<9} {cause}: simulated {from} to {to}",
                stretch.begin.to_string()
            )?;
        }
        writeln!(out, "Topics")?;
        for topic in log.topics() {
            let name = printable_name(&topic.name);
            writeln!(out, "  {:>9} {name} ({})", topic.messages, printable_name(&topic.type_name))?;
        }
        for name in &attachments {
            writeln!(out, "File       {}", printable_name(name))?;
        }
        damage.iter().try_for_each(|text| writeln!(out, "Damage     {}", printable(text)))
    })?;
    Ok(if facts.world.is_empty() { Outcome::Loss } else { Outcome::Done })
}

fn write_facts(facts: &LogFacts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "World      {} ({})",
        printable_name(&facts.world),
        printable_name(&facts.world_file)
    )?;
    writeln!(
        out,
        "Made by    Retake {}, {}",
        printable_name(&facts.version),
        printable_name(&facts.engine_version)
    )?;
    writeln!(out, "Profile    {}, seed {}", printable_name(&facts.profile), facts.seed)
}

fn check_file(file: &Path, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let report: CheckReport = check(file)?;
    let damage: Vec<String> = report.damage.iter().map(ToString::to_string).collect();
    let messages: u64 = report.topics.iter().map(|topic| topic.messages).sum();
    let undecodable: u64 = report.topics.iter().map(|topic| topic.undecodable).sum();
    let value = json!({
        "whole": report.whole(),
        "finished": report.finished,
        "messages": messages,
        "undecodable": undecodable,
        "recorded_secs": report.length.as_secs_f64(),
        "damage": damage,
    });
    printer.print(&value, |out| {
        let topics = report.topics.len();
        writeln!(out, "{messages} messages of {topics} topics, {} recorded", report.length)?;
        if undecodable > 0 {
            writeln!(out, "{undecodable} messages are not what their schema says")?;
        }
        if !report.finished {
            writeln!(out, "The recording was cut off, or goes on")?;
        }
        damage.iter().try_for_each(|text| writeln!(out, "{}", printable(text)))?;
        match report.whole() {
            true => writeln!(out, "Nothing is damaged"),
            false => writeln!(out, "Write what is left with: retake log recover FILE OTHER"),
        }
    })?;
    Ok(if report.whole() { Outcome::Done } else { Outcome::Failed })
}

fn recover_file(file: &Path, to: &Path, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let recovered = recover(file, to)?;
    let lost: Vec<String> = recovered.lost.iter().map(ToString::to_string).collect();
    let value = json!({ "messages": recovered.messages, "bytes": recovered.bytes, "lost": lost });
    printer.print(&value, |out| {
        let (messages, bytes) = (recovered.messages, recovered.bytes);
        writeln!(out, "Wrote {messages} messages to {} ({bytes} bytes)", to.display())?;
        if messages == 0 {
            writeln!(out, "Nothing could be recovered from {}", file.display())?;
        }
        lost.iter().try_for_each(|text| writeln!(out, "Lost: {}", printable(text)))
    })?;
    Ok(if recovered.messages == 0 { Outcome::Loss } else { Outcome::Done })
}

/// Runs a log again.
pub(crate) fn run_verify(args: &VerifyArgs, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let log = Arc::new(Log::open(&args.file)?);
    let options = SimulationOptions {
        worker_threads: args.threads,
        roots: world_file::roots(&args.resource_path)?,
        watch: Some(SystemWatch::start("The run", remark)),
        ..SimulationOptions::default()
    };
    let verified = verify(&log, &options)?;
    let outcome = match (&verified.difference, verified.whole) {
        (Some(_), _) => Outcome::Failed,
        (None, false) => Outcome::Loss,
        (None, true) => Outcome::Done,
    };
    printer.print(&verified, |out| {
        writeln!(
            out,
            "{} steps made again with {} inputs; {} states, {} complete ones and {} jumps compared",
            verified.steps,
            verified.inputs,
            verified.states,
            verified.complete_states,
            verified.jumps
        )?;
        verified.remarks.iter().try_for_each(|remark| writeln!(out, "{}", printable(remark)))?;
        match &verified.difference {
            None if verified.whole => writeln!(out, "Equal, bit by bit"),
            None => writeln!(out, "Equal, bit by bit, as far as the log is whole"),
            Some(difference) => writeln!(out, "DIFFERENT: {}", printable(difference)),
        }
    })?;
    Ok(outcome)
}
