//! Learners and a hand-written client with serde and reqwest.

use std::{env, time::Duration};

use lms_ext::Lms;
use reqwest::{RequestBuilder, header::ACCEPT};
use serde::{Deserialize, de::DeserializeOwned};

use crate::{Result, stopwatch::Seen};

/// All fields of a learner.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "fields of the service")]
pub struct Learner {
    pub id: Option<String>,
    pub username: Option<String>,
    pub firstname: Option<String>,
    pub surname: Option<String>,
    pub email: Option<String>,
    pub phone_number: Option<String>,
    pub image: Option<String>,
    pub notes: Option<String>,
    pub sso_id: Option<String>,
    pub signup_page: Option<String>,
    #[serde(default)]
    pub tags: Vec<String>,
    pub archived: Option<bool>,
    pub deleted: Option<bool>,
    pub is_admin: Option<bool>,
    pub is_learner: Option<bool>,
    pub created_by: Option<String>,
    pub creator_kind: Option<String>,
    pub create_type: Option<String>,
    pub created: Option<String>,
    pub updated: Option<String>,
    pub last_logged_in: Option<String>,
    pub password: Option<String>,
}

/// Two fields of a learner.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "fields of the service")]
pub struct Contact {
    pub id: String,
    pub email: Option<String>,
}

/// The items of a page, and its fields for pagination.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "fields of the service")]
pub struct Page<T> {
    pub items: Vec<T>,
    pub next_cursor: Option<String>,
    #[serde(default)]
    pub more: bool,
}

#[derive(Deserialize)]
struct Token {
    access_token: String,
}

/// The address and the credentials of the tenant.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Tenant {
    pub base_url: String,
    pub client_id: String,
    pub client_secret: String,
}

impl Tenant {
    /// Reads them from the environment.
    ///
    /// # Errors
    ///
    /// Fails if one is missing.
    pub fn from_env() -> Result<Self> {
        let variable = |name: &str| env::var(name).map_err(|error| format!("{name}: {error}"));
        Ok(Self {
            base_url: variable("LMS_BASE_URL")?,
            client_id: variable("LMS_CLIENT_ID")?,
            client_secret: variable("LMS_CLIENT_SECRET")?,
        })
    }

    /// Returns a client with default policies.
    ///
    /// # Errors
    ///
    /// Fails if the address is invalid.
    pub fn lms(&self) -> Result<Lms> {
        let builder = Lms::builder(&self.base_url);
        let lms = builder.client_credentials(&self.client_id, self.client_secret.as_str());
        Ok(lms.build()?)
    }
}

/// Something with an email address.
#[expect(missing_docs, reason = "the name says it")]
pub trait Reachable {
    fn email(&self) -> Option<&str>;
}

impl Reachable for lms_client::types::Learner {
    fn email(&self) -> Option<&str> {
        self.email.as_deref()
    }
}

impl Reachable for Learner {
    fn email(&self) -> Option<&str> {
        self.email.as_deref()
    }
}

impl Reachable for Contact {
    fn email(&self) -> Option<&str> {
        self.email.as_deref()
    }
}

/// Counts learners and their email addresses.
pub fn seen<T: Reachable>(learners: &[T]) -> Seen {
    let emails = learners.iter().map(Reachable::email);
    emails.fold(Seen::default(), Seen::and)
}

/// A hand-written client, with a token that is never replaced.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    token: String,
}

impl Client {
    /// Gets a token.
    ///
    /// # Errors
    ///
    /// Fails if the request fails.
    pub async fn connect(tenant: &Tenant) -> reqwest::Result<Self> {
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(60))
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        let base = format!("{}/api/v1", tenant.base_url);
        let Token { access_token } = http
            .post(format!("{base}/oauth/token"))
            .json(&serde_json::json!({
                "grant_type": "client_credentials",
                "client_id": tenant.client_id,
                "client_secret": tenant.client_secret,
            }))
            .send()
            .await?
            .error_for_status()?
            .json()
            .await?;
        Ok(Self {
            http,
            base,
            token: access_token,
        })
    }

    /// Returns the token, for another client.
    #[must_use]
    pub fn into_token(self) -> String {
        self.token
    }

    /// Returns a request with the token.
    pub fn request(&self, method: reqwest::Method, path: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}/{path}", self.base))
            .header(ACCEPT, "application/json")
            .bearer_auth(&self.token)
    }

    /// Gets a page of a list: the first, or the one with this cursor.
    ///
    /// # Errors
    ///
    /// Fails if the request fails, or the response cannot be decoded.
    pub async fn page<T: DeserializeOwned>(
        &self,
        list: &str,
        cursor: Option<&str>,
    ) -> reqwest::Result<Page<T>> {
        let mut request = self.request(reqwest::Method::GET, list);
        if let Some(cursor) = cursor {
            request = request.query(&[("cursor", cursor)]);
        }
        request.send().await?.error_for_status()?.json().await
    }
}
