//! Reads XML from beginning to end, with little memory whatever it has in it. Document type
//! definitions are refused, so there are no entities but the five of XML itself.

use std::io::Read;

use guest::carried::uncarried;
use guest::{text, Error};

use crate::fault::{broken, over_limit};
use crate::names::{Names, Namespace};

const BUFFER: usize = 64 << 10;
/// The longest tag, comment or instruction.
const MAX_TAG: usize = 64 << 10;
const MAX_NAME: usize = 1 << 10;
const MAX_DEPTH: usize = 256;
/// More elements than a document has that is not made to do harm.
const MAX_ELEMENTS: usize = 2_000_000;

pub struct Xml<R> {
    source: R,
    buffer: Vec<u8>,
    at: usize,
    /// Names of the elements that are open, one after the other, and where each begins.
    open_names: Vec<u8>,
    open: Vec<usize>,
    names: Names,
    /// The last tag without its brackets, or the last piece of text.
    token: Vec<u8>,
    /// The last tag was that of an element without content, whose end was not told yet.
    ends_at_once: bool,
    elements: usize,
}

pub enum Event<'a> {
    Start(Element<'a>),
    End,
    /// A piece of text; the next event may go on with it.
    Text(&'a str),
    Eof,
}

/// What comes next; its text is in the token.
enum Step {
    Start(Namespace),
    End,
    Text,
    Eof,
}

pub struct Element<'a> {
    pub namespace: Namespace,
    pub name: &'a str,
    attributes: &'a str,
}

impl Element<'_> {
    /// The value of an attribute, whatever its prefix.
    pub fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.attributes;
        while let Ok(Some((key, value, after))) = attribute(rest) {
            if key.rsplit(':').next() == Some(name) {
                return unescape(value).ok();
            }
            rest = after;
        }
        None
    }
}

impl<R: Read> Xml<R> {
    pub fn new(source: R) -> Xml<R> {
        Xml {
            source,
            buffer: Vec::new(),
            at: 0,
            open_names: Vec::new(),
            open: Vec::new(),
            names: Names::default(),
            token: Vec::new(),
            ends_at_once: false,
            elements: 0,
        }
    }

    pub fn next(&mut self) -> Result<Event, Error> {
        let step = self.step()?;
        let token = std::str::from_utf8(&self.token).unwrap_or(""); // which was checked
        Ok(match step {
            Step::Start(namespace) => {
                let (name, attributes) = split(token);
                Event::Start(Element { namespace, name: name.split_once(':').map_or(name, |(_, local)| local), attributes })
            }
            Step::End => Event::End,
            Step::Text => Event::Text(token),
            Step::Eof => Event::Eof,
        })
    }

    fn step(&mut self) -> Result<Step, Error> {
        if self.ends_at_once {
            self.ends_at_once = false;
            return self.end();
        }
        loop {
            if self.fill()? == 0 {
                return if self.open.is_empty() && self.elements > 0 { Ok(Step::Eof) } else { Err(ends_early()) };
            }
            let is_inside = !self.open.is_empty();
            if self.buffer[self.at] != b'<' {
                let text = self.text()?;
                if is_inside {
                    return Ok(Step::Text);
                }
                if !text.trim_start_matches('\u{feff}').trim().is_empty() {
                    return Err(malformed());
                }
                continue;
            }
            self.at += 1;
            match self.peek()? {
                b'!' => {
                    if self.declaration()? {
                        return Ok(Step::Text);
                    }
                }
                b'?' => self.until(b"?>")?,
                b'/' => {
                    self.at += 1;
                    self.tag()?;
                    let name = trim_end(&self.token);
                    if self.open.last().map(|at| &self.open_names[*at..]) != Some(name) {
                        return Err(malformed());
                    }
                    return self.end();
                }
                _ => return self.start(),
            }
        }
    }

    fn end(&mut self) -> Result<Step, Error> {
        self.names.close(self.open.len());
        let at = self.open.pop().unwrap_or(0);
        self.open_names.truncate(at);
        Ok(Step::End)
    }

    /// Makes sure that there is a byte, and returns how many there are.
    fn fill(&mut self) -> Result<usize, Error> {
        if self.at == self.buffer.len() {
            self.buffer.resize(BUFFER, 0);
            let n = self.source.read(&mut self.buffer).map_err(|e| part_broken(uncarried(e)))?;
            self.buffer.truncate(n);
            self.at = 0;
        }
        Ok(self.buffer.len() - self.at)
    }

    fn peek(&mut self) -> Result<u8, Error> {
        match self.fill()? {
            0 => Err(ends_early()),
            _ => Ok(self.buffer[self.at]),
        }
    }

    fn take(&mut self) -> Result<u8, Error> {
        let b = match self.buffer.get(self.at) {
            Some(b) => *b,
            None => self.peek()?,
        };
        self.at += 1;
        Ok(b)
    }

    /// Reads a tag up to its closing bracket. Brackets in quotes don't end it.
    fn tag(&mut self) -> Result<(), Error> {
        self.token.clear();
        let mut quote = None;
        loop {
            if self.fill()? == 0 {
                return Err(ends_early());
            }
            let rest = &self.buffer[self.at..];
            let end = match quote {
                None => rest.iter().position(|b| matches!(b, b'>' | b'<' | b'"' | b'\'')),
                Some(q) => rest.iter().position(|b| *b == q),
            };
            let piece = &rest[..end.unwrap_or(rest.len())];
            if self.token.len() + piece.len() >= MAX_TAG {
                return Err(over_limit(text!("extract_xml_tag", "a tag is longer than {limit} bytes", limit = MAX_TAG)));
            }
            self.token.extend_from_slice(piece);
            self.at += piece.len();
            if end.is_none() {
                continue;
            }
            let b = self.buffer[self.at];
            self.at += 1;
            match (quote, b) {
                (None, b'>') => return Ok(()),
                (None, b'<') => return Err(malformed()),
                (None, _) => quote = Some(b),
                (Some(_), _) => quote = None,
            }
            self.token.push(b);
        }
    }

    /// Reads past a sign that ends a comment or an instruction.
    fn until(&mut self, end: &[u8]) -> Result<(), Error> {
        self.token.clear();
        loop {
            if self.fill()? == 0 {
                return Err(ends_early());
            }
            let rest = &self.buffer[self.at..];
            let at = rest.iter().position(|b| *b == b'>').map_or(rest.len(), |i| i + 1);
            // Only the last bytes are of interest.
            if at >= end.len() {
                self.token.clear();
            }
            self.token.extend_from_slice(&rest[at.saturating_sub(end.len())..at]);
            self.at += at;
            if self.token.ends_with(end) {
                return Ok(());
            }
        }
    }

    /// Reads what begins with "<!": a comment, or (true) a section of text that is not markup.
    fn declaration(&mut self) -> Result<bool, Error> {
        self.at += 1;
        match self.take()? {
            b'-' if self.take()? == b'-' => self.until(b"-->").map(|_| false),
            b'[' => {
                for c in b"CDATA[" {
                    if self.take()? != *c {
                        return Err(malformed());
                    }
                }
                if self.open.is_empty() {
                    return Err(malformed());
                }
                self.token.clear();
                while !self.token.ends_with(b"]]>") {
                    let b = self.take()?;
                    self.token.push(b);
                    if self.token.len() > MAX_TAG {
                        return Err(over_limit(text!("extract_xml_tag", "a tag is longer than {limit} bytes", limit = MAX_TAG)));
                    }
                }
                self.token.truncate(self.token.len() - 3);
                checked(&self.token).map(|_| true)
            }
            b'D' => Err(broken(text!("extract_xml_doctype", "it has a document type definition, which is not allowed"))),
            _ => Err(malformed()),
        }
    }

    /// Reads a piece of text up to the next tag, and no more than fits into a buffer.
    fn text(&mut self) -> Result<&str, Error> {
        self.token.clear();
        while self.token.len() < BUFFER {
            if self.fill()? == 0 {
                break;
            }
            let rest = &self.buffer[self.at..];
            match rest[0] {
                b'<' => break,
                b'&' => self.reference()?,
                _ => {
                    let end = rest.iter().position(|b| matches!(b, b'<' | b'&')).unwrap_or(rest.len());
                    self.token.extend_from_slice(&rest[..end]);
                    self.at += end;
                }
            }
        }
        // A character may go on in the next piece: the bytes of it are taken here.
        while std::str::from_utf8(&self.token).map_or_else(|e| e.error_len().is_none(), |_| false) {
            let b = self.take()?;
            self.token.push(b);
        }
        checked(&self.token)
    }

    fn reference(&mut self) -> Result<(), Error> {
        let (mut name, mut len) = ([0; 10], 0);
        self.at += 1;
        loop {
            match self.take()? {
                b';' => break,
                b if len < name.len() => {
                    name[len] = b;
                    len += 1;
                }
                _ => return Err(entity()),
            }
        }
        match resolve(&name[..len])? {
            c if c.is_ascii() => self.token.push(c as u8),
            c => self.token.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        Ok(())
    }

    fn start(&mut self) -> Result<Step, Error> {
        self.tag()?;
        self.elements += 1;
        if self.elements > MAX_ELEMENTS {
            return Err(over_limit(text!("extract_xml_elements", "it has more than {limit} elements", limit = MAX_ELEMENTS)));
        }
        if self.open.is_empty() && self.elements > 1 {
            return Err(malformed());
        }
        self.ends_at_once = self.token.ends_with(b"/");
        if self.ends_at_once {
            self.token.pop();
        }
        let (name, attributes) = parse(&self.token)?;
        if self.open.len() == MAX_DEPTH {
            return Err(over_limit(text!("extract_xml_deep", "its XML is nested more than {limit} levels deep", limit = MAX_DEPTH)));
        }
        self.open.push(self.open_names.len());
        self.open_names.extend_from_slice(name.as_bytes());
        let mut rest = attributes;
        while let Some((key, value, after)) = attribute(rest)? {
            if let Some(prefix) = key.strip_prefix("xmlns") {
                self.names.declare(self.open.len(), prefix, value)?;
            } else if value.contains('&') {
                unescape(value)?;
            }
            rest = after;
        }
        Ok(Step::Start(self.names.find(name.split_once(':').map_or("", |(prefix, _)| prefix))))
    }
}

fn trim_end(b: &[u8]) -> &[u8] {
    let end = b.iter().rposition(|c| !c.is_ascii_whitespace()).map_or(0, |i| i + 1);
    &b[..end]
}

/// Splits a tag into its name and its attributes.
fn split(tag: &str) -> (&str, &str) {
    tag.split_at(tag.find(|c: char| c.is_ascii_whitespace()).unwrap_or(tag.len()))
}

/// As [split], and checks the name.
fn parse(tag: &[u8]) -> Result<(&str, &str), Error> {
    let (name, attributes) = split(std::str::from_utf8(tag).map_err(|_| malformed())?);
    if name.is_empty() || name.len() > MAX_NAME || name.contains(&['=', '"', '\'', '&', '/'][..]) {
        return Err(malformed());
    }
    Ok((name, attributes))
}

/// Parses the first attribute: its name, its value as it is written, and what follows it.
fn attribute(attributes: &str) -> Result<Option<(&str, &str, &str)>, Error> {
    let rest = attributes.trim_start();
    if rest.is_empty() {
        return Ok(None);
    }
    let (key, after) = rest.split_once('=').ok_or_else(malformed)?;
    let after = after.trim_start();
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\'')).ok_or_else(malformed)?;
    let (value, after) = after[1..].split_once(quote).ok_or_else(malformed)?;
    let key = key.trim_end();
    if key.is_empty() || key.contains(|c: char| c.is_ascii_whitespace() || c == '"' || c == '\'') {
        return Err(malformed());
    }
    Ok(Some((key, value, after)))
}

fn unescape(value: &str) -> Result<String, Error> {
    let mut parts = value.split('&');
    let mut whole = parts.next().unwrap_or("").to_string();
    for part in parts {
        let (name, rest) = part.split_once(';').ok_or_else(entity)?;
        whole.push(resolve(name.as_bytes())?);
        whole.push_str(rest);
    }
    Ok(whole)
}

/// The character that a reference stands for.
fn resolve(name: &[u8]) -> Result<char, Error> {
    match name {
        b"amp" => return Ok('&'),
        b"lt" => return Ok('<'),
        b"gt" => return Ok('>'),
        b"quot" => return Ok('"'),
        b"apos" => return Ok('\''),
        _ => {}
    }
    let name = std::str::from_utf8(name).map_err(|_| entity())?;
    let number = match name.strip_prefix("#x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => name.strip_prefix('#').unwrap_or("").parse(),
    };
    number.ok().and_then(char::from_u32).filter(|c| is_allowed(*c)).ok_or_else(entity)
}

/// Reports whether XML may have a character.
fn is_allowed(c: char) -> bool {
    !matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

fn checked(b: &[u8]) -> Result<&str, Error> {
    match std::str::from_utf8(b) {
        // Most text has no control characters, and is checked fast.
        Ok(s) if !s.bytes().any(|b| b < 0x20 || b == 0xef) || s.chars().all(is_allowed) => Ok(s),
        _ => Err(broken(text!("extract_xml_chars", "its XML has characters that are not allowed, or is not UTF-8"))),
    }
}

/// A part of a document that can't be unpacked.
fn part_broken(e: Error) -> Error {
    match e.code {
        "parse_failed" | "unsupported_file_type" => e,
        _ => broken(e.message),
    }
}

fn entity() -> Error {
    broken(text!("extract_xml_entity", "its XML refers to an unknown entity"))
}

fn malformed() -> Error {
    broken(text!("extract_xml_malformed", "its XML is malformed"))
}

fn ends_early() -> Error {
    broken(text!("extract_xml_ends", "its XML ends too early"))
}
