//! The text plugin: what a text is made of.

use guest::{json, Answer, Args, Error};

fn main() {
    guest::run(&[("text.stats", stats)]);
}

/// Counts characters as Unicode code points, words between white space, and lines
/// as an editor numbers them: a last newline begins no further line.
fn stats(mut args: Args) -> Result<Answer, Error> {
    let input = args.text("input")?.unwrap_or_default();
    args.end()?;
    let mut lines = input.matches('\n').count();
    if !input.is_empty() && !input.ends_with('\n') {
        lines += 1;
    }
    Ok(Answer::of(json!({
        "bytes": input.len(),
        "characters": input.chars().count(),
        "words": input.split_whitespace().count(),
        "lines": lines,
    })))
}
