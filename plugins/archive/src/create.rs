//! Makes a zip of a file or folder. Links are left out.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

use flate2::write::DeflateEncoder;
use flate2::Compression;
use guest::place::{parent, place, refused};
use guest::whole::Whole;
use guest::{json, node, text, time, Answer, Args, Error, State};

use crate::extract::folder;
use crate::made::{mark, Made};

struct Task {
    path: String,
    destination: String,
    part: String,
    is_new: bool,
    max_bytes: u64,
    max_entries: usize,
}

/// What goes into the zip.
#[derive(Default)]
struct Content {
    /// Paths, and names in the zip; that of a folder ends in a slash.
    entries: Vec<(String, String)>,
    files: u64,
    bytes: u64,
    skipped: u64,
}

impl Task {
    fn take(mut args: Args) -> Result<Task, Error> {
        let path = place(&args.text("path")?.unwrap_or_default())?;
        let destination = place(&args.text("destination")?.unwrap_or_default())?;
        let (part, is_new) = (args.part(), args.is_new("destination"));
        let max_bytes = args.number("max_bytes", 256 << 20)?;
        let max_entries = args.number("max_entries", 2000)? as usize;
        args.end()?;
        Ok(Task { path, destination, part, is_new, max_bytes, max_entries })
    }

    fn content(&self) -> Result<Content, Error> {
        let mut c = Content::default();
        let name = self.path[parent(&self.path).len() + 1..].to_string();
        let m = fs::metadata(&self.path).map_err(|e| match e.kind() {
            ErrorKind::NotFound => Error::permanent(
                "not_found",
                text!("files_check_path", "check the name and the folder"),
                text!("files_not_found", "{path} does not exist", path = &self.path),
            ),
            _ => refused("look at", &self.path, e),
        })?;
        if m.is_dir() && format!("{}/", self.destination).starts_with(&format!("{}/", self.path)) {
            return Err(Error::invalid(
                "bad_path",
                text!("files_choose_name", "choose another name"),
                text!("archive_into_itself", "{path} can't be packed into itself", path = &self.path),
            ));
        }
        self.add(&mut c, &self.path, name, &m)?;
        Ok(c)
    }

    fn add(&self, c: &mut Content, p: &str, name: String, m: &Metadata) -> Result<(), Error> {
        if c.entries.len() >= self.max_entries {
            let hint = text!("archive_raise_entries_here", "raise max_entries, or pack parts of it");
            let message = text!(
                "archive_folder_too_many",
                "{path} contains more than {limit} items, which is max_entries",
                path = &self.path,
                limit = self.max_entries
            );
            return Err(Error::permanent("too_many_entries", hint, message));
        }
        if m.is_file() {
            c.files += 1;
            c.bytes += m.len();
            if c.bytes > self.max_bytes {
                let hint = text!("archive_raise_bytes_here", "raise max_bytes, or pack parts of it");
                let message = text!(
                    "archive_folder_too_large",
                    "{path} is larger than {limit} bytes, which is max_bytes",
                    path = &self.path,
                    limit = self.max_bytes
                );
                return Err(Error::permanent("too_large", hint, message));
            }
            c.entries.push((p.into(), name));
            return Ok(());
        }
        if !m.is_dir() {
            c.skipped += 1;
            return Ok(());
        }
        c.entries.push((p.into(), format!("{}/", name)));
        let mut below = Vec::new();
        for e in fs::read_dir(p).map_err(|e| refused("look into", p, e))? {
            below.push(e.map_err(|e| refused("look into", p, e))?.file_name().to_string_lossy().into_owned());
        }
        below.sort();
        for inside in below {
            let p = format!("{}/{}", p, inside);
            match fs::symlink_metadata(&p) {
                Ok(m) => self.add(c, &p, format!("{}/{}", name, inside), &m)?,
                Err(_) => c.skipped += 1,
            }
        }
        Ok(())
    }
}

pub fn create(args: Args) -> Result<Answer, Error> {
    let task = Task::take(args)?;
    let content = task.content()?;
    let mut made = Made::default();
    match write(&task, &content, &mut made) {
        Err(e) => {
            made.clear();
            Err(e)
        }
        Ok(size) => {
            let undo = made.all.first().map(|(p, _)| p.clone()).and_then(|top| made.undo(&top));
            Ok(Answer { undo, ..answer(&task, &content, size) })
        }
    }
}

fn answer(t: &Task, c: &Content, size: u64) -> Answer {
    Answer {
        payload: json!({
            "path": t.destination, "from": t.path, "files": c.files, "bytes": c.bytes, "size": size,
            "skipped": c.skipped, // links and what is neither file nor folder
        }),
        facts: vec![format!("exists:{}", t.destination)],
        ..Answer::default()
    }
}

/// Writes the zip and answers its size. What was made on the way is noted.
fn write(t: &Task, c: &Content, made: &mut Made) -> Result<u64, Error> {
    let p = &t.destination;
    above(parent(p), made)?;
    let mut new = Whole::begin(p, &t.part).map_err(|e| taken(p, e))?;
    match fill(t, c, &mut new.file) {
        Err(e) => {
            new.remove();
            Err(e)
        }
        Ok((size, is)) => {
            new.end().map_err(|e| taken(p, e))?;
            made.all.push((p.clone(), is));
            Ok(size)
        }
    }
}

fn taken(p: &str, e: io::Error) -> Error {
    if e.kind() != ErrorKind::AlreadyExists {
        return refused("create", p, e);
    }
    let message = text!("archive_exists", "{path} already exists and was not changed", path = p);
    Error::permanent("file_exists", text!("files_choose_name", "choose another name"), message)
}

/// Writes the zip into a file, and answers its size and what it is known by.
fn fill(t: &Task, c: &Content, f: &mut File) -> Result<(u64, String), Error> {
    let p = &t.destination;
    let mut zip = Zip { f: &*f, list: Vec::new(), count: 0 };
    for (source, name) in &c.entries {
        zip.entry(source, name).map_err(|(at, e)| refused("pack", if at { source } else { p }, e))?;
    }
    zip.end().map_err(|e| refused("write", p, e))?;
    known(f).map_err(|e| refused("read", p, e))
}

/// The size of a zip, and what it is known by.
fn known(f: &mut File) -> io::Result<(u64, String)> {
    let (size, sum) = checksum(f)?;
    Ok((size, mark(&node::of(f)?, size, sum)))
}

fn above(p: &str, made: &mut Made) -> Result<(), Error> {
    if fs::metadata(p).map_or(false, |m| m.is_dir()) || p == "/root" {
        return Ok(());
    }
    above(parent(p), made)?;
    folder(p, made)
}

fn checksum(f: &mut File) -> io::Result<(u64, u32)> {
    f.seek(SeekFrom::Start(0))?;
    let (mut sum, mut size, mut buffer) = (crc32fast::Hasher::new(), 0, vec![0; 64 << 10]);
    loop {
        let n = f.read(&mut buffer)?;
        if n == 0 {
            return Ok((size, sum.finalize()));
        }
        size += n as u64;
        sum.update(&buffer[..n]);
    }
}

/// A zip that is being written (APPNOTE 6.3). Its sizes need no more than 32 bits.
struct Zip<'a> {
    f: &'a File,
    list: Vec<u8>,
    count: u16,
}

/// Says whether it was reading that failed.
type Fault = (bool, io::Error);

impl Zip<'_> {
    fn entry(&mut self, source: &str, name: &str) -> Result<(), Fault> {
        let reading = |e| (true, e);
        let writing = |e| (false, e);
        let modified = fs::metadata(source).and_then(|m| m.modified()).map(time::write).unwrap_or_default();
        let at = self.f.stream_position().map_err(writing)?;
        let is_folder = name.ends_with('/');
        let method = if is_folder { 0 } else { 8 };
        self.f.write_all(&local(name, method, &modified, 0, 0, 0)).map_err(writing)?;
        let (mut crc, mut packed, mut size) = (0, 0, 0);
        if !is_folder {
            let mut input = File::open(source).map_err(reading)?;
            let mut sum = crc32fast::Hasher::new();
            let mut out = DeflateEncoder::new(self.f, Compression::default());
            let mut buffer = vec![0; 64 << 10];
            loop {
                let n = input.read(&mut buffer).map_err(reading)?;
                if n == 0 {
                    break;
                }
                sum.update(&buffer[..n]);
                out.write_all(&buffer[..n]).map_err(writing)?;
            }
            out.try_finish().map_err(writing)?;
            crc = sum.finalize();
            packed = out.total_out() as u32;
            size = out.total_in() as u32;
            let end = self.f.stream_position().map_err(writing)?;
            self.f.seek(SeekFrom::Start(at)).map_err(writing)?;
            self.f.write_all(&local(name, method, &modified, crc, packed, size)).map_err(writing)?;
            self.f.seek(SeekFrom::Start(end)).map_err(writing)?;
        }
        let mode: u32 = if is_folder { 0o40755 << 16 | 0x10 } else { 0o100644 << 16 };
        self.list.extend_from_slice(b"PK\x01\x02\x14\x03");
        self.list.extend_from_slice(&common(name, method, &modified, crc, packed, size));
        self.list.extend_from_slice(&[0; 6]); // no comment, the first disk, binary
        self.list.extend_from_slice(&mode.to_le_bytes());
        self.list.extend_from_slice(&(at as u32).to_le_bytes());
        self.list.extend_from_slice(name.as_bytes());
        self.count += 1;
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        let at = self.f.stream_position()? as u32;
        self.f.write_all(&self.list)?;
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend_from_slice(&self.count.to_le_bytes());
        end.extend_from_slice(&self.count.to_le_bytes());
        end.extend_from_slice(&(self.list.len() as u32).to_le_bytes());
        end.extend_from_slice(&at.to_le_bytes());
        end.extend_from_slice(&[0; 2]);
        self.f.write_all(&end)
    }
}

fn local(name: &str, method: u16, modified: &str, crc: u32, packed: u32, size: u32) -> Vec<u8> {
    let mut b = b"PK\x03\x04".to_vec();
    b.extend_from_slice(&common(name, method, modified, crc, packed, size));
    b.extend_from_slice(name.as_bytes());
    b
}

/// What both headers of an entry have: from the version that is needed to the length of the
/// extra field, which is none.
fn common(name: &str, method: u16, modified: &str, crc: u32, packed: u32, size: u32) -> Vec<u8> {
    let (clock, date) = dos(modified);
    let mut b = Vec::new();
    for n in [20, 0x800, method, clock, date] {
        b.extend_from_slice(&u16::to_le_bytes(n)); // 0x800: the name is UTF-8
    }
    for n in [crc, packed, size] {
        b.extend_from_slice(&n.to_le_bytes());
    }
    b.extend_from_slice(&(name.len() as u16).to_le_bytes());
    b.extend_from_slice(&[0; 2]);
    b
}

/// The time and date of MS-DOS, which begin in 1980.
fn dos(modified: &str) -> (u16, u16) {
    let n = |from: usize, to: usize| modified.get(from..to).and_then(|s| s.parse::<u16>().ok()).unwrap_or(0);
    if n(0, 4) < 1980 {
        return (0, 1 << 5 | 1);
    }
    (n(11, 13) << 11 | n(14, 16) << 5 | n(17, 19) / 2, (n(0, 4) - 1980) << 9 | n(5, 7) << 5 | n(8, 10))
}

/// Answers what came of a call whose end nobody saw. A zip that was made since the call began
/// is whole, because it got its name last. An empty file beside the temporary one has its name
/// only: the call can go on.
pub fn created(args: Args) -> Result<Answer, Error> {
    let task = Task::take(args)?;
    let p = &task.destination;
    let told = |state| Ok(Answer { state: Some(state), ..Answer::default() });
    match fs::symlink_metadata(p) {
        Err(e) if e.kind() == ErrorKind::NotFound => return told(State::Released),
        Ok(m) if m.len() == 0 && fs::symlink_metadata(format!("{}/{}", parent(p), task.part)).is_ok() => return told(State::Released),
        Ok(m) if m.is_file() && task.is_new => {}
        _ => return told(State::Unknown),
    }
    let content = task.content().unwrap_or_default(); // what was packed may have changed since
    match File::open(p).and_then(|mut f| known(&mut f)) {
        Err(_) => told(State::Unknown),
        Ok((size, is)) => {
            let made = Made { all: vec![(p.clone(), is)], ..Made::default() };
            Ok(Answer { undo: made.undo(p), state: Some(State::Committed), ..answer(&task, &content, size) })
        }
    }
}
