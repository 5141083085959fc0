use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};

/// The wait that `Retry-After` asks for, in seconds or until a date (RFC 9110, 10.2.3).
///
/// `None` without a valid header. Zero for a date in the past.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    read(headers.get(RETRY_AFTER)?.to_str().ok()?, SystemTime::now())
}

fn read(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // Too many digits are a very long time.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_valid_and_nothing_else() {
        // 2026-03-01T12:00:00Z
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_772_366_400);
        for (text, expected) in [
            ("0", Some(0)),
            ("30", Some(30)),
            (" 30 ", Some(30)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("Sun, 01 Mar 2026 12:00:30 GMT", Some(30)),
            ("Sunday, 01-Mar-26 12:00:30 GMT", Some(30)),
            ("Sun Mar  1 12:00:30 2026", Some(30)),
            ("Sun, 01 Mar 2026 11:00:00 GMT", Some(0)),
            ("", None),
            ("-1", None),
            ("+5", None),
            ("1.5", None),
            ("30s", None),
            ("soon", None),
            ("2026-03-01T12:00:30Z", None),
        ] {
            assert_eq!(
                read(text, now),
                expected.map(Duration::from_secs),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_header_that_is_not_text_is_ignored() {
        let mut headers = HeaderMap::new();
        assert_eq!(retry_after(&headers), None);
        let bytes = reqwest::header::HeaderValue::from_bytes(b"\xff").unwrap();
        headers.insert(RETRY_AFTER, bytes);
        assert_eq!(retry_after(&headers), None);
    }
}
