//! The tenant, and a hand-written client with serde and reqwest.

use std::{env, time::Duration};

use lms_ext::Lms;
use reqwest::{RequestBuilder, header::ACCEPT};
use serde::Deserialize;

pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[derive(Deserialize)]
struct Token {
    access_token: String,
}

/// The address and the credentials of the tenant.
pub(crate) struct Tenant {
    pub(crate) base_url: String,
    client_id: String,
    client_secret: String,
}

impl Tenant {
    /// Reads them from the environment.
    pub(crate) fn from_env() -> Result<Self> {
        let variable = |name: &str| env::var(name).map_err(|error| format!("{name}: {error}"));
        Ok(Self {
            base_url: variable("LMS_BASE_URL")?,
            client_id: variable("LMS_CLIENT_ID")?,
            client_secret: variable("LMS_CLIENT_SECRET")?,
        })
    }

    /// Returns a client with default policies.
    pub(crate) fn lms(&self) -> Result<Lms> {
        let builder = Lms::builder(&self.base_url);
        let lms = builder.client_credentials(&self.client_id, self.client_secret.as_str());
        Ok(lms.build()?)
    }
}

/// A hand-written client, with a token that is never replaced.
pub(crate) struct Client {
    http: reqwest::Client,
    base: String,
    token: String,
}

impl Client {
    /// Gets a token.
    pub(crate) async fn connect(tenant: &Tenant) -> reqwest::Result<Self> {
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
    pub(crate) fn into_token(self) -> String {
        self.token
    }

    /// Returns a GET request with the token.
    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.http
            .get(format!("{}/{path}", self.base))
            .header(ACCEPT, "application/json")
            .bearer_auth(&self.token)
    }
}
