use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};

use guest::place::{make_all, parent, place, refused};
use guest::{json, Answer, Args, Error, Inverse};

use crate::undo;

/// What a call answers; undo is none where nothing was made.
fn made(path: String, undo: Option<Inverse>) -> Result<Answer, Error> {
    Ok(Answer { payload: json!({"path": path, "created": undo.is_some()}), facts: vec![format!("exists:{}", path)], undo, state: None })
}

/// Makes a folder and those above it that are missing. One that is there already
/// is fine. Undoing it takes away the folder and not those above.
pub fn folder(args: Args) -> Result<Answer, Error> {
    let p = folder_args(args)?;
    match fs::metadata(&p) {
        Ok(m) if m.is_dir() => return made(p, None),
        Ok(_) => return Err(in_the_way(&p, "a file")),
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(refused("look at", &p, e)),
        Err(_) => {}
    }
    make_all(parent(&p)).map_err(|e| refused("create", &p, e))?;
    match fs::create_dir(&p) {
        // Since a moment ago, or a link that leads nowhere.
        Err(e) if e.kind() == ErrorKind::AlreadyExists => match fs::symlink_metadata(&p) {
            Ok(m) if !m.is_dir() => Err(in_the_way(&p, "a file or a link")),
            _ => made(p, None),
        },
        Err(e) => Err(refused("create", &p, e)),
        Ok(()) => {
            let undo = undo::folder(&p).map_err(|e| refused("look at", &p, e))?;
            made(p, Some(undo))
        }
    }
}

fn in_the_way(p: &str, what: &str) -> Error {
    Error::new("file_in_the_way", "choose another name, or delete the file first", format!("{} is {}", p, what))
}

pub fn folder_args(mut args: Args) -> Result<String, Error> {
    let path = args.text("path")?.unwrap_or_default();
    args.end()?;
    place(&path)
}

pub fn file_args(mut args: Args) -> Result<(String, Option<String>), Error> {
    let path = args.text("path")?.unwrap_or_default();
    let content = args.text("content")?;
    args.end()?;
    Ok((place(&path)?, content))
}

/// Makes a file and never writes over one. A file that is there already with the
/// same content, or where none was asked for, is fine.
pub fn file(args: Args) -> Result<Answer, Error> {
    let (p, content) = file_args(args)?;
    let f = match OpenOptions::new().write(true).create_new(true).open(&p) {
        Ok(f) => f,
        Err(e) if e.kind() == ErrorKind::AlreadyExists => return present(p, content),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let message = format!("the folder {} does not exist", parent(&p));
            return Err(Error::new("no_folder", "create the folder first", message));
        }
        Err(e) => return Err(refused("create", &p, e)),
    };
    let content = content.unwrap_or_default();
    match write(f, &p, &content) {
        Ok(undo) => made(p, Some(undo)),
        Err(e) => {
            let _ = fs::remove_file(&p); // half a file is worse than none
            Err(refused("write", &p, e))
        }
    }
}

fn write(mut f: File, p: &str, content: &str) -> io::Result<Inverse> {
    f.write_all(content.as_bytes())?;
    undo::file(&f, p, content)
}

/// Answers for a path where something is already.
fn present(p: String, content: Option<String>) -> Result<Answer, Error> {
    let m = fs::metadata(&p).map_err(|e| refused("look at", &p, e))?;
    if m.is_dir() {
        return Err(Error::new("folder_in_the_way", "choose another name", format!("{} is a folder", p)));
    }
    if content.map_or(true, |c| holds(&p, &m, &c)) {
        return made(p, None);
    }
    Err(Error::new(
        "file_exists",
        "choose another name, or delete the file first",
        format!("{} exists already and holds something else; it was not changed", p),
    ))
}

/// Reports whether a file's content is exactly the given one.
pub fn holds(p: &str, m: &fs::Metadata, content: &str) -> bool {
    if m.len() != content.len() as u64 {
        return false;
    }
    // One byte more than there should be tells a file that grows from one that ends.
    let mut b = Vec::new();
    match File::open(p) {
        Ok(f) => f.take(content.len() as u64 + 1).read_to_end(&mut b).is_ok() && b == content.as_bytes(),
        Err(_) => false,
    }
}
