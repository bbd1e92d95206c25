//! Zip: the list at its end says what it holds (APPNOTE 6.3). Entries that are
//! stored or deflated can be read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::bufread::DeflateDecoder;

use crate::carried::{broken, carry, wrong_length};
use crate::Error;

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    File,
    Folder,
    Link,
    /// A device, a pipe or something newer.
    Other,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::File => "file",
            Kind::Folder => "folder",
            Kind::Link => "link",
            Kind::Other => "other",
        }
    }
}

#[derive(Clone)]
pub struct Entry {
    /// As the archive has it.
    pub name: String,
    pub kind: Kind,
    pub size: u64,
}

/// A name that may be anything, short enough for a message.
pub fn clip(name: &str) -> String {
    let mut short: String = name.chars().take(80).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    short
}

/// The most bytes of the list that are read: about a hundred for each entry.
const MAX_LIST: u64 = 32 << 20;

/// An entry, and where its content is.
pub struct Member {
    pub entry: Entry,
    /// The bytes that its content takes in the zip.
    pub packed: u64,
    flags: u16,
    method: u16,
    crc: u32,
    at: u64, // of its local header
}

impl Member {
    /// The entry's content, which is looked for once somebody reads it.
    pub fn open<'a>(&'a self, f: &'a dyn Source) -> impl Read + 'a {
        Data { f, m: self, open: None, done: 0, sum: crc32fast::Hasher::new() }
    }

    pub fn is_encrypted(&self) -> bool {
        self.flags & 1 != 0
    }
}

/// What a zip is read from.
pub trait Source {
    fn size(&self) -> u64;
    /// Reads some of the bytes at a place; 0: there are none.
    fn read_at(&self, at: u64, b: &mut [u8]) -> io::Result<usize>;
}

impl Source for File {
    fn size(&self) -> u64 {
        self.metadata().map_or(0, |m| m.len())
    }

    fn read_at(&self, at: u64, b: &mut [u8]) -> io::Result<usize> {
        let mut f = self;
        f.seek(SeekFrom::Start(at))?;
        f.read(b)
    }
}

impl Source for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, at: u64, b: &mut [u8]) -> io::Result<usize> {
        let rest = &self[self.len().min(at as usize)..];
        let n = rest.len().min(b.len());
        b[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

/// Bytes of a source, one after the other.
struct Span<'a> {
    source: &'a dyn Source,
    at: u64,
    end: u64,
}

impl Read for Span<'_> {
    fn read(&mut self, b: &mut [u8]) -> io::Result<usize> {
        let most = (b.len() as u64).min(self.end - self.at) as usize;
        let n = self.source.read_at(self.at, &mut b[..most])?;
        self.at += n as u64;
        Ok(n)
    }
}

/// The entries of a zip in its order, most of them at most. None may share its bytes with
/// another.
pub fn members(f: &dyn Source, most: usize, too_many: impl Fn() -> Error) -> Result<Vec<Member>, Error> {
    let len = f.size();
    let (count, at, size) = list(f, len)?;
    if size > MAX_LIST || at.checked_add(size).map_or(true, |end| end > len) {
        return Err(broken(text!("archive_list_misplaced", "the archive can't be read: its list of entries is outside the file")));
    }
    if count > most as u64 {
        return Err(too_many());
    }
    let list = bytes(f, at, size)?;
    let mut members = Vec::new();
    let mut rest = &list[..];
    while members.len() < count as usize {
        let (m, after) = member(rest)?;
        members.push(m);
        rest = after;
    }
    let packed = members.iter().fold(0u64, |sum, m| sum.saturating_add(m.packed).saturating_add(30));
    if packed > len {
        let message = text!("archive_shared_bytes", "entries of the archive share their bytes, so it unpacks to more than its size");
        return Err(Error::permanent("bomb", text!("archive_harm_hint", "do not trust this archive: it is made to do harm"), message));
    }
    Ok(members)
}

fn bytes(f: &dyn Source, at: u64, len: u64) -> Result<Vec<u8>, Error> {
    let mut b = vec![0; len as usize];
    Span { source: f, at, end: at.saturating_add(len) }
        .read_exact(&mut b)
        .map_err(|_| broken(text!("archive_short", "the archive can't be read: it ends too early")))?;
    Ok(b)
}

/// How many entries there are, and where their list is. The record that says so is
/// at the end, before a comment of any text.
fn list(f: &dyn Source, len: u64) -> Result<(u64, u64, u64), Error> {
    let start = len.saturating_sub(22 + 0xffff);
    let tail = bytes(f, start, len - start)?;
    let at = (0..tail.len().saturating_sub(21))
        .rev()
        .find(|&i| tail[i..].starts_with(b"PK\x05\x06") && i + 22 + usize::from(u16_at(&tail, i + 20)) == tail.len());
    let i = at.ok_or_else(|| broken(text!("archive_list_missing", "the archive can't be read: its list of entries is missing")))?;
    let (count, size, offset) = (u16_at(&tail, i + 10), u32_at(&tail, i + 12), u32_at(&tail, i + 16));
    if count != 0xffff && size != u32::MAX && offset != u32::MAX {
        return Ok((count.into(), offset.into(), size.into()));
    }
    // What doesn't fit stands in a record of its own, and where that is in one between.
    let locator = (start + i as u64)
        .checked_sub(20)
        .ok_or_else(|| broken(text!("archive_list_missing", "the archive can't be read: its list of entries is missing")))?;
    let locator = bytes(f, locator, 20)?;
    let far = bytes(f, u64_at(&locator, 8).min(len), 56)?;
    if !locator.starts_with(b"PK\x06\x07") || !far.starts_with(b"PK\x06\x06") {
        return Err(broken(text!("archive_list_missing", "the archive can't be read: its list of entries is missing")));
    }
    Ok((u64_at(&far, 32), u64_at(&far, 48), u64_at(&far, 40)))
}

fn member(b: &[u8]) -> Result<(Member, &[u8]), Error> {
    let short = || broken(text!("archive_list_short", "the archive can't be read: its list of entries ends too early"));
    if b.len() < 46 || !b.starts_with(b"PK\x01\x02") {
        return Err(short());
    }
    let (name, extra, comment) = (usize::from(u16_at(b, 28)), usize::from(u16_at(b, 30)), usize::from(u16_at(b, 32)));
    let after = b.get(46 + name + extra + comment..).ok_or_else(short)?;
    let flags = u16_at(b, 8);
    let name_bytes = &b[46..46 + name];
    let name_text = text(name_bytes, flags & 1 << 11 != 0)?;
    let (mut size, mut packed, mut at) = (u64::from(u32_at(b, 24)), u64::from(u32_at(b, 20)), u64::from(u32_at(b, 42)));
    let mut large = zip64(&b[46 + name..46 + name + extra]);
    for field in [&mut size, &mut packed, &mut at] {
        if *field == u64::from(u32::MAX) {
            if large.len() < 8 {
                return Err(short());
            }
            *field = u64_at(large, 0);
            large = &large[8..];
        }
    }
    // Of what made it on Unix the high half of the attributes is its mode.
    let mode = if b[5] == 3 { u32_at(b, 38) >> 28 } else { 0 };
    let kind = match mode {
        _ if name_text.ends_with('/') => Kind::Folder,
        0 | 8 => Kind::File,
        4 => Kind::Folder,
        10 => Kind::Link,
        _ => Kind::Other,
    };
    let entry = Entry { name: name_text, kind, size: if kind == Kind::File { size } else { 0 } };
    Ok((Member { entry, flags, method: u16_at(b, 10), crc: u32_at(b, 16), packed, at }, after))
}

/// The field of large numbers among the extra ones.
fn zip64(mut extra: &[u8]) -> &[u8] {
    while extra.len() >= 4 {
        let (id, len) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
        let field = &extra[4..(4 + len).min(extra.len())];
        if id == 1 {
            return field;
        }
        extra = &extra[4 + field.len()..];
    }
    &[]
}

/// The upper half of code page 437, which names are in that don't say otherwise.
const CP437: &str =
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// Many programs write UTF-8 and don't say so.
fn text(b: &[u8], utf8: bool) -> Result<String, Error> {
    match std::str::from_utf8(b) {
        Ok(s) => Ok(s.into()),
        Err(_) if utf8 => Err(broken(text!("archive_name_not_utf8", "the archive can't be read: a name is marked as UTF-8 and is not"))),
        Err(_) => Ok(b.iter().map(|&c| if c < 128 { c.into() } else { CP437.chars().nth(usize::from(c) - 128).unwrap_or('?') }).collect()),
    }
}

/// An entry's content. At its end its length and sum must be those of the list.
struct Data<'a> {
    f: &'a dyn Source,
    m: &'a Member,
    open: Option<Box<dyn Read + 'a>>,
    done: u64,
    sum: crc32fast::Hasher,
}

impl Read for Data<'_> {
    fn read(&mut self, b: &mut [u8]) -> io::Result<usize> {
        let r = match &mut self.open {
            Some(r) => r,
            None => self.open.insert(start(self.f, self.m).map_err(carry)?),
        };
        let n = r.read(b)?;
        self.done += n as u64;
        self.sum.update(&b[..n]);
        let end = n == 0 && !b.is_empty();
        let name = || clip(&self.m.entry.name);
        if self.done > self.m.entry.size || end && self.done < self.m.entry.size {
            return Err(carry(wrong_length(&name())));
        }
        if end && self.sum.clone().finalize() != self.m.crc {
            let message = text!("archive_changed", "the archive can't be read: {name:?} was changed: its checksum differs", name = name());
            return Err(carry(broken(message)));
        }
        Ok(n)
    }
}

fn start<'a>(f: &'a dyn Source, m: &Member) -> Result<Box<dyn Read + 'a>, Error> {
    let name = clip(&m.entry.name);
    if m.is_encrypted() {
        let hint = text!("archive_encrypted_hint", "remove the password with the program that made the archive");
        return Err(Error::new("encrypted", hint, text!("archive_encrypted", "{name:?} is encrypted", name = name)));
    }
    let head = if m.at.checked_add(30).map_or(false, |end| end <= f.size()) { bytes(f, m.at, 30)? } else { Vec::new() };
    if !head.starts_with(b"PK\x03\x04") {
        return Err(broken(text!(
            "archive_entry_misplaced",
            "the archive can't be read: {name:?} is not where the list of entries says",
            name = name
        )));
    }
    let at = m.at + 30 + u64::from(u16_at(&head, 26)) + u64::from(u16_at(&head, 28));
    let packed = BufReader::with_capacity(64 << 10, Span { source: f, at, end: at.saturating_add(m.packed) });
    match m.method {
        0 => Ok(Box::new(packed)),
        8 => Ok(Box::new(DeflateDecoder::new(packed))),
        n => {
            let message =
                text!("archive_method", "{name:?} is packed with the unknown method {method}", name = name, method = u64::from(n));
            let hint = text!("archive_method_hint", "pack it again as an ordinary zip");
            Err(Error::permanent("unsupported_method", hint, message))
        }
    }
}

fn u16_at(b: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([b[at], b[at + 1]])
}

fn u32_at(b: &[u8], at: usize) -> u32 {
    u32::from(u16_at(b, at)) | u32::from(u16_at(b, at + 2)) << 16
}

fn u64_at(b: &[u8], at: usize) -> u64 {
    u64::from(u32_at(b, at)) | u64::from(u32_at(b, at + 4)) << 32
}
