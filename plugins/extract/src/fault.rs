//! Why a file can't be extracted, and what is worth noting about one that can.

use guest::{json, text, Error, Text, Value};

/// Where in a file something is.
pub struct Place {
    /// From 1 on.
    pub line: usize,
    /// In characters, from 1 on.
    pub column: usize,
    /// In bytes, from 0 on.
    pub offset: usize,
}

fn failed(message: Text) -> Error {
    Error::invalid("parse_failed", text!("extract_failed_hint", "export the document as plain text and try again"), message)
}

/// A file that is not what it should be.
pub fn broken(why: Text) -> Error {
    failed(text!("extract_failed", "can't read the document: {why}", why = why))
}

/// As [broken], with the place.
pub fn broken_at(why: Text, place: Place) -> Error {
    failed(text!(
        "extract_failed_at",
        "can't read the document: {why} (line {line}, column {column}, byte {offset})",
        why = why,
        line = place.line,
        column = place.column,
        offset = place.offset
    ))
}

/// As [broken], where lines mean nothing.
pub fn broken_at_byte(why: Text, offset: usize) -> Error {
    failed(text!("extract_failed_at_byte", "can't read the document: {why} (byte {offset})", why = why, offset = offset))
}

pub fn empty() -> Error {
    broken(text!("extract_empty", "it has no text"))
}

/// A document that unpacks to more than the limits allow.
pub fn over_limit(why: Text) -> Error {
    broken(text!("extract_over_limit", "decompression limit: {why}", why = why))
}

/// A file that is of another kind inside.
pub fn unsupported(what: Text) -> Error {
    let hint = text!("extract_unsupported_hint", "use a .md, .txt, .json, .csv or .docx file, or paste the text");
    Error::invalid("unsupported_file_type", hint, text!("extract_unsupported", "this file type is not supported: {what}", what = what))
}

pub fn too_large(limit: usize) -> Error {
    Error::invalid(
        "file_too_large",
        text!("extract_too_large_hint", "split the file, remove appendices, or use a summary"),
        text!("extract_too_large", "the file is larger than {limit} bytes", limit = limit),
    )
}

/// Something to know about a text that was extracted.
pub struct Diagnostic {
    code: &'static str,
    message: String,
    line: Option<usize>,
}

impl Diagnostic {
    pub fn latin1() -> Diagnostic {
        let message = "the text is not UTF-8 and was read as Latin-1; save it as UTF-8 if letters are wrong".into();
        Diagnostic { code: "latin1", message, line: None }
    }

    pub fn ragged(line: usize, cells: usize, columns: usize) -> Diagnostic {
        Diagnostic { code: "ragged_row", message: format!("this row has {} cells; the first row has {}", cells, columns), line: Some(line) }
    }

    pub fn truncated(max_chars: usize) -> Diagnostic {
        Diagnostic { code: "truncated", message: format!("the text was cut after {} characters", max_chars), line: None }
    }

    pub fn value(&self) -> Value {
        let mut v = json!({"code": self.code, "message": self.message});
        if let Some(line) = self.line {
            v["line"] = line.into();
        }
        v
    }
}
