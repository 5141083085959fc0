//! Calls for one object or for the list of one item, and the meaning of those that find nothing.
//!
//! A gateway may respond to them instead of the service. That there is no object therefore counts only if the response has the
//! [form](AbsentForm) of that for an object that cannot exist, and if the service finds another object.

use lms_ext::Lms;
use serde::Deserialize;

use super::{
    absent::{AbsentForm, absent_id},
    evidence::{Evidence, ListRules, response},
    list::ListPager,
    page::{RawItem, Tries, failed, request},
    reading::Reading,
};
use crate::{collection::Collection, error::Error};

/// The calls of an operation: that of a collection, or that [by id](Collection::by_id).
#[derive(Clone, Copy)]
pub(crate) struct Calls<'a> {
    pub(crate) lms: &'a Lms,
    pub(crate) of: &'static Collection,
    pub(crate) operation: &'static str,
    pub(crate) reading: &'a Reading,
}

/// The result of a call.
#[derive(Default)]
pub(crate) struct Called {
    pub(super) items: Vec<RawItem>,
    /// The form of a response that says that there is no such object.
    pub(crate) absent: Option<AbsentForm>,
    pub(super) evidence: Evidence,
}

impl Called {
    /// Returns `true` if the service keeps the object and says that it is deleted; `None` if there is no object that says this.
    pub(crate) fn is_deleted(&self) -> Option<bool> {
        #[derive(Deserialize)]
        struct Object {
            #[serde(default)]
            deleted: Option<bool>,
        }
        let object: Object = serde_json::from_str(self.items.first()?.get()).ok()?;
        Some(object.deleted == Some(true))
    }
}

impl Calls<'_> {
    /// Makes the call with these path parameters.
    pub(crate) async fn call(self, path: &[String]) -> Result<Called, Error> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        if self.of.by_id == Some(self.operation) {
            self.object(&path).await
        } else {
            self.list(&path).await
        }
    }

    async fn list(self, path: &[&str]) -> Result<Called, Error> {
        let pages = request(self.lms, self.operation, path, &[])?.pages();
        let rules = ListRules {
            name: format!("{} of {}", self.of.name, path.join(", ")),
            ..ListRules::of(self.of, self.reading.ignore_count)
        };
        let mut list = ListPager::new(pages, rules, &self.reading.requests);
        let mut called = Called::default();
        loop {
            match list.next().await {
                Ok(Some(page)) => {
                    called.evidence.add(page.evidence);
                    let items = page.items.into_iter().map(|(item, _)| item);
                    called.items.extend(items);
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

    async fn object(self, path: &[&str]) -> Result<Called, Error> {
        let (mut tries, requests) = (Tries::default(), &self.reading.requests);
        let mut called = Called::default();
        loop {
            let request = request(self.lms, self.operation, path, &[])?;
            match request.call_as::<RawItem>().await {
                Ok(received) => {
                    requests.add(received.attempts.into(), 1);
                    let kind = received.headers.get("content-type");
                    let kind = kind.map(|it| String::from_utf8_lossy(it.as_bytes()));
                    let (evidence, name) = (&mut called.evidence, self.of.name);
                    response(evidence, name, received.status, kind.as_deref());
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

    /// The form of the response for an object with ids like these that cannot exist. `None` if the service finds it.
    pub(crate) async fn impossible(self, like: &[String]) -> Result<Option<AbsentForm>, Error> {
        let path: Vec<String> = like.iter().map(|id| absent_id(id)).collect();
        match self.call(&path).await {
            Ok(called) => Ok(called.absent),
            Err(error) => match error.tenant_error().and_then(AbsentForm::of_impossible) {
                None => Err(error),
                form => Ok(form),
            },
        }
    }

    /// Returns `true` if the service finds one of these objects.
    pub(crate) async fn finds_one(self, known: &[Vec<String>]) -> Result<bool, Error> {
        let mut found = Ok(false);
        for path in known {
            match self.call(path).await {
                Ok(called) if called.absent.is_none() && called.is_deleted() != Some(true) => {
                    return Ok(true);
                }
                Ok(_) => {}
                Err(error) => found = Err(error),
            }
        }
        found
    }
}
