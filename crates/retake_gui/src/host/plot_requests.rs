//! What a page asks of its plots.

use std::sync::Arc;

use axum::body::Bytes;
use retake_msgs::host_message::Message as Body;
use retake_msgs::{Reply, request};

use crate::plots::Plots;
use crate::wire;

/// Answers a request about plots; none when it is about something else.
///
/// Some wait for others on the bus, so it is called where waiting is allowed.
pub(super) fn answer(
    plots: &Arc<Plots>,
    author: &str,
    request_id: u64,
    request: request::Request,
) -> Bytes {
    let reply = match carry_out(plots, author, request) {
        Ok(reply) => Reply { ok: true, request_id, ..reply },
        Err(message) => Reply { ok: false, message, request_id, ..Reply::default() },
    };
    wire::encode(Body::Reply(reply))
}

/// Says whether a request is about plots.
pub(super) fn is_about_plots(request: &request::Request) -> bool {
    matches!(
        request,
        request::Request::SetPlotLayout(_)
            | request::Request::LoadPlotLayout(_)
            | request::Request::BrowseSignals(_)
            | request::Request::MeasurePlot(_)
            | request::Request::KeepPlotRun(_)
            | request::Request::LoadPlotRun(_)
            | request::Request::ClearPlots(_)
    )
}

fn carry_out(plots: &Plots, author: &str, request: request::Request) -> Result<Reply, String> {
    let mut reply = Reply::default();
    match request {
        request::Request::SetPlotLayout(request) => plots.set_layout(request, author)?,
        request::Request::LoadPlotLayout(request) => plots.load_layout(&request.json, author)?,
        request::Request::BrowseSignals(request) => reply.signals = Some(plots.browse(&request)?),
        request::Request::MeasurePlot(request) => reply.measures = Some(plots.measure(&request)?),
        request::Request::KeepPlotRun(request) => {
            reply.plot_run = plots.keep_run(&request, author)?;
        }
        request::Request::LoadPlotRun(request) => plots.load_run(&request, author)?,
        request::Request::ClearPlots(_) => plots.clear(),
        _ => return Err("This is no request about plots".to_owned()),
    }
    Ok(reply)
}
