use std::fs::File;
use std::io::Read;

use guest::place::{place, refused};
use guest::{json, text, Answer, Args, Error};

use crate::item::file;

const MAX_BYTES: u64 = 1 << 20;

/// Reads a text, or its beginning.
pub fn read(mut args: Args) -> Result<Answer, Error> {
    let p = place(&args.text("path")?.unwrap_or_default())?;
    let most = args.number("max_bytes", 64 << 10)?.min(MAX_BYTES);
    args.end()?;
    let size = file(&p)?.len();
    let mut b = Vec::new();
    File::open(&p).and_then(|f| f.take(most).read_to_end(&mut b)).map_err(|e| refused("read", &p, e))?;
    let truncated = size > b.len() as u64;
    match decode(&b, truncated) {
        None => Err(not_text(&p)),
        Some(t) => Ok(Answer::of(json!({"path": p, "text": t, "size": size, "truncated": truncated}))),
    }
}

pub fn not_text(p: &str) -> Error {
    Error::permanent(
        "not_text",
        text!("files_open_in_program", "open it in a program for such files"),
        text!("files_not_text", "{path} is not a text in UTF-8 or UTF-16", path = p),
    )
}

/// How a text is encoded, by the mark at its beginning.
#[derive(Clone, Copy, PartialEq)]
pub enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    pub fn of(b: &[u8]) -> Encoding {
        match b {
            [0xff, 0xfe, ..] => Encoding::Utf16Le,
            [0xfe, 0xff, ..] => Encoding::Utf16Be,
            _ => Encoding::Utf8,
        }
    }

    pub fn encode(self, s: &str) -> Vec<u8> {
        match self {
            Encoding::Utf8 => s.as_bytes().to_vec(),
            Encoding::Utf16Le => s.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => s.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        }
    }
}

/// The text that bytes are; none if they are no text. The last character may be incomplete
/// if they are only the beginning of one.
pub fn decode(b: &[u8], beginning: bool) -> Option<String> {
    let text = match Encoding::of(b) {
        Encoding::Utf8 => {
            let b = b.strip_prefix(b"\xef\xbb\xbf").unwrap_or(b);
            match std::str::from_utf8(b) {
                Ok(t) => t.to_string(),
                Err(e) if beginning && e.error_len().is_none() => String::from_utf8_lossy(&b[..e.valid_up_to()]).into_owned(),
                Err(_) => return None,
            }
        }
        encoding => {
            let mut pairs = b[2..].chunks_exact(2);
            let mut units: Vec<u16> = pairs
                .by_ref()
                .map(|c| if encoding == Encoding::Utf16Le { u16::from_le_bytes([c[0], c[1]]) } else { u16::from_be_bytes([c[0], c[1]]) })
                .collect();
            if !beginning && !pairs.remainder().is_empty() {
                return None;
            }
            if beginning && units.last().map_or(false, |u| (0xd800..0xdc00).contains(u)) {
                units.pop();
            }
            String::from_utf16(&units).ok()?
        }
    };
    Some(text).filter(|t| !t.contains('\0'))
}
