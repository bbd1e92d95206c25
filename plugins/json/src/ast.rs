//! What a JSONPath query is made of (RFC 9535).

use guest::Value;
use regex::Regex;

/// A query, from the root or, within a filter, from the current node.
pub struct Query {
    pub current: bool,
    pub segments: Vec<Segment>,
}

pub struct Segment {
    /// Of the node and all below it, not of the node alone.
    pub descend: bool,
    pub selectors: Vec<Selector>,
}

pub enum Selector {
    Name(String),
    Wildcard,
    Index(i64),
    Slice(Option<i64>, Option<i64>, i64),
    Filter(Logical),
}

/// What is true or false of a node.
pub enum Logical {
    Or(Vec<Logical>),
    And(Vec<Logical>),
    Not(Box<Logical>),
    Compare(Operand, Operator, Operand),
    /// The query finds something.
    Exists(Query),
    /// A text matches a regular expression, whole or in a part.
    Match {
        whole: bool,
        text: Operand,
        pattern: Pattern,
    },
}

/// A value, or nothing.
pub enum Operand {
    Literal(Value),
    /// One that finds one node at most.
    Query(Query),
    Length(Box<Operand>),
    Count(Query),
    Value(Query),
}

/// An I-Regexp (RFC 9485); none where a literal is no valid one, which matches
/// nothing.
pub enum Pattern {
    Fixed(Option<Regex>),
    Of(Operand),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Query {
    /// Whether it can find no more than one node, however the value looks.
    pub fn singular(&self) -> bool {
        self.segments
            .iter()
            .all(|s| !s.descend && s.selectors.len() == 1 && matches!(s.selectors[0], Selector::Name(_) | Selector::Index(_)))
    }
}
