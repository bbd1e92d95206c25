//! Reads JSONPath (RFC 9535): its grammar to the letter, and its typing of
//! functions. An error says at which character of the query it is.

use guest::{Error, Value};

use crate::ast::{Logical, Operand, Operator, Pattern, Query, Segment, Selector};
use crate::regexp;

/// How deep parentheses and filters may be nested in each other.
const MAX_DEPTH: usize = 32;
/// The largest whole number of an index, either way (I-JSON).
const MAX_INT: i64 = (1 << 53) - 1;

/// Reads a whole query, which begins with "$".
pub fn query(text: &str) -> Result<Query, Error> {
    let mut p = Parser { text, at: 0, depth: 0 };
    if !p.eat("$") {
        return Err(p.wrong("a JSONPath begins with $"));
    }
    let q = Query { current: false, segments: p.segments()? };
    p.end()?;
    Ok(q)
}

/// Reads the condition of a filter on its own, such as "@.price < 10".
pub fn condition(text: &str) -> Result<Logical, Error> {
    let mut p = Parser { text, at: 0, depth: 0 };
    p.blank();
    let l = p.or()?;
    p.blank();
    p.end()?;
    Ok(l)
}

struct Parser<'a> {
    text: &'a str,
    at: usize, // in bytes
    depth: usize,
}

type Parsed<T> = Result<T, Error>;

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, what: &str) -> bool {
        let there = self.rest().starts_with(what);
        if there {
            self.at += what.len();
        }
        there
    }

    fn expect(&mut self, what: &str) -> Parsed<()> {
        if self.eat(what) {
            return Ok(());
        }
        Err(self.wrong(&format!("here should be {}", what)))
    }

    fn blank(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(&[' ', '\t', '\n', '\r'][..]).len();
    }

    fn end(&self) -> Parsed<()> {
        if self.at == self.text.len() {
            return Ok(());
        }
        Err(self.wrong("the query should end here"))
    }

    fn wrong(&self, why: &str) -> Error {
        let character = self.text[..self.at].chars().count() + 1;
        let near: String = self.rest().chars().take(20).collect();
        let near = if near.is_empty() { "the end".into() } else { format!("{:?}", near) };
        Error::invalid(
            "bad_query",
            "mend the query: JSONPath is RFC 9535, such as $.items[?@.price < 10].name; a JSON Pointer begins with /",
            format!("the query can't be read at character {}, before {}: {}", character, near, why),
        )
    }

    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong(&format!("it is nested deeper than {}", MAX_DEPTH)));
        }
        let done = f(self);
        self.depth -= 1;
        done
    }

    fn segments(&mut self) -> Parsed<Vec<Segment>> {
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
            return Err(self.wrong("here should be a name or *; other names go into ['…']"));
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
            _ => Err(self.wrong("here should be a name in quotes, a number, a slice, * or a filter with ?")),
        }
    }

    fn index_or_slice(&mut self) -> Parsed<Selector> {
        let start = self.int()?;
        let after = self.at;
        self.blank();
        if !self.eat(":") {
            self.at = after;
            return start.map(Selector::Index).ok_or_else(|| self.wrong("here should be a number"));
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

    /// Reads a whole number, where there is one.
    fn int(&mut self) -> Parsed<Option<i64>> {
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
            _ => Err(self.wrong("this is no whole number that can be an index")),
        }
    }

    fn string(&mut self) -> Parsed<String> {
        let quote = self.peek().unwrap_or('"');
        self.at += 1;
        let mut s = String::new();
        loop {
            let c = match self.peek() {
                None => return Err(self.wrong("the quoted text does not end")),
                Some(c) if c < ' ' => return Err(self.wrong("a control character must be written with \\")),
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
            _ => return Err(self.wrong("there is no such escape")),
        };
        self.at += 2;
        Ok(plain)
    }

    fn unicode(&mut self) -> Parsed<char> {
        let unit = |p: &mut Self| -> Parsed<u32> {
            let hex = p.rest().get(2..6).filter(|h| p.rest().starts_with("\\u") && h.bytes().all(|b| b.is_ascii_hexdigit()));
            let n = hex.and_then(|h| u32::from_str_radix(h, 16).ok()).ok_or_else(|| p.wrong("here should be \\u and four hex digits"))?;
            p.at += 6;
            Ok(n)
        };
        let before = self.at;
        let mut n = unit(self)?;
        if (0xd800..0xdc00).contains(&n) {
            let low = unit(self)?;
            if !(0xdc00..0xe000).contains(&low) {
                self.at = before;
                return Err(self.wrong("half of a surrogate pair"));
            }
            n = 0x10000 + ((n - 0xd800) << 10) + (low - 0xdc00);
        }
        char::from_u32(n).ok_or_else(|| {
            self.at = before;
            self.wrong("half of a surrogate pair")
        })
    }

    fn or(&mut self) -> Parsed<Logical> {
        self.deeper(|p| Ok(Logical::Or(p.chain("||", Self::and)?)))
    }

    fn and(&mut self) -> Parsed<Logical> {
        Ok(Logical::And(self.chain("&&", Self::basic)?))
    }

    fn chain(&mut self, between: &str, part: impl Fn(&mut Self) -> Parsed<Logical>) -> Parsed<Vec<Logical>> {
        let mut parts = vec![part(self)?];
        loop {
            let before = self.at;
            self.blank();
            if !self.eat(between) {
                self.at = before;
                return Ok(parts);
            }
            self.blank();
            parts.push(part(self)?);
        }
    }

    fn basic(&mut self) -> Parsed<Logical> {
        if self.rest().starts_with('!') {
            self.at += 1;
            self.blank();
            let start = self.at;
            let inner = if self.rest().starts_with('(') { self.parenthesised()? } else { self.term()? };
            if let Logical::Compare(..) = inner {
                self.at = start;
                return Err(self.wrong("a comparison after ! needs parentheses"));
            }
            return Ok(Logical::Not(Box::new(inner)));
        }
        if self.rest().starts_with('(') {
            return self.parenthesised();
        }
        self.term()
    }

    fn parenthesised(&mut self) -> Parsed<Logical> {
        self.expect("(")?;
        self.blank();
        let inner = self.or()?;
        self.blank();
        self.expect(")")?;
        Ok(inner)
    }

    /// Reads a comparison, or a query or function that is a test by itself.
    fn term(&mut self) -> Parsed<Logical> {
        let start = self.at;
        let left = self.expression()?;
        let after = self.at;
        self.blank();
        let operator = self.operator();
        if let Some(operator) = operator {
            self.blank();
            let left = self.operand(left, start)?;
            let start = self.at;
            let right = self.expression()?;
            let right = self.operand(right, start)?;
            return Ok(Logical::Compare(left, operator, right));
        }
        self.at = after;
        match left {
            Expression::Query(q) => Ok(Logical::Exists(q)),
            Expression::Logical(l) => Ok(l),
            Expression::Operand(_) => {
                self.at = start;
                Err(self.wrong("this must be compared with something"))
            }
        }
    }

    fn operator(&mut self) -> Option<Operator> {
        let all = [
            ("==", Operator::Equal),
            ("!=", Operator::NotEqual),
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("<", Operator::Less),
            (">", Operator::Greater),
        ];
        all.iter().find(|(sign, _)| self.eat(sign)).map(|(_, operator)| *operator)
    }

    /// What has a value that can be compared.
    fn operand(&mut self, e: Expression, start: usize) -> Parsed<Operand> {
        let why = match e {
            Expression::Operand(o) => return Ok(o),
            Expression::Query(q) if q.singular() => return Ok(Operand::Query(q)),
            Expression::Query(_) => "a query that may find several nodes has no one value; use value() or count()",
            Expression::Logical(_) => "this is true or false already and can't be compared",
        };
        self.at = start;
        Err(self.wrong(why))
    }

    fn expression(&mut self) -> Parsed<Expression> {
        match self.peek() {
            Some(c @ ('@' | '$')) => {
                self.at += 1;
                let segments = self.deeper(Self::segments)?;
                Ok(Expression::Query(Query { current: c == '@', segments }))
            }
            Some('\'' | '"') => Ok(Expression::Operand(Operand::Literal(self.string()?.into()))),
            Some('-' | '0'..='9') => Ok(Expression::Operand(Operand::Literal(self.number()?))),
            Some('a'..='z') => self.word(),
            _ => Err(self.wrong("here should be a value, a query with @ or $, or a function")),
        }
    }

    fn number(&mut self) -> Parsed<Value> {
        let rest = self.rest();
        let len = rest.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        // JSON's grammar of numbers is JSONPath's.
        let n = serde_json::from_str::<Value>(&rest[..len]).map_err(|_| self.wrong("this is no number"))?;
        self.at += len;
        Ok(n)
    }

    fn word(&mut self) -> Parsed<Expression> {
        let start = self.at;
        let rest = self.rest();
        let len = rest.find(|c: char| !matches!(c, 'a'..='z' | '_' | '0'..='9')).unwrap_or(rest.len());
        let name = &rest[..len];
        self.at += len;
        if self.eat("(") {
            return self.deeper(|p| p.function(name, start));
        }
        let literal = match name {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            _ => {
                self.at = start;
                return Err(self.wrong("here should be a value, a query with @ or $, or a function"));
            }
        };
        Ok(Expression::Operand(Operand::Literal(literal)))
    }

    fn function(&mut self, name: &str, start: usize) -> Parsed<Expression> {
        self.blank();
        let function = match name {
            "length" => {
                let o = self.value_argument()?;
                Expression::Operand(Operand::Length(Box::new(o)))
            }
            "count" => Expression::Operand(Operand::Count(self.nodes_argument()?)),
            "value" => Expression::Operand(Operand::Value(self.nodes_argument()?)),
            "match" | "search" => {
                let text = self.value_argument()?;
                self.blank();
                self.expect(",")?;
                self.blank();
                let whole = name == "match";
                let pattern = match self.value_argument()? {
                    Operand::Literal(Value::String(s)) => Pattern::Fixed(regexp::compile(&s, whole)),
                    o => Pattern::Of(o),
                };
                Expression::Logical(Logical::Match { whole, text, pattern })
            }
            _ => {
                self.at = start;
                return Err(self.wrong("there is no such function; there are length, count, match, search and value"));
            }
        };
        self.blank();
        self.expect(")")?;
        Ok(function)
    }

    fn value_argument(&mut self) -> Parsed<Operand> {
        let start = self.at;
        let e = self.expression()?;
        self.operand(e, start)
    }

    fn nodes_argument(&mut self) -> Parsed<Query> {
        let start = self.at;
        match self.expression()? {
            Expression::Query(q) => Ok(q),
            _ => {
                self.at = start;
                Err(self.wrong("here should be a query"))
            }
        }
    }
}

/// What was read before it is known what it is for.
enum Expression {
    Query(Query),
    Operand(Operand),
    Logical(Logical),
}
