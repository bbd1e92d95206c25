//! The files plugin: makes folders and files inside the folders that the person
//! granted. It sees those as /root/0, /root/1, …, and nothing else. What it made
//! is deleted by the program's own tools, which reach the trash.

mod create;
mod reconcile;
mod undo;

fn main() {
    guest::run(&[
        ("files.create_folder", create::folder),
        ("files.create_file", create::file),
        // They find out what came of a call whose end nobody saw.
        ("files.created_folder", reconcile::folder),
        ("files.created_file", reconcile::file),
    ]);
}
