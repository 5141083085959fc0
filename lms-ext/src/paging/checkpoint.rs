//! The position of a stream, in a form that can be stored and resumed by another process.

use lms_client::wire::Int64;
use serde::{Deserialize, Serialize};

use super::{end::fingerprint, page::Position};
use crate::{
    error::{Error, ErrorKind},
    request::PreparedCall,
    values::OperationInfo,
};

/// The version of the stored format, also for lists that are read in parts.
const FORMAT_VERSION: u32 = 1;

/// The position of a stream: returned by `checkpoint()` of [`Items`](crate::Items) and
/// [`Pages`](crate::Pages), accepted by `resume()`.
///
/// Store it with serde, in any format; later releases read the same fields. It contains a cursor and
/// counts, but no items, and is valid for one base URL and one operation with one set of filters: `resume()`
/// refuses it elsewhere.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), Box<dyn std::error::Error>> {
/// use lms_ext::{Checkpoint, prelude::*};
///
/// let mut pages = lms.list_course_completions().pages();
/// if let Some(page) = pages.try_next().await? {
///     // Store the items first, then the checkpoint.
///     std::fs::write("export.checkpoint", serde_json::to_vec(&pages.checkpoint())?)?;
/// }
///
/// // In another process:
/// let checkpoint: Checkpoint = serde_json::from_slice(&std::fs::read("export.checkpoint")?)?;
/// let mut pages = lms.list_course_completions().pages().resume(&checkpoint)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    version: u32,
    base_url: String,
    operation: String,
    /// The fingerprint of the filters, in hexadecimal.
    filters: String,
    cursor: Option<String>,
    skip: u64,
    summary: ListSummary,
}

impl Checkpoint {
    #[inline]
    pub(super) fn new(
        prepared: Option<&PreparedCall>,
        operation: &OperationInfo,
        position: &Position,
        summary: &ListSummary,
        finished: bool,
    ) -> Self {
        Self {
            version: FORMAT_VERSION,
            base_url: prepared.map_or("", base_url).to_owned(),
            operation: operation.id.to_owned(),
            filters: prepared.map(filters).unwrap_or_default(),
            cursor: position.cursor.clone(),
            skip: u64::try_from(position.skip).unwrap_or(u64::MAX),
            summary: ListSummary {
                finished,
                requests: 0,
                last_count: None,
                ..summary.clone()
            },
        }
    }

    /// The number of items returned so far.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.summary.items
    }

    /// The number of pages received so far.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.summary.pages
    }

    /// Returns `true` if the stream had reached the end of the list. When resumed, it returns no more items.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.summary.finished
    }

    /// Returns `true` if the stream continues within a page: the page is requested again, and as many items are skipped
    /// as were returned of it. If the list has changed, these may be other items.
    #[must_use]
    pub fn is_inside_page(&self) -> bool {
        self.skip > 0 && !self.is_finished()
    }

    /// The position this number of items later, in the same page.
    pub(crate) fn after_items(&self, items: usize) -> Self {
        let items = u64::try_from(items).unwrap_or(u64::MAX);
        let mut later = self.clone();
        later.skip = self.skip.saturating_add(items);
        later.summary.items = self.summary.items.saturating_add(items);
        later
    }

    pub(super) fn position(&self) -> Position {
        Position {
            cursor: self.cursor.clone(),
            skip: usize::try_from(self.skip).unwrap_or(usize::MAX),
        }
    }

    pub(super) fn summary(&self) -> ListSummary {
        ListSummary {
            last_count: self.summary.first_count,
            ..self.summary.clone()
        }
    }

    /// Fails unless the checkpoint belongs to this tenant and this operation with these filters.
    #[inline]
    pub(super) fn check(
        &self,
        prepared: &PreparedCall,
        operation: &OperationInfo,
    ) -> Result<(), Error> {
        let (version, stored, base_url) = (self.version, &self.base_url, base_url(prepared));
        let reason = if version != FORMAT_VERSION {
            format!(
                "the checkpoint has format version {version}, and this release reads version {FORMAT_VERSION}; start again without it"
            )
        } else if stored != base_url {
            format!(
                "the checkpoint belongs to {stored}, but this client is for {base_url}; resume it with a client for that tenant"
            )
        } else if self.operation != operation.id {
            "the checkpoint belongs to another operation; resume the operation that created it"
                .to_owned()
        } else if self.filters != filters(prepared) {
            "the checkpoint belongs to a list with other filters; resume with the same filters"
                .to_owned()
        } else {
            return Ok(());
        };
        Err(Error::usage(reason))
    }
}

fn base_url(prepared: &PreparedCall) -> &str {
    prepared.engine.base.as_str()
}

/// The fingerprint of the path and of every parameter except cursor and page size, in any order. The base URL is left
/// out, because a checkpoint contains it as text.
#[inline]
fn filters(prepared: &PreparedCall) -> String {
    let url = prepared.request.url();
    let base = prepared.engine.base.url().path();
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
    format!("{:032x}", fingerprint(text.as_bytes()))
}

/// The number of items that a list has returned so far, compared with its `number_found`.
///
/// Its serialized fields are part of the format of a [`Checkpoint`](crate::Checkpoint).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListSummary {
    pub(super) pages: u64,
    #[serde(skip)]
    pub(super) requests: u64,
    pub(super) items: u64,
    pub(super) duplicates: u64,
    #[serde(rename = "number_found")]
    pub(super) first_count: Option<i64>,
    #[serde(skip)]
    pub(super) last_count: Option<i64>,
    pub(super) from_start: bool,
    pub(super) finished: bool,
}

impl ListSummary {
    /// The number of pages received, including those before a resume. A page that was resumed in the middle
    /// counts twice.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// The number of HTTP requests sent for pages, including retries and failed pages. A resume starts at zero.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// The number of items returned, including those before a resume.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items
    }

    /// The number of items dropped by [`dedup`](crate::Items::dedup).
    #[must_use]
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// `number_found` of the first page that had one.
    #[must_use]
    pub fn number_found_first(&self) -> Option<Int64> {
        self.first_count.map(Int64::new)
    }

    /// `number_found` of the last page that had one.
    #[must_use]
    pub fn number_found_last(&self) -> Option<Int64> {
        self.last_count.map(Int64::new)
    }

    /// Returns `true` if the stream has reached the end of the list.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The number of items that a finished list has returned less than each of its counts; 0 if it has no count, or was not
    /// read from the start.
    pub(crate) fn missing(&self) -> u64 {
        if !(self.finished && self.from_start) {
            return 0;
        }
        let counts = [self.first_count, self.last_count].into_iter().flatten();
        let least = counts.min().and_then(|least| u64::try_from(least).ok());
        let returned = self.items.saturating_add(self.duplicates);
        least.unwrap_or_default().saturating_sub(returned)
    }

    /// Fails if a list has ended although the service counts more items, in its first page and in its last one. The meaning of
    /// `number_found` is not documented; read a list in this way if what it lacks must not be taken for absent.
    ///
    /// # Errors
    ///
    /// [`Pagination`](ErrorKind::Pagination).
    pub fn require_whole(&self) -> Result<(), Error> {
        let missing = self.missing();
        if missing == 0 {
            return Ok(());
        }
        let (items, counted) = (self.items, self.items.saturating_add(missing));
        let detail = format!(
            "the list ended after {items} items, and the service counts {counted}; try again"
        );
        Err(Error::new(ErrorKind::Pagination, detail))
    }

    /// Returns `true` if items seem to have been added, removed or moved while the list was read: a duplicate was dropped,
    /// `number_found` changed, or a stream over the complete list returned a different number of items.
    ///
    /// For a list without `number_found`, only duplicates are detected. The meaning of `number_found` is not
    /// documented, so use this as a hint.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        // One item has moved, so another may have moved to a page that was already read.
        if self.duplicates > 0 {
            return true;
        }
        let (Some(first), Some(last)) = (self.first_count, self.last_count) else {
            return false;
        };
        let items = i128::from(self.items);
        first != last || (self.finished && self.from_start && items != i128::from(last))
    }

    // A stored checkpoint may contain any number, so none of these may overflow.

    pub(super) fn count_items(&mut self, items: usize) {
        let items = u64::try_from(items).unwrap_or(u64::MAX);
        self.items = self.items.saturating_add(items);
    }

    pub(super) fn count_requests(&mut self, attempts: u32) {
        self.requests = self.requests.saturating_add(attempts.into());
    }

    pub(super) fn count_duplicate(&mut self) {
        self.duplicates = self.duplicates.saturating_add(1);
    }

    pub(super) fn count_page(&mut self, number_found: Option<Int64>) {
        self.pages = self.pages.saturating_add(1);
        let number_found = number_found.map(Int64::get);
        self.first_count = self.first_count.or(number_found);
        self.last_count = number_found.or(self.last_count);
    }
}
