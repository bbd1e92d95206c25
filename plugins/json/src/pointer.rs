//! JSON Pointer (RFC 6901).

use guest::{text, Error, Value};

/// The value that a pointer leads to. The empty pointer is the whole.
pub fn find<'a>(pointer: &str, value: &'a Value) -> Result<&'a Value, Error> {
    let mut at = value;
    for (n, part) in parts(pointer)?.iter().enumerate() {
        at = step(at, part).ok_or_else(|| {
            let above: String = pointer.split('/').skip(1).take(n).map(|p| format!("/{}", p)).collect();
            let place = if above.is_empty() { text!("json_top", "the top") } else { text!("json_place", "{path}", path = above) };
            let message = match at {
                Value::Object(_) => text!("json_no_member", "there is no member {name:?} at {place}", name = part, place = place),
                Value::Array(items) => text!(
                    "json_no_item",
                    "there is no item {name:?} at {place}; the length of the array is {count}",
                    name = part,
                    count = items.len(),
                    place = place
                ),
                _ => text!(
                    "json_no_container",
                    "there is neither an object nor an array at {place}, so it has no {name:?}",
                    name = part,
                    place = place
                ),
            };
            Error::permanent("not_found", text!("json_look_hint", "look at what is there with the query $.*"), message)
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
        let message = text!(
            "json_neither",
            "{query:?} is neither a JSONPath, which begins with $, nor a JSON Pointer, which begins with /",
            query = pointer
        );
        return Err(Error::invalid("bad_query", text!("json_begin_hint", "begin the query with $. or /"), message));
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
                let message = text!("json_tilde", "in a JSON Pointer ~ is followed by 0 or 1, and not in {part:?}", part = part);
                return Err(Error::invalid("bad_query", text!("json_tilde_hint", "write ~0 for ~ and ~1 for /"), message));
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
