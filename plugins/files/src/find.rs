//! Finds files and folders by their names, kinds, times and contents.

use std::fs::{self, Metadata};
use std::time::SystemTime;

use guest::place::place_or_root;
use guest::{bad, json, text, time, Answer, Args, Error, Value};

use crate::item::{fold, folder, kind, modified};
use crate::list::MAX_LIMIT;
use crate::pattern::Name;
use crate::read::decode;

/// How many folders deep a search goes, and how many entries it looks at.
const MAX_DEPTH: usize = 24;
const MAX_ENTRIES: usize = 50_000;

/// Contents are searched in files up to this size, and up to this sum.
const MAX_FILE: u64 = 2 << 20;
const MAX_CONTENTS: u64 = 64 << 20;

struct Search {
    name: Name,
    extensions: Vec<String>,
    kind: Option<String>,
    text: Option<String>,
    newer_than: Option<SystemTime>,
    older_than: Option<SystemTime>,
    min_size: u64,
    max_size: u64,
    limit: usize,
    /// How many are kept until they are in order.
    keep: usize,
    found: Vec<Found>,
    count: usize,
    searched: usize,
    contents: u64,
    /// The search left something out.
    more: bool,
}

/// A file or folder that fits.
struct Found {
    changed: Option<SystemTime>,
    size: u64,
    entry: Value,
}

pub fn find(mut args: Args) -> Result<Answer, Error> {
    let p = place_or_root(&args.text("path")?.unwrap_or_default())?;
    let mut s = Search {
        name: Name::new(&args.text("name")?.unwrap_or_default()),
        extensions: args.texts("extensions")?.iter().map(|e| fold(e.trim_start_matches('.'))).collect(),
        kind: args.text("kind")?,
        text: args.text("text")?.filter(|t| !t.is_empty()).map(|t| fold(&t)),
        newer_than: moment(&mut args, "newer_than")?,
        older_than: moment(&mut args, "older_than")?,
        min_size: args.number("min_size", 0)?,
        max_size: args.number("max_size", u64::MAX)?,
        limit: args.number("limit", 100)?.min(MAX_LIMIT) as usize,
        keep: 0,
        found: Vec::new(),
        count: 0,
        searched: 0,
        contents: 0,
        more: false,
    };
    let order = args.text("sort")?;
    args.end()?;
    folder(&p)?;
    s.keep = if order.is_some() { MAX_ENTRIES } else { s.limit };
    s.walk(&p, 0);
    match order.as_deref() {
        Some("newest") => s.found.sort_by(|a, b| b.changed.cmp(&a.changed)),
        Some("oldest") => s.found.sort_by(|a, b| a.changed.cmp(&b.changed)),
        Some("largest") => s.found.sort_by(|a, b| b.size.cmp(&a.size)),
        Some("smallest") => s.found.sort_by(|a, b| a.size.cmp(&b.size)),
        _ => {}
    }
    s.found.truncate(s.limit);
    let more = s.more || s.count > s.found.len();
    let found: Vec<Value> = s.found.into_iter().map(|f| f.entry).collect();
    Ok(Answer::of(json!({"path": p, "found": found, "count": s.count, "more": more, "searched": s.searched})))
}

fn moment(args: &mut Args, name: &str) -> Result<Option<SystemTime>, Error> {
    match args.text(name)? {
        None => Ok(None),
        Some(s) => match time::read(&s) {
            None => Err(bad(text!("arg_not_time", "{name} must be a time such as 2026-03-01T12:00:00Z", name = name))),
            found => Ok(found),
        },
    }
}

impl Search {
    /// Looks through a folder, and then through those in it. Links are not followed, and
    /// hidden folders are left out.
    fn walk(&mut self, dir: &str, depth: usize) {
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(_) => {
                self.more = true;
                return;
            }
        };
        let mut names: Vec<(String, bool)> = entries
            .flatten()
            .map(|e| (e.file_name().to_string_lossy().into_owned(), e.file_type().map_or(false, |t| t.is_dir())))
            .collect();
        names.sort();
        for (name, _) in &names {
            if self.searched >= MAX_ENTRIES {
                self.more = true;
                return;
            }
            self.searched += 1;
            self.consider(&format!("{}/{}", dir, name), name);
        }
        for (name, is_dir) in names {
            if !is_dir || name.starts_with('.') {
                continue;
            }
            if depth + 1 >= MAX_DEPTH || self.searched >= MAX_ENTRIES {
                self.more = true;
                return;
            }
            self.walk(&format!("{}/{}", dir, name), depth + 1);
        }
    }

    fn consider(&mut self, p: &str, name: &str) {
        if !self.name.fits(name) {
            return;
        }
        let m = match fs::symlink_metadata(p) {
            Ok(m) if self.fits(name, &m) => m,
            _ => return,
        };
        if !self.holds_text(p, &m) {
            return;
        }
        self.count += 1;
        if self.found.len() < self.keep {
            let size = if m.is_file() { m.len() } else { 0 };
            let entry = json!({"path": p, "kind": kind(&m), "size": size, "modified": modified(&m)});
            self.found.push(Found { changed: m.modified().ok(), size, entry });
        }
    }

    fn fits(&self, name: &str, m: &Metadata) -> bool {
        let changed = m.modified().ok();
        self.kind.as_deref().map_or(true, |k| k == kind(m))
            && (self.extensions.is_empty()
                || m.is_file()
                    && name.rsplit_once('.').map_or(false, |(stem, ext)| !stem.is_empty() && self.extensions.contains(&fold(ext))))
            && (self.min_size == 0 && self.max_size == u64::MAX || m.is_file() && m.len() >= self.min_size && m.len() <= self.max_size)
            && self.newer_than.map_or(true, |t| changed.map_or(false, |c| c >= t))
            && self.older_than.map_or(true, |t| changed.map_or(false, |c| c < t))
    }

    fn holds_text(&mut self, p: &str, m: &Metadata) -> bool {
        let sought = match &self.text {
            None => return true,
            Some(t) => t,
        };
        if !m.is_file() {
            return false;
        }
        if m.len() > MAX_FILE || self.contents + m.len() > MAX_CONTENTS {
            self.more = true;
            return false;
        }
        self.contents += m.len();
        fs::read(p).ok().and_then(|b| decode(&b, false)).map_or(false, |t| fold(&t).contains(sought))
    }
}
