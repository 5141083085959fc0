//! The claims of an operation about its effect, to be compared with the tenant.

use lms_ext::{ErrorKind, prelude::*};

/// The claims of an operation about the tenant.
#[derive(Debug, Default)]
pub struct Claim {
    /// Changes that were made.
    pub made: Vec<String>,
    /// Changes that may have been made.
    pub possible: Vec<String>,
    /// Values that were read and are not true.
    pub wrong: Option<String>,
    pub errors: Vec<Error>,
}

/// Returns `true` if a write that ended with this error may have been applied: it was, but its result is not the
/// intended one.
pub fn may_be_applied(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Ambiguous | ErrorKind::Mismatch)
}

/// The claim of a write that makes these changes.
pub fn wrote<T>(result: Result<T, Error>, changes: &[String]) -> Claim {
    let mut claim = Claim::default();
    match result {
        Ok(_) => claim.made = changes.to_vec(),
        Err(error) => {
            if may_be_applied(&error) {
                claim.possible = changes.to_vec();
            }
            claim.errors.push(error);
        }
    }
    claim
}

/// The claim of a read that returns the expected objects.
pub fn found<T: PartialEq + std::fmt::Debug>(result: Result<T, Error>, expected: &T) -> Claim {
    match result {
        Ok(found) if found == *expected => Claim::default(),
        Ok(found) => Claim::wrong(format!("{found:?} instead of {expected:?}")),
        Err(error) => Claim {
            errors: vec![error],
            ..Claim::default()
        },
    }
}

impl Claim {
    pub fn wrong(read: String) -> Self {
        Self {
            wrong: Some(read),
            ..Self::default()
        }
    }

    pub fn and(mut self, mut other: Self) -> Self {
        self.made.append(&mut other.made);
        self.possible.append(&mut other.possible);
        self.errors.append(&mut other.errors);
        self.wrong = self.wrong.or(other.wrong);
        self
    }
}
