//! The call for one item.

use lms_ext::Lms;

use crate::{
    collection::{Collection, RawItem, request},
    error::Error,
    extract::{
        absent::AbsentForm,
        evidence::{Evidence, ListRules, response},
        list::{ListPager, failed},
        page::{Fill, Tries},
        reading::Reading,
    },
};

/// The result of a call.
#[derive(Default)]
pub(super) struct Called {
    pub(super) items: Vec<RawItem>,
    /// The form of a response that says that there is no such object.
    pub(super) absent: Option<AbsentForm>,
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
            Ok(None) => return Ok(called),
            Err(error) => {
                let response = error.tenant_error().filter(|_| list.is_at_start());
                called.absent = response.and_then(AbsentForm::of);
                return called.absent.map(|_| called).ok_or(error);
            }
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
                return Ok(called);
            }
            Err(error) => {
                called.absent = AbsentForm::of(&error);
                let responses = called.absent.is_some().into();
                requests.add(error.attempts().into(), responses);
                if responses > 0 {
                    return Ok(called);
                }
                if !tries.again(&error) {
                    return Err(failed(error));
                }
            }
        }
    }
}
