//! lms-client with a token that is never replaced.

use lms_client::{Client, types::LearnerList, wire::Int64};
use reqwest::header::{AUTHORIZATION, HeaderMap};

use crate::{
    Result,
    learners::{self, Tenant},
    stopwatch::{Seen, Times},
};

async fn connect(tenant: &Tenant) -> Result<Client> {
    let token = learners::Client::connect(tenant).await?.into_token();
    let base = format!("{}/api/v1", tenant.base_url);
    let headers = HeaderMap::from_iter([(AUTHORIZATION, format!("Bearer {token}").parse()?)]);
    let http = reqwest::Client::builder().default_headers(headers);
    Ok(Client::new_with_client(&base, http.build()?))
}

async fn list(client: &Client, limit: Option<i64>) -> Result<LearnerList> {
    let limit = limit.map(Int64::from);
    let page = client.list_learners(None, None, limit.as_ref(), None, None, None, None, None);
    Ok(page.await?.into_inner())
}

pub(crate) async fn learner(tenant: &Tenant, times: Times) -> Result<String> {
    let client = connect(tenant).await?;
    let page = list(&client, None).await?;
    let first = page.items.into_iter().next();
    let id = first.and_then(|learner| learner.id).ok_or("no learner")?;
    times
        .of(async || {
            let learner = client.get_learner_by_id(&id).await?;
            Ok(Seen::of([learner.email.as_deref()]))
        })
        .await
}

pub(crate) async fn page(tenant: &Tenant, times: Times) -> Result<String> {
    let client = connect(tenant).await?;
    times
        .of(async || {
            let page = list(&client, Some(200)).await?;
            Ok(Seen::of(
                page.items.iter().map(|learner| learner.email.as_deref()),
            ))
        })
        .await
}
