//! Zip, of which the plugins have one reader.

use std::fs::File;

use guest::zip::members;
use guest::Error;

use crate::limits::Limits;
use crate::open::Visit;

pub fn each(f: &File, limits: &Limits, visit: &mut Visit) -> Result<(), Error> {
    for m in members(f, limits.entries, || limits.too_many())? {
        if !visit(&m.entry, &mut m.open(f))? {
            break;
        }
    }
    Ok(())
}
