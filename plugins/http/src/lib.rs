//! The http plugin: fetches a page as clean text. The host decides which hosts it
//! reaches, and follows redirects; what comes back are the words of others.

mod charset;
mod join;
mod out;
mod page;
mod render;
mod tree;

use guest::extism::{self, Response};
use guest::{json, text, Answer, Args, Error, Text, Value};

use crate::render::{Format, Shape};

#[no_mangle]
pub extern "C" fn fetch() -> i32 {
    extism::run(tool)
}

/// The most links that are answered.
const MAX_LINKS: usize = 200;

fn tool(mut args: Args) -> Result<Answer, Error> {
    let url = args.text("url")?.unwrap_or_default();
    let format = match args.text("format")?.as_deref() {
        Some("markdown") => Format::Markdown,
        _ => Format::Text,
    };
    let links = args.flag("links")?;
    let max = args.number("max_bytes", 64 << 10)? as usize;
    args.end()?;
    let scheme = url.split(':').next().unwrap_or("").to_ascii_lowercase();
    if scheme != "https" && scheme != "http" {
        let message = text!("http_bad_url", "{url:?} is not a page's address", url = url);
        return Err(Error::invalid("bad_url", text!("http_bad_url_hint", "give a whole URL that begins with https://"), message));
    }
    let accept = "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9, */*;q=0.1";
    let r = extism::get(&url, json!({"accept": accept}));
    let shape = Shape { format, max };
    let mut payload = read(&r.url, &r, shape, links)?;
    payload["url"] = r.url.into();
    payload["status"] = r.status.into();
    payload["bytes"] = r.body.len().into();
    Ok(Answer::of(payload))
}

fn header<'a>(r: &'a Response, name: &str) -> &'a str {
    r.headers.get(name).and_then(Value::as_str).unwrap_or("")
}

fn read(url: &str, r: &Response, shape: Shape, links: bool) -> Result<Value, Error> {
    let said = header(r, "content-type");
    let kind = said.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    let html = match kind.as_str() {
        "text/html" | "application/xhtml+xml" => true,
        "" => page::looks_like_html(&r.body),
        k if page::is_text(k) => false,
        k => return Err(not_text(text!("http_not_text", "the answer is {kind}, not text", kind = clean(k)))),
    };
    let decoded = charset::decode(&r.body, said, html, url);
    if decoded.binary {
        let encoding = header(r, "content-encoding");
        return Err(not_text(match (kind.is_empty(), encoding.is_empty()) {
            (true, true) => text!("http_unknown", "the answer is of an unknown type, not text"),
            (false, true) => text!("http_binary", "the answer claims to be {kind}, but is binary", kind = clean(&kind)),
            (_, false) => text!("http_encoded", "the answer is encoded as {encoding}, not text", encoding = clean(encoding)),
        }));
    }
    let mut payload = json!({"content_type": kind, "charset": decoded.charset});
    if !html {
        let text = decoded.text.trim();
        let cut = render::cut(text, shape.max);
        payload["text"] = cut.into();
        payload["truncated"] = (cut.len() < text.len()).into();
        return Ok(payload);
    }
    let page = page::read(&decoded.text, url, shape);
    payload["title"] = page.title.into();
    payload["text"] = page.text.into();
    payload["truncated"] = page.truncated.into();
    if links {
        let all: Vec<Value> = page.links.iter().take(MAX_LINKS).map(|l| json!({"text": l.text, "url": l.url})).collect();
        payload["links"] = all.into();
    }
    Ok(payload)
}

fn not_text(message: Text) -> Error {
    Error::permanent("not_text", text!("http_not_text_hint", "fetch only pages and texts; open other files in the browser"), message)
}

/// The beginning of a header's value, for a message.
fn clean(said: &str) -> String {
    said.chars().filter(|c| !c.is_control()).take(80).collect()
}
