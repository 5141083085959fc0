//! Lists and counts the parts of a list.

use std::{collections::BTreeSet, sync::Arc};

use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;

use super::progress::Requests;
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::Pages,
};

pub(super) type Ids = BTreeSet<String>;

/// The pages of a part, or without an id of the complete list.
pub(super) type ListingOf<T> = dyn Fn(&Lms, Option<&str>) -> Pages<T> + Send;

/// The service's count of a part or of the complete list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Items(i64),
    /// The response has no `number_found`.
    Missing,
    /// The part was removed.
    NotFound,
}

impl Count {
    pub(super) fn items(self) -> Option<i64> {
        match self {
            Self::Items(items) => Some(items),
            Self::Missing | Self::NotFound => None,
        }
    }
}

/// Counts a part, or without an id the complete list.
pub(super) fn count<T: DeserializeOwned + Send + 'static>(
    pages: &ListingOf<T>,
    lms: &Lms,
    part: Option<&str>,
    requests: &Arc<Requests>,
) -> BoxFuture<'static, Result<Count, Error>> {
    let pages = pages(lms, part);
    let requests = Arc::clone(requests);
    Box::pin(async move {
        let (found, attempts) = match pages.number_found().await {
            Err(error) if error.is_not_found() => (Count::NotFound, error.attempts()),
            found => {
                let (found, attempts) = found?;
                (found.map_or(Count::Missing, Count::Items), attempts)
            }
        };
        requests.add(attempts.into(), 1);
        Ok(found)
    })
}

pub(super) async fn collect_ids<R, I>(
    mut listing: Pages<R>,
    id: Arc<impl Fn(R) -> Option<I>>,
    requests: Arc<Requests>,
) -> Result<Ids, Error>
where
    R: DeserializeOwned + Send + 'static,
    I: Into<String>,
{
    let mut ids = Ids::new();
    while let Some(page) = listing.try_next().await? {
        for item in page.items {
            let id = id(item).map(Into::into).unwrap_or_default();
            if matches!(id.as_str(), "" | "." | "..") {
                let detail = "the list contains an item without an id, or with a dot segment as its id, and an empty filter would match everything";
                return Err(Error::new(ErrorKind::Decode, detail));
            }
            ids.insert(id);
        }
    }
    let summary = listing.summary();
    requests.add(summary.requests(), summary.pages());
    Ok(ids)
}
