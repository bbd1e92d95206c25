//! What the parts of a package are, and which of them belong to which. Targets outside of
//! the package are ignored.

use std::io::Read;

use guest::Error;

use crate::names::Namespace;
use crate::package::Package;
use crate::xml::{Element, Event, Xml};

const TYPES: &str = "[Content_Types].xml";

/// Returns the type of a part, and whether any part has macros.
pub fn of_part(package: &Package, name: &str) -> Result<(String, bool), Error> {
    let extension = name.rsplit('.').next().unwrap_or("");
    let (mut default, mut own, mut macros) = (String::new(), None, false);
    each(package.read(TYPES)?, |e| {
        let content_type = e.attribute("ContentType").unwrap_or_default().to_ascii_lowercase();
        macros |= content_type.contains("macroenabled") || content_type.contains("vbaproject");
        if e.name == "Default" && e.attribute("Extension").map_or(false, |e| e.eq_ignore_ascii_case(extension)) {
            default = content_type;
        } else if e.name == "Override" && e.attribute("PartName").map_or(false, |n| n.trim_start_matches('/').eq_ignore_ascii_case(name)) {
            own = Some(content_type);
        }
    })?;
    Ok((own.unwrap_or(default), macros))
}

pub fn are_there(package: &Package) -> bool {
    package.has(TYPES)
}

/// Returns the parts that one part ("": the package) refers to, each with the last word of the kind of
/// relationship, such as "header".
pub fn related(package: &Package, name: &str) -> Result<Vec<(String, String)>, Error> {
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let list = if folder.is_empty() { format!("_rels/{}.rels", file) } else { format!("{}/_rels/{}.rels", folder, file) };
    let mut found = Vec::new();
    if !package.has(&list) {
        return Ok(found);
    }
    each(package.read(&list)?, |e| {
        let is_inside = e.attribute("TargetMode").map_or(true, |mode| mode.eq_ignore_ascii_case("Internal"));
        if let ("Relationship", true, Some(kind), Some(target)) = (e.name, is_inside, e.attribute("Type"), e.attribute("Target")) {
            found.push((kind.rsplit('/').next().unwrap_or("").to_string(), resolve(folder, &target)));
        }
    })?;
    Ok(found)
}

/// The name of the part that a target leads to.
fn resolve(folder: &str, target: &str) -> String {
    let whole = if target.starts_with('/') { target.to_string() } else { format!("{}/{}", folder, target) };
    let mut parts = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn each<R: Read>(mut xml: Xml<R>, mut visit: impl FnMut(&Element)) -> Result<(), Error> {
    loop {
        match xml.next()? {
            Event::Start(e) if e.namespace == Namespace::Package => visit(&e),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}
