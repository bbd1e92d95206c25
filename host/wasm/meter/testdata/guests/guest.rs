// Built by: rustc --target wasm32-unknown-unknown --crate-type cdylib -O
use std::collections::HashMap;
use std::fmt::Write;

static mut DATA: [u8; 1 << 20] = [0; 1 << 20];

#[no_mangle]
pub extern "C" fn bytes() -> u32 {
    let data = unsafe { &mut DATA };
    for b in data.iter_mut() {
        *b = b.wrapping_add(17);
    }
    data.iter().filter(|b| matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u')).count() as u32
}

#[no_mangle]
pub extern "C" fn mix() -> u32 {
    (0..1u32 << 20).fold(2166136261, |h, i| (h ^ (i & 255)).wrapping_mul(16777619))
}

#[no_mangle]
pub extern "C" fn grid() -> u32 {
    let m: Vec<Vec<u32>> = (0..90).map(|i| (0..90).map(|j| i * j).collect()).collect();
    let mut sum = 0u32;
    for i in 0..90 {
        for j in 0..90 {
            for k in 0..90 {
                sum = sum.wrapping_add(m[i][k].wrapping_mul(m[k][j]));
            }
        }
    }
    sum
}

fn fib(n: u32) -> u32 {
    if n < 2 { 1 } else { fib(n - 1) + fib(n - 2) }
}

static mut N: u32 = 24;

#[no_mangle]
pub extern "C" fn calls() -> u32 {
    fib(unsafe { std::ptr::read_volatile(&N) })
}

#[no_mangle]
pub extern "C" fn order() -> u32 {
    let mut x = 1u32;
    let mut v: Vec<u32> = (0..1 << 15)
        .map(|_| {
            x = x.wrapping_mul(1664525).wrapping_add(1013904223);
            x
        })
        .collect();
    v.sort_unstable();
    v[12345]
}

#[no_mangle]
pub extern "C" fn words() -> u32 {
    let mut text = String::new();
    for i in 0..2000 {
        let _ = write!(text, "w{} ", i * 7 % 501);
    }
    let mut count: HashMap<&str, u32, std::hash::BuildHasherDefault<Fnv>> = HashMap::default();
    for w in text.split(' ') {
        *count.entry(w).or_insert(0) += 1;
    }
    count.len() as u32
}

#[derive(Debug)]
enum Value {
    Text(String),
    List(Vec<Value>),
}

fn parse(s: &[u8], at: &mut usize) -> Result<Value, String> {
    if s.get(*at) != Some(&b'[') {
        *at += 1;
        return Ok(Value::Text(format!("{}", *at)));
    }
    *at += 1;
    let mut list = Vec::new();
    while s.get(*at) != Some(&b']') {
        list.push(parse(s, at)?);
        if *at > s.len() {
            return Err("open".to_string());
        }
    }
    *at += 1;
    Ok(Value::List(list))
}

fn depth(v: &Value) -> u32 {
    match v {
        Value::Text(_) => 1,
        Value::List(l) => 1 + l.iter().map(depth).max().unwrap_or(0),
    }
}

#[no_mangle]
pub extern "C" fn deep() -> u32 {
    let s = "[".repeat(3000) + "x" + &"]".repeat(3000);
    let v = parse(s.as_bytes(), &mut 0).unwrap();
    depth(&v) // and dropping it nests as deep
}

#[derive(Default)]
pub struct Fnv(u64);

impl std::hash::Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ *b as u64).wrapping_mul(0x100000001b3);
        }
    }
}
