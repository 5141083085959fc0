//! Compiles the code in the guide and in README.md as doc tests.
//!
//! The pages are included here and not in `lms-ext`, because its package does not contain them.

#[doc = include_str!("../../docs/guide/build-requests.md")]
mod build_requests {}

#[doc = include_str!("../../docs/guide/export-every-completion.md")]
mod export_every_completion {}

#[doc = include_str!("../../docs/guide/export-for-an-auditor.md")]
mod export_for_an_auditor {}

#[doc = include_str!("../../docs/guide/mirror-into-sqlite.md")]
mod mirror_into_sqlite {}

#[doc = include_str!("../../docs/guide/parquet-on-object-storage.md")]
mod parquet_on_object_storage {}

#[doc = include_str!("../../docs/guide/mirror-into-postgresql.md")]
mod mirror_into_postgresql {}

#[doc = include_str!("../../docs/guide/react-to-completions.md")]
mod react_to_completions {}

#[doc = include_str!("../../docs/guide/read-lists-concurrently.md")]
mod read_lists_concurrently {}

#[doc = include_str!("../../docs/guide/change-one-field.md")]
mod change_one_field {}

#[doc = include_str!("../../docs/guide/copy-a-course-for-a-client.md")]
mod copy_a_course_for_a_client {}

#[doc = include_str!("../../docs/guide/choose-a-tls-backend.md")]
mod choose_a_tls_backend {}

#[doc = include_str!("../../docs/guide/enrol-safely.md")]
mod enrol_safely {}

#[doc = include_str!("../../README.md")]
mod readme {}

#[doc = include_str!("../../lms-ext/README.md")]
mod readme_of_lms_ext {}

#[doc = include_str!("../../docs/guide/keep-values-exact.md")]
mod keep_values_exact {}

#[doc = include_str!("../../docs/guide/test-your-integration.md")]
mod test_your_integration {}

#[doc = include_str!("../../docs/guide/trace-calls.md")]
mod trace_calls {}

#[doc = include_str!("../../docs/guide/run-a-nightly-job.md")]
mod run_a_nightly_job {}

#[doc = include_str!("../../docs/guide/process-many-items.md")]
mod process_many_items {}

#[doc = include_str!("../../docs/guide/replace-the-http-client.md")]
mod replace_the_http_client {}

#[doc = include_str!("../../docs/guide/measure-calls.md")]
mod measure_calls {}

#[doc = include_str!("../../docs/guide/connect.md")]
mod connect {}

#[doc = include_str!("../../docs/guide/handle-errors.md")]
mod handle_errors {}

#[doc = include_str!("../../docs/guide/in-a-web-service.md")]
mod in_a_web_service {}
