//! JSON, indented. Numbers and the order of members stay as they are, and escaped
//! characters become those characters where a person can read them.

use guest::{text, Error, Text};

use crate::chars::Decoded;
use crate::fault::broken_at;
use crate::out::Out;

/// How deep arrays and objects may be nested.
const MAX_DEPTH: usize = 128;

struct Reader<'a> {
    source: &'a str,
    at: usize, // in bytes
    out: &'a mut Out,
}

/// What is wrong, and at which byte of the text.
type Fault = (Text, usize);

pub fn format(decoded: &Decoded, out: &mut Out) -> Result<(), Error> {
    let mut r = Reader { source: &decoded.text, at: 0, out };
    r.document().map_err(|(why, at)| broken_at(why, decoded.place(at)))
}

impl<'a> Reader<'a> {
    fn document(&mut self) -> Result<(), Fault> {
        // The brackets that are open: true for an object.
        let mut open: Vec<bool> = Vec::new();
        loop {
            self.blank();
            if open.last() == Some(&true) {
                self.string()?;
                self.blank();
                self.expect(b':')?;
                self.out.push_str(": ");
                self.blank();
            }
            match self.peek() {
                Some(b'{' | b'[') if open.len() == MAX_DEPTH => {
                    return Err((text!("extract_json_deep", "it is nested more than {limit} levels deep", limit = MAX_DEPTH), self.at));
                }
                Some(c @ (b'{' | b'[')) if !self.is_empty_pair() => {
                    self.at += 1;
                    self.out.push(char::from(c));
                    open.push(c == b'{');
                    self.new_line(open.len());
                    continue;
                }
                _ => self.scalar()?,
            }
            loop {
                self.blank();
                let is_object = match open.last() {
                    None if self.at == self.source.len() => return Ok(()),
                    None => return Err((text!("extract_json_more", "something follows the JSON value"), self.at)),
                    Some(is_object) => *is_object,
                };
                if self.peek() == Some(b',') {
                    self.at += 1;
                    self.out.push(',');
                    self.new_line(open.len());
                    break;
                }
                self.expect(if is_object { b'}' } else { b']' })?;
                open.pop();
                self.new_line(open.len());
                self.out.push(if is_object { '}' } else { ']' });
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn new_line(&mut self, depth: usize) {
        if self.out.truncated {
            return;
        }
        self.out.push('\n');
        for _ in 0..depth {
            self.out.push_str("  ");
        }
    }

    fn wrong(&self) -> Fault {
        match self.rest().chars().next() {
            None => (text!("extract_json_ends", "the JSON ends too early"), self.at),
            Some(c) => (text!("extract_json_sign", "{sign:?} is not allowed here", sign = c.to_string()), self.at),
        }
    }

    fn expect(&mut self, c: u8) -> Result<(), Fault> {
        if self.peek() != Some(c) {
            return Err(self.wrong());
        }
        self.at += 1;
        Ok(())
    }

    /// Reports whether an array or object begins here that has nothing in it.
    fn is_empty_pair(&self) -> bool {
        let rest = self.rest();
        let inner = rest[1..].trim_start_matches(&[' ', '\t', '\n', '\r'][..]);
        inner.starts_with(if rest.starts_with('{') { '}' } else { ']' })
    }

    /// Reads a text, a number, a literal or an empty pair of brackets.
    fn scalar(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(c @ (b'{' | b'[')) => {
                self.at += 1;
                self.blank();
                self.at += 1;
                self.out.push_str(if c == b'{' { "{}" } else { "[]" });
                Ok(())
            }
            _ => {
                let literal = ["true", "false", "null"].into_iter().find(|l| self.rest().starts_with(l));
                match literal {
                    Some(l) => {
                        self.out.push_str(l);
                        self.at += l.len();
                        Ok(())
                    }
                    None => {
                        // A literal that is cut off says so, not that its first letter is wrong.
                        let rest = self.rest();
                        if !rest.is_empty() && ["true", "false", "null"].iter().any(|l| l.starts_with(rest)) {
                            self.at = self.source.len();
                        }
                        Err(self.wrong())
                    }
                }
            }
        }
    }

    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.out.push_str(&self.source[start..self.at]);
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.wrong());
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), Fault> {
        self.expect(b'"')?;
        self.out.push('"');
        loop {
            let rest = self.rest();
            let end = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            self.out.push_str(&rest[..end]);
            self.at += end;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    self.out.push('"');
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                _ => return Err(self.wrong()),
            }
        }
    }

    /// Reads one escaped character, or two that are half of one each.
    fn escape(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(b'/') => {
                self.at += 1;
                self.out.push('/');
            }
            Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 1;
                self.out.push_str(&self.source[start..self.at]);
            }
            Some(b'u') => {
                let unit = self.unit()?;
                let mut code = Some(u32::from(unit));
                if (0xd800..0xdc00).contains(&unit) && self.rest().starts_with("\\u") {
                    let first = self.at;
                    self.at += 1;
                    let low = self.unit()?;
                    if (0xdc00..0xe000).contains(&low) {
                        code = Some(0x10000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00));
                    } else {
                        self.at = first;
                        code = None;
                    }
                }
                match code.and_then(char::from_u32) {
                    Some(c) if !c.is_control() && !matches!(c, '"' | '\\' | '\u{fffd}') => self.out.push(c),
                    // What is no character, or can't be seen, stays escaped.
                    _ => self.out.push_str(&self.source[start..self.at]),
                }
            }
            _ => return Err(self.wrong()),
        }
        Ok(())
    }

    /// Reads the four digits after "\u".
    fn unit(&mut self) -> Result<u16, Fault> {
        self.expect(b'u')?;
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|c| char::from(c).to_digit(16)).ok_or_else(|| self.wrong())?;
            unit = unit << 4 | digit as u16;
            self.at += 1;
        }
        Ok(unit)
    }
}
