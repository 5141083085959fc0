use std::{
    collections::{HashMap, HashSet, VecDeque},
    fmt,
    hash::Hash,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;

use super::{
    Part, PartError, PartsCheckpoint, Progress, Row,
    source::{InHand, Refused, Source, Walked},
};
use crate::{
    error::Error,
    paging::{Checkpoint, Items},
};

/// What the stream gives.
type Outcome<K, T> = Result<Row<K, T>, PartError<K>>;

/// Walks and calls that run side by side, as one stream of their rows.
///
/// **A part that fails** is an `Err` in the stream, and the others go on: ask again. Each part was repeated
/// as every call is before it failed; to try it anew, [resume](Self::resume) a new walk of the same parts
/// from a [checkpoint](Self::checkpoint) of this one. When the listing of the parts fails, those that are
/// running end, and no further ones begin. The stream itself always comes to an end, however many errors
/// are passed over.
#[must_use = "nothing runs before the first row is asked for"]
pub struct Concurrent<K, T> {
    name: String,
    /// `None` when all parts have been listed, or their listing failed.
    source: Option<Box<dyn Source<K, T>>>,
    at_once: usize,
    running: VecDeque<(Arc<K>, Part<T>)>,
    /// Every part that was taken up, here or before a resumption.
    known: HashSet<Arc<K>>,
    /// Parts of `known` that failed, and where.
    failed: Vec<(Arc<K>, Option<Checkpoint>)>,
    /// Where parts were before a resumption that have not been taken up again.
    begun: HashMap<K, Checkpoint>,
    rows: u64,
    total: Option<u64>,
    /// Rows have been asked for.
    has_begun: bool,
}

impl<K, T> Concurrent<K, T>
where
    K: Eq + Hash + Send + 'static,
    T: DeserializeOwned + Send + 'static,
{
    /// Runs parts that are at hand, each with a key of its own; a key that comes again is passed over.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{prelude::*, concurrent::Concurrent};
    ///
    /// let client = lms.clone();
    /// let courses = ["c1", "c2", "c3"].map(String::from);
    /// let mut topics = Concurrent::new(courses.into_iter().map(move |course| {
    ///     let walk = client.list_topics().course(course.clone()).items();
    ///     (course, walk)
    /// }));
    /// while let Some(row) = topics.try_next().await? {
    ///     println!("{}: {}", row.part, row.item.name);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn new<P, I>(parts: I) -> Self
    where
        P: Into<Part<T>> + 'static,
        I: IntoIterator<Item = (K, P)>,
        I::IntoIter: Send + 'static,
    {
        Self::from_source(InHand::new(parts.into_iter()))
    }

    /// Runs one part for each row of a walk.
    ///
    /// The walk goes on as places become free, so the parts never have to be in memory together. An error
    /// that `part` gives, like one of the walk, ends the listing.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{prelude::*, concurrent::Concurrent};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Id { id: String }
    ///
    /// let client = lms.clone();
    /// let learners = lms.list_learners().tags(vec!["emea".into()]).items_as::<Id>();
    /// let mut enrolments = Concurrent::of(learners, move |learner| {
    ///     let walk = client.list_enrolments().user(learner.id.clone()).items();
    ///     Ok((learner.id, walk))
    /// });
    /// while let Some(row) = enrolments.try_next().await? {
    ///     println!("{} {:?}", row.part, row.item.course);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn of<R, P, F>(walk: Items<R>, part: F) -> Self
    where
        R: DeserializeOwned + Send + 'static,
        P: Into<Part<T>> + 'static,
        F: FnMut(R) -> Result<(K, P), Error> + Send + 'static,
    {
        Self::from_source(Walked::new(walk, part))
    }

    /// Runs nothing and says why.
    pub(super) fn refused(error: Error) -> Self {
        Self::from_source(Refused(Some(error)))
    }

    fn from_source(source: impl Source<K, T> + 'static) -> Self {
        Self {
            name: String::new(),
            total: source.total(),
            source: Some(Box::new(source)),
            at_once: 8,
            running: VecDeque::new(),
            known: HashSet::new(),
            failed: Vec::new(),
            begun: HashMap::new(),
            rows: 0,
            has_begun: false,
        }
    }

    /// How many requests are on their way at most, the listing of the parts included: 8; 0 counts as 1.
    pub fn concurrency(mut self, parts: usize) -> Self {
        self.at_once = parts.max(1);
        self
    }

    /// Names what this walks, so that a checkpoint of something else is refused.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Goes on where others were when they made the checkpoint: finished parts are left out, begun ones go
    /// on behind the last row that was delivered, and failed ones are tried again.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) when the checkpoint has another [name](Self::named) or a form that
    /// this version does not know, or when rows have been asked for already: resume a new walk. A part that
    /// cannot be taken up is an error of that part.
    pub fn resume(mut self, checkpoint: PartsCheckpoint<K>) -> Result<Self, Error> {
        if self.has_begun {
            return Err(Error::usage(
                "this walk has begun; make a new one of the same parts, and resume that",
            ));
        }
        checkpoint.check(&self.name)?;
        self.rows = checkpoint.rows;
        self.known = checkpoint.finished.into_iter().map(Arc::new).collect();
        self.begun = checkpoint.begun.into_iter().collect();
        Ok(self)
    }

    /// Where all of it is: behind the last row that was delivered.
    #[must_use]
    pub fn checkpoint(&self) -> PartsCheckpoint<K>
    where
        K: Clone,
    {
        let running = self
            .running
            .iter()
            .map(|(key, part)| (key, part.checkpoint()));
        let failed = self.failed.iter().map(|(key, place)| (key, place.clone()));
        let unfinished: HashMap<_, _> = running.chain(failed).collect();
        let finished = self
            .known
            .iter()
            .filter(|key| !unfinished.contains_key(key))
            .map(|key| K::clone(key))
            .collect();
        let begun = unfinished
            .into_iter()
            .filter_map(|(key, place)| Some((K::clone(key), place?)))
            .chain(
                self.begun
                    .iter()
                    .map(|(key, place)| (key.clone(), place.clone())),
            )
            .collect();
        PartsCheckpoint::new(&self.name, self.rows, finished, begun)
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let count = |length| u64::try_from(length).unwrap_or(u64::MAX);
        let (running, failed) = (count(self.running.len()), count(self.failed.len()));
        Progress {
            total: self.total,
            running,
            finished: count(self.known.len()).saturating_sub(running + failed),
            failed,
            rows: self.rows,
        }
    }

    /// The next row of any part; `None` when all have ended.
    ///
    /// # Errors
    ///
    /// [`PartError`] for a part that failed; asking again goes on with the others. It turns into an
    /// [`Error`] with `?`.
    pub async fn try_next(&mut self) -> Result<Option<Row<K, T>>, PartError<K>> {
        std::future::poll_fn(|cx| self.poll_row(cx))
            .await
            .transpose()
    }

    fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Outcome<K, T>>> {
        self.has_begun = true;
        loop {
            // Rows that are here go out first. Parts that are waited for go on in their tasks.
            if !self.running.front().is_some_and(|(_, part)| part.has_row())
                && let Poll::Ready(Some(failed)) = self.fill(cx)
            {
                return Poll::Ready(Some(Err(failed)));
            }
            if self.running.is_empty() {
                return if self.source.is_none() {
                    Poll::Ready(None)
                } else {
                    // The listing is waited for.
                    Poll::Pending
                };
            }
            match ready!(self.poll_running(cx)) {
                Some(outcome) => return Poll::Ready(Some(outcome)),
                // A place has become free.
                None => continue,
            }
        }
    }

    /// Takes up parts until all places are taken. Ready when nothing more can be done about it now; with
    /// an error, if there was one.
    fn fill(&mut self, cx: &mut Context<'_>) -> Poll<Option<PartError<K>>> {
        while self.running.len() < self.at_once
            && let Some(source) = &mut self.source
        {
            let listed = ready!(source.poll_part(cx));
            self.total = source.total();
            match listed {
                Some(Ok((key, part))) => {
                    if let Err(failed) = self.take_up(key, part) {
                        return Poll::Ready(Some(failed));
                    }
                }
                Some(Err(error)) => {
                    self.source = None;
                    return Poll::Ready(Some(PartError { part: None, error }));
                }
                None => {
                    self.source = None;
                    self.total = u64::try_from(self.known.len()).ok();
                }
            }
        }
        Poll::Ready(None)
    }

    fn take_up(&mut self, key: K, part: Part<T>) -> Result<(), PartError<K>> {
        if self.known.contains(&key) {
            return Ok(());
        }
        let place = self.begun.remove(&key);
        let key = Arc::new(key);
        self.known.insert(Arc::clone(&key));
        let part = match &place {
            Some(place) => part.resume(place),
            None => Ok(part),
        };
        match part {
            Ok(part) => {
                self.running.push_back((key, part.start()));
                Ok(())
            }
            Err(error) => {
                self.failed.push((Arc::clone(&key), place));
                Err(PartError {
                    part: Some(key),
                    error,
                })
            }
        }
    }

    /// A row or an error of any running part; `None` when a part has ended.
    fn poll_running(&mut self, cx: &mut Context<'_>) -> Poll<Option<Outcome<K, T>>> {
        for _ in 0..self.running.len() {
            let Some((key, mut part)) = self.running.pop_front() else {
                break;
            };
            match part.poll_row(cx) {
                Poll::Pending => self.running.push_back((key, part)),
                Poll::Ready(Some(Ok(item))) => {
                    let row = Row {
                        part: Arc::clone(&key),
                        item,
                    };
                    // A page is delivered whole before it is another part's turn.
                    if part.has_row() {
                        self.running.push_front((key, part));
                    } else if !part.is_done() {
                        self.running.push_back((key, part));
                    }
                    self.rows = self.rows.saturating_add(1);
                    return Poll::Ready(Some(Ok(row)));
                }
                Poll::Ready(Some(Err(error))) => {
                    self.failed.push((Arc::clone(&key), part.checkpoint()));
                    return Poll::Ready(Some(Err(PartError {
                        part: Some(key),
                        error,
                    })));
                }
                Poll::Ready(None) => return Poll::Ready(None),
            }
        }
        Poll::Pending
    }
}

// Nothing in it is pinned: what is polled is boxed.
impl<K, T> Unpin for Concurrent<K, T> {}

impl<K, T> Stream for Concurrent<K, T>
where
    K: Eq + Hash + Send + 'static,
    T: DeserializeOwned + Send + 'static,
{
    type Item = Result<Row<K, T>, PartError<K>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_row(cx)
    }
}

impl<K, T> FusedStream for Concurrent<K, T>
where
    K: Eq + Hash + Send + 'static,
    T: DeserializeOwned + Send + 'static,
{
    fn is_terminated(&self) -> bool {
        self.source.is_none() && self.running.is_empty()
    }
}

impl<K, T> fmt::Debug for Concurrent<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Concurrent")
            .field("name", &self.name)
            .field("at_once", &self.at_once)
            .field("running", &self.running.len())
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}
