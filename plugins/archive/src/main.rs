//! The archive plugin: makes zips, and lists and extracts zip, tar and tar.gz inside the folders
//! that the person granted. Nothing in an archive is believed: see [limits].

mod create;
mod entry;
mod extract;
mod limits;
mod list;
mod made;
mod only;
mod open;
mod reconcile;
mod remove;
mod targz;
mod zip;

fn main() {
    guest::run(&[
        ("archive.list", list::list),
        ("archive.create", create::create),
        ("archive.extract", extract::extract),
        ("archive.remove_extracted", remove::remove),
        // Finds out what came of an extraction whose end nobody saw.
        ("archive.extracted", reconcile::extracted),
        ("archive.created", create::created),
    ]);
}
