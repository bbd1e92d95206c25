//! Which kind of archive a file is, and how its entries are gone through.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use guest::carried::unreadable;
use guest::place::{place, refused};
use guest::{text, Args, Error, Text};

use crate::entry::Entry;
use crate::limits::Limits;
use crate::{targz, zip};

pub struct Archive {
    pub path: String,
    file: File,
    pub format: &'static str,
    pub packed: u64,
}

/// What looks at an entry, and reads it if it wants to. False: that was enough.
pub type Visit<'a> = dyn FnMut(&Entry, &mut dyn Read) -> Result<bool, Error> + 'a;

pub fn open(args: &mut Args) -> Result<Archive, Error> {
    let p = place(&args.text("path")?.unwrap_or_default())?;
    let mut file = File::open(&p).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => no_archive(text!("archive_missing", "{path} does not exist", path = &p)),
        _ => refused("read", &p, e),
    })?;
    let m = file.metadata().map_err(|e| refused("look at", &p, e))?;
    if !m.is_file() {
        return Err(no_archive(text!("archive_not_file", "{path} is not a file", path = &p)));
    }
    let mut head = Vec::new();
    file.by_ref().take(512).read_to_end(&mut head).map_err(|e| refused("read", &p, e))?;
    Ok(Archive { path: p, file, format: format(&head)?, packed: m.len() })
}

fn no_archive(message: Text) -> Error {
    Error::permanent("no_archive", text!("archive_no_archive_hint", "give the path of an archive"), message)
}

fn format(head: &[u8]) -> Result<&'static str, Error> {
    let other =
        [(&b"7z\xbc\xaf\x27\x1c"[..], "7z"), (b"Rar!", "rar"), (b"\xfd7zXZ\0", "xz"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "zstd")];
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Ok("zip");
    }
    if head.starts_with(b"\x1f\x8b") {
        return Ok("tar.gz");
    }
    if targz::is_header(head) {
        return Ok("tar");
    }
    let message = match other.iter().find(|(magic, _)| head.starts_with(magic)) {
        Some((_, name)) => text!("archive_format", "the file is a {name} archive", name = name),
        None => text!("archive_format_unknown", "the file is not an archive of a known format"),
    };
    Err(Error::permanent("unknown_format", text!("archive_format_hint", "use a zip, tar or tar.gz archive"), message))
}

impl Archive {
    /// Goes through the entries in the archive's order, within the limits.
    pub fn each(&mut self, limits: &Limits, visit: &mut Visit) -> Result<(), Error> {
        self.file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        match self.format {
            "zip" => zip::each(&self.file, limits, visit),
            "tar" => targz::each(&self.file, self.packed, limits, visit),
            _ => targz::each(flate2::read::MultiGzDecoder::new(&self.file), self.packed, limits, visit),
        }
    }

    /// All entries, held against the limits.
    pub fn entries(&mut self, limits: &Limits) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::new();
        self.each(limits, &mut |e, _| {
            entries.push(e.clone());
            if entries.len() > limits.entries {
                Err(limits.too_many())
            } else {
                Ok(true)
            }
        })?;
        limits.hold(&entries, self.packed)?;
        Ok(entries)
    }
}
