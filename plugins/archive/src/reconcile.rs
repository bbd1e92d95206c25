use std::fs::{self, File};
use std::io::Read;

use guest::carried::uncarried;
use guest::{Answer, Args, Error, State};

use crate::entry::{parts, Kind};
use crate::extract::{payload, Task, Wanted};
use crate::made::{file_mark, folder_mark, Made};

/// Answers what came of an extraction whose end nobody saw: all is there as the
/// archive has it, none of it, or something between. It can be taken back if the folder was
/// made since the call began.
pub fn extracted(args: Args) -> Result<Answer, Error> {
    let unknown = || Answer { state: Some(State::Unknown), ..Answer::default() };
    let mut task = Task::take(args)?;
    let wanted = match task.wanted() {
        Ok(w) => w,
        // It can't have been extracted, or can't be looked at any more.
        Err(_) => return Ok(unknown()),
    };
    let into = task.into.clone();
    let (mut there, mut missing) = (0, 0);
    for name in wanted.files.iter().chain(&wanted.folders) {
        match fs::symlink_metadata(format!("{}/{}", into, name)) {
            Ok(_) => there += 1,
            Err(_) => missing += 1,
        }
    }
    if there == 0 {
        return Ok(Answer { state: Some(State::Released), ..Answer::default() });
    }
    let mut same = missing == 0;
    let limits = &task.limits;
    task.archive.each(limits, &mut |e, data| {
        let name = parts(&e.name, limits.depth)?.join("/");
        if same && e.kind == Kind::File && wanted.files.contains(&name) {
            same = alike(&format!("{}/{}", into, name), data)?;
        }
        Ok(same)
    })?;
    if !same {
        return Ok(unknown());
    }
    let undo = if task.is_new { found(&into, &wanted).and_then(|made| made.undo(&into)) } else { None };
    Ok(Answer { payload: payload(&task, &wanted, 0), facts: vec![format!("exists:{}", into)], undo, state: Some(State::Committed) })
}

/// What an extraction into a new folder made; none if it can't be read.
fn found(into: &str, wanted: &Wanted) -> Option<Made> {
    let mut folders = wanted.folders.clone();
    for name in wanted.files.iter().chain(&wanted.folders) {
        for (at, _) in name.match_indices('/') {
            folders.insert(name[..at].into());
        }
    }
    let mut made = Made::default();
    made.all.push((into.into(), folder_mark(into).ok()?));
    for name in &folders {
        let p = format!("{}/{}", into, name);
        let is = folder_mark(&p).ok()?;
        made.all.push((p, is));
    }
    for name in &wanted.files {
        let p = format!("{}/{}", into, name);
        let is = file_mark(&p).ok()?;
        made.all.push((p, is));
    }
    Some(made)
}

fn alike(p: &str, data: &mut dyn Read) -> Result<bool, Error> {
    let mut f = match File::open(p) {
        Ok(f) => f,
        Err(_) => return Ok(false),
    };
    let (mut want, mut got) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    loop {
        let n = data.read(&mut want).map_err(uncarried)?;
        if n == 0 {
            return Ok(f.read(&mut got[..1]).map_or(false, |n| n == 0));
        }
        if f.read_exact(&mut got[..n]).is_err() || got[..n] != want[..n] {
            return Ok(false);
        }
    }
}
