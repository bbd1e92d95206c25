//! How values compare.

use std::cmp::Ordering;

use guest::Value;

/// Whether two values are the same: numbers by what they amount to, objects
/// whatever the order of their members.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).map_or(false, |w| same(v, w))),
        (Value::Number(_), Value::Number(_)) => order(a, b) == Ordering::Equal,
        _ => a == b,
    }
}

/// An order of all values: null, false, true, numbers, texts by their characters,
/// arrays by their items, objects, which are all alike.
pub fn order(a: &Value, b: &Value) -> Ordering {
    let rank = |v: &Value| match v {
        Value::Null => 0,
        Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::Number(_) => 3,
        Value::String(_) => 4,
        Value::Array(_) => 5,
        Value::Object(_) => 6,
    };
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            let whole = |n: &serde_json::Number| n.as_i64().map(i128::from).or_else(|| n.as_u64().map(i128::from));
            match (whole(x), whole(y)) {
                (Some(x), Some(y)) => x.cmp(&y),
                _ => x.as_f64().partial_cmp(&y.as_f64()).unwrap_or(Ordering::Equal),
            }
        }
        (Value::String(x), Value::String(y)) => x.cmp(y),
        (Value::Array(x), Value::Array(y)) => {
            let first = x.iter().zip(y).map(|(x, y)| order(x, y)).find(|o| *o != Ordering::Equal);
            first.unwrap_or_else(|| x.len().cmp(&y.len()))
        }
        _ => rank(a).cmp(&rank(b)),
    }
}
