//! What does a handler know about the request it serves?

use std::time::Duration;

use crate::body::Fields;
use crate::count_cache::Counts;
use crate::faults::{Effect, Verdict};
use crate::operations::Operation;
use crate::problem::Problem;
use crate::query::Query;

/// What is the same for every request to one sandbox.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    pub(crate) token_lifetime: Duration,
    pub(crate) max_page: usize,
    /// The tenant's base address, known once the port is.
    pub(crate) base_url: String,
}

/// The tenant's id.
pub(crate) const TENANT: &str = "t1";
/// The tenant's name.
pub(crate) const TENANT_NAME: &str = "Sandbox";
/// The tenant's domain, in the addresses of its sign-up pages, cover art and so on. Nothing answers there.
pub(crate) const TENANT_DOMAIN: &str = "sandbox.example";

/// One request, decoded and checked as far as all operations have in common.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) operation: Operation,
    /// The path parameters, decoded, in the order of the path.
    pub(crate) params: &'a [String],
    pub(crate) query: Query,
    /// The body; without fields where there is none.
    pub(crate) body: Fields,
    /// Seconds since 1970.
    pub(crate) now: i64,
    /// What is to be done to it that only its handler can do.
    pub(crate) verdict: Option<&'a Verdict>,
    pub(crate) settings: &'a Settings,
    /// Numbers that were counted since the last write.
    pub(crate) counts: Counts<'a>,
}

impl Call<'_> {
    /// Whether an effect is to be done, which it then counts as.
    pub(crate) fn does(&self, effect: &Effect) -> bool {
        self.verdict.is_some_and(|verdict| verdict.does(effect))
    }

    /// The path parameter at `index`.
    pub(crate) fn param(&self, index: usize) -> Result<&str, Problem> {
        self.params
            .get(index)
            .map(String::as_str)
            .ok_or_else(|| Problem::internal("a path parameter is missing"))
    }
}
