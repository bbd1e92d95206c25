//! One story of a document: its main text, a header, a footer or the notes. Paragraphs
//! become lines, cells of tables are separated by tabs. Deleted and hidden text and the
//! codes of fields are left out.

use std::io::Read;

use guest::Error;

use crate::names::Namespace;
use crate::out::Out;
use crate::xml::{Element, Event, Xml};

/// An element that is open, as far as what is in it depends on that.
enum Open {
    Paragraph,
    ParagraphProperties,
    /// The properties of a paragraph's mark.
    MarkProperties,
    Run,
    RunProperties,
    /// Text; false: white space at its ends doesn't count.
    Text(bool),
    Row,
    RowProperties,
    Cell,
    TextBox,
    /// True: one of the alternatives was taken.
    Alternatives(bool),
    /// Brackets around a part of a formula.
    Brackets(Brackets),
    /// What the properties of brackets and sums say.
    BracketProperties,
    SumProperties,
    Other,
}

/// The signs before, between and after the parts of a formula.
struct Brackets {
    signs: [String; 3],
    parts: usize,
}

/// A paragraph that is open.
#[derive(Default)]
struct Paragraph {
    text: String,
    /// Text boxes that are anchored in it.
    boxes: String,
    /// Its end was deleted: the next paragraph goes on in its line.
    is_joined: bool,
}

#[derive(Default)]
struct Row {
    cells: usize,
    is_deleted: bool,
    /// The length of the text before it.
    start: usize,
}

/// Where text goes that is outside of a paragraph: the story, or a text box.
#[derive(Default)]
struct Flow {
    text: String,
    rows: Vec<Row>,
    /// A paragraph of the cell has ended, and another one may follow.
    between: bool,
}

pub struct Story<'a> {
    out: &'a mut Out,
    open: Vec<Open>,
    paragraphs: Vec<Paragraph>,
    flows: Vec<Flow>,
    is_run_hidden: bool,
    /// The mark of a note came last: white space after it is not a part of the text.
    is_after_mark: bool,
    /// Fields that are open; true: in their code.
    fields: Vec<bool>,
    /// How many elements are open that are left out with all that is in them.
    skipped: usize,
}

impl Story<'_> {
    /// Returns the text of a story. Its characters use the room of out.
    pub fn read(mut xml: Xml<impl Read>, out: &mut Out) -> Result<String, Error> {
        let mut s = Story {
            out,
            open: Vec::new(),
            paragraphs: Vec::new(),
            flows: vec![Flow::default()],
            is_run_hidden: false,
            is_after_mark: false,
            fields: Vec::new(),
            skipped: 0,
        };
        // A text that was cut is not read to its end.
        while !s.out.truncated {
            match xml.next()? {
                Event::Start(e) => s.start(&e),
                Event::End => s.end(),
                Event::Text(t) => s.text(t),
                Event::Eof => break,
            }
        }
        while !s.open.is_empty() {
            s.skipped = 0;
            s.end();
        }
        Ok(s.flows.pop().unwrap_or_default().text)
    }

    fn start(&mut self, e: &Element) {
        if self.skipped > 0 {
            self.skipped += 1;
            return;
        }
        match self.enter(e) {
            Some(open) => self.open.push(open),
            None => self.skipped = 1,
        }
    }

    /// Begins an element; None: it is left out.
    fn enter(&mut self, e: &Element) -> Option<Open> {
        match e.namespace {
            Namespace::Word => self.enter_word(e),
            Namespace::Math => self.enter_math(e),
            Namespace::Compatibility => self.enter_alternative(e),
            _ => Some(Open::Other),
        }
    }

    fn enter_word(&mut self, e: &Element) -> Option<Open> {
        let is_on = || !matches!(e.attribute("val").as_deref(), Some("0" | "false" | "off"));
        match (self.open.last(), e.name) {
            (Some(Open::ParagraphProperties), "rPr") => return Some(Open::MarkProperties),
            (Some(Open::ParagraphProperties), _) => return None,
            (Some(Open::MarkProperties), "del" | "moveFrom") => {
                if let Some(p) = self.paragraphs.last_mut() {
                    p.is_joined = true;
                }
                return None;
            }
            (Some(Open::MarkProperties), _) => return None,
            (Some(Open::RunProperties), name) => {
                if name == "vanish" && is_on() {
                    self.is_run_hidden = true;
                }
                return None;
            }
            (Some(Open::RowProperties), name) => {
                if let ("del", Some(row)) = (name, self.flow().rows.last_mut()) {
                    row.is_deleted = true;
                }
                return None;
            }
            _ => {}
        }
        match e.name {
            "p" => {
                self.paragraphs.push(Paragraph::default());
                self.fill_gap();
                return Some(Open::Paragraph);
            }
            "pPr" => return Some(Open::ParagraphProperties),
            "r" => {
                self.is_run_hidden = false;
                return Some(Open::Run);
            }
            "rPr" => return Some(Open::RunProperties),
            "t" => return Some(Open::Text(e.attribute("space").as_deref() == Some("preserve"))),
            "tab" | "ptab" => self.put("\t"),
            "br" | "cr" => self.put("\n"),
            "noBreakHyphen" => self.put("\u{2011}"),
            "footnoteRef" | "endnoteRef" => self.is_after_mark = true,
            "sym" => self.put_symbol(e.attribute("char").as_deref()),
            "fldChar" => match e.attribute("fldCharType").as_deref() {
                Some("begin") => self.fields.push(true),
                Some("separate") => self.fields.iter_mut().last().map_or((), |code| *code = false),
                _ => drop(self.fields.pop()),
            },
            "tr" => {
                let start = self.flow().text.len();
                self.flow().rows.push(Row { start, ..Row::default() });
                return Some(Open::Row);
            }
            "trPr" => return Some(Open::RowProperties),
            "tc" => {
                let Flow { rows, between, .. } = self.flow();
                let follows = rows.last_mut().map_or(false, |row| {
                    row.cells += 1;
                    row.cells > 1
                });
                if follows {
                    // A table inside of a cell is a part of the line.
                    let sign = if rows.len() > 1 { " " } else { "\t" };
                    *between = false;
                    self.put_outside(sign);
                }
                return Some(Open::Cell);
            }
            "txbxContent" => {
                self.flows.push(Flow::default());
                return Some(Open::TextBox);
            }
            "footnote" | "endnote" if e.attribute("type").map_or(false, |t| t != "normal") => return None,
            "del" | "moveFrom" | "delText" | "instrText" | "delInstrText" | "sectPr" | "tblPr" | "tblPrEx" | "tblGrid" | "tcPr" | "sdtPr"
            | "sdtEndPr" | "object" | "rt" => return None,
            _ => {}
        }
        Some(Open::Other)
    }

    /// Formulas are written in one line.
    fn enter_math(&mut self, e: &Element) -> Option<Open> {
        let before_last = self.open.len().wrapping_sub(2);
        match (self.open.last_mut(), e.name) {
            (Some(Open::BracketProperties), name) => {
                let sign = ["begChr", "sepChr", "endChr"].iter().position(|n| *n == name);
                if let (Some(i), Some(Open::Brackets(b))) = (sign, self.open.get_mut(before_last)) {
                    b.signs[i] = e.attribute("val").unwrap_or_default();
                }
                return None;
            }
            (Some(Open::SumProperties), "chr") => {
                self.put(&e.attribute("val").unwrap_or_default());
                return None;
            }
            (Some(Open::SumProperties), _) => return None,
            (Some(Open::Brackets(b)), "e") => {
                let sign = std::mem::take(&mut b.signs[b.parts.min(1)]);
                if b.parts > 0 {
                    b.signs[1] = sign.clone(); // it comes again
                }
                b.parts += 1;
                self.put(&sign);
            }
            _ => {}
        }
        match e.name {
            "t" => return Some(Open::Text(true)),
            "d" => {
                let signs = ["(", "|", ")"].map(str::to_string);
                return Some(Open::Brackets(Brackets { signs, parts: 0 }));
            }
            "dPr" => return Some(Open::BracketProperties),
            "naryPr" => return Some(Open::SumProperties),
            "den" => self.put("/"),
            "sup" => self.put("^"),
            "sub" => self.put("_"),
            name if name.ends_with("Pr") => return None,
            _ => {}
        }
        Some(Open::Other)
    }

    /// Of alternatives the first is what a person sees, and the others say the same.
    fn enter_alternative(&mut self, e: &Element) -> Option<Open> {
        if e.name == "AlternateContent" {
            return Some(Open::Alternatives(false));
        }
        match self.open.last_mut() {
            Some(Open::Alternatives(true)) => None,
            Some(Open::Alternatives(taken)) => {
                *taken = true;
                Some(Open::Other)
            }
            _ => Some(Open::Other),
        }
    }

    fn end(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        match self.open.pop() {
            Some(Open::Paragraph) => self.end_paragraph(),
            Some(Open::Row) => {
                let row = self.flow().rows.pop().unwrap_or_default();
                if row.is_deleted {
                    self.flow().text.truncate(row.start);
                    self.flow().between = false;
                } else if self.flow().rows.is_empty() {
                    self.flow().between = false;
                    self.put_outside("\n");
                } else {
                    self.flow().between = true;
                }
            }
            Some(Open::Brackets(b)) => self.put(&b.signs[2]),
            Some(Open::TextBox) => {
                let mut text = self.flows.pop().unwrap_or_default().text;
                match self.paragraphs.last_mut() {
                    Some(p) => p.boxes.push_str(&text),
                    None => self.flow().text.push_str(&std::mem::take(&mut text)),
                }
            }
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let p = self.paragraphs.pop().unwrap_or_default();
        let in_cell = !self.flow().rows.is_empty();
        self.flow().text.push_str(&p.text);
        if in_cell {
            self.flow().between = true;
            // The line is that of the row.
            let boxes = p.boxes.trim_end().replace('\n', " ");
            if !boxes.is_empty() {
                self.fill_gap();
                self.flow().text.push_str(&boxes);
            }
            return;
        }
        if !p.is_joined {
            self.put_outside("\n");
        }
        self.flow().text.push_str(&p.boxes);
    }

    fn flow(&mut self) -> &mut Flow {
        if self.flows.is_empty() {
            self.flows.push(Flow::default());
        }
        let last = self.flows.len() - 1;
        &mut self.flows[last]
    }

    /// Separates the paragraphs of a cell.
    fn fill_gap(&mut self) {
        if std::mem::take(&mut self.flow().between) {
            self.put_outside(" ");
        }
    }

    fn put_outside(&mut self, s: &str) {
        let fits = self.out.take(s).len();
        self.flow().text.push_str(&s[..fits]);
    }

    /// Adds to the paragraph that is open.
    fn put(&mut self, s: &str) {
        if self.is_run_hidden || self.fields.contains(&true) {
            return;
        }
        let in_cell = !self.flow().rows.is_empty();
        let s = if in_cell && s == "\n" { " " } else { s };
        let s = if self.is_after_mark { s.trim_start() } else { s };
        self.is_after_mark &= s.is_empty();
        if let Some(p) = self.paragraphs.last_mut() {
            p.text.push_str(self.out.take(s));
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped > 0 {
            return;
        }
        if let Some(Open::Text(preserve)) = self.open.last() {
            let text = if *preserve { text } else { text.trim_matches(&[' ', '\t', '\r', '\n'][..]) };
            self.put(&text.replace(&['\t', '\r', '\n'][..], " "));
        }
    }

    /// Characters of symbol fonts are in a private area; the common ones are known.
    fn put_symbol(&mut self, code: Option<&str>) {
        let code = code.and_then(|c| u32::from_str_radix(c, 16).ok()).unwrap_or(0);
        let c = match code {
            0xf0b7 | 0xf0a7 | 0xf06c => Some('•'),
            0xf0fc | 0xf0fe => Some('✓'),
            0xf0fb | 0xf0fd => Some('✗'),
            0xf0e0 => Some('→'),
            0x20..=0xd7ff | 0xf900..=0xfffc => char::from_u32(code),
            _ => None,
        };
        if let Some(c) = c {
            self.put(c.encode_utf8(&mut [0; 4]));
        }
    }
}
