//! Reads the parts of a list, and checks that they are the list.

use std::{collections::BTreeSet, fmt, sync::Arc, vec};

use futures_util::{
    FutureExt as _, StreamExt as _, TryFutureExt as _, TryStreamExt as _,
    future::{BoxFuture, try_join},
    stream::{self, FuturesOrdered},
};
use lms_client::wire::Int64;
use serde::de::DeserializeOwned;

use super::{
    checkpoint::{PartsCheckpoint, RunningPart, add_id},
    counting::{
        Count, Ids, ListingOf, PartCounts, PartPage, PartsProgress, Sent, collect_ids, count,
    },
};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::{Checkpoint, Page, Pages},
};

/// Number of counts after which the numbers count as not adding up. Rows may be added and removed between two counts.
const COUNTS: u32 = 3;

const NOT_COUNTED: &str = "a response has no `number_found`, so it cannot be checked that the parts are the complete list; read the list without parts, or call `ignore_number_found()`";

type ListIds = dyn Fn(&Lms) -> BoxFuture<'static, Result<(Ids, Sent), Error>> + Send;
type Read<T> = ((Pages<T>, Result<Option<Page<T>>, Error>), Sent);

/// A list that is read in parts, several of them at a time. See [the module](crate::concurrent).
///
/// Items of one part keep their order; the pages of different parts alternate. After an error of a request, `try_next`
/// requests the same page again. After an error that no request can change, because the parts are not the complete list
/// or the service does not count them, it returns `None`.
///
/// **Memory:** at most two pages for each running part, and the ids of the parts.
#[must_use = "nothing is sent: write `while let Some(…) = ….try_next().await?`"]
pub struct Parts<T> {
    lms: Lms,
    list_ids: Box<ListIds>,
    pages: Box<ListingOf<T>>,
    concurrency: usize,
    /// The parts are compared with the complete list.
    is_checked: bool,
    /// The service does not count the list or a part.
    uncounted: bool,
    /// An error ended the stream.
    failed: bool,
    position: PartsCheckpoint,
    /// The parts that have not been started; `None` until they are listed.
    rest: Option<Ids>,
    /// The next page of each running part.
    reads: FuturesOrdered<BoxFuture<'static, Read<T>>>,
    sent: Sent,
    /// The rest of the current page.
    page: vec::IntoIter<T>,
    /// The position of the current page, and its number of items.
    page_start: Option<(Checkpoint, usize)>,
}

impl<T: DeserializeOwned + Send + 'static> Parts<T> {
    /// Reads a list in your own parts, one for each object of another list. `listed` returns the pages of that other
    /// list, and `id` returns the id of one of its objects. `pages` returns the pages of the part with an id or,
    /// without an id, of the complete list.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{concurrent::Parts, prelude::*};
    ///
    /// let mut topics = Parts::new(
    ///     &lms,
    ///     |lms| lms.list_courses().pages(),
    ///     |course| course.id,
    ///     |lms, course| lms.list_topics().course(course).pages(),
    /// );
    /// while let Some(topic) = topics.try_next().await? {
    ///     println!("{}", topic.name);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn new<R, I>(
        lms: &Lms,
        listed: impl Fn(&Lms) -> Pages<R> + Send + 'static,
        id: impl Fn(R) -> Option<I> + Send + Sync + 'static,
        pages: impl Fn(&Lms, Option<&str>) -> Pages<T> + Send + 'static,
    ) -> Self
    where
        R: DeserializeOwned + Send + 'static,
        I: Into<String> + 'static,
    {
        let id = Arc::new(id);
        Self {
            position: PartsCheckpoint::new(pages(lms, None).checkpoint()),
            lms: lms.clone(),
            list_ids: Box::new(move |lms| Box::pin(collect_ids(listed(lms), Arc::clone(&id)))),
            pages: Box::new(pages),
            concurrency: 8,
            is_checked: true,
            uncounted: false,
            failed: false,
            rest: None,
            reads: FuturesOrdered::new(),
            sent: Sent::default(),
            page: Vec::new().into_iter(),
            page_start: None,
        }
    }

    /// Sets the number of parts that are read at the same time. Default: 8. 0 counts as 1.
    pub fn concurrency(mut self, parts: usize) -> Self {
        self.concurrency = parts.max(1);
        self
    }

    /// Turns off the check that the parts are the complete list: for a list that the service does not count, or if only
    /// the items of these parts are needed.
    pub fn ignore_number_found(mut self) -> Self {
        self.is_checked = false;
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
        self.failed = false;
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
            requests: self.sent.requests,
            responses: self.sent.responses,
        }
    }

    /// Returns the next item of any part; `None` after all parts.
    ///
    /// # Errors
    ///
    /// The errors of any list; call again to request the same page again. [`Pagination`](ErrorKind::Pagination) if a
    /// part ended early, if the parts are not the complete list, or if the service does not count them; the stream then
    /// ends.
    pub async fn try_next(&mut self) -> Result<Option<T>, Error> {
        loop {
            if let Some(item) = self.page.next() {
                return Ok(Some(item));
            }
            match self.next_page().await? {
                Some(next) => self.page = next.page.items.into_iter(),
                None => return Ok(None),
            }
        }
    }

    /// Returns the next page of any part; `None` after all parts. The rest of a page that [`try_next`](Self::try_next) has
    /// begun is skipped.
    ///
    /// # Errors
    ///
    /// The errors of [`try_next`](Self::try_next).
    pub async fn next_page(&mut self) -> Result<Option<PartPage<T>>, Error> {
        self.page = Vec::new().into_iter();
        if self.failed {
            return Ok(None);
        }
        loop {
            self.start_parts().await?;
            let Some(next) = self.reads.next().await else {
                return self.finish().await;
            };
            let (pages, result) = self.sent.add(next);
            let Some(mut part) = self.position.running.pop_front() else {
                return Ok(None);
            };
            match result {
                Ok(Some(page)) => {
                    if !part.counted {
                        let found = page.number_found.map(Int64::get);
                        if self.is_checked && found.is_none() {
                            self.position.running.push_front(part);
                            return Err(self.fail(NOT_COUNTED.to_owned()));
                        }
                        self.position.counts.add(found);
                        part.counted = true;
                    }
                    let start = std::mem::replace(&mut part.at, pages.checkpoint());
                    self.page_start = Some((start, page.items.len()));
                    let next = PartPage {
                        part: part.id.clone(),
                        is_last: part.at.is_finished(),
                        page,
                    };
                    self.position.running.push_back(part);
                    self.position.items += u64::try_from(next.page.items.len()).unwrap_or(u64::MAX);
                    self.reads.push_back(read(pages));
                    return Ok(Some(next));
                }
                Ok(None) => {
                    if let Some((items, least)) = self.missing_items(&pages) {
                        self.position.running.push_front(part);
                        return Err(self.fail(format!(
                            "a part of the list ended after {items} of {least} items; start again"
                        )));
                    }
                }
                // The part was removed, with its items or without: the counts at the end tell. One that is there then was not
                // read.
                Err(error) if !part.counted && error.is_not_found() => {
                    self.position.counts.add(None);
                    self.position.absent.push(part.id);
                }
                Err(error) => {
                    self.position.running.push_front(part);
                    self.reads.push_front(read(pages));
                    return Err(error);
                }
            }
        }
    }

    /// Lists the parts, unless they are known. Returns their number.
    ///
    /// # Errors
    ///
    /// The errors of the list of objects, and [`Decode`](ErrorKind::Decode) if one of the objects has no id.
    pub async fn total(&mut self) -> Result<u64, Error> {
        if self.rest.is_none() {
            let mut ids = self.list_ids().await?;
            ids.retain(|id| *id > self.position.last_started);
            self.rest = Some(ids);
        }
        Ok(self.progress().total.unwrap_or_default())
    }

    /// Compares the count of the complete list with the sum over its parts: with the counts of the parts that were
    /// read, or by counting each part, at most three times. If the service does not count the list or a part, it counts
    /// no more. [`try_next`](Self::try_next) does this after the last item.
    /// Call it before the first item to know earlier whether the parts are the complete list.
    ///
    /// # Errors
    ///
    /// The errors of any list. Different numbers are not an error.
    pub async fn count(&mut self) -> Result<PartCounts, Error> {
        let mut tries = 0;
        self.uncounted = false;
        loop {
            let after = self.count_whole().await?;
            let counts = PartCounts {
                after,
                ..self.position.counts
            };
            if counts.add_up() || tries == COUNTS || self.uncounted {
                self.position.counts = counts;
                return Ok(counts);
            }
            tries += 1;
            self.position.counts = self.count_parts(after).await?;
        }
    }

    /// Starts as many parts as are allowed.
    async fn start_parts(&mut self) -> Result<(), Error> {
        if self.position.finished {
            return Ok(());
        }
        let unread = self.rest.is_none() && self.position.parts_started == 0;
        if unread && self.is_checked {
            let whole = count(&*self.pages, &self.lms, None).map(|counted| match counted {
                // Also ends the list of ids.
                Ok((found, _)) if found.items().is_none() => Err(None),
                counted => counted.map_err(Some),
            });
            let ids = (self.list_ids)(&self.lms).map_err(Some);
            let both = try_join(whole, ids).await;
            let fail =
                |error: Option<Error>| error.unwrap_or_else(|| self.fail(NOT_COUNTED.to_owned()));
            let (before, ids) = both.map_err(fail)?;
            self.position.counts.after = self.sent.add(before).items();
            self.rest = Some(self.sent.add(ids));
        }
        self.total().await?;
        if self.position.parts_started == 0 {
            self.position.counts = PartCounts::of_list(self.position.counts.after);
        }
        while self.unfinished() < self.concurrency
            && let Some(id) = self.rest.as_mut().and_then(BTreeSet::pop_first)
        {
            let pages = (self.pages)(&self.lms, Some(&id));
            self.position.start(RunningPart {
                id,
                at: pages.checkpoint(),
                counted: false,
            });
            self.reads.push_back(read(pages));
        }
        Ok(())
    }

    /// The number of parts that have more pages. The others wait for their turn to end, and send nothing.
    fn unfinished(&self) -> usize {
        let running = self.position.running.iter();
        running.filter(|part| !part.at.is_finished()).count()
    }

    /// Checks that the parts were the complete list.
    async fn finish(&mut self) -> Result<Option<PartPage<T>>, Error> {
        if self.is_checked && !self.position.finished {
            let counts = self.count().await?;
            if !counts.add_up() {
                return Err(self.fail(format!(
                    "{counts}, so items may be missing; read the list without parts"
                )));
            }
        }
        self.position.finished = true;
        Ok(None)
    }

    async fn count_parts(&mut self, before: Option<i64>) -> Result<PartCounts, Error> {
        let ids = self.list_ids().await?;
        let fingerprint = |ids: &Ids, started: &str| {
            let started = started.to_owned();
            ids.iter().fold(started, |all, id| add_id(&all, id))
        };
        if self.position.parts_started == 0 {
            self.rest = Some(ids.clone());
        }
        let rest = self.rest.as_ref().unwrap_or(&ids);
        let planned = fingerprint(rest, &self.position.started);
        let absent = &self.position.absent;
        let count = |id: &String| {
            let is_absent = absent.contains(id);
            count(&*self.pages, &self.lms, Some(id)).map_ok(move |counted| (is_absent, counted))
        };
        let parts: Vec<_> = ids.iter().map(count).collect();
        let mut parts = stream::iter(parts).buffer_unordered(self.concurrency);
        let mut counts = PartCounts {
            parts_changed: fingerprint(&ids, "") != planned,
            ..PartCounts::of_list(before)
        };
        while let Some((is_absent, part)) = parts.try_next().await? {
            let part = self.sent.add(part);
            // It was not found, and has items that were not read.
            counts.parts_changed |= is_absent && part.items() != Some(0);
            self.uncounted |= part == Count::Missing;
            counts.add(part.items());
        }
        Ok(counts)
    }

    async fn count_whole(&mut self) -> Result<Option<i64>, Error> {
        let found = self.sent.add(count(&*self.pages, &self.lms, None).await?);
        self.uncounted |= found == Count::Missing;
        Ok(found.items())
    }

    async fn list_ids(&mut self) -> Result<Ids, Error> {
        let listed = (self.list_ids)(&self.lms).await?;
        Ok(self.sent.add(listed))
    }

    /// The items of a part that ended, and the number that it must at least have, if that is larger.
    fn missing_items(&self, part: &Pages<T>) -> Option<(u64, u64)> {
        let summary = part.summary();
        let counts = [summary.number_found_first(), summary.number_found_last()];
        let least = counts.into_iter().flatten().map(Int64::get).min()?;
        let least = u64::try_from(least).unwrap_or_default();
        let missing = self.is_checked && summary.items() < least;
        missing.then_some((summary.items(), least))
    }

    /// Ends the stream with an error.
    fn fail(&mut self, detail: String) -> Error {
        self.failed = true;
        self.reads = FuturesOrdered::new();
        let list = (self.pages)(&self.lms, None);
        Error::new(ErrorKind::Pagination, detail).in_operation(list.operation())
    }
}

/// Reads the next page of a part.
fn read<T: DeserializeOwned + Send + 'static>(mut pages: Pages<T>) -> BoxFuture<'static, Read<T>> {
    Box::pin(async move {
        let before = Sent::of(&pages.summary());
        let page = pages.try_next().await;
        let after = Sent::of(&pages.summary());
        let sent = Sent {
            requests: after.requests - before.requests,
            responses: after.responses - before.responses,
        };
        ((pages, page), sent)
    })
}

impl<T> fmt::Debug for Parts<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("concurrency", &self.concurrency)
            .field("is_checked", &self.is_checked)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
