//! Reads rate limits from the headers of responses, in the forms that services use (`lms-client/src/service.md`, Limits).

use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::header::{HeaderMap, HeaderName};

/// Names of the headers with the remaining requests and with the end of the window.
const PAIRS: [(&str, &str); 3] = [
    ("ratelimit-remaining", "ratelimit-reset"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("x-rate-limit-remaining", "x-rate-limit-reset"),
];
/// Seconds above which the end of a window is a time since 1970, and above which it is in milliseconds.
const EPOCH: f64 = 1e9;
const EPOCH_MILLIS: f64 = 1e12;

/// The number of requests that a server allows until the end of its window, and the seconds until then.
///
/// `None` without the headers, and for values that are no such numbers.
pub(super) fn allowed(headers: &HeaderMap) -> Option<(u64, f64)> {
    // Most responses have none of them. Comparing a few names is cheaper than looking each of ours up.
    let mut names = headers.keys().map(HeaderName::as_str);
    if !names.any(|name| name.strip_prefix("x-").unwrap_or(name).starts_with("rate")) {
        return None;
    }
    let text = |name: &str| headers.get(name)?.to_str().ok();
    let pair = |(remaining, reset): (&str, &str)| {
        Some((number(text(remaining)?)?, reset_in(text(reset)?)?))
    };
    structured(text("ratelimit"), text("ratelimit-policy"))
        .or_else(|| PAIRS.into_iter().find_map(pair))
        .map(|(left, seconds)| (left as u64, seconds))
}

/// The policy with the fewest remaining requests in `RateLimit: "hour";r=50;t=30`. Without `t`, the window `w` of its
/// policy in `RateLimit-Policy: "hour";q=100;w=3600` ends at the latest after all of its seconds.
fn structured(limits: Option<&str>, policies: Option<&str>) -> Option<(f64, f64)> {
    let window = |name: &str| {
        let mut policies = policies?.split(',').map(str::trim);
        parameter(
            policies.find(|policy| policy.split(';').next() == Some(name))?,
            "w",
        )
    };
    let limit = |limit: &str| {
        let limit = limit.trim();
        let name = limit.split(';').next()?;
        let seconds = parameter(limit, "t").or_else(|| window(name))?;
        Some((parameter(limit, "r")?, seconds))
    };
    let limits = limits?.split(',').filter_map(limit);
    limits.min_by(|one, other| one.0.total_cmp(&other.0).then(other.1.total_cmp(&one.1)))
}

fn parameter(item: &str, name: &str) -> Option<f64> {
    let mut parameters = item
        .split(';')
        .skip(1)
        .filter_map(|part| part.split_once('='));
    number(parameters.find(|(key, _)| key.trim() == name)?.1)
}

fn reset_in(text: &str) -> Option<f64> {
    let value = number(text)?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()?
        .as_secs_f64();
    Some(match value {
        EPOCH_MILLIS.. => (value / 1000.0 - now).max(0.0),
        EPOCH.. => (value - now).max(0.0),
        _ => value,
    })
}

/// A number that is not negative, and is finite.
fn number(text: &str) -> Option<f64> {
    let number: f64 = text.trim().parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads headers, which a line break separates.
    fn read(head: &str) -> Option<(u64, f64)> {
        let mut headers = HeaderMap::new();
        for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
            let name: HeaderName = name.parse().unwrap();
            headers.insert(name, value.parse().unwrap());
        }
        allowed(&headers)
    }

    #[test]
    fn every_form_is_read_and_nonsense_is_ignored() {
        const POLICY: &str = r#"ratelimit-policy: "burst";q=100;w=60,"day";q=9;w=86400"#;

        for (limit, expected) in [
            (r#""burst";r=50;t=30"#, Some((50, 30.0))),
            (r#""day";r=900;t=30, "burst"; r=0 ;t=7"#, Some((0, 7.0))),
            (r#""a";r=0;t=7,"b";r=0;t=9"#, Some((0, 9.0))),
            (r#""burst";r=3"#, Some((3, 60.0))),
            (r#""other";r=3"#, None),
            (";;=,r=;t", None),
        ] {
            let head = format!("ratelimit: {limit}\n{POLICY}");
            assert_eq!(read(&head), expected, "{limit}");
        }
        assert_eq!(read(r#"ratelimit: "burst";r=3"#), None);
        assert_eq!(read(POLICY), None);

        for (remaining, reset, expected) in [
            ("3", "5", Some((3, 5.0))),
            ("0", "0.5", Some((0, 0.5))),
            ("0", "1000000000", Some((0, 0.0))),
            ("1e300", "5", Some((u64::MAX, 5.0))),
            ("-1", "5", None),
            ("many", "5", None),
            ("NaN", "inf", None),
        ] {
            for prefix in ["ratelimit", "x-ratelimit", "x-rate-limit"] {
                let head = format!("{prefix}-remaining: {remaining}\n{prefix}-reset: {reset}");
                assert_eq!(read(&head), expected, "{head}");
            }
        }
        assert_eq!(read("x-ratelimit-remaining: 0"), None);
        assert_eq!(read("x-ratelimit-reset: 5"), None);

        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let soon = now.as_secs() + 40;
        for reset in [soon, soon * 1000] {
            let head = format!("x-ratelimit-remaining: 2\nx-ratelimit-reset: {reset}");
            let (left, seconds) = read(&head).unwrap();
            assert!(left == 2 && (35.0..=41.0).contains(&seconds), "{seconds}");
        }
    }
}
