//! What an archive holds, and which names it may have.

use guest::Error;

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    File,
    Folder,
    Link,
    /// A device, a pipe or something newer.
    Other,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::File => "file",
            Kind::Folder => "folder",
            Kind::Link => "link",
            Kind::Other => "other",
        }
    }
}

#[derive(Clone)]
pub struct Entry {
    /// As the archive has it.
    pub name: String,
    pub kind: Kind,
    pub size: u64,
}

/// The longest name of a file or folder that systems take.
const MAX_PART: usize = 255;

/// The parts of a name that leads to somewhere inside. What would lead out, or mean
/// something else on another system, is refused. No parts: it is the folder itself.
pub fn parts(name: &str, max_depth: usize) -> Result<Vec<&str>, Error> {
    let wrong = |why: &str| Err(unsafe_name(name, why));
    if name.starts_with('/') {
        return wrong("it begins at the root of the system");
    }
    if name.contains('\\') {
        return wrong("it has a backslash, which parts folders on some systems");
    }
    if name.chars().any(char::is_control) {
        return wrong("it has control characters");
    }
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => return wrong("it leads out of the folder"),
            _ if part.len() > MAX_PART => return wrong("a part of it is longer than 255 bytes"),
            _ if parts.is_empty() && part.len() == 2 && part.ends_with(':') => return wrong("it names a drive"),
            _ => parts.push(part),
        }
    }
    if parts.len() > max_depth {
        let message = format!("{} lies {} folders deep, and max_depth is {}", quoted(name), parts.len(), max_depth);
        return Err(Error::new("too_deep", "raise max_depth if you trust the archive", message));
    }
    Ok(parts)
}

fn unsafe_name(name: &str, why: &str) -> Error {
    Error::new(
        "unsafe_name",
        "nothing was extracted: an archive with such a name is broken, or means harm",
        format!("the archive has an entry {}: {}", quoted(name), why),
    )
}

/// A name that may be anything, for a message.
pub fn quoted(name: &str) -> String {
    let short: String = name.chars().take(80).collect();
    format!("{:?}{}", short, if short.len() < name.len() { "…" } else { "" })
}
