use guest::{json, Answer, Args, Error, Value};

use crate::entry::{parts, Entry};
use crate::limits::Limits;
use crate::only::Only;
use crate::open::open;

/// Answers what an archive holds, without extracting any of it.
pub fn list(mut args: Args) -> Result<Answer, Error> {
    let mut archive = open(&mut args)?;
    let limit = args.number("limit", 2000)? as usize;
    let only = Only::take(&mut args);
    let limits = Limits::take(&mut args)?;
    args.end()?;
    let mut entries = archive.entries(&limits)?;
    entries.retain(|e| only.is_all() || is_wanted(&only, e));
    let shown: Vec<Value> = entries.iter().take(limit).map(|e| json!({"name": e.name, "type": e.kind.word(), "size": e.size})).collect();
    Ok(Answer::of(json!({
        "format": archive.format,
        "bytes": entries.iter().map(|e| e.size).sum::<u64>(),
        "count": entries.len(),
        "left_out": entries.len() - shown.len(),
        "entries": shown,
    })))
}

/// An entry with a name that can't be extracted is in no folder.
fn is_wanted(only: &Only, e: &Entry) -> bool {
    parts(&e.name, usize::MAX).map_or(false, |p| only.has(&p.join("/")))
}
