//! Adds lines to the end of a text file, and takes them away again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::wasi::io::AsRawFd;
use std::time::UNIX_EPOCH;

use guest::place::{place, refused};
use guest::{json, node, text, Answer, Args, Error, Inverse, State};
use sha2::{Digest, Sha256};

use crate::item::file;
use crate::read::{decode, not_text, Encoding};

/// The largest file that lines are added to.
const MAX_FILE: u64 = 32 << 20;

struct Task {
    path: String,
    before: Vec<u8>,
    /// What is added: the lines, each with a line end, and one before them if the last line
    /// of the file has none.
    lines: Vec<u8>,
}

impl Task {
    fn take(mut args: Args) -> Result<Task, Error> {
        let path = place(&args.text("path")?.unwrap_or_default())?;
        let added = args.text("text")?.unwrap_or_default();
        args.end()?;
        let before = content(&path)?;
        let old = decode(&before, false).ok_or_else(|| not_text(&path))?;
        let end = if old.contains("\r\n") { "\r\n" } else { "\n" };
        let mut lines = String::new();
        if !old.is_empty() && !old.ends_with('\n') {
            lines.push_str(end);
        }
        let added = added.replace("\r\n", "\n");
        for line in added.strip_suffix('\n').unwrap_or(&added).split('\n') {
            lines.push_str(line);
            lines.push_str(end);
        }
        let lines = Encoding::of(&before).encode(&lines);
        Ok(Task { path, before, lines })
    }
}

/// The whole content of a file.
fn content(p: &str) -> Result<Vec<u8>, Error> {
    let size = file(p)?.len();
    if size > MAX_FILE {
        return Err(Error::permanent(
            "too_large",
            text!("files_open_in_program", "open it in a program for such files"),
            text!(
                "files_too_large",
                "{path} has {size} bytes, and lines are added to at most {limit}",
                path = p,
                size = size,
                limit = MAX_FILE
            ),
        ));
    }
    let mut b = Vec::new();
    File::open(p).and_then(|f| f.take(MAX_FILE + 1).read_to_end(&mut b)).map_err(|e| refused("read", p, e))?;
    Ok(b)
}

pub fn append(args: Args) -> Result<Answer, Error> {
    let t = Task::take(args)?;
    let p = &t.path;
    let old = t.before.len() as u64;
    let modified = fs::metadata(p).and_then(|m| m.modified()).ok();
    let mut f = OpenOptions::new().read(true).append(true).open(p).map_err(|e| refused("write", p, e))?;
    if let Err(e) = f.write_all(&t.lines) {
        let _ = f.set_len(old);
        return Err(refused("write", p, e));
    }
    let size = old + t.lines.len() as u64;
    let mut sum = Sha256::new();
    sum.update(&t.before);
    sum.update(&t.lines);
    let is = mark(&f, size, sum).map_err(|e| refused("look at", p, e))?;
    let mut undo = json!({"path": p, "size": old, "if_unchanged": is});
    if let Some(at) = modified.and_then(|t| t.duration_since(UNIX_EPOCH).ok()) {
        undo["modified"] = at.as_nanos().to_string().into(); // more than a number of JSON holds
    }
    Ok(Answer {
        payload: json!({"path": p, "bytes": t.lines.len(), "size": size}),
        facts: vec![format!("exists:{}", p)],
        undo: Some(Inverse { tool: "files.cut_back", args: undo }),
        state: None,
    })
}

fn mark(f: &File, size: u64, sum: Sha256) -> io::Result<String> {
    Ok(format!("file{} size={} sha256={:x}", node::of(f)?, size, sum.finalize()))
}

/// Answers whether the lines are at the end of the file. Whether it was that call that added
/// them can't be told, so there is nothing to take back.
pub fn appended(args: Args) -> Result<Answer, Error> {
    let told = |state| Ok(Answer { state: Some(state), ..Answer::default() });
    let mut with_text = args;
    let added = with_text.text("text")?;
    let path = with_text.text("path")?;
    let t = match Task::take(Args::new(json!({"path": path, "text": added}))?) {
        Ok(t) => t,
        Err(_) => return told(State::Unknown),
    };
    // The file ends in a line end if the lines are there, so that these are the lines alone.
    if t.before.ends_with(&t.lines) {
        return Ok(Answer {
            payload: json!({"path": t.path, "bytes": t.lines.len(), "size": t.before.len()}),
            facts: vec![format!("exists:{}", t.path)],
            undo: None,
            state: Some(State::Committed),
        });
    }
    let half = (1..t.lines.len()).any(|n| t.before.ends_with(&t.lines[..n]));
    told(if half { State::Unknown } else { State::Released })
}

/// Cuts a file back to the length that it had before lines were added, while it is as they
/// left it.
pub fn cut_back(mut args: Args) -> Result<Answer, Error> {
    let p = place(&args.text("path")?.unwrap_or_default())?;
    let size = args.number("size", 0)?;
    let is = args.text("if_unchanged")?.unwrap_or_default();
    let modified = args.text("modified")?.and_then(|s| s.parse::<u64>().ok());
    args.end()?;
    let b = content(&p)?;
    let f = OpenOptions::new().read(true).write(true).open(&p).map_err(|e| refused("write", &p, e))?;
    let mut sum = Sha256::new();
    sum.update(&b);
    if mark(&f, b.len() as u64, sum).map_err(|e| refused("look at", &p, e))? != is || size > b.len() as u64 {
        return Err(Error::permanent(
            "changed",
            text!("files_delete_lines", "delete the lines yourself if you no longer need them"),
            text!("files_changed", "{path} has changed and was not touched", path = &p),
        ));
    }
    f.set_len(size).map_err(|e| refused("write", &p, e))?;
    if let Some(at) = modified {
        set_modified(&f, at);
    }
    Ok(Answer::of(json!({"path": p, "bytes": b.len() as u64 - size, "size": size})))
}

/// Gives a file the time that it had. It does not matter if that fails.
fn set_modified(f: &File, nanoseconds: u64) {
    // SAFETY: the system fills no part of it.
    let mut times: [libc::timespec; 2] = unsafe { std::mem::zeroed() };
    for t in &mut times {
        t.tv_sec = (nanoseconds / 1_000_000_000) as libc::time_t;
        t.tv_nsec = (nanoseconds % 1_000_000_000) as _;
    }
    // SAFETY: the file is open, and there are two times.
    unsafe { libc::futimens(f.as_raw_fd(), times.as_ptr()) };
}
