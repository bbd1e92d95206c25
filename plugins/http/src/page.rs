//! From the text of a page to what a reader sees of it.

use html5ever::buffer_queue::BufferQueue;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts, TokenizerResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};

use crate::render::{self, Link, Shape};
use crate::tree::{Id, Tree};

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
/// The most words of a tag, nearly all of them attributes: each is compared with all
/// before it.
const MAX_WORDS: usize = 5000;

pub fn read(html: &str, url: &str, shape: Shape) -> Page {
    // As if scripts ran: what is in <noscript> is for nobody here.
    let opts = TreeBuilderOpts { scripting_enabled: true, drop_doctype: true, ..TreeBuilderOpts::default() };
    let counted = Counted { inner: TreeBuilder::new(Tree::new(), opts), tokens: 0 };
    let mut tokenizer = Tokenizer::new(counted, TokenizerOpts::default());
    let page = render::cut(html, MAX_PAGE);
    let (mut at, mut open) = (0, 0); // where the tag may begin that is not at its end yet
    while at < page.len() && !tokenizer.sink.inner.sink.full() && !overgrown(&page[open..at]) {
        let chunk = render::cut(&page[at..], CHUNK);
        let before = tokenizer.sink.tokens;
        let mut queue = BufferQueue::new();
        queue.push_back(chunk.into());
        while let TokenizerResult::Script(_) = tokenizer.feed(&mut queue) {}
        if tokenizer.sink.tokens > before {
            open = at;
        }
        at += chunk.len();
    }
    tokenizer.end();
    let mut read = render::render(&tokenizer.sink.inner.sink, url, shape);
    read.truncated |= at < html.len();
    read
}

/// Whether what no token came of is a tag of far too many words. A comment may have
/// as many as it likes.
fn overgrown(open: &str) -> bool {
    open.len() > MAX_WORDS && !open.contains("<!") && open.split_ascii_whitespace().count() > MAX_WORDS
}

/// Makes the tree, and counts what it is made of.
struct Counted {
    inner: TreeBuilder<Id, Tree>,
    tokens: usize,
}

impl TokenSink for Counted {
    type Handle = Id;

    fn process_token(&mut self, token: Token, line: u64) -> TokenSinkResult<Id> {
        if !matches!(token, Token::ParseError(_)) {
            self.tokens += 1;
        }
        self.inner.process_token(token, line)
    }

    fn end(&mut self) {
        self.inner.end()
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.inner.adjusted_current_node_present_but_not_in_html_namespace()
    }
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
        || matches!(
            sub,
            "json" | "xml" | "javascript" | "x-javascript" | "ecmascript" | "yaml" | "x-yaml" | "toml" | "x-ndjson" | "sql" | "x-sh"
        )
        || kind == "image/svg+xml"
}
