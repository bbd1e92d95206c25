use std::fs::File;
use std::io;

use guest::{json, node, Inverse};
use sha2::{Digest, Sha256};

/// Deletes a folder that was made, while it is the same one and empty. The time of
/// its last change is left out: undoing what was made in it later would change that.
pub fn folder(p: &str) -> io::Result<Inverse> {
    Ok(undo("files.delete_folder", p, format!("folder{}", node::at(p)?)))
}

/// Deletes a file that was made, while it is the same one and holds what was
/// written.
pub fn file(f: &File, p: &str, content: &str) -> io::Result<Inverse> {
    let sum = Sha256::digest(content.as_bytes());
    Ok(undo("files.delete_file", p, format!("file{} size={} sha256={:x}", node::of(f)?, content.len(), sum)))
}

fn undo(tool: &'static str, p: &str, unchanged: String) -> Inverse {
    Inverse { tool, args: json!({"path": p, "if_unchanged": unchanged}) }
}
