//! Where pages come from: one request whose cursor changes.

use lms_client::wire::Int64;
use reqwest::Url;

use super::{fingerprint::fingerprint, page::Envelope};
use crate::{
    error::Error,
    request::{List, PathOf, PreparedCall},
};

/// The request of a list operation, ready to be sent with any cursor.
#[derive(Debug)]
pub(super) struct Source {
    prepared: PreparedCall,
    /// Whether the list comes in pages.
    pub(super) paged: bool,
    /// The cursor that the builder was given.
    pub(super) start: Option<String>,
    /// The page size that the builder was given.
    pub(super) limit: Option<u64>,
}

impl Source {
    pub(super) fn new<L: List>(list: L, path_of: PathOf) -> Result<Self, Error> {
        let mut prepared = PreparedCall::new(list)?.explained(path_of);
        let url = prepared.request.url_mut();
        let start = take_cursor(url);
        let limit = url
            .query_pairs()
            .find(|(name, _)| name == "limit")
            .and_then(|(_, value)| u64::try_from(value.parse::<Int64>().ok()?).ok());
        Ok(Self {
            prepared,
            paged: L::CURSOR,
            start,
            limit,
        })
    }

    /// Asks for one page, under every policy.
    pub(super) async fn page<T: serde::de::DeserializeOwned>(
        &self,
        cursor: Option<&str>,
    ) -> Result<Envelope<T>, Error> {
        let mut call = self.prepared.again()?;
        if let Some(cursor) = cursor {
            call.request
                .url_mut()
                .query_pairs_mut()
                .append_pair("cursor", cursor);
        }
        Ok(call.response().await?.value)
    }

    /// A short name for what is listed: the path and every parameter but the cursor and the page size,
    /// in any order. The tenant's address is not part of it, which may change while a cursor stays good.
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
            // Neither a path nor, between two zero bytes, a pair can be mistaken for another.
            text.push('\0');
            text.push_str(&name);
            text.push('\0');
            text.push_str(&value);
        }
        fingerprint(text.as_bytes())
    }
}

/// Takes the cursor out of an address; an empty one is none.
fn take_cursor(url: &mut Url) -> Option<String> {
    let is_cursor = |name: &str| name == "cursor";
    let cursor = url
        .query_pairs()
        .find(|(name, _)| is_cursor(name))
        .map(|(_, value)| value.into_owned())?;
    let others: Vec<_> = url
        .query_pairs()
        .into_owned()
        .filter(|(name, _)| !is_cursor(name))
        .collect();
    url.set_query(None);
    if !others.is_empty() {
        url.query_pairs_mut().extend_pairs(others);
    }
    Some(cursor).filter(|cursor| !cursor.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_the_cursor_out_leaves_the_rest() {
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
            assert_eq!(take_cursor(&mut url).as_deref(), cursor, "{query}");
            assert_eq!(url.query().unwrap_or_default(), rest, "{query}");
        }
    }
}
