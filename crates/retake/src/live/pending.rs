//! `retake world pending`

use retake_msgs::{PendingActions, PendingActionsRequest, names};
use serde_json::{Value, json};

use crate::link::Link;
use crate::output::{Printer, write_table};

/// Lists what GUIs hold until the world goes on.
pub(super) fn list(link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let pending = fetch(link)?;
    let all = pending.gui.iter().flat_map(|gui| gui.action.iter().map(move |a| (gui, a)));
    let all: Vec<_> = all.collect();
    let value: Vec<Value> = all
        .iter()
        .map(|(gui, action)| {
            json!({
                "gui": gui.name, "id": action.id, "author": action.author,
                "description": action.description, "refused": action.refused,
            })
        })
        .collect();
    printer.print(&value, |out| {
        let rows = all.iter().map(|(gui, action)| {
            let state = match action.refused.as_str() {
                "" => "waits".to_owned(),
                reason => format!("refused: {reason}"),
            };
            vec![gui.name.clone(), action.author.clone(), action.description.clone(), state]
        });
        write_table(out, &rows.collect::<Vec<_>>())?;
        let more: u64 = pending.gui.iter().map(|gui| gui.more).sum();
        if more > 0 {
            writeln!(out, "and {more} more")?;
        }
        Ok(())
    })
}

/// Returns how many actions wait in GUIs.
pub(super) fn count(link: &mut dyn Link) -> anyhow::Result<u64> {
    let waits = |gui: &retake_msgs::GuiPending| {
        let waiting = gui.action.iter().filter(|action| action.refused.is_empty()).count();
        waiting as u64 + gui.more
    };
    Ok(fetch(link)?.gui.iter().map(waits).sum())
}

fn fetch(link: &mut dyn Link) -> anyhow::Result<PendingActions> {
    link.call(&names::pending_get(&link.world()), &PendingActionsRequest {})
}
