//! What an extraction made, and how that is known again.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};

use guest::{json, node, Inverse, Value};

/// What a file that was extracted is known by.
pub fn mark(inode: &str, size: u64, crc: u32) -> String {
    format!("file{} size={} crc32={:08x}", inode, size, crc)
}

/// What a folder is known by.
pub fn folder_mark(p: &str) -> io::Result<String> {
    Ok(format!("folder{}", node::at(p)?))
}

/// What a file is known by that is there.
pub fn file_mark(p: &str) -> io::Result<String> {
    let mut f = File::open(p)?;
    let (mut sum, mut size, mut buffer) = (crc32fast::Hasher::new(), 0, vec![0; 64 << 10]);
    loop {
        let n = f.read(&mut buffer)?;
        if n == 0 {
            return Ok(mark(&node::of(&f)?, size, sum.finalize()));
        }
        size += n as u64;
        sum.update(&buffer[..n]);
    }
}

/// What an extraction made, in its order.
#[derive(Default)]
pub struct Made {
    pub all: Vec<(String, String)>,
    pub folders: BTreeSet<String>,
    pub replaced: usize,
}

impl Made {
    /// Takes everything away again.
    pub fn clear(&self) {
        for (p, _) in self.all.iter().rev() {
            let _ = if self.folders.contains(p) { fs::remove_dir(p) } else { fs::remove_file(p) };
        }
    }

    /// What deletes what was made. What was written over can't come back, so that
    /// then there is no way back.
    pub fn undo(&self, into: &str) -> Option<Inverse> {
        if self.replaced > 0 || self.all.is_empty() {
            return None;
        }
        let made: Vec<Value> =
            self.all.iter().map(|(p, mark)| json!({"name": p[into.len()..].trim_start_matches('/'), "is": mark})).collect();
        Some(Inverse { tool: "archive.remove_extracted", args: json!({"path": into, "made": made}) })
    }
}
