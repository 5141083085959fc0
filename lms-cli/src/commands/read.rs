//! Commands that read a list to its end.

use std::hash::{BuildHasher as _, RandomState};

use clap::ArgMatches;
use lms_ext::{Lms, Page, Pages, RawRequest};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::shown_names::Names;
use crate::{
    args::given, context::Context, exit::Exit, failure::Failure, operations::table::Schema,
    output::Printer, progress::Progress, wording::count,
};

/// The limits of a read of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    limit: Option<u64>,
    page_size: Option<u64>,
    max_stale_pages: Option<u64>,
}

impl Size {
    pub(super) fn of(matches: &ArgMatches) -> Self {
        Self {
            limit: given(matches, "limit"),
            page_size: given(matches, "page-size"),
            max_stale_pages: given(matches, "max-stale-pages"),
        }
    }
}

/// The pages of a list request.
fn pages_of(mut request: RawRequest, size: Size) -> Pages<Box<RawValue>> {
    if let Some(size) = size.page_size {
        request = request.query("limit", &size.to_string());
    }
    let mut pages = request.pages();
    if let Some(most) = size.max_stale_pages {
        pages = pages.max_stale_pages(most);
    }
    match size.limit {
        Some(limit) => pages.max_items(limit),
        None => pages,
    }
}

/// The rows of a list, by a hash of 8 bytes for each.
#[derive(Default)]
struct Ids {
    keys: RandomState,
    hashes: Vec<u64>,
}

#[derive(Deserialize)]
struct Identified<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

impl Ids {
    fn add(&mut self, items: &[Box<RawValue>]) {
        let keys = items
            .iter()
            .map(|item| match serde_json::from_str(item.get()) {
                Ok(Identified { id: Some(id) }) => id.get(),
                _ => item.get(),
            });
        self.hashes.extend(keys.map(|key| self.keys.hash_one(key)));
    }

    /// Number of rows that were returned again.
    fn repeated(mut self) -> usize {
        let all = self.hashes.len();
        self.hashes.sort_unstable();
        self.hashes.dedup();
        all - self.hashes.len()
    }
}

/// Fails if a list ended although the service counts more items than it had, or if it had items twice: those have moved while
/// it was read, and others may have moved to a page that was read before.
fn check_end(pages: &Pages<Box<RawValue>>, ids: Ids) -> Result<(), Failure> {
    let summary = pages.summary();
    let failure = match (summary.require_whole(), ids.repeated()) {
        (Ok(()), 0) => return Ok(()),
        (Ok(()), repeated) => {
            let rows = count(repeated, "row");
            let message = format!("the service returned {rows} twice, so others may be missing");
            Failure::of_job((Exit::Partial, "partial"), message)
        }
        (Err(error), _) => error.into(),
    };
    Err(Failure::partial(summary.items(), failure))
}

/// Fails if an item of a page is no object, of which a row would have no value.
fn check_items(items: &[Box<RawValue>]) -> Result<(), Failure> {
    match items.iter().all(|item| item.get().starts_with('{')) {
        true => Ok(()),
        false => Err(Failure::fault(
            "a page has an item that is no object; try again, and check what the server returns",
        )),
    }
}

/// Passes on the pages of a list request to its end or to `--limit`, until `take` says that their reader has left.
pub(super) async fn each_page(
    request: RawRequest,
    size: Size,
    are_objects: bool,
    mut take: impl AsyncFnMut(Page<Box<RawValue>>) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let (mut pages, mut ids, mut rows) = (pages_of(request, size), Ids::default(), 0);
    loop {
        let page = match pages.try_next().await {
            Ok(Some(page)) => page,
            Ok(None) => return check_end(&pages, ids),
            Err(error) if rows > 0 => return Err(Failure::partial(rows, error.into())),
            Err(error) => return Err(error.into()),
        };
        if are_objects {
            check_items(&page.items).map_err(|failure| Failure::partial(rows, failure))?;
        }
        ids.add(&page.items);
        rows += page.items.len() as u64;
        if !take(page).await? {
            return Ok(());
        }
    }
}

/// Prints the items of a list request to its end, or to `--limit`.
pub(super) async fn list(
    context: &Context,
    request: RawRequest,
    matches: &ArgMatches,
    item: Option<(&Lms, &'static Schema)>,
) -> Result<(), Failure> {
    let mut printer = Printer::new(context, item.map(|(_, item)| item))?.in_pager();
    let mut names = None;
    let progress = Progress::of_rows(context);
    let print = async |page: Page<Box<RawValue>>| {
        let total = page
            .number_found
            .and_then(|count| u64::try_from(count).ok());
        progress.add(page.items.len() as u64, total);
        if let (None, Some((lms, item))) = (&names, item)
            && printer.is_for_people()
            && !page.items.is_empty()
        {
            names = Some(Names::read(lms, item.fields).await);
        }
        let items = match &names {
            None => page.items,
            Some(names) => {
                let items = page.items.iter().map(|item| names.of_item(item));
                items.collect::<Result<_, _>>()?
            }
        };
        printer.page(items.iter().map(|item| &**item))?;
        Ok(!printer.has_no_reader())
    };
    let size = Size::of(matches);
    Box::pin(each_page(request, size, item.is_some(), print)).await?;
    drop(progress);
    printer.finish()
}
