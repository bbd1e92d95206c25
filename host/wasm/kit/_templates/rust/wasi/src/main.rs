//! A plugin. Each call starts this program: it reads a JSON object from
//! standard input and writes one to standard output. Standard error is the log.

mod json;

use json::{quote, Value};
use std::io::{self, Read, Write};

fn main() -> io::Result<()> {
    let mut call = String::new();
    io::stdin().read_to_string(&mut call)?;
    let call = Value::parse(&call).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the call is not JSON"))?;
    // call.text(&["tool"]) is the name of the called tool; this plugin has only one.
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
        return Err("the name is empty");
    }
    Ok(format!("{greeting}, {name}!"))
}
