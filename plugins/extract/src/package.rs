//! The parts of a document: the entries of a zip, within limits. What an entry says of its
//! size is compared with the limits, and what comes out of it as well.

use std::cell::Cell;
use std::io::{self, Read};

use guest::carried::carry;
use guest::zip::{members, Kind, Member};
use guest::{text, Error};

use crate::fault::{broken, over_limit, unsupported};
use crate::xml::Xml;

const MAX_ENTRIES: usize = 10_000;
const MAX_PART: u64 = 50 << 20;
const MAX_TOTAL: u64 = 100 << 20;
const MAX_RATIO: u64 = 100;
/// A part may be this large whatever the ratio.
const FREE: u64 = 256 << 10;

pub struct Package {
    bytes: Vec<u8>,
    members: Vec<Member>,
    /// Bytes that were unpacked.
    total: Cell<u64>,
}

impl Package {
    pub fn open(bytes: Vec<u8>) -> Result<Package, Error> {
        if !bytes.starts_with(b"PK\x03\x04") {
            return Err(broken(text!("extract_not_docx", "it is not a Word document")));
        }
        let too_many = || over_limit(text!("extract_entries", "it has more than {limit} parts", limit = MAX_ENTRIES));
        let members = members(&bytes, MAX_ENTRIES, too_many).map_err(|e| match e.code {
            "parse_failed" => e,
            _ => broken(e.message),
        })?;
        let mut names: Vec<String> = members.iter().map(|m| m.entry.name.to_ascii_lowercase()).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(broken(text!("extract_twice", "it has two parts of the same name")));
        }
        if members.iter().any(Member::is_encrypted) {
            return Err(unsupported(text!("extract_is_encrypted", "it is encrypted")));
        }
        let package = Package { bytes, members, total: Cell::new(0) };
        let total = package.members.iter().fold(0, |sum: u64, m| sum.saturating_add(m.entry.size));
        let packed = package.members.iter().map(|m| m.packed).sum();
        for m in &package.members {
            check_part(m.entry.size)?;
        }
        check_total(total)?;
        check_ratio(total, packed)?;
        Ok(package)
    }

    fn find(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|m| m.entry.kind == Kind::File && m.entry.name.eq_ignore_ascii_case(name))
    }

    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    pub fn any(&self, is: impl Fn(&str) -> bool) -> bool {
        self.members.iter().any(|m| is(&m.entry.name))
    }

    /// Begins to read a part as XML.
    pub fn read<'a>(&'a self, name: &str) -> Result<Xml<impl Read + 'a>, Error> {
        let m = self.find(name).ok_or_else(|| broken(text!("extract_part_missing", "its part {name:?} is missing", name = name)))?;
        Ok(Xml::new(Limited { inner: m.open(&self.bytes), packed: m.packed, part: 0, total: &self.total }))
    }
}

fn check_part(size: u64) -> Result<(), Error> {
    if size > MAX_PART {
        return Err(over_limit(text!("extract_part_size", "a part unpacks to more than {limit} bytes", limit = MAX_PART)));
    }
    Ok(())
}

fn check_total(size: u64) -> Result<(), Error> {
    if size > MAX_TOTAL {
        return Err(over_limit(text!("extract_total", "it unpacks to more than {limit} bytes", limit = MAX_TOTAL)));
    }
    Ok(())
}

fn check_ratio(size: u64, packed: u64) -> Result<(), Error> {
    if size > FREE && size > packed.saturating_mul(MAX_RATIO) {
        return Err(over_limit(text!("extract_ratio", "it unpacks to more than {limit} times its size", limit = MAX_RATIO)));
    }
    Ok(())
}

/// What is unpacked of a part, counted.
struct Limited<'a, R> {
    inner: R,
    packed: u64,
    part: u64,
    total: &'a Cell<u64>,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, b: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(b)?;
        self.part += n as u64;
        self.total.set(self.total.get() + n as u64);
        check_part(self.part)
            .and_then(|_| check_total(self.total.get()))
            .and_then(|_| check_ratio(self.part, self.packed))
            .map_err(carry)?;
        Ok(n)
    }
}
