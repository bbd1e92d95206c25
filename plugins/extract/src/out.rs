//! The text that is extracted, up to a number of characters.

use guest::Value;

use crate::fault::Diagnostic;

/// What a document turned into.
pub struct Extracted {
    pub text: Out,
    pub diagnostics: Vec<Diagnostic>,
    pub tags: Vec<&'static str>,
    /// Where the parts of a document are in the text.
    pub sections: Vec<Value>,
}

impl Extracted {
    pub fn new(max_chars: usize) -> Extracted {
        Extracted { text: Out::new(max_chars), diagnostics: Vec::new(), tags: Vec::new(), sections: Vec::new() }
    }
}

pub struct Out {
    pub text: String,
    /// More text came than there was room for.
    pub truncated: bool,
    room: usize,
}

impl Out {
    pub fn new(max_chars: usize) -> Out {
        Out { text: String::new(), truncated: false, room: max_chars }
    }

    pub fn push(&mut self, c: char) {
        if self.room == 0 {
            self.truncated = true;
            return;
        }
        self.room -= 1;
        self.text.push(c);
    }

    pub fn push_str(&mut self, s: &str) {
        let fits = self.take(s);
        self.text.push_str(fits);
    }

    /// Uses the room for a text that is collected elsewhere, and returns what fits.
    pub fn take<'a>(&mut self, s: &'a str) -> &'a str {
        if s.len() <= self.room {
            self.room -= s.chars().count();
            return s;
        }
        match s.char_indices().nth(self.room) {
            None => {
                self.room -= s.chars().count();
                s
            }
            Some((end, _)) => {
                self.room = 0;
                self.truncated = true;
                &s[..end]
            }
        }
    }

    /// Adds text whose lines may end in \r\n or \r, with \n.
    pub fn push_lines(&mut self, s: &str) {
        let mut rest = s;
        while let Some(at) = rest.find('\r') {
            self.push_str(&rest[..at]);
            self.push('\n');
            rest = rest[at + 1..].strip_prefix('\n').unwrap_or(&rest[at + 1..]);
        }
        self.push_str(rest);
    }

    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}
