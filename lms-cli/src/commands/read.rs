//! Commands that read a list to its end.

use clap::ArgMatches;
use lms_ext::{Lms, Pages, RawRequest};
use serde_json::value::RawValue;

use super::shown_names::Names;
use crate::{
    args::given, context::Context, failure::Failure, operations::table::Schema, output::Printer,
    progress::Progress,
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

/// Fails if a list ended although the service counts more items than it had.
pub(super) fn check_end(pages: &Pages<Box<RawValue>>) -> Result<(), Failure> {
    let summary = pages.summary();
    let whole = summary.require_whole();
    whole.map_err(|error| Failure::partial(summary.items(), error.into()))
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
    let mut pages = pages_of(request, Size::of(matches));
    while !printer.has_no_reader() {
        match pages.try_next().await {
            Ok(Some(page)) => {
                let total = page
                    .number_found
                    .and_then(|count| u64::try_from(count).ok());
                progress.add(page.items.len() as u64, total);
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
    check_end(&pages)?;
    printer.finish()
}
