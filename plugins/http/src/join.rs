//! Where a link leads: RFC 3986, section 5, for the web's own schemes.

/// The whole URL of a reference on a page. None: it leads nowhere on the web.
pub fn join(base: &str, reference: &str) -> Option<String> {
    let reference: String = reference.trim().chars().filter(|c| !c.is_control()).collect();
    let reference = reference.split('#').next().unwrap_or("");
    if reference.is_empty() {
        return None;
    }
    let scheme_end = reference.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)));
    if let Some(end) = scheme_end.filter(|&e| e > 0 && reference[e..].starts_with(':')) {
        let scheme = reference[..end].to_ascii_lowercase();
        return Some(reference.to_string()).filter(|_| scheme == "http" || scheme == "https" || scheme == "mailto");
    }
    let (scheme, rest) = base.split_once("://")?;
    let authority_end = rest.find(|c| matches!(c, '/' | '?' | '#')).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(authority_end);
    let path = &rest[..rest.find(|c| matches!(c, '?' | '#')).unwrap_or(rest.len())];
    if let Some(other) = reference.strip_prefix("//") {
        return Some(format!("{}://{}", scheme, other));
    }
    let (ref_path, query) = match reference.find('?') {
        Some(at) => reference.split_at(at),
        None => (reference, ""),
    };
    let path = if ref_path.starts_with('/') {
        ref_path.to_string()
    } else if ref_path.is_empty() {
        path.to_string()
    } else {
        format!("{}/{}", path.rsplit_once('/').map_or("", |(above, _)| above), ref_path)
    };
    Some(format!("{}://{}{}{}", scheme, authority, without_dots(&path), query))
}

fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').skip(1) {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let folder = path.ends_with("/.") || path.ends_with("/..");
    format!("/{}{}", parts.join("/"), if folder && !parts.is_empty() { "/" } else { "" })
}
