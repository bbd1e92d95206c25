//! JSON Pointer (RFC 6901).

use guest::{Error, Value};

/// The value that a pointer leads to. The empty pointer is the whole.
pub fn find<'a>(pointer: &str, value: &'a Value) -> Result<&'a Value, Error> {
    let mut at = value;
    for (n, part) in parts(pointer)?.iter().enumerate() {
        at = step(at, part).ok_or_else(|| {
            let there = match at {
                Value::Object(_) => format!("there is no member {:?}", part),
                Value::Array(items) => format!("there is no item {:?}, the array has {}", part, items.len()),
                _ => format!("there is no object or array to look for {:?} in", part),
            };
            let above: String = pointer.split('/').skip(1).take(n).map(|p| format!("/{}", p)).collect();
            let above = if above.is_empty() { "the top".into() } else { above };
            Error::new("not_found", "look at what is there with the query $.*", format!("{} at {}", there, above))
        })?;
    }
    Ok(at)
}

/// As [find], where what is not there is nothing. The pointer has been checked.
pub fn look<'a>(parts: &[String], value: &'a Value) -> Option<&'a Value> {
    parts.iter().try_fold(value, |at, part| step(at, part))
}

/// The names and numbers that a pointer is made of.
pub fn parts(pointer: &str) -> Result<Vec<String>, Error> {
    if pointer.is_empty() {
        return Ok(Vec::new());
    }
    if !pointer.starts_with('/') {
        let message = format!("{:?} is neither a JSONPath, which begins with $, nor a JSON Pointer, which begins with /", pointer);
        return Err(Error::invalid("bad_query", "begin it with $. or with /", message));
    }
    pointer[1..].split('/').map(unescaped).collect()
}

fn unescaped(part: &str) -> Result<String, Error> {
    let mut pieces = part.split('~');
    let mut s = String::from(pieces.next().unwrap_or(""));
    for piece in pieces {
        s.push(match piece.chars().next() {
            Some('0') => '~',
            Some('1') => '/',
            _ => {
                let message = format!("in a JSON Pointer ~ is followed by 0 or 1, and not in {:?}", part);
                return Err(Error::invalid("bad_query", "write ~0 for ~ and ~1 for /", message));
            }
        });
        s.push_str(&piece[1..]);
    }
    Ok(s)
}

fn step<'a>(value: &'a Value, part: &str) -> Option<&'a Value> {
    match value {
        Value::Object(members) => members.get(part),
        Value::Array(items) => {
            let plain = part == "0" || part.bytes().all(|b| b.is_ascii_digit()) && !part.starts_with('0');
            items.get(part.parse::<usize>().ok().filter(|_| plain)?)
        }
        _ => None,
    }
}
