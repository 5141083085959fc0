//! Fields as times, durations and sizes.
//!
//! The generated types contain [fields as received](lms_client::service#field-types): most times as strings, durations and
//! sizes as integers without a unit. [`Typed::typed`] is a view with a method of the same name for each such field, which
//! converts it.
//!
//! ```
//! use std::time::Duration;
//! use lms_ext::prelude::*;
//!
//! let course: types::Course = serde_json::from_str(
//!     r#"{"created": "2024-05-01 09:30", "renewal_days": "365", "renewal_date": ""}"#,
//! )?;
//! let typed = course.typed();
//!
//! assert_eq!(typed.renewal_days(), Some(Duration::from_secs(365 * 86_400)));
//! assert_eq!(typed.renewal_date(), None);
//! let created = typed.created().ok_or("no time")?;
//! assert!(!created.has_zone());
//! assert_eq!(created.assuming_utc()?.unix_seconds(), 1_714_555_800);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::time::Duration;

use lms_client::{
    types::{
        Course, CourseCompletion, CourseProgress, DuplicateCourse, Enrolment, Learner, Profile,
        Record, RecordAttachment, SignupPage, Tag, TokenResponse, Topic, TopicProgress, UserField,
    },
    wire::{Int64, Timestamp},
};

/// Converts fields by a [`TypedView`].
///
/// Implemented for each generated type with a time, a duration, a size or a measure.
pub trait Typed: Sized {
    /// The view.
    fn typed(&self) -> TypedView<'_, Self> {
        TypedView(self)
    }
}

/// A view of the fields of a `T`; returned by [`Typed::typed`].
///
/// Absent and blank fields are `None`, and so are negative durations and sizes. A time is a [`Timestamp`] whatever its
/// text, which is parsed only on request.
#[derive(Clone, Copy, Debug)]
pub struct TypedView<'a, T>(&'a T);

/// A field with a time.
trait Text {
    fn text(&self) -> Option<&str>;
}

impl Text for Option<String> {
    fn text(&self) -> Option<&str> {
        self.as_deref()
    }
}

impl Text for Option<Timestamp> {
    fn text(&self) -> Option<&str> {
        self.as_ref().map(Timestamp::as_str)
    }
}

fn time(field: &impl Text) -> Option<Timestamp> {
    let text = field.text().filter(|text| !text.trim_ascii().is_empty())?;
    Some(Timestamp::from(text))
}

/// The duration of a number of units of `seconds` each.
fn length(count: Option<Int64>, seconds: u64) -> Option<Duration> {
    let count = u64::try_from(count?).ok()?;
    Some(Duration::from_secs(count.checked_mul(seconds)?))
}

fn bytes(size: Option<Int64>) -> Option<u64> {
    size?.try_into().ok()
}

macro_rules! times {
    ($($type:ident { $($(#[doc = $doc:literal])+ $field:ident),* $(,)? })*) => {$(
        impl Typed for $type {}

        impl TypedView<'_, $type> {
            $(
                $(#[doc = $doc])+
                #[must_use]
                pub fn $field(&self) -> Option<Timestamp> {
                    time(&self.0.$field)
                }
            )*
        }
    )*};
}

times! {
    Course {
        /// When the course was created.
        created,
        /// When the course was last changed.
        modified,
        /// When the course is renewed.
        renewal_date,
        /// The due date, documented as ISO 8601.
        auto_due_date,
    }
    Learner {
        /// When the account was created.
        created,
        /// When the account was last changed.
        updated,
        /// When the learner last logged in.
        last_logged_in,
    }
    Enrolment {
        /// When the learner was enrolled.
        created,
    }
    Topic {
        /// When the topic was created.
        created,
        /// When the topic was last changed.
        modified,
    }
    TopicProgress {
        /// When the progress was created.
        created,
        /// When the progress last changed.
        modified,
        /// When the topic was completed.
        completed_on,
        /// When the completion was confirmed.
        confirmed_on,
    }
    CourseProgress {
        /// When the course was completed.
        completed_on,
    }
    CourseCompletion {
        /// When the course was completed, documented as ISO 8601.
        happened,
    }
    UserField {
        /// When the field was created.
        created,
        /// When the field was last changed.
        modified,
    }
    Record {
        /// When it was paid; not documented as a time.
        payment_date,
        /// When it was achieved.
        achieved_on,
        /// When it expires.
        expires_on,
        /// When the record was created.
        created,
        /// When the record was last changed.
        modified,
    }
    Profile {
        /// When the profile was created.
        created,
        /// When the profile was last changed.
        modified,
    }
    SignupPage {
        /// When the page was created.
        created,
        /// When the page was last changed.
        modified,
    }
    Tag {
        /// When the tag was created.
        created,
        /// When the tag was last changed.
        modified,
    }
    TokenResponse {}
    DuplicateCourse {}
    RecordAttachment {}
}

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
