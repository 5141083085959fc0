//! Learners as a programmer writes them down who has the service description and serde, and how they are got.

use std::{env, error::Error, time::Duration};

use reqwest::{RequestBuilder, header::ACCEPT};
use serde::{Deserialize, de::DeserializeOwned};

/// Every field of a learner, in texts of one kind.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "the service description says no more either")]
pub struct Learner<T = String> {
    pub id: Option<T>,
    pub username: Option<T>,
    pub firstname: Option<T>,
    pub surname: Option<T>,
    pub email: Option<T>,
    pub phone_number: Option<T>,
    pub image: Option<T>,
    pub notes: Option<T>,
    pub sso_id: Option<T>,
    pub signup_page: Option<T>,
    #[serde(default)]
    pub tags: Vec<T>,
    pub archived: Option<bool>,
    pub deleted: Option<bool>,
    pub is_admin: Option<bool>,
    pub is_learner: Option<bool>,
    pub created_by: Option<T>,
    pub creator_kind: Option<T>,
    pub create_type: Option<T>,
    pub created: Option<T>,
    pub updated: Option<T>,
    pub last_logged_in: Option<T>,
    pub password: Option<T>,
}

/// Two fields of a learner.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "the service description says no more either")]
pub struct Contact {
    pub id: String,
    pub email: Option<String>,
}

/// What there is on a page and what a walk over pages needs.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "the service description says no more either")]
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

/// What a subject needs to know of the tenant.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Tenant {
    pub base_url: String,
    pub client_id: String,
    pub client_secret: String,
}

impl Tenant {
    /// As the environment tells it.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub fn told() -> Result<Self, Box<dyn Error>> {
        let told = |name: &str| env::var(name).map_err(|error| format!("{name}: {error}"));
        Ok(Self {
            base_url: told("LMS_BASE_URL")?,
            client_id: told("LMS_CLIENT_ID")?,
            client_secret: told("LMS_CLIENT_SECRET")?,
        })
    }
}

/// A tenant that is called by hand, with a token that somebody else will have to replace.
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
    /// When there is none to be had.
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

    /// The token, for another client.
    #[must_use]
    pub fn into_token(self) -> String {
        self.token
    }

    /// A request to a path, with the token.
    pub fn request(&self, method: reqwest::Method, path: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}/{path}", self.base))
            .header(ACCEPT, "application/json")
            .bearer_auth(&self.token)
    }

    /// A page of a list: the first, or the one with this cursor.
    ///
    /// # Errors
    ///
    /// When it does not come, or is something else.
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
