//! Tar, packed with gzip or not.

use std::io::{self, Read};

use guest::carried::{carry, uncarried};
use guest::{text, Error};
use tar::{Archive, EntryType, Header};

use crate::entry::{clip, Entry, Kind};
use crate::limits::{Counted, Limits};
use crate::open::Visit;

/// Whether a file begins with the header of a tar: it has a sum of itself in it.
pub fn is_header(head: &[u8]) -> bool {
    if head.len() < 512 {
        return false;
    }
    let sum = head[..512].iter().enumerate().map(|(i, b)| if (148..156).contains(&i) { 32 } else { u32::from(*b) }).sum::<u32>();
    Header::from_byte_slice(&head[..512]).cksum().map_or(false, |said| said == sum)
}

pub fn each(r: impl Read, packed: u64, limits: &Limits, visit: &mut Visit) -> Result<(), Error> {
    let counted = Counted { inner: r, limits, packed, total: 0 };
    let mut archive = Archive::new(counted);
    for e in archive.entries().map_err(uncarried)? {
        let mut e = e.map_err(uncarried)?;
        let kind = match e.header().entry_type() {
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => Kind::File,
            EntryType::Directory => Kind::Folder,
            EntryType::Symlink | EntryType::Link => Kind::Link,
            EntryType::XGlobalHeader => continue,
            _ => Kind::Other,
        };
        let name = String::from_utf8_lossy(&e.path_bytes()).into_owned();
        let size = if kind == Kind::File { e.size() } else { 0 };
        // The oldest tars have no type for folders, and a slash after their names.
        let kind = if kind == Kind::File && name.ends_with('/') { Kind::Folder } else { kind };
        let holes = has_holes(&mut e)?.then(|| Unread(clip(&name)));
        let entry = Entry { name, kind, size };
        let go_on = match holes {
            Some(mut unread) => visit(&entry, &mut unread),
            None => visit(&entry, &mut e),
        };
        if !go_on? {
            break;
        }
    }
    Ok(())
}

/// Whether the bytes of an entry are not its content but a map of holes and what is
/// between them, as pax headers say it. GNU's own kind of those is read as it is meant.
fn has_holes(e: &mut tar::Entry<impl Read>) -> Result<bool, Error> {
    Ok(match e.pax_extensions().map_err(uncarried)? {
        Some(mut said) => said.any(|x| x.map_or(false, |x| x.key_bytes().starts_with(b"GNU.sparse."))),
        None => false,
    })
}

/// Content that can't be read as it is meant: what would come out is another file.
struct Unread(String);

impl Read for Unread {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        let message = text!("archive_sparse", "{name:?} is stored as a sparse file of an unknown kind", name = &self.0);
        Err(carry(Error::permanent("unsupported_entry", text!("archive_sparse_hint", "pack the archive again without sparse files"), message)))
    }
}
