//! The text of a query, read from left to right: names, numbers and quoted texts.

use guest::{text, Error, Text, Value};

/// How deep parentheses and filters may be nested in each other.
const MAX_DEPTH: usize = 32;
/// The largest whole number of an index, either way (I-JSON).
const MAX_INT: i64 = (1 << 53) - 1;

pub struct Parser<'a> {
    pub text: &'a str,
    pub at: usize, // in bytes
    depth: usize,
}

pub type Parsed<T> = Result<T, Error>;

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Parser<'a> {
        Parser { text, at: 0, depth: 0 }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn eat(&mut self, what: &str) -> bool {
        let there = self.rest().starts_with(what);
        if there {
            self.at += what.len();
        }
        there
    }

    pub fn expect(&mut self, what: &str) -> Parsed<()> {
        if self.eat(what) {
            return Ok(());
        }
        Err(self.wrong(text!("json_want_sign", "expected {sign}", sign = what)))
    }

    pub fn blank(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(&[' ', '\t', '\n', '\r'][..]).len();
    }

    pub fn end(&self) -> Parsed<()> {
        if self.at == self.text.len() {
            return Ok(());
        }
        Err(self.wrong(text!("json_want_end", "the query should end here")))
    }

    pub fn wrong(&self, why: Text) -> Error {
        let character = self.text[..self.at].chars().count() + 1;
        let near: String = self.rest().chars().take(20).collect();
        Error::invalid(
            "bad_query",
            text!(
                "json_query_hint",
                "correct the query: JSONPath is RFC 9535, such as $.items[?@.price < 10].name; a JSON Pointer begins with /"
            ),
            if near.is_empty() {
                text!("json_query_end", "the query can't be read at character {at}, before the end: {why}", at = character, why = why)
            } else {
                text!(
                    "json_query",
                    "the query can't be read at character {at}, before {near:?}: {why}",
                    at = character,
                    near = near,
                    why = why
                )
            },
        )
    }

    pub fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong(text!("json_nested_deeper", "it is nested deeper than {limit}", limit = MAX_DEPTH)));
        }
        let done = f(self);
        self.depth -= 1;
        done
    }

    /// Reads a whole number, where there is one.
    pub fn int(&mut self) -> Parsed<Option<i64>> {
        let rest = self.rest();
        let sign = rest.starts_with('-') as usize;
        let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        let text = &rest[..sign + digits];
        if text.is_empty() {
            return Ok(None);
        }
        let plain = text == "0" || digits > 0 && !rest[sign..].starts_with('0');
        match text.parse::<i64>() {
            Ok(n) if plain && (-MAX_INT..=MAX_INT).contains(&n) => {
                self.at += text.len();
                Ok(Some(n))
            }
            _ => Err(self.wrong(text!("json_bad_index", "this whole number is not a valid index"))),
        }
    }

    pub fn string(&mut self) -> Parsed<String> {
        let quote = self.peek().unwrap_or('"');
        self.at += 1;
        let mut s = String::new();
        loop {
            let c = match self.peek() {
                None => return Err(self.wrong(text!("json_open_quote", "the quoted text does not end"))),
                Some(c) if c < ' ' => {
                    return Err(self.wrong(text!("json_control_character", "a control character must be written with \\")))
                }
                Some(c) => c,
            };
            if c == '\\' {
                s.push(self.escape(quote)?);
                continue;
            }
            self.at += c.len_utf8();
            if c == quote {
                return Ok(s);
            }
            s.push(c);
        }
    }

    fn escape(&mut self, quote: char) -> Parsed<char> {
        let c = self.rest()[1..].chars().next();
        let plain = match c {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('/') => '/',
            Some('\\') => '\\',
            Some(c) if c == quote => c,
            Some('u') => return self.unicode(),
            _ => return Err(self.wrong(text!("json_no_escape", "this escape is unknown"))),
        };
        self.at += 2;
        Ok(plain)
    }

    fn unicode(&mut self) -> Parsed<char> {
        let unit = |p: &mut Self| -> Parsed<u32> {
            let hex = p.rest().get(2..6).filter(|h| p.rest().starts_with("\\u") && h.bytes().all(|b| b.is_ascii_hexdigit()));
            let n = hex
                .and_then(|h| u32::from_str_radix(h, 16).ok())
                .ok_or_else(|| p.wrong(text!("json_want_hex", "expected \\u and four hex digits")))?;
            p.at += 6;
            Ok(n)
        };
        let before = self.at;
        let mut n = unit(self)?;
        if (0xd800..0xdc00).contains(&n) {
            let low = unit(self)?;
            if !(0xdc00..0xe000).contains(&low) {
                self.at = before;
                return Err(self.wrong(text!("json_half_surrogate", "half of a surrogate pair")));
            }
            n = 0x10000 + ((n - 0xd800) << 10) + (low - 0xdc00);
        }
        char::from_u32(n).ok_or_else(|| {
            self.at = before;
            self.wrong(text!("json_half_surrogate", "half of a surrogate pair"))
        })
    }

    pub fn number(&mut self) -> Parsed<Value> {
        let rest = self.rest();
        let len = rest.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        // JSON's grammar of numbers is JSONPath's.
        let n =
            serde_json::from_str::<Value>(&rest[..len]).map_err(|_| self.wrong(text!("json_bad_number", "this number is not valid")))?;
        self.at += len;
        Ok(n)
    }
}
