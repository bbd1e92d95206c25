//! Tar, packed with gzip or not.

use std::io::Read;

use guest::Error;
use tar::{Archive, EntryType, Header};

use crate::entry::{Entry, Kind};
use crate::limits::{uncarried, Counted, Limits};
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
        if !visit(&Entry { name, kind, size }, &mut e)? {
            break;
        }
    }
    Ok(())
}
