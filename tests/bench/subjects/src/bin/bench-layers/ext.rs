//! lms-ext, with every policy at its default.

use lms_bench_subjects::{
    learners::{Contact, Tenant},
    stopwatch::{Seen, Times},
};
use lms_ext::prelude::*;
use serde::Deserialize;

use crate::Result;

#[derive(Debug, Deserialize)]
struct Contacts {
    items: Vec<Contact>,
}

fn connect(tenant: &Tenant) -> Result<Lms> {
    let lms = Lms::builder(&tenant.base_url)
        .client_credentials(&tenant.client_id, tenant.client_secret.as_str())
        .build()?;
    Ok(lms)
}

pub(crate) async fn learner(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = connect(tenant)?;
    let page = lms.list_learners().call().await?;
    let first = page.items.into_iter().next();
    let id = first.and_then(|learner| learner.id).ok_or("no learner")?;
    times
        .of(async || {
            let learner = lms.get_learner_by_id().id(id.as_str()).call().await?;
            Ok(Seen::default().and(learner.email.as_deref()))
        })
        .await
}

pub(crate) async fn page(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = connect(tenant)?;
    times
        .of(async || {
            let page = lms.list_learners().limit(200).call().await?;
            let emails = page.items.iter().map(|learner| learner.email.as_deref());
            Ok(emails.fold(Seen::default(), Seen::and))
        })
        .await
}

pub(crate) async fn contacts(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = connect(tenant)?;
    times
        .of(async || {
            let page: Contacts = lms.list_learners().limit(200).call_as().await?;
            let emails = page.items.iter().map(|contact| contact.email.as_deref());
            Ok(emails.fold(Seen::default(), Seen::and))
        })
        .await
}

/// The page as the first of a walk over them.
pub(crate) async fn walk(tenant: &Tenant, times: Times) -> Result<String> {
    let lms = connect(tenant)?;
    times
        .of(async || {
            let mut rows = lms
                .list_learners()
                .limit(200)
                .items_as::<Contact>()
                .max_items(200);
            let mut seen = Seen::default();
            while let Some(contact) = rows.try_next().await? {
                seen = seen.and(contact.email.as_deref());
            }
            Ok(seen)
        })
        .await
}
