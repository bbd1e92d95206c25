//! Rows of JSON made over: chosen, filtered, given other members, sorted, cut.

use std::cmp::Ordering;

use guest::{bad, json, text, Answer, Args, Error, Map, Value};

use crate::ast::Query;
use crate::value::order;
use crate::{eval, parse, pointer};

/// In this order: rows, where, sort, pick, rename, drop, unique, offset, limit. So a
/// condition and an order can look at what the answer leaves out.
pub fn rows(mut args: Args) -> Result<Answer, Error> {
    let input = crate::input(&mut args)?;
    let from = args.text("rows")?;
    let condition = args.text("where")?.map(|c| parse::condition(&c)).transpose()?;
    let sort = sort_keys(args.take("sort"))?;
    let pick = picks(args.take("pick"))?;
    let rename = args.take("rename");
    let drop = args.take("drop");
    let unique = args.flag("unique")?;
    let offset = args.number("offset", 0)? as usize;
    let limit = args.number("limit", 1000)? as usize;
    args.end()?;

    let mut rows = chosen(&input, from)?;
    let of = rows.len();
    if let Some(c) = condition {
        let mut kept = Vec::new();
        for row in rows {
            if eval::holds(&c, row)? {
                kept.push(row);
            }
        }
        rows = kept;
    }
    rows = sorted(rows, &sort)?;
    let mut shaped = Vec::new();
    for row in rows {
        let mut row = match &pick {
            Some(pick) => picked(row, pick)?,
            None => row.clone(),
        };
        renamed(&mut row, rename.as_ref());
        dropped(&mut row, drop.as_ref());
        shaped.push(row);
    }
    if unique {
        shaped = first_of_each(shaped);
    }
    let count = shaped.len();
    let shown: Vec<Value> = shaped.into_iter().skip(offset).take(limit).collect();
    let left_out = count - shown.len();
    Ok(Answer::of(json!({"rows": shown, "count": count, "of": of, "left_out": left_out})))
}

/// The rows that are asked for; where nothing is said the items of an array, or the
/// one value.
fn chosen(input: &Value, from: Option<String>) -> Result<Vec<&Value>, Error> {
    match (from, input) {
        (None, Value::Array(items)) => Ok(items.iter().collect()),
        (None, one) => Ok(vec![one]),
        (Some(q), _) if q.starts_with('$') => Ok(eval::find(&parse::query(&q)?, input)?.iter().map(|n| n.value).collect()),
        (Some(p), _) => match pointer::find(&p, input)? {
            Value::Array(items) => Ok(items.iter().collect()),
            one => Ok(vec![one]),
        },
    }
}

/// Where a value is within a row.
enum Within {
    Path(Query),
    Pointer(Vec<String>),
}

impl Within {
    fn new(text: &str) -> Result<Within, Error> {
        Ok(if text.starts_with('$') { Within::Path(parse::query(text)?) } else { Within::Pointer(pointer::parts(text)?) })
    }

    /// The value; several that a path finds are an array.
    fn of(&self, row: &Value) -> Result<Option<Value>, Error> {
        match self {
            Within::Pointer(parts) => Ok(pointer::look(parts, row).cloned()),
            Within::Path(q) => {
                let found = eval::find(q, row)?;
                Ok(if q.singular() {
                    found.first().map(|n| n.value.clone())
                } else {
                    Some(found.iter().map(|n| n.value.clone()).collect())
                })
            }
        }
    }
}

fn picks(v: Option<Value>) -> Result<Option<Vec<(String, Within)>>, Error> {
    let members = match v {
        None => return Ok(None),
        Some(Value::Object(m)) => m,
        Some(_) => return Err(bad(text!("json_pick", "pick must be an object of names and places"))),
    };
    let mut picks = Vec::new();
    for (name, at) in members {
        let at = at.as_str().ok_or_else(|| bad(text!("json_pick_place", "pick: the place of {name:?} must be a text", name = &name)))?;
        picks.push((name, Within::new(at)?));
    }
    Ok(Some(picks))
}

/// What is not there becomes null, so that all rows have the same members.
fn picked(row: &Value, picks: &[(String, Within)]) -> Result<Value, Error> {
    let mut m = Map::new();
    for (name, at) in picks {
        m.insert(name.clone(), at.of(row)?.unwrap_or(Value::Null));
    }
    Ok(Value::Object(m))
}

fn renamed(row: &mut Value, names: Option<&Value>) {
    if let (Value::Object(members), Some(Value::Object(names))) = (row, names) {
        *members =
            std::mem::take(members).into_iter().map(|(k, v)| (names.get(&k).and_then(Value::as_str).map_or(k, String::from), v)).collect();
    }
}

fn dropped(row: &mut Value, names: Option<&Value>) {
    if let (Value::Object(members), Some(Value::Array(names))) = (row, names) {
        members.retain(|k, _| !names.iter().any(|n| n == k.as_str()));
    }
}

struct Key {
    by: Within,
    descending: bool,
}

fn sort_keys(v: Option<Value>) -> Result<Vec<Key>, Error> {
    let items = match v {
        None => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(_) => return Err(bad(text!("json_sort", "sort must be an array"))),
    };
    let mut keys = Vec::new();
    for item in items {
        let by = item["by"].as_str().ok_or_else(|| bad(text!("json_sort_by", "sort: by must be a text")))?;
        keys.push(Key { by: Within::new(by)?, descending: item["descending"] == true });
    }
    Ok(keys)
}

/// Rows that are alike stay in their order, and what has no value comes last.
fn sorted<'a>(rows: Vec<&'a Value>, keys: &[Key]) -> Result<Vec<&'a Value>, Error> {
    let mut keyed = Vec::new();
    for row in rows {
        let values = keys.iter().map(|k| k.by.of(row)).collect::<Result<Vec<_>, _>>()?;
        keyed.push((values, row));
    }
    keyed.sort_by(|(a, _), (b, _)| {
        let each = keys.iter().zip(a.iter().zip(b)).map(|(key, pair)| match pair {
            (Some(a), Some(b)) if key.descending => order(b, a),
            (Some(a), Some(b)) => order(a, b),
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        each.fold(Ordering::Equal, Ordering::then)
    });
    Ok(keyed.into_iter().map(|(_, row)| row).collect())
}

/// The rows without those that are the same as one before.
fn first_of_each(rows: Vec<Value>) -> Vec<Value> {
    let mut indexes: Vec<usize> = (0..rows.len()).collect();
    indexes.sort_by(|&a, &b| total(&rows[a], &rows[b])); // stable: of those that are the same the first comes first
    let mut keep = vec![true; rows.len()];
    for pair in indexes.windows(2) {
        keep[pair[1]] = total(&rows[pair[0]], &rows[pair[1]]) != Ordering::Equal;
    }
    rows.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(row, _)| row).collect()
}

/// An order in which only values that are the same are equal.
fn total(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Array(x), Value::Array(y)) => {
            let first = x.iter().zip(y).map(|(x, y)| total(x, y)).find(|o| *o != Ordering::Equal);
            first.unwrap_or_else(|| x.len().cmp(&y.len()))
        }
        (Value::Object(x), Value::Object(y)) => {
            let members = |m: &Map<String, Value>| {
                let mut names: Vec<String> = m.keys().cloned().collect();
                names.sort();
                names
            };
            let (left, right) = (members(x), members(y));
            left.cmp(&right)
                .then_with(|| left.iter().map(|k| total(&x[k], &y[k])).find(|o| *o != Ordering::Equal).unwrap_or(Ordering::Equal))
        }
        _ => order(a, b),
    }
}
