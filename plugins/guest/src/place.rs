//! Paths inside the granted folders, and what the system says of them.

use std::ffi::CStr;
use std::fs;
use std::io::{self, ErrorKind};

use crate::{Error, Text};

/// The path cleaned, where it lies inside a granted folder. The folder itself is
/// not for plugins to make.
pub fn place(p: &str) -> Result<String, Error> {
    let clean = clean(p);
    if !p.starts_with('/') || clean.matches('/').count() < 3 || !clean.starts_with("/root/") {
        return Err(Error::invalid(
            "bad_path",
            text!("bad_path_hint", "give the whole path of something inside one"),
            text!("bad_path", "the path \"{path}\" does not lead to something inside a granted folder", path = p),
        ));
    }
    Ok(clean)
}

/// As [place], or a granted folder itself.
pub fn place_or_root(p: &str) -> Result<String, Error> {
    let clean = clean(p);
    let number = clean.strip_prefix("/root/").unwrap_or("");
    if p.starts_with('/') && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
        return Ok(clean);
    }
    place(p)
}

/// An absolute path without dots, doubled slashes and a slash at its end.
pub fn clean(p: &str) -> String {
    let mut parts = Vec::new();
    for part in p.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The folder that a clean path lies in.
pub fn parent(p: &str) -> &str {
    match p.rfind('/') {
        None | Some(0) => "/",
        Some(at) => &p[..at],
    }
}

/// Makes an error of what the system did not allow.
pub fn refused(verb: &str, p: &str, e: io::Error) -> Error {
    if let Some(file) = file_above(p) {
        return Error::new(
            "file_in_the_way",
            text!("files_choose_or_delete", "choose another name, or delete the file first"),
            text!("files_path_is_file", "{path} is a file", path = file),
        );
    }
    match e.kind() {
        ErrorKind::PermissionDenied => Error::new(
            "not_permitted",
            text!("not_permitted_hint", "choose a place that is granted and writable"),
            text!(
                "not_permitted",
                "can't {verb} {path}: it is not permitted, or it leads out of the granted folder",
                verb = verb,
                path = p
            ),
        ),
        ErrorKind::NotFound => Error::new(
            "no_folder",
            text!("create_folder_hint", "create the folder first"),
            text!("folder_missing", "can't {verb} {path}: the folder it is in does not exist", verb = verb, path = p),
        ),
        _ if matches!(e.raw_os_error(), Some(libc::ENOSPC) | Some(libc::EDQUOT)) => Error::new(
            "disk_full",
            text!("disk_full_hint", "free some space on that disk"),
            text!("disk_full", "can't {verb} {path}: the disk is full", verb = verb, path = p),
        ),
        _ => {
            let message = text!("failed", "can't {verb} {path}: {cause}", verb = verb, path = p, cause = said(&e));
            Error::new("failed", Text::none(), message)
        }
    }
}

/// Finds a file above a path, in which nothing can be.
fn file_above(p: &str) -> Option<&str> {
    let mut p = parent(p);
    while p != "/" {
        match fs::metadata(p) {
            Ok(m) if m.is_dir() => return None,
            Ok(_) => return Some(p),
            Err(_) => p = parent(p),
        }
    }
    None
}

/// The system's own words for an error, without its number.
fn said(e: &io::Error) -> String {
    match e.raw_os_error() {
        // SAFETY: strerror answers a text that is never freed, and there is one thread.
        Some(n) => unsafe { CStr::from_ptr(libc::strerror(n)) }.to_string_lossy().into_owned(),
        None => e.to_string(),
    }
}

/// Makes a folder and those above it that are missing.
pub fn make_all(p: &str) -> io::Result<()> {
    match std::fs::metadata(p) {
        Ok(m) if m.is_dir() => return Ok(()),
        Ok(_) => return Err(io::Error::from_raw_os_error(libc::ENOTDIR)),
        Err(_) if p == "/" => return Ok(()),
        Err(_) => make_all(parent(p))?,
    }
    match std::fs::create_dir(p) {
        Err(e) => match std::fs::symlink_metadata(p) {
            Ok(m) if m.is_dir() => Ok(()),
            _ => Err(e),
        },
        made => made,
    }
}
