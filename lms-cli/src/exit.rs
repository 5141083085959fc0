//! The exit codes.

/// The exit codes, which scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Done = 0,
    /// A fault of this program, or a response that is not as documented.
    Fault = 1,
    Usage = 2,
    NotFound = 3,
    /// Credentials or permission.
    Credentials = 4,
    /// Refused by the service: a conflict or a value that is not valid.
    Refused = 5,
    /// May succeed later: the network, a limit, a failing server, time.
    Unavailable = 6,
    /// A write may have happened.
    Ambiguous = 7,
    /// A part of the work was done.
    Partial = 8,
    Cancelled = 130,
}

/// The exit codes with what they mean, for the help and the guide.
pub(crate) const EXIT_CODES: [(Exit, &str); 10] = [
    (Exit::Done, "done"),
    (
        Exit::Fault,
        "a fault of this program, or a response that is not as documented",
    ),
    (Exit::Usage, "the command is not valid; nothing was sent"),
    (Exit::NotFound, "not found"),
    (
        Exit::Credentials,
        "no credentials, invalid credentials, or no permission",
    ),
    (
        Exit::Refused,
        "refused by the service: a conflict, or a value that is not valid",
    ),
    (
        Exit::Unavailable,
        "may succeed later: the network, a rate limit, a failing server, a timeout",
    ),
    (
        Exit::Ambiguous,
        "a write may have happened; check before you run the command again",
    ),
    (
        Exit::Partial,
        "a part of the work was done; the output is incomplete",
    ),
    (Exit::Cancelled, "cancelled, or not confirmed"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_lists_every_exit_code() {
        let guide = include_str!("../../docs/guide/command-line.md");
        for (code, meaning) in EXIT_CODES {
            let row = format!("| {} | {meaning} |", code as u8);
            assert!(guide.contains(&row), "{row}");
        }
    }
}
