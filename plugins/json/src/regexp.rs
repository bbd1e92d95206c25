//! I-Regexp (RFC 9485), carried out by a library whose time grows with the text
//! and not beyond.

use regex::{Regex, RegexBuilder};

/// The most bytes that a compiled expression may take.
const MAX_SIZE: usize = 1 << 20;

/// Compiles an expression that must match the whole text or any part of it. None:
/// it is no valid one.
pub fn compile(pattern: &str, whole: bool) -> Option<Regex> {
    let mut text = String::with_capacity(pattern.len() + 8);
    text.push_str(if whole { "^(?:" } else { "(?:" });
    let (mut class, mut escaped) = (false, false);
    for c in pattern.chars() {
        match c {
            _ if escaped => {
                // What the library knows beyond the standard: \d, \w, \b, \A, \x…
                if c.is_ascii_alphanumeric() && !"nrtpP".contains(c) {
                    return None;
                }
                escaped = false
            }
            '\\' => escaped = true,
            '[' if class => {
                text.push('\\'); // no sets within sets
            }
            '[' => class = true,
            ']' => class = false,
            // A dot is any character but the ends of lines.
            '.' if !class => {
                text.push_str("[^\\n\\r]");
                continue;
            }
            '&' | '~' if class => text.push('\\'), // no set operations
            _ => {}
        }
        text.push(c);
    }
    if escaped || pattern.contains("(?") {
        return None;
    }
    text.push_str(if whole { ")$" } else { ")" });
    RegexBuilder::new(&text).size_limit(MAX_SIZE).dfa_size_limit(MAX_SIZE).build().ok()
}
