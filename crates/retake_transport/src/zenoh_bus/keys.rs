//! zenoh keys of topics, services and the tokens by which they are discovered.
//!
//! All live under `retake/`. A token is a key whose parts say everything about what it stands
//! for; names inside it are one part each, escaped and led by `=` so that none is empty.

use crate::bus::{Client, Service, ServiceTypes};
use crate::name::Name;

pub(super) const ALL_TOPICS: &str = "retake/@topic/**";
pub(super) const ALL_SERVICES: &str = "retake/@service/**";
pub(super) const ALL_CLIENTS: &str = "retake/@client/**";
pub(super) const ALL_TYPES: &str = "retake/@type/*";

pub(super) fn topic(name: &Name) -> String {
    format!("retake/topic/{}", name.without_slash())
}

pub(super) fn service(name: &Name) -> String {
    format!("retake/service/{}", name.without_slash())
}

pub(super) fn type_query(type_name: &str) -> String {
    format!("retake/@type/{}", part(type_name))
}

/// Reads the type out of a key that [`type_query`] made.
pub(super) fn type_of_query(key: &str) -> Option<String> {
    text(key.strip_prefix("retake/@type/")?)
}

pub(super) fn topic_token(name: &Name, type_name: &str, owner: &str) -> String {
    format!("retake/@topic/{}/{}/{}", part(name.as_str()), part(type_name), part(owner))
}

/// Tokens of one topic, whatever its type.
pub(super) fn topic_tokens(name: &Name) -> String {
    format!("retake/@topic/{}/**", part(name.as_str()))
}

pub(super) fn service_token(name: &Name, types: &ServiceTypes, owner: &str) -> String {
    let (request, reply) = (part(&types.request), part(&types.reply));
    format!("retake/@service/{}/{request}/{reply}/{}", part(name.as_str()), part(owner))
}

/// Tokens of one service, whatever its types.
pub(super) fn service_tokens(name: &Name) -> String {
    format!("retake/@service/{}/**", part(name.as_str()))
}

pub(super) fn client_token(name: &str, owner: &str) -> String {
    format!("retake/@client/{}/{}", part(name), part(owner))
}

/// Returns name and type of a topic's token.
pub(super) fn read_topic(token: &str) -> Option<(String, String)> {
    let [name, type_name, _] = parts(token, "retake/@topic/")?;
    Some((name, type_name))
}

pub(super) fn read_service(token: &str) -> Option<Service> {
    let [name, request, reply, _] = parts(token, "retake/@service/")?;
    Some(Service { name, types: ServiceTypes { request, reply } })
}

pub(super) fn read_client(token: &str) -> Option<Client> {
    let [name, id] = parts(token, "retake/@client/")?;
    Some(Client { name, id })
}

fn parts<const N: usize>(token: &str, prefix: &str) -> Option<[String; N]> {
    let found: Option<Vec<String>> = token.strip_prefix(prefix)?.split('/').map(text).collect();
    found?.try_into().ok()
}

/// Makes one key part of any text.
fn part(text: &str) -> String {
    let mut part = String::from("=");
    for c in text.chars() {
        match c {
            '%' | '/' | '*' | '$' | '?' | '#' => part.push_str(&format!("%{:02x}", c as u32)),
            _ => part.push(c),
        }
    }
    part
}

/// Reads what [`part`] wrote; none if something else wrote it.
fn text(part: &str) -> Option<String> {
    let mut text = String::new();
    let mut pieces = part.strip_prefix('=')?.split('%');
    text.push_str(pieces.next()?);
    for piece in pieces {
        let code = u8::from_str_radix(piece.get(..2)?, 16).ok()?;
        text.push(char::from(code));
        text.push_str(piece.get(2..)?);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_bring_back_the_text_and_never_split() {
        for original in ["", "/clock", "100%/*$?#", "@über", "%2f"] {
            let part = part(original);
            assert!(!part.contains(['/', '*', '$', '?', '#']), "{part}");
            assert_eq!(text(&part).as_deref(), Some(original));
        }
        for foreign in ["x", "=%", "=%zz", "=%é"] {
            assert_eq!(text(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn tokens_say_what_they_stand_for() {
        let name = Name::new("/world/a b/stats").unwrap();
        let types = ServiceTypes { request: "p.Q".into(), reply: "p.R".into() };
        assert_eq!(
            read_topic(&topic_token(&name, "p.T", "me/1")),
            Some(("/world/a b/stats".into(), "p.T".into()))
        );
        assert_eq!(
            read_service(&service_token(&name, &types, "me/1")),
            Some(Service { name: name.to_string(), types })
        );
        assert_eq!(
            read_client(&client_token("@gui/1", "me/2")),
            Some(Client { name: "@gui/1".into(), id: "me/2".into() })
        );
        assert_eq!(read_client("retake/@client/a/b/c"), None);
    }
}
