//! Word documents (ECMA-376): which parts of one are read, and in which order.

use guest::{json, text, Error};

use crate::content_types::{are_there, of_part, related};
use crate::fault::{empty, unsupported};
use crate::out::Extracted;
use crate::package::Package;
use crate::story::Story;

/// The type of the main part of a document that is no template and has no macros.
const MAIN: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/// The kinds of parts that are read after the main part, in this order.
const OTHERS: [&str; 4] = ["header", "footer", "footnotes", "endnotes"];

pub fn extract(bytes: Vec<u8>, max_chars: usize) -> Result<Extracted, Error> {
    let package = Package::open(bytes)?;
    let main = main_part(&package)?;
    let mut done = Extracted::new(max_chars);
    let mut parts = vec![("document", main.clone())];
    let others = related(&package, &main)?;
    for kind in OTHERS {
        let mut names: Vec<&String> = others.iter().filter(|(k, name)| k == kind && package.has(name)).map(|(_, name)| name).collect();
        names.sort_by_key(|name| (name.len(), name.to_string())); // header2 before header10
        names.dedup();
        parts.extend(names.into_iter().map(|name| (kind, name.clone())));
    }
    let mut seen = Vec::new();
    let mut chars = 0;
    for (kind, name) in parts {
        if !done.text.text.is_empty() {
            done.text.take("\n\n");
        }
        let story = Story::read(package.read(&name)?, &mut done.text)?;
        // The first page and the others often have the same header.
        if story.trim().is_empty() || seen.contains(&(kind, story.clone())) {
            continue;
        }
        let body = story.trim_end_matches('\n');
        if !done.text.text.is_empty() {
            done.text.text.push_str("\n\n");
            chars += 2;
        }
        let start = chars;
        done.text.text.push_str(body);
        chars += body.chars().count();
        done.sections.push(json!({"kind": kind, "start": start, "end": chars}));
        seen.push((kind, story));
        if done.text.truncated {
            break;
        }
    }
    if done.sections.is_empty() {
        return Err(empty());
    }
    Ok(done)
}

/// Finds the main part, and refuses what is no plain document.
fn main_part(package: &Package) -> Result<String, Error> {
    let another = || unsupported(text!("extract_is_container", "it is a container of another kind"));
    if !are_there(package) {
        return Err(another());
    }
    let name = related(package, "")?.into_iter().find(|(kind, _)| kind == "officeDocument").map(|(_, name)| name);
    let name = name.filter(|name| package.has(name)).ok_or_else(another)?;
    let (content_type, macros) = of_part(package, &name)?;
    if macros || package.any(|name| name.to_ascii_lowercase().ends_with("vbaproject.bin")) {
        return Err(unsupported(text!("extract_has_macros", "it has macros")));
    }
    if content_type != MAIN {
        return Err(another());
    }
    Ok(name)
}
