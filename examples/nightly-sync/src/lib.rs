//! Brings a tenant in line with an HR export every night, and collects completions: a whole small integration, as
//! an example.
//!
//! It may be stopped at any moment, and run again at any moment: nothing is added twice, and no completion is
//! written twice. That is what its tests are about; they run against `lms-sandbox`.
//!
//! | module | decides |
//! |---|---|
//! | [`people`] | what an HR export looks like |
//! | [`sync`] | what is added and changed, and which errors end the night |
//! | [`completions`] | which completions are new |

pub mod completions;
pub mod people;
pub mod sync;

/// Whether anything may be changed, at the tenant or on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Carry it out.
    Write,
    /// Only look, and say what would be done.
    DryRun,
}
