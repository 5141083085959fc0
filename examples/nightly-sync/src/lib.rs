//! An example integration: synchronizes learners with an HR export every night, and collects completions.
//!
//! It can be stopped and run again at any time without duplicates. Its tests check that with `lms-sandbox`.
//!
//! | module | decides |
//! |---|---|
//! | [`people`] | the format of an HR export |
//! | [`sync`] | additions, changes, and the errors that end the run |
//! | [`completions`] | which completions are new |

pub mod completions;
pub mod people;
pub mod sync;
