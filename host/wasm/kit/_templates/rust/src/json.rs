//! A small JSON reader that needs no crates. If you use crates, prefer
//! serde_json.

pub enum Value {
    Text(String),
    Object(Vec<(String, Value)>),
    List(Vec<Value>),
    Other(String), // a number, true, false or null, as written
}

impl Value {
    /// Reads one JSON value; None if it is invalid.
    pub fn parse(json: &str) -> Option<Value> {
        let mut r = Reader { rest: json };
        let v = r.value(64)?;
        r.space();
        if r.rest.is_empty() { Some(v) } else { None }
    }

    /// The text at a path of keys, or "".
    pub fn text(&self, path: &[&str]) -> &str {
        match (self, path) {
            (Value::Text(s), []) => s,
            (Value::Object(fields), [key, rest @ ..]) => fields
                .iter()
                .find(|(k, _)| k == key)
                .map_or("", |(_, v)| v.text(rest)),
            _ => "",
        }
    }
}

/// Returns a text as a JSON string.
pub fn quote(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
    }

    fn take(&mut self, c: char) -> Option<()> {
        self.space();
        self.rest = self.rest.strip_prefix(c)?;
        Some(())
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        if depth == 0 {
            return None;
        }
        self.space();
        match self.rest.chars().next()? {
            '"' => self.text().map(Value::Text),
            '{' => {
                let mut fields = Vec::new();
                self.series('{', '}', |r| {
                    let key = r.text()?;
                    r.take(':')?;
                    fields.push((key, r.value(depth - 1)?));
                    Some(())
                })?;
                Some(Value::Object(fields))
            }
            '[' => {
                let mut items = Vec::new();
                self.series('[', ']', |r| {
                    items.push(r.value(depth - 1)?);
                    Some(())
                })?;
                Some(Value::List(items))
            }
            _ => {
                let end = self
                    .rest
                    .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '+' | '.'))
                    .unwrap_or(self.rest.len());
                if end == 0 {
                    return None;
                }
                let (word, rest) = self.rest.split_at(end);
                self.rest = rest;
                Some(Value::Other(word.to_string()))
            }
        }
    }

    fn series(&mut self, open: char, close: char, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(open)?;
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.take(close).is_some() {
                return Some(());
            }
            self.take(',')?;
        }
    }

    fn text(&mut self) -> Option<String> {
        self.take('"')?;
        let mut units: Vec<u16> = Vec::new(); // escapes may be halves of a character
        loop {
            let c = self.next()?;
            match c {
                '"' => return String::from_utf16(&units).ok(),
                '\\' => match self.next()? {
                    'n' => units.push(10),
                    't' => units.push(9),
                    'r' => units.push(13),
                    'b' => units.push(8),
                    'f' => units.push(12),
                    'u' => {
                        let hex = self.rest.get(..4)?;
                        units.push(u16::from_str_radix(hex, 16).ok()?);
                        self.rest = &self.rest[4..];
                    }
                    other => units.push(other as u16), // the quote, the slashes
                },
                c => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }
}
