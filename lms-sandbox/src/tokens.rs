//! Access tokens.
//!
//! A token is a random text; its expiry is stored here. Tokens are lost in a restart: clients get a 401 and request a
//! new token, which they must support anyway.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::api::fields::Fields;
use crate::api::json;
use crate::api::problem::{Problem, quote};
use crate::faults::ChosenFaults;
use crate::service::request::Settings;

/// The valid tokens, each with the time at which it expires.
#[derive(Default)]
pub(crate) struct Tokens {
    expiry: Mutex<HashMap<String, Duration>>,
}

impl Tokens {
    fn expiry(&self) -> MutexGuard<'_, HashMap<String, Duration>> {
        self.expiry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Responds to a token request at `now`.
    pub(crate) fn issue(
        &self,
        body: &Fields,
        settings: &Settings,
        faults: Option<&ChosenFaults>,
        now: Duration,
    ) -> Result<Vec<u8>, Problem> {
        match body.text("grant_type") {
            Some("client_credentials") => {}
            other => {
                let found = other.map_or("missing".into(), |other| format!("is {}", quote(other)));
                let text = format!("grant_type {found}; only \"client_credentials\" is supported");
                return Err(Problem::malformed("unsupported_grant_type", text).about("grant_type"));
            }
        }
        let number = body.value("client_id").and_then(Value::as_number);
        let number = number.map(ToString::to_string);
        let client_id = body.text("client_id").or(number.as_deref());
        if client_id != Some(&settings.client_id)
            || body.text("client_secret") != Some(&settings.client_secret)
        {
            let message = "client_id or client_secret is missing or wrong; use those that the sandbox was started with";
            return Err(Problem::unauthorized("invalid_client", message));
        }
        let token = random_text()?;
        let lifetime = settings.token_lifetime;
        let early = faults.and_then(ChosenFaults::early_expiry);
        let expires_at = now.saturating_add(early.unwrap_or(lifetime));
        let mut expiry = self.expiry();
        expiry.retain(|_, at| *at > now);
        expiry.insert(token.clone(), expires_at);
        drop(expiry);
        Ok(json::object([
            ("aud", settings.base_url.as_str().into()),
            ("access_token", token.into()),
            ("token_type", "Bearer".into()),
            ("scope", "fullaccess".into()),
            // A number, as in the service's tutorial, although the schema says otherwise.
            ("expires_in", lifetime.as_secs().into()),
        ]))
    }

    /// Revokes all tokens.
    pub(crate) fn revoke_all(&self) {
        self.expiry().clear();
    }

    /// Checks an `Authorization` header at `now`.
    pub(crate) fn check(&self, header: Option<&str>, now: Duration) -> Result<(), Problem> {
        let refuse =
            |code, message: &str| Err(Problem::unauthorized(code, message).about("Authorization"));
        let Some(header) = header else {
            let message = "the Authorization header is missing; send a token from POST /oauth/token as \
                           Authorization: Bearer <token>";
            return refuse("unauthorized", message);
        };
        let token = match header.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
            _ => {
                let message = "the Authorization header is not of the form Bearer <token>";
                return refuse("unauthorized", message);
            }
        };
        if self.expiry().get(token).is_some_and(|at| *at > now) {
            return Ok(());
        }
        let message =
            "the token has expired or was never issued; get a new one from POST /oauth/token";
        refuse("invalid_token", message)
    }
}

/// 32 random bytes in hexadecimal.
fn random_text() -> Result<String, Problem> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        Problem::internal(format!(
            "could not get random numbers from the operating system: {error}"
        ))
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
