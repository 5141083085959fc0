//! Reads the parts of a list, and checks that they are the list.

use std::{collections::BTreeSet, fmt, vec};

use futures_core::Stream;
use futures_util::{
    StreamExt as _, TryStreamExt as _,
    future::{BoxFuture, try_join},
    stream::{self, FuturesOrdered},
};
use lms_client::wire::Int64;
use serde::de::DeserializeOwned;

use super::checkpoint::{Counts, PartsCheckpoint, RunningPart};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::{Checkpoint, Items, Page, Pages},
};

/// Number of counts after which the numbers count as not adding up. Rows may be added and removed between two counts.
const COUNTS: u32 = 3;

type Ids = BTreeSet<String>;
type ListIds = dyn Fn(&Lms) -> BoxFuture<'static, Result<Ids, Error>> + Send;
/// The pages of a part, or without an id of the complete list.
type ListingOf<T> = dyn Fn(&Lms, Option<&str>) -> Pages<T> + Send;
type Read<T> = (Pages<T>, Result<Option<Page<T>>, Error>);

/// A list that is read in parts, several of them at a time. See [the module](crate::concurrent).
///
/// Items of one part keep their order; the pages of different parts alternate. After an error, `try_next` requests the
/// same page again.
///
/// **Memory:** each running part holds at most two pages. Besides these, only the ids of the parts are kept.
#[must_use = "nothing is sent: write `while let Some(…) = ….try_next().await?`"]
pub struct Parts<T> {
    lms: Lms,
    list_ids: Box<ListIds>,
    pages: Box<ListingOf<T>>,
    concurrency: usize,
    checked: bool,
    position: PartsCheckpoint,
    /// The parts that have not been started; `None` until they are listed.
    rest: Option<Ids>,
    /// The next page of each running part.
    reads: FuturesOrdered<BoxFuture<'static, Read<T>>>,
    /// The rest of the current page.
    page: vec::IntoIter<T>,
    /// The position of the current page, and its number of items.
    page_start: Option<(Checkpoint, usize)>,
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
}

impl<T: DeserializeOwned + Send + 'static> Parts<T> {
    /// Reads a list in your own parts. `ids` returns the list of objects that have a part each, and `pages` returns the
    /// pages of one part or, without an id, of the complete list.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{concurrent::Parts, prelude::*};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Id { id: String }
    ///
    /// impl From<Id> for String {
    ///     fn from(id: Id) -> Self { id.id }
    /// }
    ///
    /// let mut topics = Parts::new(
    ///     &lms,
    ///     |lms| lms.list_courses().items_as::<Id>(),
    ///     |lms, course| lms.list_topics().course(course).pages(),
    /// );
    /// while let Some(topic) = topics.try_next().await? {
    ///     println!("{}", topic.name);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn new<R>(
        lms: &Lms,
        ids: impl Fn(&Lms) -> Items<R> + Send + 'static,
        pages: impl Fn(&Lms, Option<&str>) -> Pages<T> + Send + 'static,
    ) -> Self
    where
        R: DeserializeOwned + Into<String> + Send + 'static,
    {
        Self {
            position: PartsCheckpoint::new(pages(lms, None).checkpoint()),
            lms: lms.clone(),
            list_ids: Box::new(move |lms| Box::pin(collect_ids(ids(lms)))),
            pages: Box::new(pages),
            concurrency: 8,
            checked: true,
            rest: None,
            reads: FuturesOrdered::new(),
            page: Vec::new().into_iter(),
            page_start: None,
        }
    }

    /// Sets how many parts are read at a time. The default is 8; 0 counts as 1.
    pub fn concurrency(mut self, parts: usize) -> Self {
        self.concurrency = parts.max(1);
        self
    }

    /// Does not check that the parts are the complete list: for a list that the service does not count, or whose other items
    /// are not needed.
    pub fn unchecked(mut self) -> Self {
        self.checked = false;
        self
    }

    /// Continues from a checkpoint, after the last item that was returned.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if the checkpoint belongs to another tenant, another list or other filters, or has a
    /// format that this release does not read.
    pub fn resume(mut self, checkpoint: PartsCheckpoint) -> Result<Self, Error> {
        let _fits = (self.pages)(&self.lms, None).resume(&checkpoint.list)?;
        self.reads = FuturesOrdered::new();
        for part in &checkpoint.running {
            let pages = (self.pages)(&self.lms, Some(&part.id)).resume(&part.at)?;
            self.reads.push_back(read(pages));
        }
        self.position = checkpoint;
        self.rest = None;
        self.page = Vec::new().into_iter();
        Ok(self)
    }

    /// The position after the last item that was returned.
    #[must_use]
    pub fn checkpoint(&self) -> PartsCheckpoint {
        let mut position = self.position.clone();
        let left = self.page.len();
        if let (Some((start, items)), Some(part)) = (&self.page_start, position.running.back_mut())
            && left > 0
        {
            part.at = start.after_items(items - left);
        }
        position.items -= u64::try_from(left).unwrap_or(u64::MAX);
        position
    }

    /// Counts to show the progress.
    #[must_use]
    pub fn progress(&self) -> PartsProgress {
        let count = |length| u64::try_from(length).unwrap_or(u64::MAX);
        let started = self.position.parts_started;
        PartsProgress {
            total: self.rest.as_ref().map(|rest| started + count(rest.len())),
            finished: started - count(self.position.running.len()),
            items: self.position.items - count(self.page.len()),
        }
    }

    /// Returns the next item of any part; `None` after all parts.
    ///
    /// # Errors
    ///
    /// Those of any list; call again to request the same page again. [`Pagination`](ErrorKind::Pagination) if a part ended
    /// early, or if the parts are not the complete list.
    pub async fn try_next(&mut self) -> Result<Option<T>, Error> {
        loop {
            if let Some(item) = self.page.next() {
                return Ok(Some(item));
            }
            match self.next_page().await? {
                Some(page) => self.page = page.items.into_iter(),
                None => return Ok(None),
            }
        }
    }

    /// The next page of any part.
    async fn next_page(&mut self) -> Result<Option<Page<T>>, Error> {
        loop {
            self.start_parts().await?;
            let Some((pages, result)) = self.reads.next().await else {
                return self.finish().await;
            };
            let Some(mut part) = self.position.running.pop_front() else {
                return Ok(None);
            };
            match result {
                Ok(Some(page)) => {
                    if !part.counted {
                        let found = page.number_found.map(Int64::get);
                        self.position.counts.add(found);
                        part.counted = true;
                    }
                    let start = std::mem::replace(&mut part.at, pages.checkpoint());
                    self.page_start = Some((start, page.items.len()));
                    self.position.running.push_back(part);
                    self.position.items += u64::try_from(page.items.len()).unwrap_or(u64::MAX);
                    self.reads.push_back(read(pages));
                    return Ok(Some(page));
                }
                Ok(None) => check_end(&pages, self.checked)?,
                // The part was removed, with its items or without: the counts at the end tell.
                Err(error) if !part.counted && error.is_not_found() => {
                    self.position.counts.add(None);
                }
                Err(error) => {
                    self.position.running.push_front(part);
                    self.reads.push_front(read(pages));
                    return Err(error);
                }
            }
        }
    }

    /// The items as a stream, for example for [`Lms::bulk_stream`].
    pub fn into_stream(self) -> impl Stream<Item = Result<T, Error>> + Send {
        stream::try_unfold(self, async |mut parts| {
            Ok(parts.try_next().await?.map(|item| (item, parts)))
        })
    }

    /// Lists the parts, and starts as many as are allowed.
    async fn start_parts(&mut self) -> Result<(), Error> {
        if self.position.finished {
            return Ok(());
        }
        if self.rest.is_none() {
            let first = self.position.last_started.is_empty() && self.checked;
            let mut ids = if first {
                let (before, ids) = try_join(self.count(None), self.ids()).await?;
                self.position.counts = Counts {
                    before,
                    parts: Some(0),
                };
                ids
            } else {
                self.ids().await?
            };
            ids.retain(|id| *id > self.position.last_started);
            self.rest = Some(ids);
        }
        while self.reads.len() < self.concurrency
            && let Some(id) = self.rest.as_mut().and_then(BTreeSet::pop_first)
        {
            let pages = (self.pages)(&self.lms, Some(&id));
            self.position.last_started.clone_from(&id);
            self.position.parts_started += 1;
            self.position.running.push_back(RunningPart {
                id,
                at: pages.checkpoint(),
                counted: false,
            });
            self.reads.push_back(read(pages));
        }
        Ok(())
    }

    /// Checks that the parts were the complete list.
    async fn finish(&mut self) -> Result<Option<Page<T>>, Error> {
        if self.checked && !self.position.finished {
            let (mut counts, mut tries) = (self.position.counts, 0);
            loop {
                let after = self.count(None).await?;
                if counts.add_up(after) {
                    break;
                }
                if tries == COUNTS {
                    return Err(uncovered(counts, after));
                }
                tries += 1;
                counts = self.count_parts(after).await?;
            }
        }
        self.position.finished = true;
        Ok(None)
    }

    async fn count_parts(&mut self, before: Option<i64>) -> Result<Counts, Error> {
        let ids = self.ids().await?;
        let parts: Vec<_> = ids.iter().map(|id| self.count(Some(id))).collect();
        let parts: Vec<_> = stream::iter(parts)
            .buffer_unordered(self.concurrency)
            .try_collect()
            .await?;
        let mut counts = Counts {
            before,
            parts: Some(0),
        };
        parts.into_iter().for_each(|part| counts.add(part));
        Ok(counts)
    }

    fn ids(&self) -> BoxFuture<'static, Result<Ids, Error>> {
        (self.list_ids)(&self.lms)
    }

    /// The number of items of a part or of the complete list; `None` if the service does not say.
    fn count(&self, part: Option<&str>) -> BoxFuture<'static, Result<Option<i64>, Error>> {
        let pages = (self.pages)(&self.lms, part);
        Box::pin(async move {
            match pages.number_found().await {
                Err(error) if error.is_not_found() => Ok(None),
                found => found,
            }
        })
    }
}

fn read<T: DeserializeOwned + Send + 'static>(mut pages: Pages<T>) -> BoxFuture<'static, Read<T>> {
    Box::pin(async move {
        let page = pages.try_next().await;
        (pages, page)
    })
}

async fn collect_ids<R>(mut listing: Items<R>) -> Result<Ids, Error>
where
    R: DeserializeOwned + Into<String> + Send + 'static,
{
    let mut ids = Ids::new();
    while let Some(item) = listing.try_next().await? {
        let id: String = item.into();
        if matches!(id.as_str(), "" | "." | "..") {
            let detail = "the list contains an item with an empty id or a dot segment, and an empty filter would match everything";
            return Err(Error::new(ErrorKind::Decode, detail));
        }
        ids.insert(id);
    }
    Ok(ids)
}

/// Fails if a part ended although the service counts more items in it.
fn check_end<T: DeserializeOwned + Send + 'static>(
    pages: &Pages<T>,
    checked: bool,
) -> Result<(), Error> {
    let summary = pages.summary();
    let counts = [
        summary.number_found_at_start(),
        summary.number_found_at_end(),
    ];
    let least = counts.into_iter().flatten().map(Int64::get).min();
    let least = u64::try_from(least.unwrap_or_default()).unwrap_or_default();
    if !checked || summary.items() >= least {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Pagination,
        format!(
            "a part of the list ended after {} of {least} items; start again",
            summary.items()
        ),
    ))
}

fn uncovered(counts: Counts, after: Option<i64>) -> Error {
    let shown =
        |count: Option<i64>| count.map_or("no number".to_owned(), |count| count.to_string());
    let detail = format!(
        "the service counts {} items in the list before and {} after it counts {} in its parts, so items may be missing; read the list without parts",
        shown(counts.before),
        shown(after),
        shown(counts.parts)
    );
    Error::new(ErrorKind::Pagination, detail)
}

impl<T> fmt::Debug for Parts<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("concurrency", &self.concurrency)
            .field("checked", &self.checked)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
