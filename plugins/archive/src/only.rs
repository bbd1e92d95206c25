//! Which entries of an archive a call is about.

use guest::{Args, Value};

/// Names of files and folders; empty: all entries.
pub struct Only(Vec<String>);

impl Only {
    pub fn take(args: &mut Args) -> Only {
        Only(match args.take("only") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(|n| n.trim_end_matches('/').into()).collect(),
            _ => Vec::new(),
        })
    }

    pub fn is_all(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a clean name is one of the names, or is in a folder that is one of them.
    pub fn has(&self, name: &str) -> bool {
        self.is_all() || self.0.iter().any(|o| name == *o || name.strip_prefix(o.as_str()).map_or(false, |rest| rest.starts_with('/')))
    }

    pub fn text(&self) -> String {
        self.0.join(", ")
    }
}
