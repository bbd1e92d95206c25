//! The hash plugin: digests of texts.

use guest::{json, Answer, Args, Error};
use md5::Md5;
use sha2::{Digest, Sha256};

fn main() {
    guest::run(&[("hash.sha256", |a| digest::<Sha256>("sha256", a)), ("hash.md5", |a| digest::<Md5>("md5", a))]);
}

fn digest<D: Digest>(algorithm: &str, mut args: Args) -> Result<Answer, Error> {
    let input = args.text("input")?.unwrap_or_default();
    args.end()?;
    let hash: String = D::digest(input.as_bytes()).iter().map(|b| format!("{:02x}", b)).collect();
    Ok(Answer::of(json!({"algorithm": algorithm, "hash": hash})))
}
