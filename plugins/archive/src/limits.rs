//! How much an archive may be. A small archive can hold petabytes, and what it says
//! of itself may be a lie: so its own word is held against the limits before
//! anything is written, and what really comes out of it afterwards.

use std::io::{self, Read};

use guest::carried::carry;
use guest::{text, Args, Error};

use crate::entry::Entry;

pub struct Limits {
    pub bytes: u64,
    pub entries: usize,
    pub ratio: u64,
    pub depth: usize,
}

/// What is unpacked may be this much whatever the ratio: small texts pack well.
const FREE: u64 = 16 << 20;

impl Limits {
    pub fn take(args: &mut Args) -> Result<Limits, Error> {
        Ok(Limits {
            bytes: args.number("max_bytes", 256 << 20)?,
            entries: args.number("max_entries", 2000)? as usize,
            ratio: args.number("max_ratio", 200)?,
            depth: args.number("max_depth", 32)? as usize,
        })
    }

    /// Holds all entries of an archive of that many bytes against the limits.
    pub fn hold(&self, entries: &[Entry], packed: u64) -> Result<(), Error> {
        if entries.len() > self.entries {
            return Err(self.too_many());
        }
        let total = entries.iter().fold(0u64, |sum, e| sum.saturating_add(e.size));
        self.hold_bytes(total, packed)
    }

    pub fn too_many(&self) -> Error {
        Error::permanent(
            "too_many_entries",
            text!("archive_raise_entries", "raise max_entries if you trust the archive"),
            text!("archive_too_many", "the archive has more than {limit} entries, which is max_entries", limit = self.entries),
        )
    }

    pub fn hold_bytes(&self, total: u64, packed: u64) -> Result<(), Error> {
        if total > self.bytes {
            return Err(Error::permanent(
                "too_large",
                text!("archive_raise_bytes", "raise max_bytes if you trust the archive"),
                text!("archive_too_large", "the archive unpacks to more than {limit} bytes, which is max_bytes", limit = self.bytes),
            ));
        }
        if total > FREE && total / packed.max(1) > self.ratio {
            return Err(Error::permanent(
                "bomb",
                text!("archive_raise_ratio", "raise max_ratio if you trust the archive"),
                text!(
                    "archive_ratio",
                    "the archive of {size} bytes unpacks to {times} times that or more, and max_ratio is {limit}",
                    size = packed,
                    times = total / packed.max(1),
                    limit = self.ratio
                ),
            ));
        }
        Ok(())
    }
}

/// Unpacked bytes, counted: reading ends with an error once they are more than the
/// limits allow for the packed ones.
pub struct Counted<'a, R> {
    pub inner: R,
    pub limits: &'a Limits,
    pub packed: u64,
    pub total: u64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, b: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(b)?;
        self.total += n as u64;
        match self.limits.hold_bytes(self.total, self.packed) {
            Ok(()) => Ok(n),
            Err(e) => Err(carry(e)),
        }
    }
}
