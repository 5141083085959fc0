//! The exit codes, and the one that each error has.
//!
//! A failure has none of its own that is 0, so no way of ending a command turns one into a success.

use lms_ext::ErrorKind as CallError;
use lms_sync::ErrorKind as JobError;

/// The exit codes of failures, which scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// A fault of this program, or a response that is not as documented.
    Fault = 1,
    Usage = 2,
    NotFound = 3,
    /// Credentials or permission.
    Credentials = 4,
    /// Refused by the service: a conflict or a value that is not valid.
    Refused = 5,
    /// May succeed later: the network, a limit, a failing server, a destination, time.
    Unavailable = 6,
    /// A write may have happened.
    Ambiguous = 7,
    /// A part of the work was done.
    Partial = 8,
    /// A plan has changes, with `--exit-code`.
    Changes = 9,
    /// A plan is beyond a limit.
    Held = 10,
    Cancelled = 130,
}

/// The exit code of a command that SIGTERM has cancelled.
pub(crate) const TERMINATED: u8 = 143;

/// The command with codes of its own, which are not those of a failure: it succeeds when it finds mistakes.
pub(crate) const DOCTOR: &str = "`lms doctor` differs: 0 all is well, 1 warnings, 2 errors.";

/// The exit codes with their meanings, for the help and the guide.
pub(crate) fn exit_codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("exit_codes.txt").lines();
    lines.filter_map(|line| line.split_once(": "))
}

const CHECK: &str =
    "check the base URL and the credentials: `lms profile check`, with the same options";

/// The exit code of an error of a call, and the advice, unless the message contains it.
pub(crate) fn of_call(error: &lms_ext::Error) -> (Exit, Option<&'static str>) {
    let (exit, advice) = match error.kind() {
        CallError::Usage => (Exit::Usage, ""),
        CallError::NotFound => (Exit::NotFound, ""),
        CallError::Unauthenticated => (
            Exit::Credentials,
            "check the client id and the secret: `lms profile check`, with the same options",
        ),
        CallError::Forbidden => (
            Exit::Credentials,
            "ask an administrator of the tenant for the permission",
        ),
        CallError::Token => (Exit::Credentials, CHECK),
        CallError::Redirect => (Exit::Refused, CHECK),
        CallError::TaskFailed => (Exit::Refused, ""),
        CallError::Conflict | CallError::Rejected => (
            Exit::Refused,
            "correct the values; the same command fails again",
        ),
        CallError::Ambiguous => (
            Exit::Ambiguous,
            "the change may have been made; read the object before you run the command again",
        ),
        CallError::Mismatch | CallError::Pagination => (Exit::Partial, ""),
        kind if error.is_retryable() => (
            Exit::Unavailable,
            match kind {
                CallError::DeadlineExceeded => {
                    "the same command may succeed later, or with a longer --timeout"
                }
                CallError::Connect => {
                    "`lms doctor`, with the same options, says whether the base URL or the network is wrong"
                }
                _ => "the same command may succeed later",
            },
        ),
        _ => (
            Exit::Fault,
            "the response is not as documented; report it to the service's support",
        ),
    };
    (exit, Some(advice).filter(|advice| !advice.is_empty()))
}

/// The exit code of an error of a job that is not one of its calls, and the name of the error for programs.
pub(crate) fn of_job(kind: JobError) -> (Exit, &'static str) {
    match kind {
        JobError::Usage | JobError::OtherRun | JobError::Foreign => (Exit::Usage, "usage"),
        JobError::Locked => (Exit::Unavailable, "locked"),
        JobError::Destination => (Exit::Unavailable, "destination"),
        JobError::Permission => (Exit::Credentials, "permission"),
        JobError::Cancelled => (Exit::Cancelled, "cancelled"),
        JobError::Damaged => (Exit::Partial, "damaged"),
        JobError::Incomplete | JobError::Tenant | JobError::TooManyDeletes => {
            (Exit::Partial, "incomplete")
        }
        _ => (Exit::Fault, "fault"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_lists_every_exit_code() {
        let guide = include_str!("../../docs/guide/command-line.md");
        let listed: Vec<u8> = exit_codes()
            .map(|(code, _)| code.parse().unwrap())
            .collect();
        let failures = [
            Exit::Fault as u8,
            Exit::Held as u8,
            Exit::Cancelled as u8,
            TERMINATED,
        ];
        assert_eq!((listed.len(), listed[0]), (13, 0));
        assert!(failures.iter().all(|code| listed.contains(code)));
        for (code, meaning) in exit_codes() {
            let row = format!("| {code} | {meaning} |");
            assert!(guide.contains(&row), "{row}");
        }
        assert!(guide.contains(DOCTOR));
    }
}
