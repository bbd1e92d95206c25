//! Carries out a query on a value.

use std::cmp::Ordering;
use std::rc::Rc;

use guest::{text, Error, Value};

use crate::ast::{Logical, Operand, Operator, Pattern, Query, Segment, Selector};
use crate::regexp;
use crate::value::{order, same};

/// The most nodes that a query may hold at any time: "$..*..*" can find a node
/// many times over.
pub const MAX_NODES: usize = 100_000;

/// A value within another one, and where it is.
#[derive(Clone)]
pub struct Node<'a> {
    pub value: &'a Value,
    at: Option<Rc<Place<'a>>>,
}

struct Place<'a> {
    above: Option<Rc<Place<'a>>>,
    step: Step<'a>,
}

enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

impl<'a> Node<'a> {
    fn child(&self, value: &'a Value, step: Step<'a>) -> Node<'a> {
        Node { value, at: Some(Rc::new(Place { above: self.at.clone(), step })) }
    }

    /// The normalized path of RFC 9535: $['a'][0].
    pub fn path(&self) -> String {
        let mut steps = Vec::new();
        let mut at = self.at.as_ref();
        while let Some(place) = at {
            steps.push(match place.step {
                Step::Index(i) => format!("[{}]", i),
                Step::Name(name) => format!("['{}']", escaped(name)),
            });
            at = place.above.as_ref();
        }
        steps.push("$".into());
        steps.reverse();
        steps.concat()
    }

    fn children(&self) -> Vec<Node<'a>> {
        match self.value {
            Value::Array(items) => items.iter().enumerate().map(|(i, v)| self.child(v, Step::Index(i))).collect(),
            Value::Object(members) => members.iter().map(|(k, v)| self.child(v, Step::Name(k))).collect(),
            _ => Vec::new(),
        }
    }
}

fn escaped(name: &str) -> String {
    let mut s = String::new();
    for c in name.chars() {
        match c {
            '\'' => s.push_str("\\'"),
            '\\' => s.push_str("\\\\"),
            '\u{8}' => s.push_str("\\b"),
            '\u{c}' => s.push_str("\\f"),
            '\n' => s.push_str("\\n"),
            '\r' => s.push_str("\\r"),
            '\t' => s.push_str("\\t"),
            c if c < ' ' => s.push_str(&format!("\\u{:04x}", c as u32)),
            c => s.push(c),
        }
    }
    s
}

/// All nodes that a query finds, in its order. Where it names the current node,
/// that is the root.
pub fn find<'a>(q: &Query, root: &'a Value) -> Result<Vec<Node<'a>>, Error> {
    let root = Node { value: root, at: None };
    Scope { root: root.clone(), current: root }.find(q)
}

/// Whether a condition holds of a value; its root is the value, too.
pub fn holds(l: &Logical, value: &Value) -> Result<bool, Error> {
    let root = Node { value, at: None };
    Scope { root: root.clone(), current: root }.holds(l)
}

struct Scope<'a> {
    root: Node<'a>,
    current: Node<'a>,
}

impl<'a> Scope<'a> {
    fn find(&self, q: &Query) -> Result<Vec<Node<'a>>, Error> {
        let mut nodes = vec![if q.current { self.current.clone() } else { self.root.clone() }];
        for segment in &q.segments {
            let mut found = Vec::new();
            for node in nodes {
                self.segment(segment, node, &mut found)?;
            }
            nodes = found;
        }
        Ok(nodes)
    }

    fn segment(&self, s: &Segment, node: Node<'a>, found: &mut Vec<Node<'a>>) -> Result<(), Error> {
        for selector in &s.selectors {
            self.select(selector, &node, found)?;
            if found.len() > MAX_NODES {
                return Err(too_many());
            }
        }
        if s.descend {
            for child in node.children() {
                self.segment(s, child, found)?;
            }
        }
        Ok(())
    }

    fn select(&self, s: &Selector, node: &Node<'a>, found: &mut Vec<Node<'a>>) -> Result<(), Error> {
        match (s, node.value) {
            (Selector::Wildcard, _) => found.extend(node.children()),
            (Selector::Name(name), Value::Object(members)) => {
                if let Some((k, v)) = members.get_key_value(name) {
                    found.push(node.child(v, Step::Name(k)));
                }
            }
            (Selector::Index(i), Value::Array(items)) => {
                let i = if *i < 0 { i + items.len() as i64 } else { *i };
                if let Some(v) = usize::try_from(i).ok().and_then(|i| items.get(i)) {
                    found.push(node.child(v, Step::Index(i as usize)));
                }
            }
            (Selector::Slice(start, end, step), Value::Array(items)) => {
                for i in slice(items.len() as i64, *start, *end, *step) {
                    found.push(node.child(&items[i as usize], Step::Index(i as usize)));
                }
            }
            (Selector::Filter(l), Value::Array(_) | Value::Object(_)) => {
                for child in node.children() {
                    let scope = Scope { root: self.root.clone(), current: child };
                    if scope.holds(l)? {
                        found.push(scope.current);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn holds(&self, l: &Logical) -> Result<bool, Error> {
        Ok(match l {
            Logical::Or(parts) => {
                for part in parts {
                    if self.holds(part)? {
                        return Ok(true);
                    }
                }
                false
            }
            Logical::And(parts) => {
                for part in parts {
                    if !self.holds(part)? {
                        return Ok(false);
                    }
                }
                true
            }
            Logical::Not(l) => !self.holds(l)?,
            Logical::Exists(q) => !self.find(q)?.is_empty(),
            Logical::Compare(a, operator, b) => compared(self.value(a)?.as_ref(), *operator, self.value(b)?.as_ref()),
            Logical::Match { whole, text, pattern } => match self.value(text)?.as_ref() {
                Some(Value::String(s)) => match pattern {
                    Pattern::Fixed(r) => r.as_ref().map_or(false, |r| r.is_match(s)),
                    Pattern::Of(o) => match self.value(o)?.as_ref() {
                        Some(Value::String(p)) => regexp::compile(p, *whole).map_or(false, |r| r.is_match(s)),
                        _ => false,
                    },
                },
                _ => false,
            },
        })
    }

    /// The value of an operand; none is the standard's Nothing.
    fn value(&self, o: &Operand) -> Result<Option<Value>, Error> {
        Ok(match o {
            Operand::Literal(v) => Some(v.clone()),
            Operand::Query(q) => self.find(q)?.first().map(|n| n.value.clone()),
            Operand::Count(q) => Some(self.find(q)?.len().into()),
            Operand::Value(q) => match self.find(q)?.as_slice() {
                [one] => Some(one.value.clone()),
                _ => None,
            },
            Operand::Length(o) => match self.value(o)? {
                Some(Value::String(s)) => Some(s.chars().count().into()),
                Some(Value::Array(a)) => Some(a.len().into()),
                Some(Value::Object(m)) => Some(m.len().into()),
                _ => None,
            },
        })
    }
}

fn too_many() -> Error {
    Error::invalid(
        "too_many_nodes",
        text!("json_too_many_hint", "make the query narrower: each .. or * multiplies what is found"),
        text!("json_too_many", "the query finds more than {limit} nodes", limit = MAX_NODES),
    )
}

fn slice(len: i64, start: Option<i64>, end: Option<i64>, step: i64) -> Vec<i64> {
    if step == 0 {
        return Vec::new();
    }
    let normal = |i: i64| if i >= 0 { i } else { len + i };
    let mut at = Vec::new();
    if step > 0 {
        let (mut i, end) = (normal(start.unwrap_or(0)).clamp(0, len), normal(end.unwrap_or(len)).clamp(0, len));
        while i < end {
            at.push(i);
            i += step;
        }
        return at;
    }
    let mut i = start.map_or(len - 1, normal).clamp(-1, len - 1);
    let end = end.map_or(-1, |e| normal(e).clamp(-1, len - 1));
    while i > end {
        at.push(i);
        i += step;
    }
    at
}

fn compared(a: Option<&Value>, operator: Operator, b: Option<&Value>) -> bool {
    let equal = match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => same(a, b),
        _ => false,
    };
    let order = match (a, b) {
        (Some(Value::Number(_)), Some(Value::Number(_))) | (Some(Value::String(_)), Some(Value::String(_))) => {
            a.zip(b).map(|(a, b)| order(a, b))
        }
        _ => None,
    };
    match operator {
        Operator::Equal => equal,
        Operator::NotEqual => !equal,
        Operator::Less => order == Some(Ordering::Less),
        Operator::LessOrEqual => equal || order == Some(Ordering::Less),
        Operator::Greater => order == Some(Ordering::Greater),
        Operator::GreaterOrEqual => equal || order == Some(Ordering::Greater),
    }
}
