//! Tokens for a client id and a client secret (§5).

use std::{fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use reqwest::{
    Method, Request, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use serde_json::Value;

use super::{Token, TokenFuture, TokenProvider};
use crate::{
    Error, ErrorKind, OPERATIONS, Secret, decode::decode, exchange::Exchange,
    operation::OperationInfo,
};

/// Fetches tokens with the client credentials flow.
pub(crate) struct ClientCredentials {
    exchange: Arc<Exchange>,
    url: Url,
    id: String,
    secret: Secret,
}

impl ClientCredentials {
    pub(crate) fn new(exchange: Arc<Exchange>, url: Url, id: String, secret: Secret) -> Self {
        Self {
            exchange,
            url,
            id,
            secret,
        }
    }

    fn request(&self) -> Request {
        let body = serde_json::json!({
            "grant_type": "client_credentials",
            // Text whatever it holds: the schema types it as an integer carried as text, and the
            // tutorial sends it as it was issued (§4, §5).
            "client_id": self.id,
            "client_secret": self.secret.expose(),
        });
        let mut request = Request::new(Method::POST, self.url.clone());
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(CONTENT_TYPE, json.clone());
        request.headers_mut().insert(ACCEPT, json);
        *request.body_mut() = Some(body.to_string().into());
        request
    }

    async fn fetch(&self) -> Result<Token, Error> {
        let operation = operation();
        let reply = self
            .exchange
            .token_request(self.request(), operation)
            .await?;
        token(&reply).map_err(|error| error.in_operation(operation))
    }
}

/// The operation that the token endpoint is, for errors and spans.
fn operation() -> &'static OperationInfo {
    // The table is generated from the document that this crate is built for, which has it.
    OPERATIONS
        .iter()
        .find(|operation| operation.id == "get_token")
        .unwrap_or(&OPERATIONS[0])
}

/// Reads a token out of an answer: `expires_in` is a number, a text or not there (§4, §5).
fn token(body: &Bytes) -> Result<Token, Error> {
    let answer: Value = decode(body)?;
    let Some(secret) = answer["access_token"]
        .as_str()
        .filter(|text| !text.is_empty())
    else {
        return Err(Error::new(
            ErrorKind::Token,
            "the tenant answered the token request without an access token",
        ));
    };
    let token = Token::new(secret);
    Ok(match lifetime(&answer["expires_in"]) {
        Some(lifetime) => token.valid_for(lifetime),
        None => token,
    })
}

fn lifetime(expires_in: &Value) -> Option<Duration> {
    let seconds = match expires_in {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds.max(0.0)).ok()
}

impl fmt::Debug for ClientCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientCredentials(<hidden>)")
    }
}

impl TokenProvider for ClientCredentials {
    fn token(&self) -> TokenFuture<'_> {
        Box::pin(self.fetch())
    }
}
