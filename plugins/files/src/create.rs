use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};

use guest::place::{make_all, parent, place, refused};
use guest::whole::Whole;
use guest::{json, text, Answer, Args, Error, Inverse, Text};

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
        Ok(_) => return Err(in_the_way(text!("files_path_is_file", "{path} is a file", path = &p))),
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(refused("look at", &p, e)),
        Err(_) => {}
    }
    make_all(parent(&p)).map_err(|e| refused("create", &p, e))?;
    match fs::create_dir(&p) {
        // Since a moment ago, or a link that leads nowhere.
        Err(e) if e.kind() == ErrorKind::AlreadyExists => match fs::symlink_metadata(&p) {
            Ok(m) if !m.is_dir() => Err(in_the_way(text!("files_path_is_file_or_link", "{path} is a file or a link", path = &p))),
            _ => made(p, None),
        },
        Err(e) => Err(refused("create", &p, e)),
        Ok(()) => {
            let undo = undo::folder(&p).map_err(|e| refused("look at", &p, e))?;
            made(p, Some(undo))
        }
    }
}

fn in_the_way(message: Text) -> Error {
    Error::new("file_in_the_way", choose_or_delete(), message)
}

fn choose_or_delete() -> Text {
    text!("files_choose_or_delete", "choose another name, or delete the file first")
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
    let part = args.part();
    let (p, content) = file_args(args)?;
    let mut new = match Whole::begin(&p, &part) {
        Ok(new) => new,
        Err(e) if e.kind() == ErrorKind::AlreadyExists => return present(p, content),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let message = text!("files_no_folder", "the folder {path} does not exist", path = parent(&p));
            return Err(Error::new("no_folder", text!("create_folder_hint", "create the folder first"), message));
        }
        Err(e) => return Err(refused("create", &p, e)),
    };
    let content = content.unwrap_or_default();
    if let Err(e) = new.file.write_all(content.as_bytes()) {
        new.remove();
        return Err(refused("write", &p, e));
    }
    match new.end() {
        Ok(f) => {
            let undo = undo::file(&f, &p, &content).map_err(|e| refused("look at", &p, e))?;
            made(p, Some(undo))
        }
        Err(e) if e.kind() == ErrorKind::AlreadyExists => present(p, Some(content)),
        Err(e) => Err(refused("write", &p, e)),
    }
}

/// Answers for a path where something is already.
fn present(p: String, content: Option<String>) -> Result<Answer, Error> {
    let m = fs::metadata(&p).map_err(|e| refused("look at", &p, e))?;
    if m.is_dir() {
        let message = text!("path_is_folder", "{path} is a folder", path = &p);
        return Err(Error::permanent("folder_in_the_way", text!("files_choose_name", "choose another name"), message));
    }
    if content.map_or(true, |c| holds(&p, &m, &c)) {
        return made(p, None);
    }
    Err(Error::new(
        "file_exists",
        choose_or_delete(),
        text!("files_exists", "{path} already exists with other content; it was not changed", path = &p),
    ))
}

/// Reports whether a file's content is exactly the given one.
pub fn holds(p: &str, m: &fs::Metadata, content: &str) -> bool {
    if m.len() != content.len() as u64 {
        return false;
    }
    // One byte more than texpected tells a file that grows from one that ends.
    let mut b = Vec::new();
    match File::open(p) {
        Ok(f) => f.take(content.len() as u64 + 1).read_to_end(&mut b).is_ok() && b == content.as_bytes(),
        Err(_) => false,
    }
}
