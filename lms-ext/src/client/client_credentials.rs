//! Obtains tokens with a client id and a client secret (`lms-client/src/service.md`, Authentication).

use std::{fmt, sync::Arc, time::Duration};

use lms_client::operation::Operation as _;
use reqwest::{
    Method, Request, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use serde_json::Value;

use crate::{
    error::{Error, ErrorKind},
    send::{
        Sender,
        auth::{Token, TokenFuture, TokenProvider},
    },
    values::Secret,
};

/// Obtains tokens by the OAuth client credentials flow.
pub(crate) struct ClientCredentials {
    sender: Arc<Sender>,
    url: Url,
    id: String,
    secret: Secret,
}

impl ClientCredentials {
    pub(crate) fn new(sender: Arc<Sender>, url: Url, id: String, secret: Secret) -> Self {
        Self {
            sender,
            url,
            id,
            secret,
        }
    }

    fn request(&self) -> Request {
        let body = serde_json::json!({
            "grant_type": "client_credentials",
            // Always a string: the schema has an integer as a string, and the tutorial sends it as issued.
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
        let operation = <lms_client::requests::GetToken>::INFO;
        let mut response = self.sender.token_request(self.request(), operation).await?;
        let (status, headers) = (response.status, response.headers().clone());
        let (attempts, elapsed) = (response.attempts, response.elapsed);
        response
            // A token request changes nothing, although it is a POST.
            .into_body()
            .map_err(refusal)
            .and_then(|body| token(&body).map_err(|error| error.with_status(status, &headers)))
            .map_err(|error| error.in_operation(operation).after(attempts, elapsed))
    }
}

/// Converts a token response that is not a success.
fn refusal(error: Error) -> Error {
    match error.status() {
        // 400 or 401 for invalid credentials in RFC 6749, 5.2; not documented by the service.
        Some(400 | 401 | 403) => error.with_kind(ErrorKind::Unauthenticated).with_detail(
            "the server does not accept the client id and secret; check both, and that the integration is still installed at this base URL",
        ),
        Some(404 | 405 | 410) => error.with_kind(ErrorKind::Token).with_detail(
            "there is no token endpoint at this URL; check the base URL",
        ),
        // Their own messages contain the advice.
        _ if matches!(
            error.kind(),
            ErrorKind::Redirect | ErrorKind::RateLimited | ErrorKind::Server
        ) => error,
        _ => error
            .with_kind(ErrorKind::Token)
            .with_detail("the server rejected the token request"),
    }
}

/// Decodes a token response. `expires_in` may be a number, a string or absent.
///
/// `aud`, the tenant's base URL, is not checked: the token is sent to the base URL of this client only.
fn token(body: &[u8]) -> Result<Token, Error> {
    let response: Value = serde_json::from_slice(body)
        .map_err(|_| Error::token("the token response is not JSON; check the base URL"))?;
    let secret = response["access_token"].as_str();
    let Some(secret) = secret.filter(|text| !text.is_empty()) else {
        return Err(Error::token("the token response has no access_token"));
    };
    let token = Token::new(secret);
    Ok(match lifetime(&response["expires_in"]) {
        Some(lifetime) => token.expires_in(lifetime),
        None => token,
    })
}

/// The lifetime of a token; `None` unless it is a number of seconds that is not negative.
fn lifetime(expires_in: &Value) -> Option<Duration> {
    let seconds = match expires_in {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok()
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
