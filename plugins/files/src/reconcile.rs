use std::fs;
use std::io::ErrorKind;

use guest::{json, Answer, Args, Error, State};

use crate::create::{file_args, folder_args, holds};

/// Answers whether a folder is there. Whether it was that call that made it can't
/// be told, so there is nothing to take back.
pub fn folder(args: Args) -> Result<Answer, Error> {
    let p = folder_args(args)?;
    match fs::metadata(&p) {
        Ok(m) if m.is_dir() => found(p),
        Ok(_) => told(State::Released),
        Err(e) if e.kind() == ErrorKind::NotFound => told(State::Released),
        Err(_) => told(State::Unknown),
    }
}

/// Answers whether a file is there and holds what the call would have written:
/// another content may be half of it, or somebody else's.
pub fn file(args: Args) -> Result<Answer, Error> {
    let (p, content) = file_args(args)?;
    match fs::metadata(&p) {
        Ok(m) if m.is_dir() => told(State::Released),
        Ok(m) if content.map_or(true, |c| holds(&p, &m, &c)) => found(p),
        Err(e) if e.kind() == ErrorKind::NotFound => told(State::Released),
        _ => told(State::Unknown),
    }
}

fn told(state: State) -> Result<Answer, Error> {
    Ok(Answer { state: Some(state), ..Answer::default() })
}

fn found(p: String) -> Result<Answer, Error> {
    Ok(Answer {
        payload: json!({"path": p, "created": true}),
        facts: vec![format!("exists:{}", p)],
        undo: None,
        state: Some(State::Committed),
    })
}
