//! A copy as text, for another process to take up.
//!
//! A task id alone would be looked for at whatever tenant the other process talks to, and there it may be
//! somebody else's. So the text names the tenant too.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::Error;

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Token {
    course_copy: Version,
    tenant: String,
    task: String,
}

/// What the text looks like; another form would have another number.
#[derive(Debug, Deserialize, Serialize)]
#[serde(try_from = "u8", into = "u8")]
struct Version;

impl From<Version> for u8 {
    fn from(_: Version) -> Self {
        1
    }
}

impl TryFrom<u8> for Version {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        match number {
            1 => Ok(Self),
            _ => Err("another version"),
        }
    }
}

impl Clone for Version {
    fn clone(&self) -> Self {
        Self
    }
}

impl Token {
    #[inline]
    pub(super) fn new(tenant: &str, task: &str) -> Self {
        Self {
            course_copy: Version,
            tenant: tenant.to_owned(),
            task: task.to_owned(),
        }
    }

    #[inline]
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(|_| {
            Error::usage(
                "this is no token of a course copy; store what `CourseCopy::token()` gives, whole",
            )
        })
    }

    /// The task, if it is one of this tenant's.
    #[inline]
    pub(super) fn task_at(self, tenant: &str) -> Result<String, Error> {
        if self.tenant == tenant {
            return Ok(self.task);
        }
        Err(Error::usage(format!(
            "the copy was started at {}, and this client is of {tenant}; resume it with a client of that tenant",
            self.tenant
        )))
    }
}

/// One line of JSON.
impl fmt::Display for Token {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}
