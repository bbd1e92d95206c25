//! A plugin: each exported function is a tool. Its arguments are the input, its
//! payload is the output, both JSON. Other functions of the host are in host.rs.

mod host;
mod json;

use json::{quote, Value};

#[no_mangle]
pub extern "C" fn greet() -> i32 {
    let args = match Value::parse(&host::input()) {
        Some(v) => v,
        None => return host::fail("the arguments are not JSON"),
    };
    let name = args.text(&["name"]).trim();
    if name.is_empty() {
        return host::fail("the name is empty");
    }
    let text = format!("{}, {}!", host::config("greeting"), name);
    host::output(&format!(r#"{{"text":{}}}"#, quote(&text)))
}
