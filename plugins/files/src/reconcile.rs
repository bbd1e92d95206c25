use std::fs::{self, File};
use std::io::ErrorKind;

use guest::place::parent;
use guest::{json, Answer, Args, Error, Inverse, State};

use crate::create::{file_args, folder_args, holds};
use crate::undo;

/// Answers whether a folder is there. It can be taken back if it was made since the call
/// began; an older one is not the call's.
pub fn folder(args: Args) -> Result<Answer, Error> {
    let is_new = args.is_new("path");
    let p = folder_args(args)?;
    match fs::metadata(&p) {
        Ok(m) if m.is_dir() => {
            let undo = if is_new { undo::folder(&p).ok() } else { None };
            found(p, undo)
        }
        Ok(_) => told(State::Released),
        Err(e) if e.kind() == ErrorKind::NotFound => told(State::Released),
        Err(_) => told(State::Unknown),
    }
}

/// Answers whether a file is there and holds what the call would have written:
/// another content is somebody else's. An empty file beside the temporary one of the call has
/// its name only: the call can go on. It can be taken back if it was made since the call began.
pub fn file(args: Args) -> Result<Answer, Error> {
    let (is_new, part) = (args.is_new("path"), args.part());
    let (p, content) = file_args(args)?;
    match fs::metadata(&p) {
        Ok(m) if m.is_dir() => told(State::Released),
        Ok(m) if m.len() == 0 && fs::symlink_metadata(format!("{}/{}", parent(&p), part)).is_ok() => told(State::Released),
        Ok(m) if content.as_ref().map_or(true, |c| holds(&p, &m, c)) => {
            let content = content.unwrap_or_default();
            let undo = File::open(&p).and_then(|f| undo::file(&f, &p, &content)).ok();
            found(p, undo.filter(|_| is_new && m.len() == content.len() as u64))
        }
        Err(e) if e.kind() == ErrorKind::NotFound => told(State::Released),
        _ => told(State::Unknown),
    }
}

fn told(state: State) -> Result<Answer, Error> {
    Ok(Answer { state: Some(state), ..Answer::default() })
}

fn found(p: String, undo: Option<Inverse>) -> Result<Answer, Error> {
    Ok(Answer {
        payload: json!({"path": p, "created": true}),
        facts: vec![format!("exists:{}", p)],
        undo,
        state: Some(State::Committed),
    })
}
