//! The benchmark's plugin in Rust.

#[link(wasm_import_module = "extism:host/env")]
extern "C" {
    fn alloc(n: u64) -> u64;
    fn store_u8(at: u64, v: u8);
    fn store_u64(at: u64, v: u64);
    fn input_length() -> u64;
    fn input_load_u8(at: u64) -> u8;
    fn input_load_u64(at: u64) -> u64;
    fn output_set(at: u64, n: u64);
}

fn input() -> Vec<u8> {
    let n = unsafe { input_length() };
    let mut out = Vec::with_capacity(n as usize);
    while (out.len() as u64) + 8 <= n {
        out.extend_from_slice(&unsafe { input_load_u64(out.len() as u64) }.to_le_bytes());
    }
    while (out.len() as u64) < n {
        out.push(unsafe { input_load_u8(out.len() as u64) });
    }
    out
}

#[no_mangle]
pub extern "C" fn empty() -> i32 {
    0
}

#[no_mangle]
pub extern "C" fn echo() -> i32 {
    let b = input();
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
        output_set(at, b.len() as u64);
    }
    0
}

fn count(b: &[u8]) -> i32 {
    b.iter().filter(|c| b"aeiouAEIOU".contains(c)).count() as i32
}

#[no_mangle]
pub extern "C" fn vowels() -> i32 {
    unsafe { std::ptr::write_volatile(std::ptr::addr_of_mut!(SINK), count(&input())) };
    0
}

static mut SINK: i32 = 0;
static mut SCANNED: [u8; 1 << 20] = [b'e'; 1 << 20];

#[no_mangle]
pub extern "C" fn scan(n: i32) -> i32 {
    count(unsafe { std::slice::from_raw_parts(std::ptr::addr_of!(SCANNED) as *const u8, n as usize) })
}
