//! Checks that the credentials allow a collection before it is read.
//!
//! A run reads one list after the other, and could take hours to detect that the last one is not allowed. It therefore
//! requests one item of each list first. Reading does not continue from there: the item may change and its cursor expire
//! until then.

use lms_ext::{ErrorKind, Lms};

use super::{
    list::{failed, list},
    reading::{Reading, one_item},
};
use crate::{
    collection::{Collection, Filters, collection},
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
    for other in of
        .for_each
        .iter()
        .filter_map(|each| collection(each.collection))
    {
        check_list(&lms, other, Filters::new()).await?;
    }
    Ok(())
}

async fn check_list(lms: &Lms, of: &Collection, query: Filters) -> Result<(), Error> {
    let pages = list(of)?(lms, one_item(of, query));
    // Without a limit, the next page is requested at once.
    match pages.max_items(1).try_next().await {
        Err(error) if matches!(error.kind(), ErrorKind::Forbidden | ErrorKind::NotFound) => {
            Err(failed(error))
        }
        _ => Ok(()),
    }
}
