//! Lists and counts the parts of a list, and checks that they are the complete list: the sum of their counts.

use std::{collections::BTreeSet, fmt, sync::Arc};

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::{ListSummary, Page, Pages},
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
) -> BoxFuture<'static, Result<(Count, Sent), Error>> {
    let pages = pages(lms, part);
    Box::pin(async move {
        let (found, attempts) = match pages.number_found().await {
            Err(error) if error.is_not_found() => (Count::NotFound, error.attempts()),
            found => {
                let (found, attempts) = found?;
                (found.map_or(Count::Missing, Count::Items), attempts)
            }
        };
        Ok((
            found,
            Sent {
                requests: attempts.into(),
                responses: 1,
            },
        ))
    })
}

pub(super) async fn collect_ids<R, I>(
    mut listing: Pages<R>,
    id: Arc<impl Fn(R) -> Option<I>>,
) -> Result<(Ids, Sent), Error>
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
    Ok((ids, Sent::of(&listing.summary())))
}

/// The service's counts of a list and of its parts; `None` for a list that the service does not count.
///
/// Its `Display` is a sentence for error messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PartCounts {
    /// The complete list, before its parts were counted.
    pub before: Option<i64>,
    /// The sum of all parts; `None` if the service does not count one of them.
    pub parts: Option<i64>,
    /// The complete list, after its parts were counted.
    pub after: Option<i64>,
    /// `true` if the parts that were counted are not those that were read: some were added or removed.
    pub parts_changed: bool,
}

impl PartCounts {
    /// No part is counted yet.
    pub(super) fn of_list(before: Option<i64>) -> Self {
        Self {
            before,
            parts: Some(0),
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, part: Option<i64>) {
        let sum = self.parts.zip(part);
        self.parts = sum.and_then(|(sum, part)| sum.checked_add(part));
    }

    /// Returns `true` if the parts are the complete list: all three numbers are the same, for the same parts.
    #[must_use]
    pub fn add_up(&self) -> bool {
        !self.parts_changed
            && self.parts.is_some()
            && self.before == self.parts
            && self.after == self.parts
    }
}

impl fmt::Display for PartCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            before: Some(before),
            parts: Some(parts),
            after: Some(after),
            ..
        } = self
        else {
            return match self.before.or(self.after) {
                Some(found) => write!(
                    f,
                    "the service counts {found} items in the list, but does not count each of its parts"
                ),
                None => write!(f, "the service does not count the list"),
            };
        };
        write!(
            f,
            "the service counts {before} items in the list before and {after} after it counts {parts} in its parts"
        )?;
        if self.parts_changed {
            write!(f, ", which are not those that were read")?;
        }
        Ok(())
    }
}

/// The progress of a list that is read in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartsProgress {
    /// The number of parts; `None` until they are listed.
    pub total: Option<u64>,
    /// Parts that were read to their end.
    pub finished: u64,
    /// Items that were returned, including those before a resume.
    pub items: u64,
    /// Requests that were sent, including retries and those for counts. A resume starts at zero.
    pub requests: u64,
    /// Pages and counts that were received. A resume starts at zero.
    pub responses: u64,
}

/// A page of one part, returned by [`Parts::next_page`](super::Parts::next_page).
#[derive(Debug)]
#[non_exhaustive]
pub struct PartPage<T> {
    /// The id of the part.
    pub part: String,
    /// The page.
    pub page: Page<T>,
    /// `true` if the part ends with it.
    pub is_last: bool,
}

/// Numbers of requests that were sent, and of their responses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sent {
    pub(super) requests: u64,
    pub(super) responses: u64,
}

impl Sent {
    pub(super) fn of(list: &ListSummary) -> Self {
        Self {
            requests: list.requests(),
            responses: list.pages(),
        }
    }

    /// Adds those of a future, and returns its result.
    pub(super) fn add<R>(&mut self, (result, sent): (R, Self)) -> R {
        self.requests += sent.requests;
        self.responses += sent.responses;
        result
    }
}
