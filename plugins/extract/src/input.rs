//! The arguments of a call: a file, or its bytes.

use std::fs::File;
use std::io::{ErrorKind, Read};

use guest::place::{place, refused};
use guest::{bad, text, Args, Error, Text};

use crate::fault::{too_large, unsupported};

/// The largest file that is read.
const MAX_BYTES: usize = 5 << 20;
const DEFAULT_CHARS: u64 = 400_000;

/// How a file is read.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Text,
    Structured,
    Tabular,
    Document,
}

const KINDS: [Kind; 4] = [Kind::Text, Kind::Structured, Kind::Tabular, Kind::Document];

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Structured => "structured",
            Kind::Tabular => "tabular",
            Kind::Document => "document",
        }
    }

    fn of_path(path: &str) -> Result<Kind, Error> {
        let name = path.rsplit('/').next().unwrap_or("").to_lowercase();
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "md" | "txt" => Ok(Kind::Text),
            "json" => Ok(Kind::Structured),
            "csv" => Ok(Kind::Tabular),
            "docx" => Ok(Kind::Document),
            _ => Err(unsupported(text!("extract_extension", "{path}", path = path))),
        }
    }
}

pub struct Input {
    pub bytes: Vec<u8>,
    pub kind: Kind,
    pub max_chars: usize,
}

impl Input {
    pub fn take(mut args: Args) -> Result<Input, Error> {
        let path = args.text("path")?;
        let content = args.text("content_base64")?;
        let kind = args.text("kind")?;
        let max_chars = args.number("max_chars", DEFAULT_CHARS)? as usize;
        args.end()?;
        let kind = match kind {
            None => None,
            Some(word) => Some(*KINDS.iter().find(|k| k.word() == word).ok_or_else(|| bad(text!("extract_no_kind", "there is no kind {word:?}", word = &word)))?),
        };
        let (bytes, kind) = match (path, content) {
            (Some(path), None) => {
                let path = place(&path)?;
                let kind = kind.map_or_else(|| Kind::of_path(&path), Ok)?;
                (read(&path)?, kind)
            }
            (None, Some(content)) => {
                let kind = kind.ok_or_else(|| bad(text!("extract_kind_missing", "content_base64 needs kind")))?;
                (decode(content)?, kind)
            }
            _ => return Err(bad(text!("extract_one_input", "give either path or content_base64"))),
        };
        if bytes.len() > MAX_BYTES {
            return Err(too_large(MAX_BYTES));
        }
        Ok(Input { bytes, kind, max_chars })
    }
}

/// Reads a file, and one byte more than is allowed at most.
fn read(p: &str) -> Result<Vec<u8>, Error> {
    let file = File::open(p).map_err(|e| match e.kind() {
        ErrorKind::NotFound => not_found(text!("files_not_found", "{path} does not exist", path = p)),
        _ => refused("read", p, e),
    })?;
    let m = file.metadata().map_err(|e| refused("look at", p, e))?;
    if m.is_dir() {
        let message = text!("path_is_folder", "{path} is a folder", path = p);
        return Err(Error::permanent("not_a_file", text!("files_choose_file", "choose a file"), message));
    }
    if m.len() > MAX_BYTES as u64 {
        return Err(too_large(MAX_BYTES));
    }
    let mut b = Vec::with_capacity(m.len() as usize + 1);
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut b).map_err(|e| refused("read", p, e))?;
    Ok(b)
}

fn not_found(message: Text) -> Error {
    Error::permanent("not_found", text!("files_check_path", "check the name and the folder"), message)
}

/// Decodes base64 with its padding, in place.
fn decode(s: String) -> Result<Vec<u8>, Error> {
    let wrong = || bad(text!("extract_base64", "content_base64 is not base64"));
    let mut b = s.into_bytes();
    if b.len() % 4 != 0 {
        return Err(wrong());
    }
    let padding = b.iter().rev().take(2).take_while(|c| **c == b'=').count();
    let digits = b.len() - padding;
    let (mut bits, mut count, mut end) = (0u32, 0, 0);
    for i in 0..digits {
        let digit = match b[i] {
            c @ b'A'..=b'Z' => c - b'A',
            c @ b'a'..=b'z' => c - b'a' + 26,
            c @ b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err(wrong()),
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            b[end] = (bits >> count) as u8;
            end += 1;
        }
    }
    b.truncate(end);
    Ok(b)
}
