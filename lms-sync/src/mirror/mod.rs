//! Mirrors: tables that each run brings to the state of the tenant.
//!
//! A run reads all rows, and compares the hash of each with that in the table as it arrives. Only rows that are new or
//! different are written, at first into a staging table. After a complete list, the table changes in one transaction.
//! Mirrors are the same in all databases.
//!
//! # Tables
//!
//! Each collection is a table of its name with typed columns and the collection's primary key.
//!
//! | column | contains |
//! |---|---|
//! | the columns of the collection | text, integers, floating-point numbers, true or false, JSON |
//! | `…_utc` | the timestamp before it in UTC |
//! | `_extra` | a JSON object with the fields that have no column |
//! | `_deleted_at` | when the row was found to be gone, with [`Deletes::Mark`] |
//! | `_missing_since` | when a list lacked the row first, as long as all lists since then have lacked it |
//! | `_hash`, `_row`, `_missing_run` | internal |
//!
//! The tables whose names start with `_lms_` are the state of the mirror: runs, completeness records (`_lms_records`) and
//! changes (`_lms_changes`).
//!
//! # Deletions
//!
//! A row is deleted, and the feed says `removed`, only when one of these shows that it is gone:
//!
//! - The service was asked for the object by its id, and said 404 or 410. A run asks for rows that its list lacks, up to
//!   [a number](MirrorPolicy::confirm_deletes), if the service has an operation [by id](crate::Collection::by_id) and no filter
//!   is set. It asks for none unless that operation finds an object that is in the list.
//! - The complete lists of two runs lack the row, and nothing moved while they were read. A row whose object the service has
//!   when it is asked stays anyway.
//!
//! Until then the row stays, with the time in `_missing_since`. The views contain it.
//!
//! # Views
//!
//! | view | a row for each | columns |
//! |---|---|---|
//! | `learner_course_status` | enrolment | `learner`, `firstname`, `surname`, `email`, `learner_archived`, `course`, `course_name`, `course_archived`, `enrolled_at`, `topics`, `topics_completed`, `completed_at`, `due_at`, `overdue`, `renewal_type`, `expires_at`, `expired`, `status`, `incomplete_because` |
//! | `course_status` | course with enrolments | `course`, `course_name`, `course_archived`, of learners who are not archived `enrolled`, `completed`, `in_progress`, `not_completed`, `overdue` and `expired`; `archived_learners`, `incomplete_because` |
//! | `mirror_status` | collection | `row_count`, when the run of its rows began and ended, and the completeness record as JSON |
//!
//! The first two views exist as soon as courses, learners, enrolments and course completions are mirrored.
//!
//! - `status` is `completed` if the learner has a completion of the course, `in progress` if a topic is completed, and otherwise
//!   `not completed`.
//! - `due_at` is `auto_due_date` of the course, or else `auto_due_seconds` after the enrolment.
//! - `overdue` is what the service says if course progress is mirrored, and otherwise follows from `due_at`.
//! - `expires_at` is when the completion has to be renewed: `renewal_days` after it, or else `renewal_date`.
//! - `learner_archived` is also true of a learner who is deleted.
//! - `incomplete_because` says why a value is null: `topics` needs the collection topics, `topics_completed` and `in progress`
//!   need topic progress, and a time needs a time zone.

pub(crate) mod begin;
mod fence;
mod lookups;
pub(crate) mod overview;
pub(crate) mod policy;
mod publish;
pub(crate) mod query;
mod seen;
pub(crate) mod sink;
mod stage;
pub(crate) mod status;
pub(crate) mod tables;
pub(crate) mod verify;
mod witness;

pub use overview::{MirroredCollection, Overview};
pub use policy::{Deletes, FirstRunChanges, MirrorPolicy};
pub use publish::Written;
pub use query::{MirrorReader, Query};
pub use sink::MirrorSink;
pub use status::Status;
