//! Checks that the credentials allow a collection before it is read.
//!
//! A run reads one list after the other, and could take hours to find that the last one is not allowed. It therefore
//! requests one item of each list first. Reading does not continue from there: the item may change and its cursor expire
//! until then.

use lms_ext::{ErrorKind, Lms};

use super::{list::failed, reading::Reading};
use crate::{
    collection::{Collection, Filters, known, request},
    error::Error,
};

/// Fails if a list that the collection is read from does not exist or is not allowed. Any other error is left to the
/// reading of the list.
pub(super) async fn check(
    lms: Lms,
    of: &'static Collection,
    reading: Reading,
) -> Result<(), Error> {
    if !of.is_derived() {
        return check_list(&lms, of, reading.query(of)).await;
    }
    for each in of.for_each {
        check_list(&lms, known(each.collection)?, Filters::new()).await?;
    }
    Ok(())
}

async fn check_list(lms: &Lms, of: &Collection, mut query: Filters) -> Result<(), Error> {
    if of.limit {
        query.retain(|(name, _)| name != "limit");
        query.push(("limit".to_owned(), "1".to_owned()));
    }
    // Without a limit, the next page is requested at once.
    let pages = request(lms, of.operation, &[], &query)?.pages();
    let mut pages = pages.max_items(1);
    match pages.try_next().await {
        Err(error) if matches!(error.kind(), ErrorKind::Forbidden | ErrorKind::NotFound) => {
            Err(failed(error))
        }
        _ => Ok(()),
    }
}
