//! The code that a careful programmer writes with reqwest and serde.

use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    Result,
    learners::{Client, Tenant},
    stopwatch::{Seen, Times},
};

/// All fields of a learner.
#[derive(Deserialize)]
#[expect(dead_code, reason = "decoded, as by the other subjects")]
struct Learner {
    id: Option<String>,
    username: Option<String>,
    firstname: Option<String>,
    surname: Option<String>,
    email: Option<String>,
    phone_number: Option<String>,
    image: Option<String>,
    notes: Option<String>,
    sso_id: Option<String>,
    signup_page: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    archived: Option<bool>,
    deleted: Option<bool>,
    is_admin: Option<bool>,
    is_learner: Option<bool>,
    created_by: Option<String>,
    creator_kind: Option<String>,
    create_type: Option<String>,
    created: Option<String>,
    updated: Option<String>,
    last_logged_in: Option<String>,
    password: Option<String>,
}

/// A page with all fields.
#[derive(Deserialize)]
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

/// Two fields of a learner.
#[derive(Deserialize)]
pub(crate) struct Contact {
    #[expect(dead_code, reason = "decoded, as by a program that needs it")]
    id: String,
    pub(crate) email: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
}

pub(crate) async fn learner(tenant: &Tenant, times: Times) -> Result<String> {
    let client = Client::connect(tenant).await?;
    let page: WholePage = list(&client).await?;
    let first = page.items.into_iter().next();
    let id = first.and_then(|learner| learner.id).ok_or("no learner")?;
    times
        .of(async || {
            let request = client.get(&format!("learners/{id}"));
            let learner: Learner = request.send().await?.error_for_status()?.json().await?;
            Ok(Seen::of([learner.email.as_deref()]))
        })
        .await
}

pub(crate) async fn page(tenant: &Tenant, times: Times) -> Result<String> {
    let client = Client::connect(tenant).await?;
    times
        .of(async || {
            let page: WholePage = list(&client).await?;
            Ok(Seen::of(
                page.items.iter().map(|learner| learner.email.as_deref()),
            ))
        })
        .await
}

pub(crate) async fn contacts(tenant: &Tenant, times: Times) -> Result<String> {
    let client = Client::connect(tenant).await?;
    times
        .of(async || {
            let page: Page<Contact> = list(&client).await?;
            Ok(Seen::of(
                page.items.iter().map(|contact| contact.email.as_deref()),
            ))
        })
        .await
}

async fn list<T: DeserializeOwned>(client: &Client) -> reqwest::Result<T> {
    let request = client.get("learners").query(&[("limit", "200")]);
    request.send().await?.error_for_status()?.json().await
}
