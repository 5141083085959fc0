//! The pages of the guide and the README, so that their code is compiled, and run where it can be, with the tests.
//!
//! They stand here and not in the crate they are about, whose package does not hold them.

#[doc = include_str!("../../docs/guide/export-every-completion.md")]
mod export_every_completion {}

#[doc = include_str!("../../docs/guide/walk-side-by-side.md")]
mod walk_side_by_side {}

#[doc = include_str!("../../docs/guide/change-one-field.md")]
mod change_one_field {}

#[doc = include_str!("../../docs/guide/copy-a-course-for-a-client.md")]
mod copy_a_course_for_a_client {}

#[doc = include_str!("../../docs/guide/choose-the-tls.md")]
mod choose_the_tls {}

#[doc = include_str!("../../docs/guide/enrol-safely.md")]
mod enrol_safely {}

#[doc = include_str!("../../README.md")]
mod readme {}

#[doc = include_str!("../../docs/guide/keep-values-exact.md")]
mod keep_values_exact {}

#[doc = include_str!("../../docs/guide/test-your-integration.md")]
mod test_your_integration {}

#[doc = include_str!("../../docs/guide/see-what-a-client-does.md")]
mod see_what_a_client_does {}

#[doc = include_str!("../../docs/guide/run-a-nightly-job.md")]
mod run_a_nightly_job {}

#[doc = include_str!("../../docs/guide/handle-errors.md")]
mod handle_errors {}
