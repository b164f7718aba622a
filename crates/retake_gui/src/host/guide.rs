//! The guide: its pages as HTML and its pictures, embedded in the binary and served offline.
//!
//! Only what is in the embedded set is served; names are looked up, never opened.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// Pages in the order in which somebody new reads them; others follow by name.
const ORDER: [&str; 17] = [
    "page.md",
    "worlds.md",
    "undo.md",
    "editing.md",
    "paused.md",
    "physics.md",
    "plots.md",
    "introspection.md",
    "logs.md",
    "motions.md",
    "teaching.md",
    "motion-files.md",
    "robots.md",
    "ros.md",
    "files.md",
    "scenarios.md",
    "transport.md",
];

const STYLE: &str = include_str!("guide.css");

/// Leads to the first page.
pub(super) async fn serve_start() -> Redirect {
    Redirect::to("/guide/page.md")
}

/// Serves a page of the guide.
pub(super) async fn serve_page(Path(name): Path<String>) -> Response {
    let text = Some(&name).filter(|name| name.ends_with(".md")).and_then(|name| text_of(name));
    match text {
        Some(text) => answer("text/html; charset=utf-8", document(&name, &text).into_bytes()),
        None => missing(),
    }
}

/// Serves a picture of the guide.
pub(super) async fn serve_picture(Path(name): Path<String>) -> Response {
    match retake_page::guide_file(&format!("img/{name}")) {
        Some(file) => answer(file.content_type, file.bytes.into_owned()),
        None => missing(),
    }
}

fn answer(content_type: &'static str, bytes: Vec<u8>) -> Response {
    ([(CONTENT_TYPE, content_type), (CACHE_CONTROL, "no-cache")], bytes).into_response()
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "The guide has no such page").into_response()
}

fn text_of(name: &str) -> Option<String> {
    String::from_utf8(retake_page::guide_file(name)?.bytes.into_owned()).ok()
}

/// The names of all pages, in the order of reading.
fn pages() -> Vec<String> {
    let place = |name: &str| ORDER.iter().position(|known| *known == name).unwrap_or(ORDER.len());
    let mut pages: Vec<String> = retake_page::guide_pages().collect();
    pages.sort_by(|a, b| (place(a), a).cmp(&(place(b), b)));
    pages
}

fn title_of(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Guide")
}

/// A page as a whole document, with a list of all pages beside it.
fn document(name: &str, text: &str) -> String {
    let entries = pages().into_iter().filter_map(|page| {
        let title = escaped(title_of(&text_of(&page)?));
        let current = if page == name { " aria-current=\"page\"" } else { "" };
        Some(format!("<li><a href=\"{page}\"{current}>{title}</a></li>"))
    });
    let (entries, title) = (entries.collect::<String>(), escaped(title_of(text)));
    let body = rendered(text);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title} – Retake guide</title><style>{STYLE}</style></head><body>\
         <nav aria-label=\"Guide\"><p>Retake guide</p><ul>{entries}</ul></nav>\
         <main>{body}</main></body></html>"
    )
}

/// Makes HTML of Markdown. Headings can be linked to; HTML in the text is shown as it is written.
fn rendered(text: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    name_headings(&mut events);
    let mut inside_foreign = 0usize;
    let events = events.into_iter().filter_map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
        // What lies outside the guide is named, and leads nowhere.
        Event::Start(Tag::Link { ref dest_url, .. }) if is_foreign(dest_url) => {
            inside_foreign += 1;
            None
        }
        Event::End(TagEnd::Link) if inside_foreign > 0 => {
            inside_foreign -= 1;
            None
        }
        event => Some(event),
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    out
}

fn is_foreign(address: &str) -> bool {
    address.starts_with("../") || address.starts_with('/')
}

/// Gives each heading the name that links in the guide use: its words with lines between them.
fn name_headings(events: &mut [Event<'_>]) {
    for at in 0..events.len() {
        if !matches!(events[at], Event::Start(Tag::Heading { .. })) {
            continue;
        }
        let words: String = events[at..]
            .iter()
            .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
            .map(|event| match event {
                Event::Text(text) | Event::Code(text) => text.as_ref(),
                _ => "",
            })
            .collect();
        if let Event::Start(Tag::Heading { level, id, .. }) = &mut events[at] {
            let named = *level != HeadingLevel::H1;
            *id = named.then(|| CowStr::from(slug(&words)));
        }
    }
}

fn slug(words: &str) -> String {
    let kept = words.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
