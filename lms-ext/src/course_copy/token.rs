//! A copy as text, which another process can resume.
//!
//! A task id alone could be used with the wrong tenant, where it may belong to another task. So the text contains the
//! base URL of the tenant, too.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::Error;

const VERSION: u8 = 1;

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Token {
    /// The version of the format.
    course_copy: u8,
    tenant: String,
    task: String,
}

impl Token {
    #[inline]
    pub(super) fn new(tenant: &str, task: &str) -> Self {
        Self {
            course_copy: VERSION,
            tenant: tenant.to_owned(),
            task: task.to_owned(),
        }
    }

    #[inline]
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text)
            .ok()
            .filter(|token: &Self| token.course_copy == VERSION)
            .ok_or_else(|| {
                Error::usage(
                    "the text is not a token of a course copy; pass the whole text from `CourseCopy::token()`",
                )
            })
    }

    /// The id of the task, if it belongs to this tenant.
    #[inline]
    pub(super) fn task_at(self, tenant: &str) -> Result<String, Error> {
        if self.tenant == tenant {
            return Ok(self.task);
        }
        Err(Error::usage(format!(
            "the copy was started at {}, but this client is for {tenant}; resume it with a client for that tenant",
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
