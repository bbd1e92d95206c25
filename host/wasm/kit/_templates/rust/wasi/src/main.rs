//! A plugin: each call runs this program anew. One JSON object comes on
//! standard input, one goes to standard output; standard error is the log.

mod json;

use json::{quote, Value};
use std::io::{self, Read, Write};

fn main() -> io::Result<()> {
    let mut call = String::new();
    io::stdin().read_to_string(&mut call)?;
    let call = Value::parse(&call).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the call is not JSON"))?;
    // call.text(&["tool"]) says which of the plugin's tools; this one has one.
    let answer = match greet(call.text(&["args", "name"]), call.text(&["config", "greeting"])) {
        Ok(text) => format!(r#"{{"ok":true,"payload":{{"text":{}}}}}"#, quote(&text)),
        Err(message) => format!(
            r#"{{"ok":false,"error":{{"code":"no_name","message":{},"recoverable":true}}}}"#,
            quote(message)
        ),
    };
    io::stdout().write_all(answer.as_bytes())
}

fn greet(name: &str, greeting: &str) -> Result<String, &'static str> {
    let name = name.trim();
    if name.is_empty() {
        return Err("there is nobody to greet");
    }
    Ok(format!("{greeting}, {name}!"))
}
