//! lms-client with a token that is never replaced.

use lms_client::{Client, transport::Bearer};

use crate::{
    Result,
    learners::{self, Tenant},
    stopwatch::{Seen, Times},
};

async fn connect(tenant: &Tenant) -> Result<Client<Bearer>> {
    let token = learners::Client::connect(tenant).await?.into_token();
    let base = format!("{}/api/v1", tenant.base_url);
    Ok(Client::new(&base, Bearer::new(&token)?))
}

pub(crate) async fn learner(tenant: &Tenant, times: Times) -> Result<String> {
    let client = connect(tenant).await?;
    let page = client.list_learners().send().await?.into_inner();
    let first = page.items.into_iter().next();
    let id = first.and_then(|learner| learner.id).ok_or("no learner")?;
    times
        .of(async || {
            let learner = client.get_learner_by_id(id.as_str()).send().await?;
            Ok(Seen::of([learner.email.as_deref()]))
        })
        .await
}

pub(crate) async fn page(tenant: &Tenant, times: Times) -> Result<String> {
    let client = connect(tenant).await?;
    times
        .of(async || {
            let page = client.list_learners().limit(200).send().await?;
            Ok(Seen::of(
                page.items.iter().map(|learner| learner.email.as_deref()),
            ))
        })
        .await
}
