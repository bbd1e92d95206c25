use std::fs;

use guest::place::{place_or_root, refused};
use guest::{json, Answer, Args, Error, Value};

use crate::item::{fold, folder, kind, modified};

/// The most entries that are answered.
pub const MAX_LIMIT: u64 = 1000;

/// Lists what is in a folder: folders first, then files, by their names.
pub fn list(mut args: Args) -> Result<Answer, Error> {
    let p = place_or_root(&args.text("path")?.unwrap_or_default())?;
    let limit = args.number("limit", 100)?.min(MAX_LIMIT) as usize;
    args.end()?;
    folder(&p)?;
    let mut names = Vec::new();
    for entry in fs::read_dir(&p).map_err(|e| refused("look into", &p, e))? {
        let entry = entry.map_err(|e| refused("look into", &p, e))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        names.push((!entry.file_type().map_or(false, |t| t.is_dir()), fold(&name), name));
    }
    names.sort();
    let entries: Vec<Value> = names.iter().take(limit).map(|(_, _, name)| entry(&p, name)).collect();
    Ok(Answer::of(json!({"path": p, "entries": entries, "count": names.len(), "more": names.len() > entries.len()})))
}

fn entry(folder: &str, name: &str) -> Value {
    match fs::symlink_metadata(format!("{}/{}", folder, name)) {
        Ok(m) => json!({"name": name, "kind": kind(&m), "size": if m.is_file() { m.len() } else { 0 }, "modified": modified(&m)}),
        // A pipe, a link that leads out, or something that has just gone.
        Err(_) => json!({"name": name, "kind": "other", "size": 0, "modified": ""}),
    }
}
