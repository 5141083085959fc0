//! The call for one item.

use lms_ext::{ErrorKind as TenantErrorKind, Lms};

use crate::{
    collection::{Collection, RawItem, request},
    error::Error,
    extract::{
        evidence::{Evidence, ListRules, response},
        list::{ListPager, failed, is_not_found},
        page::{Fill, Tries},
        reading::Reading,
    },
};

/// The result of a call.
#[derive(Default)]
pub(super) struct Called {
    pub(super) items: Vec<RawItem>,
    pub(super) found: bool,
    pub(super) evidence: Evidence,
}

/// Makes one call. An object that the service does not find has no row.
pub(super) async fn call(
    lms: &Lms,
    of: &'static Collection,
    parameters: &Fill,
    reading: &Reading,
) -> Result<Called, Error> {
    let path = of.path_parameters.iter().filter_map(|name| {
        let mut known = parameters.iter();
        known.find(|(parameter, _)| parameter == name)
    });
    let path: Vec<&str> = path.map(|(_, value)| value.as_str()).collect();
    if of.by_id == Some(of.operation) {
        return object(lms, of, &path, reading).await;
    }
    let pages = request(lms, of.operation, &path, &[])?.pages();
    let rules = ListRules {
        name: format!("{} of {}", of.name, path.join(", ")),
        ..ListRules::of(of, reading.ignore_count)
    };
    let mut list = ListPager::new(pages, rules, &reading.requests);
    let mut called = Called::default();
    loop {
        match list.next().await {
            Ok(Some(page)) => {
                called.evidence.add(page.evidence);
                called
                    .items
                    .extend(page.items.into_iter().map(|(item, _)| item));
            }
            Ok(None) => {
                called.found = true;
                return Ok(called);
            }
            Err(error) if list.is_at_start() && is_not_found(&error) => return Ok(called),
            Err(error) => return Err(error),
        }
    }
}

/// Requests an object.
async fn object(
    lms: &Lms,
    of: &'static Collection,
    path: &[&str],
    reading: &Reading,
) -> Result<Called, Error> {
    let (mut tries, requests) = (Tries::default(), &reading.requests);
    let mut called = Called::default();
    loop {
        let request = request(lms, of.operation, path, &[])?;
        match request.call_as::<RawItem>().await {
            Ok(received) => {
                requests.add(received.attempts.into(), 1);
                let content_type = received.headers.get("content-type");
                let content_type = content_type.map(|it| String::from_utf8_lossy(it.as_bytes()));
                let (evidence, status) = (&mut called.evidence, received.status);
                response(evidence, of.name, status, content_type.as_deref());
                called.items.push(received.value);
                called.found = true;
                return Ok(called);
            }
            Err(error) if error.kind() == TenantErrorKind::NotFound => {
                requests.add(error.attempts().into(), 1);
                return Ok(called);
            }
            Err(error) => {
                requests.add(error.attempts().into(), 0);
                if !tries.again(&error) {
                    return Err(failed(error));
                }
            }
        }
    }
}
