//! The result of an attempt: a response or a failure.

use std::time::Duration;

use bytes::Bytes;
use reqwest::{
    Method, StatusCode, Url,
    header::{HeaderMap, LOCATION},
};

use super::retry::AttemptOutcome;
use crate::error::{Error, ErrorKind, RequestSecrets, content_type};

/// An attempt without a usable response.
#[derive(Debug)]
pub(crate) struct AttemptFailure {
    pub(crate) error: Error,
    pub(super) outcome: AttemptOutcome,
}

impl AttemptFailure {
    pub(super) fn new(outcome: AttemptOutcome, error: Error) -> Self {
        Self { error, outcome }
    }
}

/// A response of any status, with its whole body.
#[derive(Debug, Default)]
pub(crate) struct RawResponse {
    pub(crate) status: StatusCode,
    /// As received, with every secret that they echo; see [`headers`](Self::headers()).
    pub(super) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) attempts: u32,
    pub(crate) elapsed: Duration,
    /// An attempt of the call may have been processed, although no response confirms it.
    pub(crate) maybe_processed: bool,
    /// The server rejected a token that it had just issued in place of a rejected one.
    pub(super) new_token_rejected: bool,
    /// The secrets that the response may echo.
    pub(super) secrets: RequestSecrets,
    /// The reason why the call was not retried, although its policies allow a retry.
    pub(super) note: Option<String>,
}

impl RawResponse {
    /// The body of a success, or an error for any other status.
    pub(crate) fn into_body(self) -> Result<Bytes, Error> {
        if self.status.is_success() {
            Ok(self.body)
        } else {
            Err(self.into_error())
        }
    }

    /// Converts a response that is not a success into an error.
    pub(crate) fn into_error(mut self) -> Error {
        let target = self.status.is_redirection().then(|| self.redirect_target());
        let headers = std::mem::take(self.headers());
        let mut error = Error::from_status(self.status, &headers, self.body, &self.secrets)
            .after(self.attempts, self.elapsed);
        if let Some(target) = target {
            error = error.with_detail(format!(
                "the redirect to {target} is not followed, because credentials stay with the configured host; check the base URL"
            ));
        }
        if self.new_token_rejected && self.status == StatusCode::UNAUTHORIZED {
            error = error.with_detail(
                "the server rejected several tokens in a row, although each one was new; the client id and secret may be right, so try again later, and check the base URL and that the integration is still installed",
            );
        }
        if let Some(note) = self.note {
            error = error.with_note(note);
        }
        if self.maybe_processed {
            error.into_ambiguous()
        } else {
            error
        }
    }

    /// The headers without secrets. Most responses are decoded and never show them, so they are searched only here.
    pub(crate) fn headers(&mut self) -> &mut HeaderMap {
        self.secrets.redact_headers(&mut self.headers);
        &mut self.headers
    }

    /// The content type without parameters.
    pub(crate) fn content_type(&self) -> Option<String> {
        content_type(&self.headers, &self.secrets)
    }

    /// Returns `true` if this is a delete whose object is gone and may have been deleted by an earlier attempt.
    pub(crate) fn already_removed(&self, method: &Method) -> bool {
        *method == Method::DELETE
            && self.maybe_processed
            && ErrorKind::of_response(self.status.as_u16(), &self.body) == ErrorKind::NotFound
    }

    /// The part of a redirect's target that is safe to show: scheme, host and port.
    fn redirect_target(&self) -> String {
        // A placeholder to resolve relative targets, which tells `//other-host` from `/path`.
        const OWN: &str = "https://own.invalid";
        let location = self
            .headers
            .get(LOCATION)
            .and_then(|value| value.to_str().ok());
        let target = location
            .and_then(|location| Url::parse(OWN).ok()?.join(location).ok())
            .filter(|url| url.origin().is_tuple())
            .map(|url| url.origin().ascii_serialization())
            .filter(|origin| origin != OWN)
            .unwrap_or_else(|| "another path".to_owned());
        // The host may echo a secret, with characters removed by the parser.
        if self.secrets.is_in(&target) {
            return "another address".to_owned();
        }
        target
    }
}
