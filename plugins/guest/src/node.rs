//! What tells a file or folder from another one of the same name: its inode.
//! Rust's own library keeps it to itself on this target.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::wasi::io::AsRawFd;

/// The inode that a path leads to, the last link not followed, as " ino=7"; empty
/// where the host's system has none.
pub fn at(p: &str) -> io::Result<String> {
    let name = CString::new(p)?;
    inode(|st| unsafe { libc::lstat(name.as_ptr(), st) })
}

/// The inode of an open file, as [at] has it.
pub fn of(f: &File) -> io::Result<String> {
    inode(|st| unsafe { libc::fstat(f.as_raw_fd(), st) })
}

fn inode(ask: impl FnOnce(*mut libc::stat) -> libc::c_int) -> io::Result<String> {
    let mut st = MaybeUninit::uninit();
    if ask(st.as_mut_ptr()) != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system said that it filled it.
    let st = unsafe { st.assume_init() };
    Ok(if st.st_ino == 0 { String::new() } else { format!(" ino={}", st.st_ino) })
}
