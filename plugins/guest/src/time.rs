//! Times as RFC 3339 writes them. Rust's own library has no calendar.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Writes a time in UTC, in seconds: "2026-03-01T12:00:00Z". Empty for a time before 1970.
pub fn write(t: SystemTime) -> String {
    let seconds = match t.duration_since(UNIX_EPOCH) {
        Ok(d) => d.as_secs(),
        Err(_) => return String::new(),
    };
    let (year, month, day) = date((seconds / 86400) as i64);
    let of_day = seconds % 86400;
    format!("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", year, month, day, of_day / 3600, of_day / 60 % 60, of_day % 60)
}

/// Reads a time: a date, the letter T, a time of day with or without a fraction, and Z or an
/// offset. A date alone is its beginning in UTC.
pub fn read(s: &str) -> Option<SystemTime> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let part = s.get(from..to)?;
        if !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        part.parse().ok()
    };
    let mark = |at: usize, any: &[u8]| s.as_bytes().get(at).map_or(false, |b| any.contains(b));
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    if !mark(4, b"-") || !mark(7, b"-") || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let days = days(year, month, day);
    if date(days) != (year, month, day) {
        return None;
    }
    if s.len() == 10 {
        return after_1970(days * 86400);
    }
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !mark(10, b"Tt ") || !mark(13, b":") || !mark(16, b":") || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut at = 19;
    if mark(at, b".") {
        at += 1 + s[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
    }
    let offset = match s.get(at..)? {
        "Z" | "z" => 0,
        _ if s.len() == at + 6 && mark(at, b"+-") && mark(at + 3, b":") => {
            let minutes = number(at + 1, at + 3)? * 60 + number(at + 4, at + 6)?;
            if mark(at, b"-") {
                -minutes
            } else {
                minutes
            }
        }
        _ => return None,
    };
    after_1970(days * 86400 + hour * 3600 + minute * 60 + second - offset * 60)
}

fn after_1970(seconds: i64) -> Option<SystemTime> {
    Some(UNIX_EPOCH + Duration::from_secs(seconds.max(0) as u64))
}

/// The days since 1970 of a date of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date of a number of days since 1970.
fn date(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}
