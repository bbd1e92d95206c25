use std::fs::{self, File};
use std::io::{ErrorKind, Read};

use guest::place::{clean, refused};
use guest::{json, node, Answer, Args, Error, Value};

use crate::entry::parts;
use crate::made::mark;

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
    node::at(p).map_or(false, |inode| format!("folder{}", inode) == is)
}

fn is_file(p: &str, is: &str) -> bool {
    let read = || -> std::io::Result<String> {
        let mut f = File::open(p)?;
        let (mut sum, mut size, mut buffer) = (crc32fast::Hasher::new(), 0, vec![0; 64 << 10]);
        loop {
            let n = f.read(&mut buffer)?;
            if n == 0 {
                return Ok(mark(&node::of(&f)?, size, sum.finalize()));
            }
            size += n as u64;
            sum.update(&buffer[..n]);
        }
    };
    read().map_or(false, |now| now == is)
}
