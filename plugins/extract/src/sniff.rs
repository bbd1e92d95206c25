//! What the first bytes say a file is, whatever its name says.

use guest::{text, Error};

use crate::fault::unsupported;
use crate::input::Kind;

const OTHERS: [(&[u8], &str); 8] = [
    (b"%PDF", "PDF"),
    (b"\x89PNG", "PNG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x7fELF", "ELF"),
    (b"\x1f\x8b", "gzip"),
    (b"\xd0\xcf\x11\xe0", ""),
];

/// Refuses files that are of no kind, or of another kind, inside.
pub fn check(b: &[u8], kind: Kind) -> Result<(), Error> {
    if let Some((_, format)) = OTHERS.iter().find(|(magic, _)| b.starts_with(magic)) {
        return Err(unsupported(match format {
            &"" => text!("extract_is_ole", "it is an encrypted or old Office file"),
            format => text!("extract_is_format", "it is a {format} file", format = format),
        }));
    }
    // A text may begin with these two letters, but it has no zero bytes.
    if b.starts_with(b"MZ") && b.iter().take(64).any(|c| *c == 0) {
        return Err(unsupported(text!("extract_is_program", "it is a program")));
    }
    if kind != Kind::Document && b.starts_with(b"PK\x03\x04") {
        return Err(unsupported(text!("extract_is_format", "it is a {format} file", format = "zip")));
    }
    Ok(())
}
