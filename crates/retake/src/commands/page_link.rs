//! A page's way to the server in the same process: the shared Ecm, no copy, no encoding.

use std::sync::Arc;

use retake_gui::{
    Connection, Feed, FeedLink, LinkRequest, PastView, ReplyTo, WorldTitle, log_reply, text_command,
};
use retake_msgs::{Past, UserCmdReply};
use retake_sim::{
    Event, InboxSender, OutMessage, Recorder, Request, Response, Server, View, ViewSink,
};

use super::server::{Surroundings, first_view};

/// Links pages to a server that is about to run.
pub(super) fn connect(
    server: &mut Server,
    around: &Surroundings<'_>,
) -> (Box<dyn ViewSink>, Arc<FeedLink>) {
    let Surroundings { inbox, bus, recorder } = *around;
    let info = server.info();
    let title = Arc::new(WorldTitle { name: info.world, file: info.world_file });
    let first = first_view(server, recorder);
    let feed = Arc::new(Feed::new(seen(&title, &first)));
    let (inbox, looks, recorder) = (inbox.clone(), inbox.clone(), Arc::clone(recorder));
    let link = FeedLink::new(Arc::clone(&feed), move |request, reply| {
        forward(&inbox, &recorder, request, reply);
    });
    let link = link.on_bus(Arc::clone(bus)).looking_back(move |request, show| {
        looks.send(Request::Past(request), Box::new(|response| show.send(past_view(response))));
    });
    (Box::new(PageSink { feed, title }), Arc::new(link))
}

fn forward(inbox: &InboxSender, recorder: &Arc<Recorder>, request: LinkRequest, reply: ReplyTo) {
    let request = match request {
        LinkRequest::Control(control) => Request::Control(control),
        LinkRequest::Command(command) => Request::Command(Box::new(command)),
        LinkRequest::UndoRedo(request) => Request::UndoRedo(request),
        LinkRequest::UndoSettings(settings) => Request::UndoSettings(settings),
        LinkRequest::EditTimeline(edit) => Request::EditTimeline(Box::new(edit)),
        LinkRequest::Physics(request) => Request::Physics(request),
        LinkRequest::LogStart(request) => {
            let start = move |recorder: &Arc<Recorder>| recorder.start(&request);
            return recorder.ask(start, |status| reply.send(log_reply(status)));
        }
        LinkRequest::LogStop(_) => {
            return recorder.ask(|recorder| recorder.stop(), |s| reply.send(log_reply(s)));
        }
        LinkRequest::Playback(_) => {
            return reply.send(UserCmdReply::refused("The world is no recording"));
        }
        LinkRequest::Discard(_) => {
            // Pages of this process edit the world itself.
            return reply.send(UserCmdReply::refused("No action waits here"));
        }
    };
    inbox.send(request, Box::new(|response| reply.send(response.into_reply())));
}

/// Takes the entities of an answer about the past as they are.
fn past_view(response: Response) -> Result<PastView, String> {
    match response {
        Response::Past(Ok(mut answer)) => {
            let at = Past { samples: answer.take_samples(), ..answer.header() };
            Ok(PastView { ecm: answer.ecm().clone(), at })
        }
        other => Err(other.into_reply().message),
    }
}

struct PageSink {
    feed: Arc<Feed>,
    title: Arc<WorldTitle>,
}

impl ViewSink for PageSink {
    fn view(&mut self, view: &View) {
        self.feed.publish(seen(&self.title, view));
    }

    fn event(&mut self, event: &Event) {
        self.feed.emit(match event {
            Event::Notified(notification) => retake_gui::Event::Notification(notification.clone()),
            Event::Conflict(conflict) => retake_gui::Event::Conflict(conflict.clone()),
            Event::TimeJumped(jump) => retake_gui::Event::TimeJumped(jump.clone()),
        });
    }

    fn messages(&mut self, messages: &[OutMessage]) {
        let told = |message: &OutMessage| text_command(&message.type_name, &message.bytes);
        messages.iter().filter_map(told).for_each(|event| self.feed.emit(event));
    }
}

fn seen(title: &Arc<WorldTitle>, view: &View) -> retake_gui::View {
    retake_gui::View {
        world: Arc::clone(title),
        ecm: view.ecm.clone(),
        stats: view.stats.clone(),
        history: Arc::clone(&view.history),
        timeline: Arc::clone(&view.timeline),
        pending: Arc::clone(&view.pending),
        recording: Arc::clone(&view.recording),
        playback: None,
        connection: Connection::Connected,
    }
}
