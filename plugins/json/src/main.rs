//! The json plugin: finds values in JSON and reshapes rows of it.

mod ast;
mod eval;
mod exact;
mod filter;
mod parse;
mod pointer;
mod regexp;
mod reshape;
mod scan;
mod value;

use guest::{json, text, Answer, Args, Error, Value};

fn main() {
    guest::run(&[("json.query", query), ("json.reshape", reshape::rows)]);
}

/// Answers what a JSONPath or a JSON Pointer finds. A path that finds nothing is an
/// answer; a pointer says where one thing is, and that it is not there is an error.
fn query(mut args: Args) -> Result<Answer, Error> {
    let input = input(&mut args)?;
    let text = args.text("query")?.unwrap_or_default();
    let limit = args.number("limit", 1000)? as usize;
    args.end()?;
    if !text.starts_with('$') {
        let value = pointer::find(&text, &input)?;
        return Ok(Answer::of(json!({"count": 1, "values": [value], "paths": [text]})));
    }
    let parsed = parse::query(&text)?;
    let found = eval::find(&parsed, &input)?;
    let shown = &found[..found.len().min(limit)];
    let mut payload = json!({
        "count": found.len(),
        "values": shown.iter().map(|n| n.value.clone()).collect::<Vec<_>>(),
        "paths": shown.iter().map(eval::Node::path).collect::<Vec<_>>(),
    });
    if shown.len() < found.len() {
        payload["left_out"] = (found.len() - shown.len()).into();
    }
    Ok(Answer::of(payload))
}

/// Takes the argument that a tool works on: JSON as a text, or a value as it is.
fn input(args: &mut Args) -> Result<Value, Error> {
    match args.take("input") {
        Some(Value::String(text)) => serde_json::from_str(&exact::whole(&text)).map_err(|e| {
            let why = e.to_string();
            let hint = if why.starts_with("recursion limit") {
                text!("json_too_deep_hint", "give a part of it: 127 levels can be read")
            } else {
                text!("json_input_hint", "give JSON as a text, or a value")
            };
            Error::invalid("bad_json", hint, text!("json_input", "the input is not JSON: {cause}", cause = why))
        }),
        Some(v) => Ok(v),
        None => Ok(Value::Null),
    }
}
