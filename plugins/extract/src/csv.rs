//! Tables as text. Cells are separated by commas in what is extracted, whatever separated
//! them in the file, and quoted only where they must be.

use guest::{text, Error, Text};

use crate::chars::Decoded;
use crate::fault::{broken_at, Diagnostic};
use crate::out::{Extracted, Out};

/// The most rows of another length than the first that are noted.
const MAX_NOTES: usize = 20;
/// A longer cell is hardly a cell: a quotation mark is missing.
const MAX_CELL: usize = 1 << 20;
/// As many columns as spreadsheets have.
const MAX_COLUMNS: usize = 1 << 14;

struct Reader<'a> {
    rest: &'a str,
    separator: char,
    line: usize,
}

/// How a cell ended.
#[derive(PartialEq)]
enum End {
    Cell,
    Row,
    File,
}

pub fn rewrite(decoded: &Decoded, done: &mut Extracted) -> Result<(), Error> {
    let all = &decoded.text[..];
    let mut r = Reader { rest: all, separator: separator(all), line: 1 };
    if let Some(rest) = all.strip_prefix("sep=") {
        // Spreadsheets may name it in a line of its own.
        let mut chars = rest.chars();
        if let (Some(c), Some('\r' | '\n')) = (chars.next(), chars.next()) {
            if c.is_ascii() && c != '"' {
                r.separator = c;
                r.rest = &rest[c.len_utf8()..];
                r.skip_line_end();
            }
        }
    }
    let (mut columns, mut notes) = (None, 0);
    let mut cell = String::new();
    loop {
        let start = r.rest;
        let fault = |why: Text, rest: &str| broken_at(why, decoded.place(all.len() - rest.len()));
        let (line, mut cells) = (r.line, 0);
        if r.rest.is_empty() {
            return Ok(());
        }
        if r.rest.starts_with(&['\r', '\n'][..]) {
            r.skip_line_end(); // an empty line has no cells
            continue;
        }
        loop {
            let begin = r.rest;
            let end = r.cell(&mut cell).map_err(|why| fault(why, begin))?;
            cells += 1;
            if cells > MAX_COLUMNS {
                return Err(fault(text!("extract_csv_columns", "a row has more than {limit} cells", limit = MAX_COLUMNS), start));
            }
            write(&mut done.text, &cell, cells > 1, cells == 1 && end != End::Cell);
            if end != End::Cell {
                break;
            }
        }
        done.text.push('\n');
        let columns = *columns.get_or_insert(cells);
        if cells != columns && notes < MAX_NOTES {
            notes += 1;
            done.diagnostics.push(Diagnostic::ragged(line, cells, columns));
        }
    }
}

/// Writes a cell. One that is alone in its row and empty is quoted, or the row would be an
/// empty line.
fn write(out: &mut Out, cell: &str, follows: bool, alone: bool) {
    if follows {
        out.push(',');
    }
    if !cell.contains(&[',', '"', '\n'][..]) && !(alone && cell.is_empty()) {
        out.push_str(cell);
        return;
    }
    out.push('"');
    for (i, part) in cell.split('"').enumerate() {
        if i > 0 {
            out.push_str("\"\"");
        }
        out.push_str(part);
    }
    out.push('"');
}

/// The character that is most often between the cells of the first row.
fn separator(text: &str) -> char {
    let candidates = [',', ';', '\t', '|'];
    let mut counts = [0; 4];
    let mut quoted = false;
    for c in text.chars().take(MAX_CELL) {
        match c {
            '"' => quoted = !quoted,
            '\r' | '\n' if !quoted => break,
            c if !quoted => {
                if let Some(i) = candidates.iter().position(|s| *s == c) {
                    counts[i] += 1;
                }
            }
            _ => {}
        }
    }
    let most = *counts.iter().max().unwrap_or(&0);
    candidates[counts.iter().position(|n| *n == most).unwrap_or(0)]
}

impl Reader<'_> {
    fn skip_line_end(&mut self) {
        self.rest = self.rest.strip_prefix("\r\n").unwrap_or_else(|| &self.rest[1..]);
        self.line += 1;
    }

    /// Reads a cell and what ends it.
    fn cell(&mut self, cell: &mut String) -> Result<End, Text> {
        cell.clear();
        if let Some(rest) = self.rest.strip_prefix('"') {
            self.rest = rest;
            self.quoted(cell)?;
        }
        // What follows a closing quotation mark belongs to the cell as well.
        let end = self.rest.find(|c| c == self.separator || c == '\r' || c == '\n').unwrap_or(self.rest.len());
        if cell.len() + end > MAX_CELL {
            return Err(too_long());
        }
        cell.push_str(&self.rest[..end]);
        self.rest = &self.rest[end..];
        if let Some(rest) = self.rest.strip_prefix(self.separator) {
            self.rest = rest;
            return Ok(End::Cell);
        }
        if self.rest.is_empty() {
            return Ok(End::File);
        }
        self.skip_line_end();
        Ok(End::Row)
    }

    fn quoted(&mut self, cell: &mut String) -> Result<(), Text> {
        loop {
            let end = self.rest.find(&['"', '\r', '\n'][..]);
            let end = end.ok_or_else(|| text!("extract_csv_quote", "the quotation mark that begins this cell is never closed"))?;
            if cell.len() + end > MAX_CELL {
                return Err(too_long());
            }
            cell.push_str(&self.rest[..end]);
            self.rest = &self.rest[end..];
            if self.rest.starts_with("\"\"") {
                cell.push('"');
                self.rest = &self.rest[2..];
            } else if let Some(rest) = self.rest.strip_prefix('"') {
                self.rest = rest;
                return Ok(());
            } else {
                cell.push('\n');
                self.skip_line_end();
            }
        }
    }
}

fn too_long() -> Text {
    text!("extract_csv_cell", "a cell is longer than {limit} bytes; a quotation mark may be missing", limit = MAX_CELL)
}
