//! An answer, and what it means as the answer of a call.

use std::time::Duration;

use bytes::Bytes;
use reqwest::{
    Method, StatusCode, Url,
    header::{HeaderMap, LOCATION},
};

use crate::error::{Error, RequestSecrets};

/// An answer, whatever its status, read to its end.
#[derive(Debug)]
pub(crate) struct RawResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) attempts: u32,
    pub(crate) elapsed: Duration,
    /// An attempt may have been processed, and the tenant has not said so.
    pub(crate) maybe_processed: bool,
    /// The secrets that it may repeat; known for what is no success.
    pub(super) secrets: RequestSecrets,
    /// Why there was no further attempt, when there might have been one.
    pub(super) note: Option<String>,
}

impl RawResponse {
    pub(super) fn new(status: StatusCode, headers: HeaderMap, body: Bytes) -> Self {
        Self {
            status,
            headers,
            body,
            attempts: 0,
            elapsed: Duration::ZERO,
            maybe_processed: false,
            secrets: RequestSecrets::default(),
            note: None,
        }
    }

    /// The body of a success, or the error that any other answer is.
    pub(crate) fn into_body(self) -> Result<Bytes, Error> {
        if self.status.is_success() {
            Ok(self.body)
        } else {
            Err(self.into_error())
        }
    }

    /// The error that an answer is which is no success.
    pub(crate) fn into_error(self) -> Error {
        let target = self.status.is_redirection().then(|| self.redirect_target());
        let mut error = Error::from_status(self.status, &self.headers, self.body, &self.secrets)
            .after(self.attempts, self.elapsed);
        if let Some(target) = target {
            error = error.with_detail(format!(
                "the tenant points to {target}, which is not followed: credentials stay with the tenant; check the base address"
            ));
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

    /// Whether this is a delete that found nothing to delete because an earlier attempt of it may have
    /// done it.
    pub(crate) fn already_removed(&self, method: &Method) -> bool {
        *method == Method::DELETE
            && self.maybe_processed
            && matches!(self.status, StatusCode::NOT_FOUND | StatusCode::GONE)
    }

    /// Where a redirect points, as far as it is safe to show: scheme, host and port.
    fn redirect_target(&self) -> String {
        // Only what a relative address is resolved against, so that `//elsewhere` is told from `/path`.
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
        // One that repeats a secret may do so in its host, where parsing took out what stood in between.
        if self.secrets.is_in_host(&target) {
            return "another address".to_owned();
        }
        target
    }
}
