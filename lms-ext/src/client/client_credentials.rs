//! Tokens for a client id and a client secret (§5).

use std::{fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use reqwest::{
    Method, Request, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use serde_json::Value;

use crate::{
    error::{Error, ErrorKind},
    request::{Operation, decode, path_at_offset},
    send::Sender,
    send::auth::{Token, TokenFuture, TokenProvider},
    values::Secret,
};

/// Fetches tokens with the client credentials flow.
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
        let operation = lms_client::builder::GetToken::INFO;
        let response = self.sender.token_request(self.request(), operation).await?;
        let (status, headers) = (response.status, response.headers.clone());
        let (attempts, elapsed) = (response.attempts, response.elapsed);
        response
            // Fetching a token changes nothing, though its method says otherwise.
            .into_body()
            .map_err(refusal)
            .and_then(|body| token(&body).map_err(|error| error.with_status(status, &headers)))
            .map_err(|error| error.in_operation(operation).after(attempts, elapsed))
    }
}

/// What an answer that is no success means here.
fn refusal(error: Error) -> Error {
    match error.status() {
        // Wrong credentials come as 400 or 401 (RFC 6749, 5.2); the service does not say (§7).
        Some(400 | 401 | 403) => error.with_kind(ErrorKind::Unauthenticated).with_detail(
            "the tenant does not accept the client id and secret; check both, and that the integration is still installed at this base address",
        ),
        Some(404 | 405 | 410) => error.with_kind(ErrorKind::Token).with_detail(
            "there is no token endpoint at this address; check the base address",
        ),
        // These say themselves what is wrong, and whether it passes.
        _ if matches!(
            error.kind(),
            ErrorKind::Redirect | ErrorKind::RateLimited | ErrorKind::Server
        ) => error,
        _ => error
            .with_kind(ErrorKind::Token)
            .with_detail("the tenant refused the token request"),
    }
}

/// Reads a token out of an answer: `expires_in` is a number, a text or not there (§4, §5).
///
/// `aud` is the tenant's base address (§5). One that names another host is no failure: the token goes to
/// the base address that this client was built with in any case, and nowhere else.
fn token(body: &Bytes) -> Result<Token, Error> {
    let answer: Value = decode(body, path_at_offset).map_err(|error| {
        let detail =
            format!("the answer to the token request is none: {error}; check the base address");
        error.with_kind(ErrorKind::Token).with_detail(detail)
    })?;
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
        Some(lifetime) => token.expires_in(lifetime),
        None => token,
    })
}

/// How long a token lives; `None` for what is no number of seconds, negative ones included.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expires_in_is_read_in_every_shape() {
        for (expires_in, expected) in [
            ("300", Some(300.0)),
            ("300.5", Some(300.5)),
            ("3e2", Some(300.0)),
            (r#""300""#, Some(300.0)),
            (r#"" 300 ""#, Some(300.0)),
            (r#""300.5""#, Some(300.5)),
            ("0", Some(0.0)),
            (r#""0""#, Some(0.0)),
            ("-1", None),
            (r#""-300""#, None),
            ("1e300", None),
            (r#""1e300""#, None),
            (r#""inf""#, None),
            (r#""NaN""#, None),
            ("99999999999999999999999999", None),
            (r#""99999999999999999999999999""#, None),
            (r#""abc""#, None),
            (r#""""#, None),
            ("null", None),
            ("true", None),
            ("[300]", None),
            (r#"{"seconds":300}"#, None),
        ] {
            let body = format!(r#"{{"access_token":"t","expires_in":{expires_in}}}"#);
            let token = token(&Bytes::from(body)).unwrap();
            assert_eq!(
                token.lifetime(),
                expected.map(Duration::from_secs_f64),
                "{expires_in}"
            );
        }
        let token = token(&Bytes::from_static(br#"{"access_token":"t"}"#)).unwrap();
        assert_eq!(token.lifetime(), None);
    }

    #[test]
    fn an_answer_without_a_token_says_what_it_lacks() {
        for (body, expected) in [
            ("<html>sign in</html>", "is none: the answer is no JSON"),
            ("", "the answer has no body"),
            ("[]", "without an access token"),
            ("{}", "without an access token"),
            (r#"{"access_token":""}"#, "without an access token"),
            (r#"{"access_token":7}"#, "without an access token"),
        ] {
            let error = token(&Bytes::copy_from_slice(body.as_bytes())).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Token, "{body}");
            assert!(error.to_string().contains(expected), "{body}: {error}");
        }
    }
}
