//! What an extraction made, and how that is known again.

use std::collections::BTreeSet;
use std::fs;

use guest::{json, Inverse, Value};

/// What a file that was extracted is known by.
pub fn mark(inode: &str, size: u64, crc: u32) -> String {
    format!("file{} size={} crc32={:08x}", inode, size, crc)
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
