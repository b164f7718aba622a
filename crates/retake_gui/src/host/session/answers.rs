//! Who answers what a page asks.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Bytes;
use retake_msgs::{Request, UserCmdReply, request};

use super::Session;
use super::messages::{refused, reply_message};
use crate::host::{SavedPart, plot_requests, server_requests, teach_requests, topic_views};

impl Session {
    /// Passes a request on; the author is who the session is, whatever the page says.
    pub(super) fn answer(&self, asked: Request) -> Pin<Box<dyn Future<Output = Bytes> + Send>> {
        match asked.request {
            Some(request) if plot_requests::is_about_plots(&request) => {
                Box::pin(self.answer_about_plots(asked.request_id, request))
            }
            Some(request::Request::Teach(request)) => {
                let (teaching, name) = (&self.hub.teaching, &self.name);
                Box::pin(teach_requests::answer(teaching, name, asked.request_id, *request))
            }
            Some(request) if topic_views::is_about_topics(&request) => {
                Box::pin(self.topics.answer(&self.hub.topics, asked.request_id, request))
            }
            Some(request::Request::SaveProfiles(_)) => {
                Box::pin(self.save(asked.request_id, SavedPart::Profiles))
            }
            Some(request::Request::SaveWorld(_)) => {
                Box::pin(self.save(asked.request_id, SavedPart::World))
            }
            request => Box::pin(self.answer_by_server(Request { request, ..asked })),
        }
    }

    fn answer_about_plots(
        &self,
        request_id: u64,
        request: request::Request,
    ) -> impl Future<Output = Bytes> + Send + use<> {
        let (plots, name) = (Arc::clone(&self.hub.plots), self.name.clone());
        async move {
            let answer = move || plot_requests::answer(&plots, &name, request_id, request);
            let answered = tokio::task::spawn_blocking(answer).await;
            answered.unwrap_or_else(|_| refused(request_id, "The plots gave no answer"))
        }
    }

    fn save(&self, request_id: u64, part: SavedPart) -> impl Future<Output = Bytes> + Send + use<> {
        let (saver, bus) = (self.hub.options.saver.clone(), self.hub.link.bus());
        async move {
            let (Some(saver), Some(bus)) = (saver, bus) else {
                return refused(request_id, "There is no world's file to save into");
            };
            let saved = tokio::task::spawn_blocking(move || saver.save(bus, part)).await;
            let saved = saved.unwrap_or_else(|_| Err("Saving failed".to_owned()));
            let reply = saved.map_or_else(UserCmdReply::refused, UserCmdReply::done);
            reply_message(request_id, reply)
        }
    }

    fn answer_by_server(&self, asked: Request) -> impl Future<Output = Bytes> + Send + use<> {
        let request = asked.request.and_then(|request| server_requests::read(request, &self.name));
        let reply = request.map(|request| self.hub.link.request(request));
        async move {
            let Some(reply) = reply else {
                return refused(asked.request_id, "The request is empty");
            };
            let reply = reply.await;
            reply_message(asked.request_id, reply)
        }
    }
}
