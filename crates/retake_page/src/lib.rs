//! The built page and the guide, embedded in the binary.
//!
//! The build script runs npm; this library only hands out files. There is no HTTP here: the GUI
//! host decides about headers beyond the content type.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$OUT_DIR/dist"]
struct Dist;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../docs/guide"]
struct Guide;

/// One file of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFile {
    /// Content.
    pub bytes: Cow<'static, [u8]>,
    /// Value of the `Content-Type` header.
    pub content_type: &'static str,
    /// Whether the name carries a hash of the content, so that browsers may keep it for ever.
    pub immutable: bool,
}

/// Finds a file of the page by its path without a leading slash.
///
/// `""` and `"index.html"` are the page itself.
pub fn file(path: &str) -> Option<PageFile> {
    let path = if path.is_empty() { "index.html" } else { path };
    let found = Dist::get(path)?;
    Some(PageFile {
        bytes: found.data,
        content_type: content_type(path),
        // Vite puts a hash into the name of everything below assets/, and of nothing else.
        immutable: path.starts_with("assets/"),
    })
}

/// Finds a file of the guide by its path in `docs/guide`, as in `page.md` or `img/arm.png`.
pub fn guide_file(path: &str) -> Option<PageFile> {
    let found = Guide::get(path)?;
    Some(PageFile { bytes: found.data, content_type: content_type(path), immutable: false })
}

/// Lists the pages of the guide, Markdown as they were written.
pub fn guide_pages() -> impl Iterator<Item = String> {
    Guide::iter().map(Cow::into_owned).filter(|path| path.ends_with(".md"))
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("md") => "text/markdown; charset=utf-8",
        Some("woff2") => "font/woff2",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_path_is_the_page() {
        let page = file("").unwrap();
        assert_eq!(page.content_type, "text/html; charset=utf-8");
        assert!(!page.immutable, "a new build must be seen after a reload");
        assert_eq!(Some(page), file("index.html"));
    }

    #[test]
    fn what_the_page_names_is_there() {
        let page = String::from_utf8(file("").unwrap().bytes.into_owned()).unwrap();
        for name in quoted(&page).filter(|name| name.starts_with("/assets/")) {
            let asset = file(&name[1..]).unwrap_or_else(|| panic!("{name} is missing"));
            assert!(asset.immutable);
            assert_ne!(asset.content_type, "application/octet-stream", "{name}");
        }
    }

    #[test]
    fn scripts_come_from_files() {
        let page = String::from_utf8(file("").unwrap().bytes.into_owned()).unwrap();
        for tag in page.split("<script").skip(1) {
            let opening = tag.split('>').next().unwrap();
            // The host's content security policy refuses inline scripts.
            assert!(opening.contains("src="), "inline script: {opening}");
        }
    }

    #[test]
    fn nothing_else_is_found() {
        assert_eq!(file("no/such/file"), None);
        assert_eq!(file("../Cargo.toml"), None);
        assert_eq!(file("/etc/passwd"), None);
        for path in ["", "../README.md", "img/../../README.md", "/etc/passwd", "img"] {
            assert_eq!(guide_file(path), None, "{path}");
        }
    }

    fn quoted(text: &str) -> impl Iterator<Item = &str> {
        text.split('"').skip(1).step_by(2)
    }
}
