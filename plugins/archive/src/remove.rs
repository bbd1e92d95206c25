use std::fs;
use std::io::ErrorKind;

use guest::place::{clean, refused};
use guest::{json, Answer, Args, Error, Value};

use crate::entry::parts;
use crate::made::{file_mark, folder_mark};

/// Takes back an extraction: deletes what it made, as far as that is still the same.
/// What somebody changed, or put there since, stays.
pub fn remove(mut args: Args) -> Result<Answer, Error> {
    let into = clean(&args.text("path")?.unwrap_or_default());
    let made = match args.take("made") {
        Some(Value::Array(made)) => made,
        _ => Vec::new(),
    };
    args.end()?;
    let (mut deleted, mut kept) = (0, 0);
    let mut whole = false;
    for m in made.iter().rev() {
        let (name, is) = (m["name"].as_str().unwrap_or(""), m["is"].as_str().unwrap_or(""));
        let inside = parts(name, usize::MAX)?.join("/");
        let p = format!("{}/{}", into, inside);
        let p = p.trim_end_matches('/');
        let gone = match fs::symlink_metadata(p) {
            Err(e) if e.kind() == ErrorKind::NotFound => continue,
            Err(e) => return Err(refused("look at", p, e)),
            Ok(m) if m.is_dir() => is_folder(p, is) && fs::remove_dir(p).is_ok(),
            Ok(m) => m.is_file() && is_file(p, is) && fs::remove_file(p).is_ok(),
        };
        whole |= gone && inside.is_empty();
        if gone {
            deleted += 1
        } else {
            kept += 1
        }
    }
    let mut answer = Answer::of(json!({"path": into, "deleted": deleted, "kept": kept, "whole": whole}));
    if whole {
        answer.facts.push(format!("!exists:{}", into));
    }
    Ok(answer)
}

fn is_folder(p: &str, is: &str) -> bool {
    folder_mark(p).map_or(false, |now| now == is)
}

fn is_file(p: &str, is: &str) -> bool {
    file_mark(p).map_or(false, |now| now == is)
}
