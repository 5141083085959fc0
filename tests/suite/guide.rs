//! Compiles the code in the guide and in README.md as doc tests.
//!
//! The pages are included here and not in `lms-ext`, because its package does not contain them.

#[doc = include_str!("../../docs/guide/export-for-an-auditor.md")]
mod export_for_an_auditor {}

#[doc = include_str!("../../docs/guide/mirror-into-a-database.md")]
mod mirror_into_a_database {}

#[doc = include_str!("../../docs/guide/react-to-completions.md")]
mod react_to_completions {}

#[doc = include_str!("../../README.md")]
mod readme {}

#[doc = include_str!("../../lms-ext/README.md")]
mod readme_of_lms_ext {}

#[doc = include_str!("../../docs/guide/test-your-integration.md")]
mod test_your_integration {}

#[doc = include_str!("../../docs/guide/first-rust-program.md")]
mod first_rust_program {}

#[doc = include_str!("../../docs/guide/read-lists.md")]
mod read_lists {}

#[doc = include_str!("../../docs/guide/change-objects.md")]
mod change_objects {}

#[doc = include_str!("../../docs/guide/handle-errors.md")]
mod handle_errors {}

#[doc = include_str!("../../docs/guide/operate-a-job.md")]
mod operate_a_job {}
