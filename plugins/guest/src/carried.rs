//! Errors of an archive, and how they pass through libraries that only know those of
//! input and output.

use std::{error, fmt, io};

use crate::{Error, Text};

/// An error of ours on its way through a library that knows only those of input and
/// output, and that may wrap it once more. Of each it hands on what is the source.
#[derive(Debug)]
struct Carrier(Carried);

#[derive(Debug)]
struct Carried(Error);

impl fmt::Display for Carrier {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.message.fmt(f)
    }
}

impl error::Error for Carried {}

impl error::Error for Carrier {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.0)
    }
}

pub fn carry(e: Error) -> io::Error {
    io::Error::new(io::ErrorKind::Other, Carrier(Carried(e)))
}

/// Takes an error of ours out again; any other says that the archive is broken.
pub fn uncarried(e: io::Error) -> Error {
    let mut source = error::Error::source(&e);
    while let Some(s) = source {
        if let Some(Carried(e)) = s.downcast_ref() {
            return e.clone();
        }
        source = s.source();
    }
    unreadable(e)
}

pub fn unreadable(e: io::Error) -> Error {
    broken(text!("archive_unreadable", "the archive can't be read: {cause}", cause = e.to_string()))
}

/// An entry whose name is given that is longer or shorter than the archive says.
pub fn wrong_length(name: &str) -> Error {
    broken(text!(
        "archive_wrong_length",
        "the archive can't be read: {name:?} does not have the length that the archive gives",
        name = name
    ))
}

pub fn broken(message: Text) -> Error {
    Error::new("broken_archive", text!("archive_get_again", "get the archive again"), message)
}
