//! Which characters the bytes of a page are: its mark at the beginning, then the
//! header, then the page's own word, then what the bytes look like.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1251, WINDOWS_1252};

pub struct Decoded {
    pub text: String,
    pub charset: &'static str,
    pub binary: bool,
}

/// How far into a page its own word is looked for, as browsers do.
const PRESCAN: usize = 1024;

pub fn decode(body: &[u8], content_type: &str, html: bool, url: &str) -> Decoded {
    let head = &body[..body.len().min(PRESCAN)];
    let (encoding, body) = match Encoding::for_bom(body) {
        Some((encoding, len)) => (encoding, &body[len..]),
        None => {
            let said = label(content_type).or_else(|| if html { own(head) } else { None });
            (said.unwrap_or_else(|| guess(body, url)), body)
        }
    };
    let (text, _) = encoding.decode_without_bom_handling(body);
    // No text has these; a file that only says that it is one has.
    let binary = text.chars().take(4096).any(|c| matches!(c, '\0'..='\x06' | '\x0e'..='\x1a'));
    Decoded { text: text.into_owned(), charset: encoding.name(), binary }
}

/// The encoding that "…charset=x…" names.
fn label(said: &str) -> Option<&'static Encoding> {
    let lower = said.to_ascii_lowercase();
    let rest = &said[lower.find("charset")? + "charset".len()..];
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let rest = rest.trim_start_matches(&['"', '\''][..]);
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ';' | '"' | '\'' | '>' | '/' | ',')).unwrap_or(rest.len());
    Encoding::for_label(rest[..end].as_bytes())
}

/// What a <meta> says, in either of its forms. UTF-16 can't be true: it was read.
fn own(head: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(head);
    let lower = head.to_ascii_lowercase();
    let mut from = 0;
    while let Some(at) = lower[from..].find("<meta") {
        let start = from + at;
        let end = lower[start..].find('>').map_or(lower.len(), |e| start + e);
        if let Some(encoding) = label(&head[start..end]) {
            return Some(if encoding.is_ascii_compatible() { encoding } else { UTF_8 });
        }
        from = end;
    }
    None
}

/// Valid UTF-8 is hardly ever anything else. What else has no label is old, and of
/// where it comes from.
fn guess(body: &[u8], url: &str) -> &'static Encoding {
    if std::str::from_utf8(body).is_ok() {
        return UTF_8;
    }
    let host = url.split('/').nth(2).unwrap_or("").split(':').next().unwrap_or("");
    match host.rsplit('.').next().unwrap_or("") {
        "ru" | "su" | "by" | "bg" | "kz" | "ua" => WINDOWS_1251,
        _ => WINDOWS_1252,
    }
}
