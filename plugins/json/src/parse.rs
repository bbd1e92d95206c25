//! Reads JSONPath (RFC 9535): its grammar to the letter, and its typing of
//! functions. An error says at which character of the query it is.

use guest::{text, Error};

use crate::ast::{Logical, Query, Segment, Selector};
use crate::scan::{Parsed, Parser};

/// Reads a whole query, which begins with "$".
pub fn query(text: &str) -> Result<Query, Error> {
    let mut p = Parser::new(text);
    if !p.eat("$") {
        return Err(p.wrong(text!("json_begins_with_dollar", "a JSONPath begins with $")));
    }
    let q = Query { current: false, segments: p.segments()? };
    p.end()?;
    Ok(q)
}

/// Reads the condition of a filter on its own, such as "@.price < 10".
pub fn condition(text: &str) -> Result<Logical, Error> {
    let mut p = Parser::new(text);
    p.blank();
    let l = p.or()?;
    p.blank();
    p.end()?;
    Ok(l)
}

impl Parser<'_> {
    pub fn segments(&mut self) -> Parsed<Vec<Segment>> {
        let mut segments = Vec::new();
        loop {
            let before = self.at;
            self.blank();
            let descend = self.eat("..");
            let selectors = if self.rest().starts_with('[') {
                self.bracketed()?
            } else if descend || self.eat(".") {
                vec![self.shorthand()?]
            } else {
                self.at = before;
                return Ok(segments);
            };
            segments.push(Segment { descend, selectors });
        }
    }

    fn shorthand(&mut self) -> Parsed<Selector> {
        if self.eat("*") {
            return Ok(Selector::Wildcard);
        }
        let first = |c: char| c.is_ascii_alphabetic() || c == '_' || c >= '\u{80}';
        let name = self.rest();
        let len = name.find(|c: char| !(first(c) || c.is_ascii_digit())).unwrap_or(name.len());
        if !name.starts_with(first) {
            return Err(self.wrong(text!("json_want_name", "expected a name or *; other names go into ['…']")));
        }
        self.at += len;
        Ok(Selector::Name(name[..len].into()))
    }

    fn bracketed(&mut self) -> Parsed<Vec<Selector>> {
        self.expect("[")?;
        let mut selectors = Vec::new();
        loop {
            self.blank();
            selectors.push(self.selector()?);
            self.blank();
            if !self.eat(",") {
                break;
            }
        }
        self.expect("]")?;
        Ok(selectors)
    }

    fn selector(&mut self) -> Parsed<Selector> {
        match self.peek() {
            Some('\'' | '"') => Ok(Selector::Name(self.string()?)),
            Some('*') => {
                self.at += 1;
                Ok(Selector::Wildcard)
            }
            Some('?') => {
                self.at += 1;
                self.blank();
                Ok(Selector::Filter(self.or()?))
            }
            Some(':' | '-' | '0'..='9') => self.index_or_slice(),
            _ => Err(self.wrong(text!("json_want_selector", "expected a name in quotes, a number, a slice, * or a filter with ?"))),
        }
    }

    fn index_or_slice(&mut self) -> Parsed<Selector> {
        let start = self.int()?;
        let after = self.at;
        self.blank();
        if !self.eat(":") {
            self.at = after;
            return start.map(Selector::Index).ok_or_else(|| self.wrong(text!("json_want_number", "expected a number")));
        }
        self.blank();
        let end = self.int()?;
        let after = self.at;
        self.blank();
        let mut step = None;
        if self.eat(":") {
            let after = self.at;
            self.blank();
            step = self.int()?;
            if step.is_none() {
                self.at = after;
            }
        } else {
            self.at = after;
        }
        Ok(Selector::Slice(start, end, step.unwrap_or(1)))
    }
}
