//! The extract plugin: the text of documents, as a person sees it. It expects every file to
//! be hostile: it limits what it reads, and reads nothing that a document refers to.

mod chars;
mod content_types;
mod csv;
mod docx;
mod fault;
mod input;
mod json;
mod names;
mod out;
mod package;
mod sniff;
mod story;
mod xml;

use guest::{json, Answer, Args, Error};

use crate::fault::{empty, Diagnostic};
use crate::input::{Input, Kind};
use crate::out::Extracted;

fn main() {
    guest::run(&[("extract.text", extract)]);
}

/// Returns the text of a file of one of the four kinds.
fn extract(args: Args) -> Result<Answer, Error> {
    let Input { bytes, kind, max_chars } = Input::take(args)?;
    let size = bytes.len();
    sniff::check(&bytes, kind)?;
    let mut done = match kind {
        Kind::Document => docx::extract(bytes, max_chars)?,
        _ => decoded(&bytes, kind, max_chars)?,
    };
    if done.text.is_blank() {
        return Err(empty());
    }
    if done.text.truncated {
        done.diagnostics.push(Diagnostic::truncated(max_chars));
        done.tags.push("truncated");
    }
    let mut payload = json!({
        "kind": kind.word(),
        "size": size,
        "diagnostics": done.diagnostics.iter().map(Diagnostic::value).collect::<Vec<_>>(),
        "tags": done.tags,
        "truncated": done.text.truncated,
    });
    if !done.sections.is_empty() {
        payload["sections"] = done.sections.into();
    }
    payload["text"] = done.text.text.into();
    Ok(Answer::of(payload))
}

/// Extracts one of the kinds that are text themselves.
fn decoded(bytes: &[u8], kind: Kind, max_chars: usize) -> Result<Extracted, Error> {
    let text = chars::decode(bytes)?;
    let mut done = Extracted::new(max_chars);
    if text.is_latin1() {
        done.tags.push("encoding:latin-1");
        done.diagnostics.push(Diagnostic::latin1());
    }
    match kind {
        Kind::Structured => json::format(&text, &mut done.text)?,
        Kind::Tabular => csv::rewrite(&text, &mut done)?,
        _ => done.text.push_lines(&text.text),
    }
    Ok(done)
}
