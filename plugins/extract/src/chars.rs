//! Which characters the bytes of a text are. None is ever replaced: a text that can't be
//! read in full is refused.

use std::borrow::Cow;

use guest::{text, Error};

use crate::fault::{broken_at_byte, Place};

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Utf8,
    Utf16,
    Latin1,
}

/// A text, and how to find its places in the file.
pub struct Decoded<'a> {
    pub text: Cow<'a, str>,
    encoding: Encoding,
    mark: usize, // bytes of the mark at the beginning
}

impl Decoded<'_> {
    pub fn is_latin1(&self) -> bool {
        self.encoding == Encoding::Latin1
    }

    /// The place in the file of a byte of the text.
    pub fn place(&self, at: usize) -> Place {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Place {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            offset: self.mark
                + match self.encoding {
                    Encoding::Utf8 => at,
                    Encoding::Utf16 => before.encode_utf16().count() * 2,
                    Encoding::Latin1 => before.chars().count(),
                },
        }
    }
}

/// Decodes UTF-8 and UTF-16 by their marks, UTF-8 without one, and else Latin-1, if it has
/// few control characters. No text has a zero byte.
pub fn decode(b: &[u8]) -> Result<Decoded, Error> {
    let decoded = match b {
        [0xef, 0xbb, 0xbf, rest @ ..] => match std::str::from_utf8(rest) {
            Ok(t) => Decoded { text: t.into(), encoding: Encoding::Utf8, mark: 3 },
            Err(e) => return Err(not_utf8(e.valid_up_to() + 3)),
        },
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        _ => match std::str::from_utf8(b) {
            Ok(t) => Decoded { text: t.into(), encoding: Encoding::Utf8, mark: 0 },
            Err(_) => latin1(b)?,
        },
    };
    match decoded.text.find('\0') {
        Some(at) => Err(binary(decoded.place(at).offset)),
        None => Ok(decoded),
    }
}

fn not_utf8(at: usize) -> Error {
    broken_at_byte(text!("extract_not_utf8", "it is marked as UTF-8 but contains other bytes"), at)
}

fn binary(at: usize) -> Error {
    broken_at_byte(text!("extract_binary", "it contains control characters and is not text"), at)
}

fn utf16(b: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Decoded<'static>, Error> {
    let units = b.chunks_exact(2);
    let odd = !units.remainder().is_empty();
    let mut text = String::with_capacity(b.len());
    let mut at = 2;
    for c in char::decode_utf16(units.map(|c| unit([c[0], c[1]]))) {
        match c {
            Ok(c) => {
                at += 2 * c.len_utf16();
                text.push(c);
            }
            Err(_) => return Err(not_utf16(at)),
        }
    }
    if odd {
        return Err(not_utf16(at));
    }
    Ok(Decoded { text: text.into(), encoding: Encoding::Utf16, mark: 2 })
}

fn not_utf16(at: usize) -> Error {
    broken_at_byte(text!("extract_not_utf16", "it is marked as UTF-16 but contains other bytes"), at)
}

/// Every byte is a character of Latin-1. More than one control character in a hundred, or a
/// zero, say that it is not a text.
fn latin1(b: &[u8]) -> Result<Decoded<'static>, Error> {
    let is_control = |c: &u8| *c < 0x20 && !matches!(*c, b'\t' | b'\n' | b'\r' | 0x0c);
    if b.contains(&0) || b.iter().filter(|c| is_control(c)).count() * 100 > b.len() {
        return Err(binary(b.iter().position(|c| is_control(&c)).unwrap_or(0)));
    }
    let mut text = String::with_capacity(b.len() + b.iter().filter(|c| **c >= 0x80).count());
    text.extend(b.iter().map(|c| char::from(*c)));
    Ok(Decoded { text: text.into(), encoding: Encoding::Latin1, mark: 0 })
}
