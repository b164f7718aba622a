//! What a session tells its page besides the world.

use axum::body::Bytes;
use axum::extract::ws::close_code;
use retake_msgs::host_message::Message as Body;
use retake_msgs::notification::Level;
use retake_msgs::numbers::WildNumber;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{Notification, PROTOCOL_VERSION, Reply, Request, UserCmdReply, Welcome, request};
use tokio::sync::broadcast;

use super::socket::{End, Heard};
use crate::host::door::Role;
use crate::link::{Event, View};
use crate::wire;

/// Characters of a page's name that are kept.
const MAX_NAME: usize = 64;

/// Makes a page's name fit to be shown, and tells it from others of this host and of other GUIs.
pub(super) fn client_name(said: &str, gui: Option<u64>, client: u64) -> String {
    let kept: String = said.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    let kept = if kept.is_empty() { "page" } else { &kept };
    match gui {
        Some(gui) => format!("{kept} {gui}.{client}"),
        None => format!("{kept} {client}"),
    }
}

pub(super) fn welcome(view: &View, client_id: u64, role: Role) -> Bytes {
    wire::encode(Body::Welcome(Welcome {
        protocol_version: PROTOCOL_VERSION,
        world: view.world.name.clone(),
        retake_version: env!("CARGO_PKG_VERSION").to_owned(),
        client_id,
        world_file: view.world.file.clone(),
        role: role.name().to_owned(),
    }))
}

/// A page that fell too far behind would miss events; it is cut off instead, and comes back.
pub(super) fn event_message(
    event: Result<Event, broadcast::error::RecvError>,
) -> Result<Bytes, End> {
    match event {
        Ok(Event::Notification(event)) => Ok(wire::encode(Body::Notification(event))),
        Ok(Event::TimeJumped(event)) => Ok(wire::encode(Body::TimeJumped(event))),
        Ok(Event::Conflict(event)) => Ok(wire::encode(Body::Conflict(event))),
        Ok(Event::TextCommand(event)) => Ok(wire::encode(Body::TextCommand(event))),
        Err(broadcast::error::RecvError::Lagged(_)) => {
            Err(End::because(close_code::AGAIN, "The page is too slow for the events"))
        }
        Err(broadcast::error::RecvError::Closed) => Err(End::going_away()),
    }
}

pub(super) fn too_many(request: &Request) -> Bytes {
    let text = "Too many requests are under way. Wait for their replies";
    refused(request.request_id, text)
}

pub(super) fn refused(request_id: u64, reason: &str) -> Bytes {
    reply_message(request_id, UserCmdReply::refused(reason))
}

/// Refuses what has a number that nobody can mean, by its field's path.
///
/// Those of user commands are looked at where they are applied, wherever they come from.
pub(super) fn wild_number_refusal(heard: &Heard) -> Option<Bytes> {
    let wild = heard.wild.as_ref()?;
    match &heard.said {
        Said::Request(Request { request: Some(request::Request::Command(_)), .. }) => None,
        Said::Request(Request { request_id, .. }) => {
            let path = wild.path.strip_prefix("request.").unwrap_or(&wild.path).to_owned();
            let wild = WildNumber { path, ..*wild };
            Some(refused(*request_id, &wild.to_string()))
        }
        _ => Some(warning(wild.to_string())),
    }
}

pub(super) fn reply_message(request_id: u64, reply: UserCmdReply) -> Bytes {
    let UserCmdReply { ok, message, entities, physics, .. } = reply;
    let reply = Reply { request_id, ok, message, entities, physics, ..Reply::default() };
    wire::encode(Body::Reply(reply))
}

pub(super) fn warning(text: String) -> Bytes {
    wire::encode(Body::Notification(notification(text)))
}

pub(super) fn notification(text: String) -> Notification {
    Notification { level: Level::Warning.into(), text, ..Notification::default() }
}
