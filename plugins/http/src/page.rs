//! From the text of a page to what a reader sees of it.

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{parse_document, ParseOpts};

use crate::render::{self, Link, Shape};
use crate::tree::Tree;

pub struct Page {
    pub title: String,
    pub text: String,
    pub truncated: bool,
    pub links: Vec<Link>,
}

/// The most bytes of a page that are read.
const MAX_PAGE: usize = 8 << 20;
/// What is read of it between two looks at how large it has become: one tag can
/// stand for as many as are open.
const CHUNK: usize = 1024;

pub fn read(html: &str, url: &str, shape: Shape) -> Page {
    let opts = ParseOpts {
        // As if scripts ran: what is in <noscript> is for nobody here.
        tree_builder: TreeBuilderOpts { scripting_enabled: true, drop_doctype: true, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(Tree::new(), opts);
    let mut rest = render::cut(html, MAX_PAGE);
    let mut whole = rest.len() == html.len();
    while !rest.is_empty() {
        if parser.tokenizer.sink.sink.full() {
            whole = false;
            break;
        }
        let chunk = render::cut(rest, CHUNK);
        parser.process(chunk.into());
        rest = &rest[chunk.len()..];
    }
    let mut page = render::render(&parser.finish(), url, shape);
    page.truncated |= !whole;
    page
}

/// Whether bytes of no stated kind are a page.
pub fn looks_like_html(body: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&body[..body.len().min(1024)]).to_ascii_lowercase();
    let head = head.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    ["<!doctype html", "<html", "<head", "<body", "<title", "<!--"].iter().any(|tag| head.starts_with(tag))
}

/// Kinds that are text as they are.
pub fn is_text(kind: &str) -> bool {
    let sub = kind.strip_prefix("application/").unwrap_or("");
    kind.starts_with("text/")
        || sub.ends_with("+json")
        || sub.ends_with("+xml")
        || matches!(sub, "json" | "xml" | "javascript" | "x-javascript" | "ecmascript" | "yaml" | "x-yaml" | "toml" | "x-ndjson" | "sql" | "x-sh")
        || kind == "image/svg+xml"
}
