//! Namespaces of XML, as far as documents need them.

use guest::{text, Error};

use crate::fault::over_limit;

/// The most prefixes that may be declared at a time.
const MAX_PREFIXES: usize = 1000;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Namespace {
    /// The words of a document.
    Word,
    Math,
    /// Alternatives for programs that know more or less.
    Compatibility,
    /// What a package has in it.
    Package,
    Other,
}

impl Namespace {
    fn of(uri: &str) -> Namespace {
        match uri {
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main" | "http://purl.oclc.org/ooxml/wordprocessingml/main" => {
                Namespace::Word
            }
            "http://schemas.openxmlformats.org/officeDocument/2006/math" | "http://purl.oclc.org/ooxml/officeDocument/math" => {
                Namespace::Math
            }
            "http://schemas.openxmlformats.org/markup-compatibility/2006" => Namespace::Compatibility,
            "http://schemas.openxmlformats.org/package/2006/content-types"
            | "http://schemas.openxmlformats.org/package/2006/relationships" => Namespace::Package,
            _ => Namespace::Other,
        }
    }
}

/// The prefixes that are declared, each with the depth of the element that does.
#[derive(Default)]
pub struct Names(Vec<(usize, String, Namespace)>);

impl Names {
    /// Declares what follows "xmlns" in an attribute's name: a prefix after a colon, or
    /// nothing. Other attributes begin in the same way and declare nothing.
    pub fn declare(&mut self, depth: usize, suffix: &str, uri: &str) -> Result<(), Error> {
        if !suffix.is_empty() && !suffix.starts_with(':') {
            return Ok(());
        }
        if self.0.len() == MAX_PREFIXES {
            return Err(over_limit(text!("extract_xml_prefixes", "its XML declares more than {limit} prefixes", limit = MAX_PREFIXES)));
        }
        self.0.push((depth, suffix.trim_start_matches(':').into(), Namespace::of(uri)));
        Ok(())
    }

    pub fn close(&mut self, depth: usize) {
        while self.0.last().map_or(false, |(d, _, _)| *d >= depth) {
            self.0.pop();
        }
    }

    pub fn find(&self, prefix: &str) -> Namespace {
        self.0.iter().rev().find(|(_, p, _)| p == prefix).map_or(Namespace::Other, |(_, _, n)| *n)
    }
}
