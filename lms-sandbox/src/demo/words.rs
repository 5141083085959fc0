//! The names and dates that generated data is made of.

use std::sync::LazyLock;

use serde::Deserialize;

/// 2025-01-06 08:00 UTC, in seconds since 1970: the tenant's first day. It is fixed, so that the data does not depend on
/// the current date.
pub(super) const FIRST_DAY: i64 = 1_736_150_400;
/// The seconds of a day.
pub(super) const DAY: i64 = 86_400;

/// The names in `words.json`.
#[derive(Default, Deserialize)]
pub(super) struct Words<'t> {
    #[serde(borrow)]
    pub(super) firstnames: Vec<&'t str>,
    pub(super) surnames: Vec<&'t str>,
    pub(super) domains: Vec<&'t str>,
    /// Name and color.
    pub(super) tags: Vec<(&'t str, &'t str)>,
    /// Name, description, number of topics.
    pub(super) courses: Vec<(&'t str, &'t str, usize)>,
    pub(super) topics: Vec<&'t str>,
    /// Name, kind, description.
    pub(super) fields: Vec<(&'t str, &'t str, &'t str)>,
    /// Name, title, the tag that a page gives.
    pub(super) signup_pages: Vec<(&'t str, &'t str, &'t str)>,
    /// Name, the tag that a profile gives.
    pub(super) profiles: Vec<(&'t str, &'t str)>,
}

pub(super) static WORDS: LazyLock<Words<'static>> =
    LazyLock::new(|| serde_json::from_str(include_str!("words.json")).unwrap_or_default());
