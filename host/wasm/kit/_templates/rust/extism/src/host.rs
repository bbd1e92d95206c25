//! The functions of every Extism host. Texts are passed in a memory of their
//! own; a handle is the offset of a text, and 0 means no text. The crate
//! extism-pdk wraps them all, HTTP included.

mod raw {
    #[link(wasm_import_module = "extism:host/env")]
    extern "C" {
        pub fn alloc(length: u64) -> u64;
        pub fn length(at: u64) -> u64;
        pub fn load_u8(at: u64) -> u32;
        pub fn store_u8(at: u64, byte: u32);
        pub fn input_length() -> u64;
        pub fn input_load_u8(index: u64) -> u32;
        pub fn output_set(at: u64, length: u64);
        pub fn error_set(at: u64);
        pub fn config_get(key: u64) -> u64;
    }
}

/// The call's arguments as JSON.
pub fn input() -> String {
    let bytes = (0..unsafe { raw::input_length() }).map(|i| unsafe { raw::input_load_u8(i) } as u8);
    String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
}

/// Sets the payload and returns the exit code of a success.
pub fn output(json: &str) -> i32 {
    unsafe { raw::output_set(put(json), json.len() as u64) };
    0
}

/// Sets the error and returns the exit code of a failure.
pub fn fail(message: &str) -> i32 {
    unsafe { raw::error_set(put(message)) };
    1
}

/// The user's setting of a key, or its default in plugin.toml.
pub fn config(key: &str) -> String {
    let at = unsafe { raw::config_get(put(key)) };
    let bytes = (0..unsafe { raw::length(at) }).map(|i| unsafe { raw::load_u8(at + i) } as u8);
    String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
}

fn put(text: &str) -> u64 {
    let at = unsafe { raw::alloc(text.len() as u64) };
    for (i, byte) in text.bytes().enumerate() {
        unsafe { raw::store_u8(at + i as u64, byte as u32) };
    }
    at
}
