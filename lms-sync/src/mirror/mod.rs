//! Mirrors: tables that each run updates to the state of the tenant.
//!
//! A run reads all rows, and compares the hash of each row with the hash in the table. New and different rows are
//! written into a staging table. When all collections were read, one transaction updates the tables of those that are complete, so
//! readers see the tables of one run. Mirrors have the same tables and views in all databases.
//!
//! # Tables
//!
//! Each collection is a table with the same name, typed columns and the primary key of the collection.
//!
//! | column | contains |
//! |---|---|
//! | the columns of the collection | text, integers, floating-point numbers, true or false, JSON |
//! | `…_utc` | the timestamp before it in UTC |
//! | `_extra` | a JSON object with the fields that have no column |
//! | `_deleted_at` | with [`Deletes::Mark`], the time at which the row was found to be gone |
//! | `_missing_since` | the time at which a list first lacked the row; null if the last list had it |
//! | `_hash`, `_row`, `_missing_run` | internal |
//!
//! No column has the time at which a row was read, which would rewrite every row in each run: it is in `mirror_status` for each
//! collection, and in `_lms_reads` for each item of a derived collection that is read within a budget.
//!
//! The tables whose names start with `_lms_` are the state of the mirror: runs, completeness records (`_lms_records`) and
//! changes (`_lms_changes`).
//!
//! # Deletions
//!
//! A row is deleted, and the feed reports it as `removed`, only in one of these cases:
//!
//! - The service responds to a request for the object that it does not exist. A run requests the objects of rows that its
//!   list lacks, up to [a maximum](MirrorPolicy::confirm_deletes), if the service has an operation [by
//!   id](crate::Collection::by_id) and no filter is set. The status is 404 or 410, and the response has the content type
//!   and the form of that for an object that cannot exist. Before and after these requests, the service has to respond in
//!   this way for such an object, and to find a known object of the list.
//! - The complete list lacks the row, and an object that the row [refers to](crate::Collection::references) is gone.
//! - The complete lists of two runs lack the row, and did not change while they were read. This applies to rows whose
//!   objects cannot be requested, or are returned with `deleted: true`.
//!
//! Until then the row stays, with the time in `_missing_since`. The views contain it, and a query that leaves it out does so after its
//! joins: without a missing learner, the enrolments of that learner would refer to nothing. A row whose object could have been
//! requested also stays if it was not, because of the maximum or of another response.
//!
//! # Views
//!
//! | view | a row for each | columns |
//! |---|---|---|
//! | `learner_course_status` | enrolment | `learner`, `firstname`, `surname`, `email`, `learner_archived`, `course`, `course_name`, `course_archived`, `enrolled_at`, `topics`, `topics_completed`, `completed_at`, `due_at`, `overdue`, `renewal_type`, `expires_at`, `expired`, `status`, `incomplete_because` |
//! | `course_status` | course with enrolments | `course`, `course_name`, `course_archived`, of learners who are not archived `enrolled`, `completed`, `in_progress`, `not_completed`, `overdue` and `expired`; `archived_learners`, `incomplete_because` |
//! | `learner_fields` | learner | `learner`, `firstname`, `surname`, `email`, `learner_archived`, and `fields`: a JSON object of the values of custom fields by their names, or by `name (id)` where several have a name; null without any. Exists with learners, user fields and records |
//! | `mirror_status` | collection | `row_count`, start and end of the run of its rows, and the completeness record as JSON |
//!
//! The first two views exist as soon as courses, learners, enrolments and course completions are mirrored.
//!
//! - `status` is `completed` if the learner has a completion of the course, `in progress` if a topic is completed, and otherwise
//!   `not completed`.
//! - `due_at` is `auto_due_date` of the course, or else `auto_due_seconds` after the enrolment.
//! - `overdue` is the value of the service if course progress is mirrored, and otherwise follows from `due_at`.
//! - `expires_at` is the time at which the completion has to be renewed: `renewal_days` after it, or else
//!   `renewal_date`.
//! - `learner_archived` is also true for a deleted learner.
//! - `incomplete_because` is the reason why a value is null: `topics` needs the collection topics, `topics_completed`
//!   and `in progress` need topic progress, and a time needs a time zone.

mod begin;
mod database_fence;
mod destination;
mod mirror_run;
mod mirror_sink;
mod overview;
mod parents;
mod policy;
mod publish;
mod query;
mod reads;
mod seen_rows;
mod staging_table;
pub(crate) mod tables;
mod verify_tables;
mod witness;

pub use destination::Mirror;
#[cfg(feature = "postgres")]
pub(crate) use destination::with_connection;
pub(crate) use destination::{Access, MirrorDestination};
pub use mirror_sink::MirrorSink;
pub use overview::{FailedStart, MirroredCollection, Overview, Status, Written};
pub use policy::{Deletes, MirrorPolicy};
pub use query::{MirrorReader, Query};
