//! A WASI command in Rust.

use std::io::Read;

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("standard input");
    eprintln!("ran");
    if input.contains("\"fail\"") {
        print!(r#"{{"ok":false,"error":{{"code":"refused","message":"it failed"}}}}"#);
        return;
    }
    print!(r#"{{"ok":true,"payload":{{"length":{}}}}}"#, input.len());
}
