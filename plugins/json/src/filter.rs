//! Reads the conditions of filters, and what their functions take.

use guest::{text, Value};

use crate::ast::{Logical, Operand, Operator, Pattern, Query};
use crate::regexp;
use crate::scan::{Parsed, Parser};

impl<'a> Parser<'a> {
    pub fn or(&mut self) -> Parsed<Logical> {
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
                return Err(self.wrong(text!("json_not_needs_parentheses", "a comparison after ! needs parentheses")));
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
                Err(self.wrong(text!("json_compare_it", "this must be compared with something")))
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
            Expression::Query(_) => {
                text!("json_several_nodes", "a query that may find several nodes has no single value; use value() or count()")
            }
            Expression::Logical(_) => text!("json_already_true_or_false", "this is true or false, so it can't be compared"),
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
            _ => Err(self.wrong(text!("json_want_value", "expected a value, a query with @ or $, or a function"))),
        }
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
                return Err(self.wrong(text!("json_want_value", "expected a value, a query with @ or $, or a function")));
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
                return Err(self.wrong(text!("json_no_function", "unknown function; use length, count, match, search or value")));
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
                Err(self.wrong(text!("json_want_query", "expected a query")))
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
