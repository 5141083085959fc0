//! The code that a careful programmer writes with reqwest and serde.

use lms_bench_subjects::{
    Result,
    learners::{Client, Contact, Learner, Page, Tenant, seen},
    stopwatch::{Seen, Times},
};
use reqwest::Method;
use serde::{Deserialize, de::DeserializeOwned};

/// A page with all fields.
#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "decoded, as by the other subjects")]
struct WholePage {
    #[serde(default)]
    items: Vec<Learner>,
    number_found: Option<String>,
    cursor: Option<String>,
    next_cursor: Option<String>,
    limit: Option<String>,
    more: Option<bool>,
    username: Option<String>,
    email: Option<String>,
    signup_page: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    order_by: Option<String>,
    order_direction: Option<String>,
}

pub(crate) async fn learner(tenant: &Tenant, times: Times) -> Result<String> {
    let client = Client::connect(tenant).await?;
    let page: WholePage = list(&client).await?;
    let first = page.items.into_iter().next();
    let id = first.and_then(|learner| learner.id).ok_or("no learner")?;
    times
        .of(async || {
            let learner: Learner = client
                .request(Method::GET, &format!("learners/{id}"))
                .send()
                .await?
                .error_for_status()?
                .json()
                .await?;
            Ok(Seen::default().and(learner.email.as_deref()))
        })
        .await
}

pub(crate) async fn page(tenant: &Tenant, times: Times) -> Result<String> {
    let client = Client::connect(tenant).await?;
    times
        .of(async || {
            let page: WholePage = list(&client).await?;
            Ok(seen(&page.items))
        })
        .await
}

pub(crate) async fn contacts(tenant: &Tenant, times: Times) -> Result<String> {
    let client = Client::connect(tenant).await?;
    times
        .of(async || {
            let page: Page<Contact> = list(&client).await?;
            Ok(seen(&page.items))
        })
        .await
}

async fn list<T: DeserializeOwned>(client: &Client) -> reqwest::Result<T> {
    client
        .request(Method::GET, "learners")
        .query(&[("limit", "200")])
        .send()
        .await?
        .error_for_status()?
        .json()
        .await
}
