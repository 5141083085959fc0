//! The call for one item.

use lms_ext::{ErrorKind as TenantErrorKind, Lms};

use crate::{
    collection::{self, Collection, CollectionSource, Filters, RawItem, listing},
    error::Error,
    extract::{
        evidence::{Evidence, ListRules, response},
        list::{ListPager, failed, is_not_found},
        page::{Fill, Requests, Tries},
    },
};

/// The result of a call.
pub(super) struct Called {
    pub(super) items: Vec<(RawItem, Fill)>,
    pub(super) requests: Requests,
    pub(super) found: bool,
    pub(super) evidence: Evidence,
}

/// Makes one call. An object that the service does not find has no row.
pub(super) async fn call(
    lms: &Lms,
    of: &'static Collection,
    parameters: Fill,
    ignore_count: bool,
) -> Result<Called, Error> {
    let path: Vec<&str> = of
        .path_parameters
        .iter()
        .filter_map(|name| {
            let mut known = parameters.iter();
            known.find(|(parameter, _)| parameter == name)
        })
        .map(|(_, value)| value.as_str())
        .collect();
    if of.source == CollectionSource::Object {
        return object(lms, of, &path, &parameters).await;
    }
    let listing = listing(of.operation, &path).ok_or_else(|| unreadable(of))?;
    let rules = ListRules {
        name: format!("{} of {}", of.name, path.join(", ")),
        ignore_count,
        ..ListRules::of(of)
    };
    list(
        ListPager::of(listing(lms, Filters::new()), rules),
        &parameters,
    )
    .await
}

/// Requests an object.
async fn object(
    lms: &Lms,
    of: &'static Collection,
    path: &[&str],
    parameters: &Fill,
) -> Result<Called, Error> {
    let (mut evidence, mut tries, mut sent) = (Evidence::default(), Tries::default(), 0);
    let received = loop {
        let call = collection::call(lms, of.operation, path).ok_or_else(|| unreadable(of))?;
        match call.await {
            Err(error) if tries.again(&error) => sent += u64::from(error.attempts()),
            received => break received,
        }
    };
    let (attempts, items) = match received {
        Ok(received) => {
            let content_type = received.headers.get("content-type");
            let content_type = content_type.map(|it| String::from_utf8_lossy(it.as_bytes()));
            response(
                &mut evidence,
                of.name,
                received.status,
                content_type.as_deref(),
            );
            let item = (received.value, parameters.clone());
            (received.attempts, vec![item])
        }
        Err(error) if error.kind() == TenantErrorKind::NotFound => (error.attempts(), Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    Ok(Called {
        requests: Requests {
            sent: sent + u64::from(attempts),
            responses: 1,
        },
        found: !items.is_empty(),
        items,
        evidence,
    })
}

/// Reads a list to its end.
async fn list(mut listing: ListPager, parameters: &Fill) -> Result<Called, Error> {
    let (mut items, mut evidence) = (Vec::new(), Evidence::default());
    let found = loop {
        match listing.next().await {
            Ok(Some(page)) => {
                evidence.add(page.evidence);
                let page = page.items.into_iter();
                items.extend(page.map(|(item, _)| (item, parameters.clone())));
            }
            Ok(None) => break true,
            Err(error) if listing.is_at_start() && is_not_found(&error) => break false,
            Err(error) => return Err(error),
        }
    };
    Ok(Called {
        items,
        requests: listing.take_requests(),
        found,
        evidence,
    })
}

pub(super) fn unreadable(of: &Collection) -> Error {
    Error::usage(format!(
        "{} cannot be read for each item of a list",
        of.name
    ))
}
