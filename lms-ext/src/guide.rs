//! The pages of the guide, so that their code is compiled with the tests of the docs.

#[doc = include_str!("../../docs/guide/export-every-completion.md")]
mod export_every_completion {}

#[doc = include_str!("../../docs/guide/walk-side-by-side.md")]
mod walk_side_by_side {}
