//! What a name must have: words, or patterns with * and ?, with | between them.

use crate::item::fold;

pub enum Name {
    /// All of them are somewhere in it.
    Words(Vec<String>),
    /// One of them is the whole name.
    Patterns(Vec<Vec<char>>),
}

impl Name {
    pub fn new(sought: &str) -> Name {
        let folded = fold(sought.trim());
        if folded.contains(|c| c == '*' || c == '?') {
            Name::Patterns(folded.split('|').map(|p| p.chars().collect()).collect())
        } else {
            Name::Words(folded.split_whitespace().map(str::to_string).collect())
        }
    }

    pub fn fits(&self, name: &str) -> bool {
        let name = fold(name);
        match self {
            Name::Words(words) => words.iter().all(|w| name.contains(w.as_str())),
            Name::Patterns(patterns) => {
                let name = name.chars().collect::<Vec<char>>();
                patterns.iter().any(|p| fits(p, &name))
            }
        }
    }
}

/// Tells whether a name fits a pattern, in time of the product of their lengths: only the
/// last * ever takes more.
fn fits(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n, mut again) = (0, 0, None);
    while n < name.len() {
        if p < pattern.len() && pattern[p] == '*' {
            again = Some((p + 1, n));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((after, at)) = again {
            again = Some((after, at + 1));
            p = after;
            n = at + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}
