//! Requests pages: one prepared request whose cursor changes.

use lms_client::wire::Int64;
use reqwest::Url;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::{
    page::{Envelope, Page},
    seen::fingerprint,
};
use crate::{
    error::{Error, ErrorKind},
    request::{CallFuture, List, Policies, PreparedCall},
    send::RawResponse,
    values::OperationInfo,
};

/// The response to the request for a page.
pub(super) type PageResponse<T> = (Envelope<T>, Box<RawResponse>);

/// The request for the pages of a list, or the reason why there is none.
#[derive(Debug)]
pub(crate) struct ListRequest {
    pub(crate) prepared: Result<PreparedCall, Error>,
    pub(crate) operation: &'static OperationInfo,
    /// `true` if the list is paginated.
    pub(crate) paged: bool,
}

impl ListRequest {
    pub(super) fn new<L: List<Transport = Policies>>(list: L) -> Self {
        Self {
            prepared: PreparedCall::new(list),
            operation: L::INFO,
            paged: L::CURSOR,
        }
    }
}

/// A prepared list request that can be sent with any cursor.
#[derive(Debug)]
pub(super) struct Source {
    prepared: PreparedCall,
    /// `true` if the list is paginated.
    pub(super) paged: bool,
}

impl Source {
    /// Also returns the cursor set on the builder.
    pub(super) fn new(mut prepared: PreparedCall, paged: bool) -> (Self, Option<String>) {
        let start = take_parameter(prepared.request.url_mut(), "cursor");
        (Self { prepared, paged }, start)
    }

    /// Starts to request one page.
    pub(super) fn request<T: DeserializeOwned + Send + 'static>(
        &self,
        cursor: Option<&str>,
    ) -> CallFuture<PageResponse<T>> {
        let mut call = match self.prepared.again() {
            Ok(call) => call,
            Err(error) => return Box::pin(std::future::ready(Err(error))),
        };
        if let Some(cursor) = cursor {
            let mut query = call.request.url_mut().query_pairs_mut();
            query.append_pair("cursor", cursor);
        }
        Box::pin(call.started())
    }

    /// The page in a response.
    pub(super) fn page<T>(&self, (Envelope(mut page), response): PageResponse<T>) -> Page<T> {
        page.received.status = response.status.as_u16();
        page.received.paged = self.paged;
        page.received.content_type = response.content_type();
        page
    }

    /// The number of items as the service counts them, by a request for one item, with its attempts.
    pub(super) async fn number_found(&self) -> Result<(Option<i64>, u32), Error> {
        let mut call = self.prepared.again()?;
        if self.paged {
            let url = call.request.url_mut();
            take_parameter(url, "limit");
            url.query_pairs_mut().append_pair("limit", "1");
        }
        let (Envelope(page), response) = call.started::<Envelope<IgnoredAny>>().await?;
        Ok((page.number_found.map(Int64::get), response.attempts))
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

/// The error of a request for a page with a cursor.
pub(super) fn of_cursor(error: Error) -> Error {
    if !matches!(error.status(), Some(400 | 404 | 410)) {
        return error;
    }
    error.with_kind(ErrorKind::CursorRejected).with_detail(
        "the server does not accept the cursor, which has probably expired; read the list from the start, without the checkpoint or cursor",
    )
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
