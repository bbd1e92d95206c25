//! Extracting. The whole archive is looked at before anything is written; what
//! still goes wrong then is cleared away again.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Write};

use guest::carried::{uncarried, wrong_length};
use guest::place::{make_all, parent, place_or_root, refused};
use guest::{json, node, text, Answer, Args, Error, Text, Value};

use crate::entry::{clip, parts, Entry, Kind};
use crate::limits::Limits;
use crate::made::{mark, Made};
use crate::only::Only;
use crate::open::{open, Archive};

pub struct Task {
    pub archive: Archive,
    pub into: String,
    /// Name of the temporary file or folder of the call.
    part: String,
    /// The folder was made since the call began whose outcome is to be found out.
    pub is_new: bool,
    overwrite: bool,
    only: Only,
    pub limits: Limits,
}

impl Task {
    pub fn take(mut args: Args) -> Result<Task, Error> {
        let archive = open(&mut args)?;
        let into = place_or_root(&args.text("into")?.unwrap_or_default())?;
        let (part, is_new) = (args.part(), args.is_new("into"));
        let overwrite = args.flag("overwrite")?;
        let only = Only::take(&mut args);
        let limits = Limits::take(&mut args)?;
        args.end()?;
        Ok(Task { archive, into, part, is_new, overwrite, only, limits })
    }

    /// The place of an entry below the folder, where it is to be extracted.
    fn inside(&self, e: &Entry) -> Result<Option<String>, Error> {
        let name = parts(&e.name, self.limits.depth)?.join("/");
        Ok(Some(name).filter(|n| self.only.has(n) && !n.is_empty()))
    }

    /// What there is to extract. The archive is refused whole where a name of it is
    /// not to be trusted, wanted or not.
    pub fn wanted(&mut self) -> Result<Wanted, Error> {
        let entries = self.archive.entries(&self.limits)?;
        let mut w = Wanted::default();
        for e in entries {
            let name = match self.inside(&e)? {
                Some(name) => name,
                None => continue,
            };
            match e.kind {
                Kind::File => {
                    w.bytes += e.size;
                    if !w.files.insert(name) {
                        return Err(twice(text!("archive_two_files", "the archive has two files {name:?}", name = clip(&e.name))));
                    }
                }
                Kind::Folder => {
                    w.folders.insert(name);
                }
                Kind::Link | Kind::Other => w.skipped += 1,
            }
        }
        if let Some(both) = w.files.iter().find(|f| w.folders.contains(*f)) {
            return Err(twice(text!("archive_file_and_folder", "the archive has a file and a folder {name:?}", name = clip(both))));
        }
        if w.files.is_empty() && w.folders.is_empty() && !self.only.is_all() {
            let message = text!("archive_not_in_it", "the archive has no entry {name:?}", name = clip(&self.only.text()));
            return Err(Error::permanent("not_found", text!("archive_list_hint", "list what is in it with archive.list"), message));
        }
        Ok(w)
    }
}

#[derive(Default)]
pub struct Wanted {
    pub files: BTreeSet<String>,
    pub folders: BTreeSet<String>,
    bytes: u64,
    skipped: usize,
}

/// How many names an answer has.
const MAX_NAMES: usize = 5;

impl Wanted {
    /// The names directly in the folder, in order; those of folders end in a slash.
    fn top(&self) -> BTreeSet<String> {
        let names = self.files.iter().map(|f| (f, false)).chain(self.folders.iter().map(|f| (f, true)));
        names
            .map(|(name, is_folder)| match name.split_once('/') {
                Some((first, _)) => format!("{}/", first),
                None if is_folder => format!("{}/", name),
                None => name.clone(),
            })
            .collect()
    }
}

pub fn extract(args: Args) -> Result<Answer, Error> {
    let mut task = Task::take(args)?;
    let wanted = task.wanted()?;
    if !task.overwrite {
        for name in &wanted.files {
            let p = format!("{}/{}", task.into, name);
            if fs::symlink_metadata(&p).is_ok() {
                return Err(exists(&p));
            }
        }
    }
    let mut made = Made::default();
    if let Err(mut e) = write_whole(&mut task, &wanted, &mut made) {
        made.clear();
        if made.replaced > 0 {
            e.message = text!(
                "archive_replaced_before",
                "{fault}; {count} files had been replaced before",
                fault = e.message,
                count = made.replaced
            );
        }
        return Err(e);
    }
    let undo = made.undo(&task.into);
    Ok(Answer { payload: payload(&task, &wanted, made.replaced), facts: vec![format!("exists:{}", task.into)], undo, state: None })
}

pub fn payload(task: &Task, w: &Wanted, replaced: usize) -> Value {
    json!({
        "path": task.into,
        "from": task.archive.path,
        "names": w.top().iter().take(MAX_NAMES).collect::<Vec<_>>(),
        "more": w.top().len().saturating_sub(MAX_NAMES),
        "files": w.files.len(),
        "bytes": w.bytes,
        "replaced": replaced,
        "skipped": w.skipped, // links and what is neither file nor folder
    })
}

fn exists(p: &str) -> Error {
    let hint = text!("archive_overwrite_hint", "choose another folder, or set overwrite");
    Error::permanent("file_exists", hint, text!("archive_file_exists", "{path} already exists; nothing was extracted", path = p))
}

fn twice(message: Text) -> Error {
    Error::permanent("twice", text!("archive_use_only", "extract what you need with only, or repack it"), message)
}

fn choose_folder() -> Text {
    text!("archive_choose_folder", "choose another folder")
}

/// Writes what is wanted. A folder that is not there yet is written under a temporary name, and
/// gets its own when it is whole.
fn write_whole(task: &mut Task, wanted: &Wanted, made: &mut Made) -> Result<(), Error> {
    let (above, into) = (parent(&task.into).to_string(), task.into.clone());
    if above != "/root" {
        make_all(&above).map_err(|e| refused("create", &into, e))?;
    }
    if above == "/root" || fs::symlink_metadata(&into).is_ok() {
        let part = format!("{}/{}", into, task.part);
        let _ = fs::remove_file(&part); // of an earlier attempt
        return write_all(task, wanted, Some(&part), made);
    }
    let part = format!("{}/{}", above, task.part);
    let _ = fs::remove_dir_all(&part);
    task.into = part.clone();
    let written = write_all(task, wanted, None, made);
    task.into = into.clone();
    written.and_then(|_| fs::rename(&part, &into).map_err(|e| refused("create", &into, e))).map_err(|e| e.renamed(&part, &into))?;
    for (p, _) in &mut made.all {
        *p = format!("{}{}", into, &p[part.len()..]);
    }
    Ok(())
}

fn write_all(task: &mut Task, wanted: &Wanted, part: Option<&str>, made: &mut Made) -> Result<(), Error> {
    folder(&task.into, made)?;
    let into = task.into.clone();
    for name in &wanted.folders {
        folders(&into, name, made)?;
    }
    let (overwrite, limits) = (task.overwrite, &task.limits);
    let names = |e: &Entry| Ok::<_, Error>(parts(&e.name, limits.depth)?.join("/"));
    task.archive.each(limits, &mut |e, data| {
        let name = names(e)?;
        if e.kind == Kind::File && wanted.files.contains(&name) {
            if let Some(at) = name.rfind('/') {
                folders(&into, &name[..at], made)?;
            }
            file(&format!("{}/{}", into, name), e, data, overwrite, part, made)?;
        }
        Ok(true)
    })
}

/// Makes a folder and those above it, below the one that is extracted into.
fn folders(into: &str, name: &str, made: &mut Made) -> Result<(), Error> {
    let mut p = into.to_string();
    for part in name.split('/') {
        p = format!("{}/{}", p, part);
        folder(&p, made)?;
    }
    Ok(())
}

/// Makes a folder where there is none. A link that leads to one is not followed: what
/// it leads to is not what was asked for.
pub fn folder(p: &str, made: &mut Made) -> Result<(), Error> {
    if made.folders.contains(p) {
        return Ok(());
    }
    match fs::create_dir(p) {
        Ok(()) => {
            made.folders.insert(p.into());
            made.all.push((p.into(), format!("folder{}", node::at(p).map_err(|e| refused("look at", p, e))?)));
            Ok(())
        }
        Err(e) if e.kind() == ErrorKind::AlreadyExists => match fs::symlink_metadata(p) {
            Ok(m) if m.is_dir() => Ok(()),
            _ => {
                let message = text!("archive_file_in_the_way", "{path} is a file or a link, and not a folder", path = p);
                Err(Error::permanent("file_in_the_way", choose_folder(), message))
            }
        },
        Err(_) if fs::symlink_metadata(p).map_or(false, |m| m.is_dir()) => Ok(()), // a granted folder itself
        Err(e) => Err(refused("create", p, e)),
    }
}

/// Writes a file: under a temporary name, where its folder has its own already. What is replaced
/// stays until the new one is whole; so a link is replaced, and not written through.
fn file(p: &str, e: &Entry, data: &mut dyn Read, overwrite: bool, part: Option<&str>, made: &mut Made) -> Result<(), Error> {
    let new = part.unwrap_or(p).to_string();
    let replaces = match fs::symlink_metadata(p) {
        Ok(m) if overwrite && m.is_dir() => {
            return Err(Error::permanent("folder_in_the_way", choose_folder(), text!("path_is_folder", "{path} is a folder", path = p)));
        }
        Ok(_) if overwrite => true,
        Ok(_) => return Err(exists(p)),
        Err(_) => false,
    };
    let mut f = match OpenOptions::new().write(true).create_new(true).open(&new) {
        Ok(f) => f,
        Err(e) if e.kind() == ErrorKind::AlreadyExists => return Err(exists(&new)),
        Err(e) => return Err(refused("create", &new, e)),
    };
    made.all.push((new.clone(), String::new()));
    let mut sum = crc32fast::Hasher::new();
    let (mut size, mut buffer) = (0u64, vec![0; 64 << 10]);
    loop {
        let n = data.read(&mut buffer).map_err(uncarried)?;
        if n == 0 {
            break;
        }
        size += n as u64;
        sum.update(&buffer[..n]);
        f.write_all(&buffer[..n]).map_err(|e| refused("write", p, e))?;
    }
    if size != e.size {
        return Err(wrong_length(&clip(&e.name)));
    }
    if part.is_some() {
        name(&new, p, replaces)?;
    }
    if replaces {
        made.all.pop();
        made.replaced += 1;
        return Ok(());
    }
    let inode = node::of(&f).map_err(|e| refused("look at", p, e))?;
    if let Some(last) = made.all.last_mut() {
        *last = (p.into(), mark(&inode, size, sum.finalize()));
    }
    Ok(())
}

/// Gives a whole file its name. Only what may be replaced is.
fn name(new: &str, p: &str, replaces: bool) -> Result<(), Error> {
    if !replaces {
        match OpenOptions::new().write(true).create_new(true).open(p) {
            Ok(_) => {}
            Err(e) if e.kind() == ErrorKind::AlreadyExists => return Err(exists(p)),
            Err(e) => return Err(refused("create", p, e)),
        }
    }
    fs::rename(new, p).map_err(|e| {
        if !replaces {
            let _ = fs::remove_file(p);
        }
        refused("replace", p, e)
    })
}
