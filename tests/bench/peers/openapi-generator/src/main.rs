//! The calls of tests/bench/subjects/src/bin/bench-layers through openapi-generator's Rust client, as its user would write them:
//! `peer-layers JOB WARM-UP CALLS`.

#[path = "../../../subjects/src/stopwatch.rs"]
mod stopwatch;

use std::{env, error::Error};

use peer_client::{
    apis::{configuration::Configuration, learners_api as learners, o_auth_and_test_api as oauth},
    models::{LearnerList, TokenRequest},
};
use stopwatch::{Seen, Times, argument};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut tenant = Configuration::new();
    tenant.base_path = format!("{}/api/v1", env::var("LMS_BASE_URL")?);
    let request = TokenRequest {
        grant_type: Some("client_credentials".to_owned()),
        client_id: Some(env::var("LMS_CLIENT_ID")?),
        client_secret: Some(env::var("LMS_CLIENT_SECRET")?),
        ..TokenRequest::default()
    };
    let token = oauth::get_token(&tenant, Some(request)).await?;
    tenant.oauth_access_token = token.access_token;

    let mut arguments = env::args().skip(1);
    let job: String = argument(&mut arguments, "the job")?;
    let times = Times::read(&mut arguments)?;
    let line = match &*job {
        "learner" => learner(&tenant, times).await,
        "page" => page(&tenant, times).await,
        _ => Err(format!("there is no job {job}").into()),
    }?;
    println!("{line}");
    Ok(())
}

async fn learner(tenant: &Configuration, times: Times) -> Result<String> {
    let page = list(tenant).await?;
    let first = page.items.unwrap_or_default().into_iter().next();
    let id = first.and_then(|learner| learner.id).ok_or("no learner")?;
    times
        .of(async || {
            let learner = learners::get_learner_by_id(tenant, &id).await?;
            Ok(Seen::default().and(learner.email.as_deref()))
        })
        .await
}

async fn page(tenant: &Configuration, times: Times) -> Result<String> {
    times
        .of(async || {
            let page = list(tenant).await?;
            let items = page.items.as_deref().unwrap_or_default();
            let emails = items.iter().map(|learner| learner.email.as_deref());
            Ok(emails.fold(Seen::default(), Seen::and))
        })
        .await
}

async fn list(tenant: &Configuration) -> Result<LearnerList> {
    let limit = Some("200");
    let page = learners::list_learners(tenant, None, limit, None, None, None, None, None, None);
    Ok(page.await?)
}
