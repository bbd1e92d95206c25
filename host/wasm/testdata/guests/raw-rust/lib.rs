//! A plugin in Rust without a PDK: the ABI's imports and nothing else.

use std::cell::Cell;

#[link(wasm_import_module = "extism:host/env")]
extern "C" {
    fn alloc(n: u64) -> u64;
    fn length(at: u64) -> u64;
    fn load_u8(at: u64) -> u8;
    fn load_u64(at: u64) -> u64;
    fn store_u8(at: u64, v: u8);
    fn store_u64(at: u64, v: u64);
    fn input_length() -> u64;
    fn input_load_u8(at: u64) -> u8;
    fn input_load_u64(at: u64) -> u64;
    fn output_set(at: u64, n: u64);
    fn error_set(at: u64);
    fn config_get(key: u64) -> u64;
    fn var_get(key: u64) -> u64;
    fn var_set(key: u64, value: u64);
    fn log_info(at: u64);
    fn http_request(req: u64, body: u64) -> u64;
    fn http_status_code() -> i32;
}

thread_local!(static CALLS: Cell<u32> = Cell::new(0));

/// Reads n bytes eight at a time, as the PDKs do.
fn read(n: u64, word: impl Fn(u64) -> u64, byte: impl Fn(u64) -> u8) -> Vec<u8> {
    let mut out = Vec::with_capacity(n as usize);
    while (out.len() as u64) + 8 <= n {
        out.extend_from_slice(&word(out.len() as u64).to_le_bytes());
    }
    while (out.len() as u64) < n {
        out.push(byte(out.len() as u64));
    }
    out
}

fn input() -> Vec<u8> {
    unsafe { read(input_length(), |i| input_load_u64(i), |i| input_load_u8(i)) }
}

fn block(at: u64) -> Vec<u8> {
    unsafe { read(length(at), |i| load_u64(at + i), |i| load_u8(at + i)) }
}

fn store(b: &[u8]) -> u64 {
    unsafe {
        let at = alloc(b.len() as u64);
        let words = b.chunks_exact(8);
        let rest = words.remainder();
        let from = at + (b.len() - rest.len()) as u64;
        for (i, word) in words.enumerate() {
            let mut w = [0; 8];
            w.copy_from_slice(word);
            store_u64(at + 8 * i as u64, u64::from_le_bytes(w));
        }
        for (i, byte) in rest.iter().enumerate() {
            store_u8(from + i as u64, *byte);
        }
        at
    }
}

fn output(b: &[u8]) {
    unsafe { output_set(store(b), b.len() as u64) }
}

fn string(at: u64) -> String {
    String::from_utf8_lossy(&block(at)).into_owned()
}

#[no_mangle]
pub extern "C" fn run() -> i32 {
    let input = String::from_utf8_lossy(&input()).into_owned();
    unsafe {
        if input == "fail" {
            error_set(store(b"it failed"));
            return 1;
        }
        let greeting = match config_get(store(b"greeting")) {
            0 => "hello".to_string(),
            at => string(at),
        };
        let calls = CALLS.with(|c| {
            c.set(c.get() + 1);
            c.get()
        });
        let before: u32 = string(var_get(store(b"n"))).parse().unwrap_or(0);
        let n = before + 1;
        var_set(store(b"n"), store(n.to_string().as_bytes()));
        log_info(store(b"ran"));
        output(format!("{}, {}! var {}, calls {}", greeting, input, n, calls).as_bytes());
    }
    0
}

#[no_mangle]
pub extern "C" fn echo() -> i32 {
    output(&input());
    0
}

#[no_mangle]
pub extern "C" fn fetch() -> i32 {
    let url = String::from_utf8_lossy(&input()).into_owned();
    let req = format!(r#"{{"url":"{}","method":"POST","headers":{{"X-Test":7}}}}"#, url);
    unsafe {
        let answer = string(http_request(store(req.as_bytes()), store(b"sent")));
        output(format!("{} {}", http_status_code(), answer).as_bytes());
    }
    0
}
