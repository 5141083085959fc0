//! Requests pages: one prepared request whose cursor changes.

use lms_client::wire::Int64;
use reqwest::Url;
use serde::de::IgnoredAny;

use super::{fingerprint::fingerprint, page::Envelope};
use crate::{
    error::{Error, ErrorKind},
    request::{List, PathOf, PreparedCall},
    send::PolledBy,
    values::OperationInfo,
};

/// What a walk requests, or why there is no request.
#[derive(Debug)]
pub(crate) struct ListRequest {
    pub(crate) prepared: Result<PreparedCall, Error>,
    pub(crate) operation: &'static OperationInfo,
    /// Whether the list is paginated.
    pub(crate) paged: bool,
}

impl ListRequest {
    pub(super) fn new<L: List>(list: L, path_of: PathOf) -> Self {
        Self {
            prepared: PreparedCall::new(list).map(|call| call.with_path_of(path_of)),
            operation: L::INFO,
            paged: L::CURSOR,
        }
    }
}

/// A prepared list request that can be sent with any cursor.
#[derive(Debug)]
pub(super) struct Source {
    prepared: PreparedCall,
    /// Whether the list is paginated.
    pub(super) paged: bool,
    /// The cursor set on the builder.
    pub(super) start: Option<String>,
    /// The page size set on the builder.
    pub(super) limit: Option<u64>,
}

impl Source {
    pub(super) fn new(mut prepared: PreparedCall, paged: bool) -> Self {
        let url = prepared.request.url_mut();
        let start = take_parameter(url, "cursor");
        let limit = url
            .query_pairs()
            .find(|(name, _)| name == "limit")
            .and_then(|(_, value)| u64::try_from(value.parse::<Int64>().ok()?).ok());
        Self {
            prepared,
            paged,
            start,
            limit,
        }
    }

    /// Requests one page; returns it with the number of attempts.
    pub(super) async fn page<T: serde::de::DeserializeOwned>(
        &self,
        cursor: Option<&str>,
        polled_by: PolledBy,
    ) -> Result<(Envelope<T>, u32), Error> {
        let mut call = self.prepared.again()?;
        call.polled_by = polled_by;
        if let Some(cursor) = cursor {
            call.request
                .url_mut()
                .query_pairs_mut()
                .append_pair("cursor", cursor);
        }
        let response = call.response().await;
        let response = response.map_err(|error| match (cursor, error.status()) {
            (Some(_), Some(400 | 404 | 410)) => error
                .with_kind(ErrorKind::CursorRejected)
                .with_detail("the server does not accept the cursor of this walk, which has probably expired; begin anew, without the checkpoint or cursor"),
            _ => error,
        })?;
        let Envelope(mut page) = response.value;
        page.received.status = response.status;
        page.received.paged = self.paged;
        let content_type = response.headers.get(reqwest::header::CONTENT_TYPE);
        let content_type = content_type.map(|value| String::from_utf8_lossy(value.as_bytes()));
        page.received.content_type = content_type.map(std::borrow::Cow::into_owned);
        Ok((Envelope(page), response.attempts))
    }

    /// The number of items as the service counts them, by a request for one item.
    pub(super) async fn number_found(&self) -> Result<Option<i64>, Error> {
        let mut call = self.prepared.again()?;
        if self.paged {
            let url = call.request.url_mut();
            take_parameter(url, "limit");
            url.query_pairs_mut().append_pair("limit", "1");
        }
        let Envelope(page): Envelope<IgnoredAny> = call.response().await?.value;
        Ok(page.number_found.map(Int64::get))
    }

    /// The base URL of the tenant.
    pub(super) fn base_url(&self) -> &str {
        self.prepared.engine.base.as_str()
    }

    /// The fingerprint of the path and of every parameter except cursor and page size, in any order. The base
    /// URL is left out, because a checkpoint contains it as text.
    pub(super) fn filters(&self) -> u128 {
        let url = self.prepared.request.url();
        let base = self.prepared.engine.base.url().path();
        let path = url.path().strip_prefix(base).unwrap_or(url.path());
        let mut pairs: Vec<_> = url
            .query_pairs()
            .filter(|(name, _)| name != "limit")
            .collect();
        pairs.sort_unstable();
        let mut text = path.to_owned();
        for (name, value) in pairs {
            // The separator keeps `a=b` and `ab=` apart.
            for part in [name, value] {
                text.push('\0');
                text.push_str(&part);
            }
        }
        fingerprint(text.as_bytes())
    }
}

/// Removes a parameter from a URL; an empty one is `None`.
fn take_parameter(url: &mut Url, parameter: &str) -> Option<String> {
    let (taken, others): (Vec<_>, Vec<_>) = url
        .query_pairs()
        .into_owned()
        .partition(|(name, _)| name == parameter);
    let (_, value) = taken.into_iter().next()?;
    url.set_query(None);
    if !others.is_empty() {
        url.query_pairs_mut().extend_pairs(others);
    }
    Some(value).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_the_cursor_leaves_the_rest() {
        for (query, cursor, rest) in [
            (
                "?cursor=a%20b&limit=3&tags=x&tags=y",
                Some("a b"),
                "limit=3&tags=x&tags=y",
            ),
            ("?limit=3", None, "limit=3"),
            ("?cursor=", None, ""),
            ("?cursor=c", Some("c"), ""),
            ("", None, ""),
        ] {
            let mut url = Url::parse(&format!("https://tenant.example/x{query}")).unwrap();
            assert_eq!(
                take_parameter(&mut url, "cursor").as_deref(),
                cursor,
                "{query}"
            );
            assert_eq!(url.query().unwrap_or_default(), rest, "{query}");
        }
    }
}
