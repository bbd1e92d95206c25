//! Files that get their name when they are whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};

use crate::place::parent;

/// A file that is written under a temporary name in the folder of its own.
pub struct Whole {
    pub file: File,
    part: String,
    path: String,
    /// An earlier attempt of the same call reserved the name and ended then.
    reserved: bool,
}

impl Whole {
    /// Begins a file. Nothing may have its name: the error is AlreadyExists. part is a name
    /// that only this call uses; what an earlier attempt left there is replaced.
    pub fn begin(path: &str, part: &str) -> io::Result<Whole> {
        let part = format!("{}/{}", parent(path), part);
        let left = fs::symlink_metadata(&part).is_ok();
        let reserved = match fs::symlink_metadata(path) {
            Ok(m) if left && m.is_file() && m.len() == 0 => true,
            Ok(_) => return Err(io::Error::from(ErrorKind::AlreadyExists)),
            Err(_) => false,
        };
        if left {
            fs::remove_file(&part)?;
        }
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&part)?;
        Ok(Whole { file, part, path: path.into(), reserved })
    }

    /// Gives the file its name, unless something has it by now.
    pub fn end(mut self) -> io::Result<File> {
        let named = self.name();
        if named.is_err() {
            self.remove();
        }
        named.map(|_| self.file)
    }

    fn name(&mut self) -> io::Result<()> {
        if !self.reserved {
            OpenOptions::new().write(true).create_new(true).open(&self.path)?; // a rename would replace
            self.reserved = true;
        }
        fs::rename(&self.part, &self.path)
    }

    /// Removes a file that could not be written. It does not matter if that fails.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.part);
        if self.reserved {
            let _ = fs::remove_file(&self.path);
        }
    }
}
