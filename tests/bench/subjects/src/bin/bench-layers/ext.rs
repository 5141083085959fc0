//! lms-ext with its default policies.

use lms_ext::prelude::*;

use crate::{
    Result,
    hand::{Contact, Page},
    learners::Tenant,
    stopwatch::{Seen, Times},
};

pub(crate) async fn learner(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = tenant.lms()?;
    let page = lms.list_learners().call().await?;
    let first = page.items.into_iter().next();
    let id = first.and_then(|learner| learner.id).ok_or("no learner")?;
    times
        .of(async || {
            let learner = lms.get_learner_by_id(id.as_str()).call().await?;
            Ok(Seen::of([learner.email.as_deref()]))
        })
        .await
}

pub(crate) async fn page(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = tenant.lms()?;
    times
        .of(async || {
            let page = lms.list_learners().limit(200).call().await?;
            Ok(Seen::of(
                page.items.iter().map(|learner| learner.email.as_deref()),
            ))
        })
        .await
}

pub(crate) async fn contacts(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = tenant.lms()?;
    times
        .of(async || {
            let page: Page<Contact> = lms.list_learners().limit(200).call_as().await?;
            Ok(Seen::of(
                page.items.iter().map(|contact| contact.email.as_deref()),
            ))
        })
        .await
}

/// The first page of a list.
pub(crate) async fn listing(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = tenant.lms()?;
    times
        .of(async || {
            let list = lms.list_learners().limit(200);
            let mut contacts = list.items_as::<Contact>().max_items(200);
            let mut seen = Seen::default();
            while let Some(contact) = contacts.try_next().await? {
                seen = seen.and(contact.email.as_deref());
            }
            Ok(seen)
        })
        .await
}
