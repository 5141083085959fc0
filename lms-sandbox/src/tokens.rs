//! Who is asking? Tokens: how they are had, and until when they are good (the service description, §5).
//!
//! A token is random and says nothing; what it is good for is remembered here. Tokens are not kept over a restart:
//! a client is told 401 and asks for a new one, as it must be able to anyway.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::api::fields::{Fields, wrong_type};
use crate::api::json::Object;
use crate::api::problem::{Problem, quote};
use crate::faults::ChosenFaults;
use crate::service::request::Settings;

/// The tokens that were given out, and when each runs out.
#[derive(Default)]
pub(crate) struct Tokens {
    until: Mutex<HashMap<String, Duration>>,
}

impl Tokens {
    /// Answers a token request at `now`.
    pub(crate) fn issue(
        &self,
        body: &Fields,
        settings: &Settings,
        faults: Option<&ChosenFaults>,
        now: Duration,
    ) -> Result<Vec<u8>, Problem> {
        match body.text("grant_type")? {
            Some("client_credentials") => {}
            other => {
                let came =
                    other.map_or_else(|| "missing".into(), |other| format!("is {}", quote(other)));
                let message = format!(
                    "grant_type {came}; the one that is supported is \"client_credentials\""
                );
                return Err(
                    Problem::malformed("unsupported_grant_type", message).about("grant_type")
                );
            }
        }
        let client_id = match body.value("client_id") {
            None => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            Some(other) => return Err(wrong_type("client_id", "a string or a number", other)),
        };
        let client_secret = body.text("client_secret")?;
        for unused in ["code", "audience", "redirect_uri", "refresh_token"] {
            body.text(unused)?;
        }
        if client_id.as_deref() != Some(&settings.client_id)
            || client_secret != Some(&settings.client_secret)
        {
            let message = "client_id or client_secret is missing or wrong; use those the sandbox was started with";
            return Err(Problem::unauthorized("invalid_client", message));
        }
        let token = random_text()?;
        let lifetime = settings.token_lifetime;
        {
            let mut until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
            until.retain(|_, end| *end > now);
            let good_for = faults
                .and_then(ChosenFaults::early_expiry)
                .unwrap_or(lifetime);
            until.insert(token.clone(), now.saturating_add(good_for));
        }
        let mut answer = Vec::with_capacity(256);
        let mut object = Object::open(&mut answer);
        object.text("aud", &settings.base_url);
        object.text("access_token", &token);
        object.text("token_type", "Bearer");
        object.text("scope", "fullaccess");
        // A number, as the tutorial of the service shows it, though the schema says otherwise (§2).
        object.raw("expires_in", &lifetime.as_secs().to_string());
        object.close();
        Ok(answer)
    }

    /// Makes every token so far worthless.
    pub(crate) fn revoke_all(&self) {
        self.until
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    /// Checks an `Authorization` header at `now`.
    pub(crate) fn check(&self, header: Option<&str>, now: Duration) -> Result<(), Problem> {
        let Some(header) = header else {
            let message = "the Authorization header is missing; send a token from POST /oauth/token as \
                           Authorization: Bearer <token>";
            return Err(Problem::unauthorized("unauthorized", message).about("Authorization"));
        };
        let token = header
            .split_once(' ')
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let Some((_, token)) = token else {
            let message = "the Authorization header is not of the form Bearer <token>";
            return Err(Problem::unauthorized("unauthorized", message).about("Authorization"));
        };
        let until = self
            .until
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(token.trim())
            .copied();
        if until.is_some_and(|until| until > now) {
            return Ok(());
        }
        let message =
            "the token has expired or was never given out; get a new one from POST /oauth/token";
        Err(Problem::unauthorized("invalid_token", message).about("Authorization"))
    }
}

/// 32 random bytes in hexadecimal.
fn random_text() -> Result<String, Problem> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        Problem::internal(format!(
            "the operating system has no random numbers: {error}"
        ))
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
