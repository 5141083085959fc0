use std::{
    collections::{HashMap, HashSet, VecDeque},
    fmt,
    hash::Hash,
    iter,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, Sleep, sleep_until};

use super::{
    Part, PartError, PartItem, PartsCheckpoint, Progress,
    source::{FromIter, FromWalk, Source},
};
use crate::{
    error::{Error, ErrorKind},
    paging::{Checkpoint, Items},
};

type Outcome<K, T> = Result<PartItem<K, T>, PartError<K>>;

/// A stream of the items of several walks and calls that run concurrently.
///
/// **If a part fails**, the stream returns an `Err` for it and the other parts continue: call `try_next` again.
/// To try the part again, [resume](Self::resume) a new stream of the same parts from a
/// [checkpoint](Self::checkpoint) of this one. If listing the parts fails, the running parts continue to their
/// end, and no further parts start. The stream always ends, however many errors are ignored.
///
/// **If the server refuses requests for a long time** (`Retry-After`), the running parts return that error
/// ([`RateLimited`](crate::ErrorKind::RateLimited)), and no further part starts until [`Error::retry_after`] has passed,
/// or five minutes. Then one part starts, and the others as soon as it has received something. The next `try_next` waits for that; to
/// wait elsewhere, store the checkpoint and drop the stream.
#[must_use = "a concurrent walk sends no request until it is polled"]
pub struct Concurrent<K, T> {
    name: String,
    /// The base URL of the walk that lists the parts; `None` if an iterator does.
    base_url: Option<String>,
    /// `None` once all parts are listed, or their listing has failed.
    source: Option<Box<dyn Source<K, T>>>,
    concurrency: usize,
    running: VecDeque<(Arc<K>, Part<T>)>,
    /// The key of every part that was started, here or before a resume.
    known: HashSet<Arc<K>>,
    /// The parts of `known` that failed, and where.
    failed: Vec<(Arc<K>, Option<Checkpoint>)>,
    /// The unfinished parts of the checkpoint that were not started again yet.
    unfinished: HashMap<K, Checkpoint>,
    items: u64,
    total: Option<u64>,
    started: bool,
    pause: Option<Pause>,
}

/// The longest wait without a request. After it, one part finds out whether the server still refuses requests.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// The server asked to wait.
enum Pause {
    Until(Pin<Box<Sleep>>),
    /// The time is over, and nothing has been received since: only one part runs.
    Over,
}

impl<K, T> Concurrent<K, T>
where
    K: Eq + Hash + Send + 'static,
    T: DeserializeOwned + Send + 'static,
{
    /// Runs the parts of an iterator, each with its own key. A part with the key of an earlier part is ignored.
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
    /// while let Some(topic) = topics.try_next().await? {
    ///     println!("{}: {}", topic.part, topic.item.name);
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
        let parts = parts.into_iter();
        let total = match parts.size_hint() {
            (lower, Some(upper)) if lower == upper => u64::try_from(upper).ok(),
            _ => None,
        };
        Self::from_source(FromIter {
            parts: parts.map(Ok),
            total,
        })
    }

    /// Runs one part for each item of a walk.
    ///
    /// The list is read as parts finish, so the parts are never in memory all at once. An error of the walk or
    /// of `part` ends the listing.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{prelude::*, concurrent::Concurrent};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Id { id: String }
    ///
    /// let client = lms.clone();
    /// let learners = lms.list_learners().tags("emea").items_as::<Id>();
    /// let mut enrolments = Concurrent::for_each_item(learners, move |learner| {
    ///     let walk = client.list_enrolments().user(learner.id.clone()).items();
    ///     Ok((learner.id, walk))
    /// });
    /// while let Some(enrolment) = enrolments.try_next().await? {
    ///     println!("{} {:?}", enrolment.part, enrolment.item.course);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn for_each_item<R, P, F>(walk: Items<R>, part: F) -> Self
    where
        R: DeserializeOwned + Send + 'static,
        P: Into<Part<T>> + 'static,
        F: FnMut(R) -> Result<(K, P), Error> + Send + 'static,
    {
        let base_url = walk.base_url().map(ToOwned::to_owned);
        Self {
            base_url,
            ..Self::from_source(FromWalk::new(walk, part))
        }
    }

    /// Runs no parts and returns an error.
    pub(super) fn failed(error: Error) -> Self {
        Self::from_source(FromIter {
            parts: iter::once(Err::<(K, Part<T>), _>(error)),
            total: Some(0),
        })
    }

    fn from_source(source: impl Source<K, T> + 'static) -> Self {
        Self {
            name: String::new(),
            base_url: None,
            total: source.total(),
            source: Some(Box::new(source)),
            concurrency: 8,
            running: VecDeque::new(),
            known: HashSet::new(),
            failed: Vec::new(),
            unfinished: HashMap::new(),
            items: 0,
            started: false,
            pause: None,
        }
    }

    /// The maximum number of requests in flight, including the one that lists the parts. The default is 8; 0
    /// counts as 1.
    pub fn concurrency(mut self, requests: usize) -> Self {
        self.concurrency = requests.max(1);
        self
    }

    /// Sets a name, so that only checkpoints with the same name are accepted.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Continues from a checkpoint: skips finished parts, continues unfinished ones after the last item that
    /// was returned, and tries failed ones again.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if the checkpoint has another [name](Self::named), belongs to a list of
    /// another base URL or has a format that this release does not read, or if this stream was polled before:
    /// resume a new one. If a part does not accept its checkpoint, only that part fails. If the parts come from an
    /// [iterator](Self::new), their finished keys are not bound to a base URL; use the tenant as the name.
    pub fn resume(mut self, checkpoint: PartsCheckpoint<K>) -> Result<Self, Error> {
        if self.started {
            return Err(Error::usage(
                "this concurrent walk has already started; create a new one of the same parts and resume that",
            ));
        }
        checkpoint.check(self.base_url.as_deref(), &self.name)?;
        self.items = checkpoint.items;
        self.known = checkpoint.finished.into_iter().map(Arc::new).collect();
        self.unfinished = checkpoint.unfinished.into_iter().collect();
        Ok(self)
    }

    /// The position of every part, after the last item that was returned.
    #[must_use]
    pub fn checkpoint(&self) -> PartsCheckpoint<K>
    where
        K: Clone,
    {
        let running = self.running.iter();
        let running = running.map(|(key, part)| (key, part.checkpoint()));
        let failed = self.failed.iter().map(|(key, at)| (key, at.clone()));
        let current: HashMap<_, _> = running.chain(failed).collect();
        let finished = self.known.iter().filter(|key| !current.contains_key(key));
        let finished = finished.map(|key| K::clone(key)).collect();
        let later = self.unfinished.iter();
        let later = later.map(|(key, at)| (key.clone(), at.clone()));
        let unfinished = current
            .into_iter()
            .filter_map(|(key, at)| Some((K::clone(key), at?)))
            .chain(later)
            .collect();
        PartsCheckpoint::new(
            self.base_url.as_deref(),
            &self.name,
            self.items,
            finished,
            unfinished,
        )
    }

    /// Counts to show the progress.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let count = |length| u64::try_from(length).unwrap_or(u64::MAX);
        let (running, failed) = (count(self.running.len()), count(self.failed.len()));
        Progress {
            total: self.total,
            running,
            finished: count(self.known.len()).saturating_sub(running + failed),
            failed,
            items: self.items,
        }
    }

    /// Returns the next item of any part; `None` after all parts have ended.
    ///
    /// # Errors
    ///
    /// [`PartError`] for a part that failed; call again to continue with the others. `?` converts it into an
    /// [`Error`].
    pub async fn try_next(&mut self) -> Result<Option<PartItem<K, T>>, PartError<K>> {
        std::future::poll_fn(|cx| self.poll_item(cx))
            .await
            .transpose()
    }

    fn poll_item(&mut self, cx: &mut Context<'_>) -> Poll<Option<Outcome<K, T>>> {
        self.started = true;
        loop {
            // Items that were received come first; meanwhile, the other parts make progress in their tasks.
            let has_item = |(_, part): &(_, Part<T>)| part.has_item();
            if !self.running.front().is_some_and(has_item)
                && let Poll::Ready(Some(failed)) = self.fill(cx)
            {
                return Poll::Ready(Some(Err(failed)));
            }
            if self.running.is_empty() {
                return match self.source {
                    None => Poll::Ready(None),
                    // The next part is still being listed.
                    Some(_) => Poll::Pending,
                };
            }
            if let Some(outcome) = ready!(self.poll_running(cx)) {
                return Poll::Ready(Some(outcome));
            }
        }
    }

    /// Starts parts until the limit is reached. `Pending` while the next part is being listed; otherwise the
    /// error of a part, if there was one.
    fn fill(&mut self, cx: &mut Context<'_>) -> Poll<Option<PartError<K>>> {
        loop {
            let most = match &mut self.pause {
                None => self.concurrency,
                Some(Pause::Over) => 1,
                Some(Pause::Until(end)) => {
                    ready!(end.as_mut().poll(cx));
                    self.pause = Some(Pause::Over);
                    continue;
                }
            };
            let Some(source) = &mut self.source else {
                break;
            };
            if self.running.len() >= most {
                break;
            }
            let listed = ready!(source.poll_part(cx));
            self.total = source.total();
            match listed {
                Some(Ok((key, part))) => {
                    if let Err(failed) = self.start(key, part) {
                        return Poll::Ready(Some(failed));
                    }
                }
                Some(Err(error)) => {
                    // The list can be continued after a pause, but not after another error.
                    if !self.pause_after(&error) {
                        self.source = None;
                    }
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

    fn start(&mut self, key: K, part: Part<T>) -> Result<(), PartError<K>> {
        if self.known.contains(&key) {
            return Ok(());
        }
        let checkpoint = self.unfinished.remove(&key);
        let key = Arc::new(key);
        self.known.insert(Arc::clone(&key));
        let part = match &checkpoint {
            Some(checkpoint) => part.resume(checkpoint),
            None => Ok(part),
        };
        match part {
            Ok(part) => {
                self.running.push_back((key, part.start()));
                Ok(())
            }
            Err(error) => Err(self.fail(key, checkpoint, error)),
        }
    }

    /// Starts no parts for as long as the server asked to wait. Returns whether it did.
    fn pause_after(&mut self, error: &Error) -> bool {
        match error.retry_after() {
            Some(wait) if error.kind() == ErrorKind::RateLimited => {
                let end = Instant::now() + wait.min(LONGEST_PAUSE);
                let later = match &self.pause {
                    Some(Pause::Until(earlier)) => earlier.deadline().max(end),
                    _ => end,
                };
                self.pause = Some(Pause::Until(Box::pin(sleep_until(later))));
                true
            }
            _ => false,
        }
    }

    fn fail(&mut self, key: Arc<K>, at: Option<Checkpoint>, error: Error) -> PartError<K> {
        self.pause_after(&error);
        self.failed.push((Arc::clone(&key), at));
        PartError {
            part: Some(key),
            error,
        }
    }

    /// An item or an error of any running part; `None` if a part has ended.
    fn poll_running(&mut self, cx: &mut Context<'_>) -> Poll<Option<Outcome<K, T>>> {
        for _ in 0..self.running.len() {
            let Some((key, mut part)) = self.running.pop_front() else {
                break;
            };
            match part.poll_item(cx) {
                Poll::Pending => self.running.push_back((key, part)),
                Poll::Ready(Some(Ok(item))) => {
                    self.pause.take_if(|pause| matches!(pause, Pause::Over));
                    let item = PartItem {
                        part: Arc::clone(&key),
                        item,
                    };
                    // The rest of a page comes before items of other parts.
                    if part.has_item() {
                        self.running.push_front((key, part));
                    } else if !part.is_done() {
                        self.running.push_back((key, part));
                    }
                    self.items = self.items.saturating_add(1);
                    return Poll::Ready(Some(Ok(item)));
                }
                Poll::Ready(Some(Err(error))) => {
                    let failed = self.fail(key, part.checkpoint(), error);
                    return Poll::Ready(Some(Err(failed)));
                }
                Poll::Ready(None) => {
                    self.pause.take_if(|pause| matches!(pause, Pause::Over));
                    return Poll::Ready(None);
                }
            }
        }
        Poll::Pending
    }
}

// What is polled is boxed, so nothing is pinned inside.
impl<K, T> Unpin for Concurrent<K, T> {}

impl<K, T> Stream for Concurrent<K, T>
where
    K: Eq + Hash + Send + 'static,
    T: DeserializeOwned + Send + 'static,
{
    type Item = Result<PartItem<K, T>, PartError<K>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_item(cx)
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
            .field("concurrency", &self.concurrency)
            .field("running", &self.running.len())
            .field("items", &self.items)
            .finish_non_exhaustive()
    }
}
