//! Commands that read a list to its end.

use std::hash::{BuildHasher as _, RandomState};

use clap::ArgMatches;
use lms_ext::{Lms, Pages, RawRequest};
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
pub(super) fn pages_of(mut request: RawRequest, size: Size) -> Pages<Box<RawValue>> {
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
pub(super) struct Ids {
    keys: RandomState,
    hashes: Vec<u64>,
}

#[derive(Deserialize)]
struct Identified<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

impl Ids {
    pub(super) fn add(&mut self, items: &[Box<RawValue>]) {
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
pub(super) fn check_end(pages: &Pages<Box<RawValue>>, ids: Ids) -> Result<(), Failure> {
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
    let (mut pages, mut ids) = (pages_of(request, Size::of(matches)), Ids::default());
    while !printer.has_no_reader() {
        match pages.try_next().await {
            Ok(Some(page)) => {
                let total = page
                    .number_found
                    .and_then(|count| u64::try_from(count).ok());
                progress.add(page.items.len() as u64, total);
                ids.add(&page.items);
                if item.is_some() {
                    check_items(&page.items)
                        .map_err(|failure| Failure::partial(printer.rows(), failure))?;
                }
                if let (None, Some((lms, item))) = (&names, item)
                    && printer.is_for_people()
                    && !page.items.is_empty()
                {
                    names = Some(Names::read(lms, item.fields).await);
                }
                match &names {
                    Some(names) => {
                        let items = page.items.iter().map(|item| names.of_item(item));
                        let items: Vec<_> = items.collect::<Result<_, _>>()?;
                        printer.page(items.iter().map(|item| &**item))?;
                    }
                    None => printer.page(page.items.iter().map(|item| &**item))?,
                }
            }
            Ok(None) => break,
            Err(error) if printer.rows() > 0 => {
                return Err(Failure::partial(printer.rows(), error.into()));
            }
            Err(error) => return Err(error.into()),
        }
    }
    drop(progress);
    check_end(&pages, ids)?;
    printer.finish()
}
