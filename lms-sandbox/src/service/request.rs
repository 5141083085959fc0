//! The input of an operation.

use std::time::Duration;

use crate::api::fields::Fields;
use crate::api::id::Kind;
use crate::api::operation::Operation;
use crate::api::problem::Problem;
use crate::api::query::Query;
use crate::faults::{ChosenFaults, Effect};
use crate::store::Counts;

/// The settings of a sandbox that operations and tokens depend on. It holds the client secret, so it has no `Debug`.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) tenant_id: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    pub(crate) token_lifetime: Duration,
    pub(crate) max_page: usize,
    pub(crate) base_url: String,
}

/// The author of data that [`Seed`](crate::Seed) adds.
pub(crate) const AUTHOR: &str = "admin";
/// The tenant's name.
pub(crate) const TENANT_NAME: &str = "Sandbox";
/// The tenant's domain, used in the URLs of sign-up pages, cover art and so on. No server runs there.
pub(crate) const TENANT_DOMAIN: &str = "sandbox.example";

/// The body of the 200 response, or the reason why there is none.
pub(crate) type OperationResult = Result<Vec<u8>, Problem>;

/// A decoded request. Everything that does not depend on the operation has been checked.
pub(crate) struct ApiRequest<'a> {
    pub(crate) operation: Operation,
    /// The decoded path parameters, in the order of the path.
    pub(crate) params: &'a [String],
    pub(crate) query: Query,
    /// The fields of the body; empty if the operation has no body.
    pub(crate) body: Fields,
    /// Seconds since 1970.
    pub(crate) now: i64,
    /// The faults that were chosen for this request.
    pub(crate) faults: Option<&'a ChosenFaults>,
    pub(crate) settings: &'a Settings,
    pub(crate) counts: &'a Counts,
}

impl ApiRequest<'_> {
    /// Returns `true` if the effect was chosen, and records it as applied.
    pub(crate) fn apply(&self, effect: &Effect) -> bool {
        self.faults.is_some_and(|faults| faults.apply(effect))
    }

    /// The row number of an id that filters a list. An unknown id becomes 0, which no row has.
    pub(crate) fn id_filter(&self, name: &str, kind: Kind) -> Option<i64> {
        self.query.text(name).map(|id| kind.parse(id).unwrap_or(0))
    }

    /// The path parameter with this name.
    pub(crate) fn path_param(&self, name: &str) -> Option<&str> {
        let segments = self.operation.path().split('/');
        let mut names = segments.filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
        let index = names.position(|known| known == name)?;
        self.params.get(index).map(String::as_str)
    }

    /// The path parameter at `index`.
    pub(crate) fn param(&self, index: usize) -> Result<&str, Problem> {
        self.params
            .get(index)
            .map(String::as_str)
            .ok_or_else(|| Problem::internal("a path parameter is missing"))
    }
}
