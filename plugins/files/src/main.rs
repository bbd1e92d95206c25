//! The files plugin: makes, reads and finds files and folders inside the folders that the
//! person granted. It sees those as /root/0, /root/1, …, and nothing else. What it made is
//! deleted by the program's own tools, which reach the trash; they also move and copy.

mod append;
mod create;
mod find;
mod item;
mod list;
mod pattern;
mod read;
mod reconcile;
mod size;
mod undo;

fn main() {
    guest::run(&[
        ("files.create_folder", create::folder),
        ("files.create_file", create::file),
        ("files.append", append::append),
        ("files.cut_back", append::cut_back),
        ("files.list", list::list),
        ("files.find", find::find),
        ("files.read", read::read),
        ("files.size", size::size),
        ("files.hash", size::hash),
        // They find out what came of a call whose end nobody saw.
        ("files.created_folder", reconcile::folder),
        ("files.created_file", reconcile::file),
        ("files.appended", append::appended),
    ]);
}
