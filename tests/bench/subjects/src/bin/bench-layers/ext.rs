//! lms-ext with its default policies.

use lms_bench_subjects::{
    Result,
    learners::{Contact, Page, Tenant, seen},
    stopwatch::{Seen, Times},
};
use lms_ext::prelude::*;

pub(crate) async fn learner(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = tenant.lms()?;
    let page = lms.list_learners().call().await?;
    let first = page.items.into_iter().next();
    let id = first.and_then(|learner| learner.id).ok_or("no learner")?;
    times
        .of(async || {
            let learner = lms.get_learner_by_id(id.as_str()).call().await?;
            Ok(Seen::default().and(learner.email.as_deref()))
        })
        .await
}

pub(crate) async fn page(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = tenant.lms()?;
    times
        .of(async || {
            let page = lms.list_learners().limit(200).call().await?;
            Ok(seen(&page.items))
        })
        .await
}

pub(crate) async fn contacts(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = tenant.lms()?;
    times
        .of(async || {
            let page: Page<Contact> = lms.list_learners().limit(200).call_as().await?;
            Ok(seen(&page.items))
        })
        .await
}

/// The first page of a list.
pub(crate) async fn listing(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = tenant.lms()?;
    times
        .of(async || {
            let mut contacts = lms
                .list_learners()
                .limit(200)
                .items_as::<Contact>()
                .max_items(200);
            let mut seen = Seen::default();
            while let Some(contact) = contacts.try_next().await? {
                seen = seen.and(contact.email.as_deref());
            }
            Ok(seen)
        })
        .await
}
