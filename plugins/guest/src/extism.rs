//! The host's functions of the Extism ABI, in which a plugin may ask the network.
//! A text or block of bytes is handed over by its place in memory that both share.

use serde_json::{Map, Value};

use crate::{bad, Answer, Args, Tool};

mod host {
    #[link(wasm_import_module = "extism:host/env")]
    extern "C" {
        pub fn alloc(length: u64) -> u64;
        pub fn free(at: u64);
        pub fn length(at: u64) -> u64;
        pub fn load_u8(at: u64) -> u32;
        pub fn load_u64(at: u64) -> u64;
        pub fn store_u8(at: u64, byte: u32);
        pub fn store_u64(at: u64, eight: u64);
        pub fn input_length() -> u64;
        pub fn input_load_u8(at: u64) -> u32;
        pub fn input_load_u64(at: u64) -> u64;
        pub fn output_set(at: u64, length: u64);
        pub fn error_set(at: u64);
        pub fn http_request(request: u64, body: u64) -> u64;
        pub fn http_status_code() -> i32;
        pub fn http_headers() -> u64;
    }
}

/// Reads the call, has the tool carry it out, and leaves the answer. The result is
/// what the exported function returns.
pub fn run(tool: Tool) -> i32 {
    let input = input();
    let answer = serde_json::from_slice(&input)
        .map_err(|e| bad(text!("args_unreadable", "the arguments can't be read: {cause}", cause = e.to_string())))
        .and_then(Args::new)
        .and_then(tool);
    match answer {
        Ok(Answer { payload, .. }) => {
            let out = payload.to_string();
            // SAFETY: of a block that was made here.
            unsafe { host::output_set(put(out.as_bytes()), out.len() as u64) };
            0
        }
        Err(e) => {
            let said = Value::Object(crate::fault(e)).to_string();
            // SAFETY: as above.
            unsafe { host::error_set(put(said.as_bytes())) };
            1
        }
    }
}

/// An answer to an HTTP request. Names of headers are in small letters.
pub struct Response {
    /// Where it came from, at the end of all redirects.
    pub url: String,
    pub status: i32,
    pub headers: Map<String, Value>,
    pub body: Vec<u8>,
}

/// Asks for a page. What the host refuses, and what fails on the way, ends the call.
pub fn get(url: &str, headers: Value) -> Response {
    let request = serde_json::json!({"url": url, "method": "GET", "headers": headers, "tell_url": true}).to_string();
    // SAFETY: of blocks that were made here or by the host.
    unsafe {
        let body = take(host::http_request(put(request.as_bytes()), 0));
        let headers: Map<String, Value> = serde_json::from_slice(&take(host::http_headers())).unwrap_or_default();
        let url = headers.get("errand-url").and_then(Value::as_str).unwrap_or(url).to_string();
        Response { url, status: host::http_status_code(), headers, body }
    }
}

fn input() -> Vec<u8> {
    // SAFETY: no place beyond the length is read.
    unsafe { gather(host::input_length(), |at| host::input_load_u64(at), |at| host::input_load_u8(at)) }
}

/// Copies a block out of the shared memory, and gives it back.
unsafe fn take(at: u64) -> Vec<u8> {
    if at == 0 {
        return Vec::new();
    }
    let b = gather(host::length(at), |i| host::load_u64(at + i), |i| host::load_u8(at + i));
    host::free(at);
    b
}

fn gather(length: u64, eight: impl Fn(u64) -> u64, one: impl Fn(u64) -> u32) -> Vec<u8> {
    let mut b = Vec::with_capacity(length as usize);
    let whole = length / 8 * 8;
    for at in (0..whole).step_by(8) {
        b.extend_from_slice(&eight(at).to_le_bytes());
    }
    b.extend((whole..length).map(|at| one(at) as u8));
    b
}

unsafe fn put(b: &[u8]) -> u64 {
    let at = host::alloc(b.len() as u64);
    let chunks = b.chunks_exact(8);
    let rest = chunks.remainder();
    for (i, chunk) in chunks.enumerate() {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        host::store_u64(at + 8 * i as u64, u64::from_le_bytes(eight));
    }
    for (i, byte) in rest.iter().enumerate() {
        host::store_u8(at + (b.len() - rest.len() + i) as u64, u32::from(*byte));
    }
    at
}
