//! What an archive holds, and which names it may have.

pub use guest::zip::{clip, Entry, Kind};
use guest::{text, Error, Text};

/// The longest name of a file or folder that systems take.
const MAX_PART: usize = 255;

/// The parts of a name that leads to somewhere inside. What would lead out, or mean
/// something else on another system, is refused. No parts: it is the folder itself.
pub fn parts(name: &str, max_depth: usize) -> Result<Vec<&str>, Error> {
    let shown = || clip(name);
    let wrong = |message| Err(unsafe_name(message));
    if name.starts_with('/') {
        return wrong(text!(
            "archive_name_from_root",
            "the archive has an entry {name:?}: it begins at the root of the system",
            name = shown()
        ));
    }
    if name.contains('\\') {
        return wrong(text!(
            "archive_name_backslash",
            "the archive has an entry {name:?}: it has a backslash, which separates folders on some systems",
            name = shown()
        ));
    }
    if name.chars().any(char::is_control) {
        return wrong(text!("archive_name_control", "the archive has an entry {name:?}: it has control characters", name = shown()));
    }
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                return wrong(text!(
                    "archive_name_leads_out",
                    "the archive has an entry {name:?}: it leads out of the folder",
                    name = shown()
                ))
            }
            _ if part.len() > MAX_PART => {
                return wrong(text!(
                    "archive_name_long",
                    "the archive has an entry {name:?}: a part of it is longer than 255 bytes",
                    name = shown()
                ))
            }
            _ if parts.is_empty() && part.len() == 2 && part.ends_with(':') => {
                return wrong(text!("archive_name_drive", "the archive has an entry {name:?}: it names a drive", name = shown()))
            }
            _ => parts.push(part),
        }
    }
    if parts.len() > max_depth {
        let message = text!(
            "archive_too_deep",
            "{name:?} lies {depth} folders deep, and max_depth is {limit}",
            name = shown(),
            depth = parts.len(),
            limit = max_depth
        );
        return Err(Error::permanent("too_deep", text!("archive_raise_depth", "raise max_depth if you trust the archive"), message));
    }
    Ok(parts)
}

fn unsafe_name(message: Text) -> Error {
    let hint = text!("archive_unsafe_name_hint", "nothing was extracted: an archive with such a name is broken or made to do harm");
    Error::permanent("unsafe_name", hint, message)
}
