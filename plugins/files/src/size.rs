use std::fs::{self, File};
use std::io::Read;

use guest::place::{place, place_or_root, refused};
use guest::{json, Answer, Args, Error};
use sha2::{Digest, Sha256};

use crate::item::{file, look};

/// The most entries that are counted.
const MAX_ENTRIES: u64 = 100_000;
const MAX_DEPTH: usize = 100;

#[derive(Default)]
struct Sum {
    bytes: u64,
    files: u64,
    folders: u64,
    more: bool,
}

/// Counts the bytes of a file, or of everything in a folder. Links are not followed.
pub fn size(mut args: Args) -> Result<Answer, Error> {
    let p = place_or_root(&args.text("path")?.unwrap_or_default())?;
    args.end()?;
    let m = look(&p)?;
    let mut sum = Sum::default();
    let kind = if m.is_dir() {
        sum.add(&p, 0);
        "folder"
    } else {
        sum.files = 1;
        sum.bytes = m.len();
        "file"
    };
    Ok(Answer::of(json!({
        "path": p, "kind": kind, "size": sum.bytes, "files": sum.files, "folders": sum.folders, "more": sum.more,
    })))
}

impl Sum {
    fn add(&mut self, dir: &str, depth: usize) {
        let entries = match fs::read_dir(dir) {
            Ok(entries) if depth < MAX_DEPTH => entries,
            _ => {
                self.more = true;
                return;
            }
        };
        for entry in entries.flatten() {
            if self.files + self.folders >= MAX_ENTRIES {
                self.more = true;
                return;
            }
            let p = format!("{}/{}", dir, entry.file_name().to_string_lossy());
            match fs::symlink_metadata(&p) {
                Ok(m) if m.is_dir() => {
                    self.folders += 1;
                    self.add(&p, depth + 1);
                }
                Ok(m) => {
                    self.files += 1;
                    self.bytes += if m.is_file() { m.len() } else { 0 };
                }
                Err(_) => self.more = true,
            }
        }
    }
}

/// Computes the SHA-256 of a file.
pub fn hash(mut args: Args) -> Result<Answer, Error> {
    let p = place(&args.text("path")?.unwrap_or_default())?;
    args.end()?;
    file(&p)?;
    let mut f = File::open(&p).map_err(|e| refused("read", &p, e))?;
    let (mut sum, mut size, mut buffer) = (Sha256::new(), 0u64, vec![0; 256 << 10]);
    loop {
        let n = f.read(&mut buffer).map_err(|e| refused("read", &p, e))?;
        if n == 0 {
            break;
        }
        size += n as u64;
        sum.update(&buffer[..n]);
    }
    Ok(Answer::of(json!({"path": p, "algorithm": "sha256", "hash": format!("{:x}", sum.finalize()), "size": size})))
}
