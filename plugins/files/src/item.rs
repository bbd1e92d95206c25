//! What the reading tools say of a file or folder.

use std::fs::{self, Metadata};
use std::io::ErrorKind;

use guest::place::refused;
use guest::{text, time, Error, Value};

/// Looks at what a path leads to, a link at its end followed.
pub fn look(p: &str) -> Result<Metadata, Error> {
    fs::metadata(p).map_err(|e| match e.kind() {
        ErrorKind::NotFound => Error::permanent(
            "not_found",
            text!("files_check_path", "check the name and the folder"),
            text!("files_not_found", "{path} does not exist", path = p),
        ),
        _ => refused("look at", p, e),
    })
}

/// As [look], and refuses what is not a folder.
pub fn folder(p: &str) -> Result<(), Error> {
    if look(p)?.is_dir() {
        return Ok(());
    }
    Err(Error::permanent(
        "not_a_folder",
        text!("files_choose_folder", "choose a folder"),
        text!("files_not_a_folder", "{path} is not a folder", path = p),
    ))
}

/// As [look], and refuses a folder.
pub fn file(p: &str) -> Result<Metadata, Error> {
    let m = look(p)?;
    if m.is_dir() {
        let message = text!("path_is_folder", "{path} is a folder", path = p);
        return Err(Error::permanent("not_a_file", text!("files_choose_file", "choose a file"), message));
    }
    Ok(m)
}

/// The kind of what is there, links not followed.
pub fn kind(m: &Metadata) -> &'static str {
    if m.is_dir() {
        "folder"
    } else if m.file_type().is_symlink() {
        "link"
    } else {
        "file"
    }
}

/// When it was changed last, as RFC 3339.
pub fn modified(m: &Metadata) -> Value {
    m.modified().map(time::write).unwrap_or_default().into()
}

/// A name by which upper and lower case are not told apart, nor ё and е.
pub fn fold(name: &str) -> String {
    name.to_lowercase().replace('ё', "е")
}
