use guest::{json, Answer, Args, Error, Value};

use crate::limits::Limits;
use crate::open::open;

/// Answers what an archive holds, without extracting any of it.
pub fn list(mut args: Args) -> Result<Answer, Error> {
    let mut archive = open(&mut args)?;
    let limit = args.number("limit", 1000)? as usize;
    let limits = Limits::take(&mut args)?;
    args.end()?;
    let entries = archive.entries(&limits)?;
    let shown: Vec<Value> = entries.iter().take(limit).map(|e| json!({"name": e.name, "type": e.kind.word(), "size": e.size})).collect();
    Ok(Answer::of(json!({
        "format": archive.format,
        "bytes": entries.iter().map(|e| e.size).sum::<u64>(),
        "count": entries.len(),
        "left_out": entries.len() - shown.len(),
        "entries": shown,
    })))
}
