//! Fields as durations and sizes.
//!
//! The generated types contain [fields as received](lms_client::service#field-types): durations and sizes are integers
//! without a unit. [`Typed::typed`] is a view with a method of the same name for each such field, which converts it.
//!
//! ```
//! use std::time::Duration;
//! use lms_ext::prelude::*;
//!
//! let course: types::Course = serde_json::from_str(r#"{"renewal_days": "365"}"#)?;
//! assert_eq!(course.typed().renewal_days(), Some(Duration::from_secs(365 * 86_400)));
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::time::Duration;

use lms_client::{
    types::{Course, DuplicateCourse, Record, RecordAttachment, TokenResponse},
    wire::Int64,
};

/// Converts fields by a [`TypedView`].
///
/// Implemented for each generated type with a duration, a size or a measure.
pub trait Typed: Sized {
    /// The view.
    fn typed(&self) -> TypedView<'_, Self> {
        TypedView(self)
    }
}

/// A view of the fields of a `T`; returned by [`Typed::typed`].
///
/// Absent fields are `None`, and so are negative durations and sizes.
#[derive(Clone, Copy, Debug)]
pub struct TypedView<'a, T>(&'a T);

/// The duration of a number of units of `seconds` each.
fn length(count: Option<Int64>, seconds: u64) -> Option<Duration> {
    let count = u64::try_from(count?).ok()?;
    Some(Duration::from_secs(count.checked_mul(seconds)?))
}

fn bytes(size: Option<Int64>) -> Option<u64> {
    size?.try_into().ok()
}

impl Typed for Course {}
impl Typed for DuplicateCourse {}
impl Typed for Record {}
impl Typed for RecordAttachment {}
impl Typed for TokenResponse {}

impl TypedView<'_, Course> {
    /// The time to the renewal, in whole days of 24 hours.
    #[must_use]
    pub fn renewal_days(&self) -> Option<Duration> {
        length(self.0.renewal_days, 86_400)
    }

    /// The time to the due date.
    #[must_use]
    pub fn auto_due_seconds(&self) -> Option<Duration> {
        length(self.0.auto_due_seconds, 1)
    }
}

impl TypedView<'_, TokenResponse> {
    /// How long the token is valid, from the time of the request.
    #[must_use]
    pub fn expires_in(&self) -> Option<Duration> {
        length(self.0.expires_in, 1)
    }
}

impl TypedView<'_, Record> {
    /// The size of the file in bytes.
    #[must_use]
    pub fn file_size(&self) -> Option<u64> {
        bytes(self.0.file_size)
    }
}

impl TypedView<'_, RecordAttachment> {
    /// The size of the file in bytes.
    #[must_use]
    pub fn file_size(&self) -> Option<u64> {
        bytes(self.0.file_size)
    }
}

impl TypedView<'_, DuplicateCourse> {
    /// The progress of the task; its range is not documented.
    #[must_use]
    pub fn progress(&self) -> Option<i64> {
        self.0.progress.map(Int64::get)
    }

    /// The stage of the task; the number of stages is not documented.
    #[must_use]
    pub fn stage(&self) -> Option<i64> {
        self.0.stage.map(Int64::get)
    }
}
