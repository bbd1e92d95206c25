//! Whole numbers that are longer than any that is counted with.

/// Makes texts of the whole numbers that would be read as others, having more
/// digits than 64 bits hold. What is no JSON stays none.
pub fn whole(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'"' => at + string(&bytes[at..]),
            b'-' | b'0'..=b'9' => {
                at + bytes[at..].iter().take_while(|b| matches!(**b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')).count()
            }
            _ => at + bytes[at..].iter().take_while(|b| !matches!(**b, b'"' | b'-' | b'0'..=b'9')).count(),
        };
        let token = &text[at..end];
        if too_long(token) {
            out.push('"');
            out.push_str(token);
            out.push('"');
        } else {
            out.push_str(token);
        }
        at = end;
    }
    out
}

/// The length of the string that bytes begin with, up to their end where it has none.
fn string(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn too_long(token: &str) -> bool {
    let digits = token.strip_prefix('-').unwrap_or(token);
    !digits.is_empty()
        && !digits.starts_with('0') // which no longer number begins with
        && digits.bytes().all(|b| b.is_ascii_digit())
        && token.parse::<i64>().is_err()
        && token.parse::<u64>().is_err()
}
