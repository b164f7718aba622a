//! What a page asks of the server.

use retake_msgs::request::Request;

use crate::link::LinkRequest;

/// Reads what a page asks of the server, under the name `author` whatever the page says; none when
/// it is about something else.
pub(super) fn read(request: Request, author: &str) -> Option<LinkRequest> {
    Some(match request {
        Request::Control(control) => LinkRequest::Control(control),
        Request::Command(mut command) => {
            command.author = author.to_owned();
            LinkRequest::Command(*command)
        }
        Request::UndoRedo(mut request) => {
            request.author = author.to_owned();
            LinkRequest::UndoRedo(request)
        }
        Request::UndoSettings(settings) => LinkRequest::UndoSettings(settings),
        Request::TimelineEdit(mut edit) => {
            edit.author = author.to_owned();
            LinkRequest::EditTimeline(edit)
        }
        Request::Physics(request) => LinkRequest::Physics(request),
        Request::Discard(action) => LinkRequest::Discard(action),
        Request::LogStart(start) => LinkRequest::LogStart(start),
        Request::LogStop(stop) => LinkRequest::LogStop(stop),
        Request::Playback(control) => LinkRequest::Playback(control),
        // Plots and drafts are the host's own, and so are files and the bus; what a page sees is its
        // session's.
        Request::LookBack(_)
        | Request::Teach(_)
        | Request::DescribeType(_)
        | Request::Publish(_)
        | Request::Call(_)
        | Request::Findings(_)
        | Request::Library(_)
        | Request::SaveProfiles(_)
        | Request::SaveWorld(_)
        | Request::SetPlotLayout(_)
        | Request::LoadPlotLayout(_)
        | Request::BrowseSignals(_)
        | Request::MeasurePlot(_)
        | Request::KeepPlotRun(_)
        | Request::ClearPlots(_)
        | Request::LoadPlotRun(_) => return None,
    })
}
