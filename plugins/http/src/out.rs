//! Text that is written with white space as a browser shows it: none at the ends of
//! lines, one of many, and no more than one empty line.

#[derive(Default)]
pub struct Out {
    pub text: String,
    want: usize, // ends of lines before what comes next
    pub space: bool,
    pub pre: usize,
    indents: Vec<String>,
    opening: String, // what opens emphasis waits for the word that it stands before
}

impl Out {
    pub fn want(&mut self, lines: usize) {
        self.want = self.want.max(lines);
        self.space = false;
    }

    /// One end of a line more, whatever there was.
    pub fn newline(&mut self) {
        self.want = (self.want + 1).min(2);
        self.space = false;
    }

    pub fn indent(&mut self, by: &str) {
        self.indents.push(by.into());
    }

    pub fn outdent(&mut self) {
        self.indents.pop();
    }

    /// Where what is written next will begin.
    pub fn mark(&mut self) -> usize {
        self.settle();
        self.text.len()
    }

    fn settle(&mut self) {
        if self.want > 0 && !self.text.is_empty() {
            self.text.truncate(self.text.trim_end_matches(' ').len());
            for _ in 0..self.want {
                self.text.push('\n');
                if self.want > 1 && self.text.ends_with("\n\n") {
                    break;
                }
            }
            self.text.extend(self.indents.iter().map(String::as_str));
        } else if self.want == 0 && self.space && !self.text.is_empty() && !self.text.ends_with(&[' ', '\n'][..]) {
            self.text.push(' ');
        }
        self.want = 0;
        self.space = false;
    }

    pub fn raw(&mut self, s: &str) {
        self.settle();
        self.text.push_str(s);
    }

    pub fn open(&mut self, mark: &str) {
        self.opening.push_str(mark);
    }

    pub fn close(&mut self, mark: &str) {
        if !mark.is_empty() && self.opening.ends_with(mark) {
            self.opening.truncate(self.opening.len() - mark.len()); // there was nothing in it
        } else {
            self.text.push_str(mark);
        }
    }

    fn word(&mut self, s: &str) {
        self.settle();
        self.text.push_str(&std::mem::take(&mut self.opening));
        self.text.extend(s.chars().filter(|c| !c.is_control()));
    }

    pub fn write(&mut self, s: &str) {
        if self.pre > 0 {
            for (i, line) in s.split('\n').enumerate() {
                if i > 0 {
                    self.newline();
                    self.want = self.want.max(1);
                }
                if !line.trim().is_empty() {
                    let line = line.replace('\t', "    ");
                    self.word(line.trim_end());
                }
            }
            return;
        }
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c' | '\u{a0}');
        self.space |= s.starts_with(blank);
        for (i, word) in s.split(blank).filter(|w| !w.is_empty()).enumerate() {
            self.space |= i > 0;
            self.word(word);
        }
        self.space |= s.ends_with(blank);
    }
}
