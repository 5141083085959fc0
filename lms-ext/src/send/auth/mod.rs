//! Decides which token a request carries, and when a token is replaced.
//!
//! Tokens expire within minutes ([Authentication](lms_client::service#authentication)), so a job of an hour uses dozens
//! of tokens, and many calls need the next one at the same moment. The token is checked before every attempt, not once
//! per call, because a retry may follow minutes later:
//!
//! ```text
//! none ──▶ fresh ── refresh window ──▶ stale ── end of its lifetime ──▶ expired
//! ```
//!
//! A refresh leads from any of these to *fresh*, and a 401 to *none*.
//!
//! | token | effect on a call |
//! |---|---|
//! | fresh | uses it without waiting |
//! | [stale](tokens) | the first call that notices refreshes it; the others use it. After a failed refresh, the call uses it, and the next try is postponed |
//! | expired or none | one call fetches a new one, and the others wait for its token or its error. If that call is dropped, the next one takes over |
//! | none, after the token endpoint has [refused](tokens) a request | fails with the remembered error until its `Retry-After` has passed, or for 10 s: if every call tried wrong credentials, the account might be locked |
//!
//! There is no background task: the calls that need a token do the work.

mod provider;
mod token_file;
mod tokens;

use reqwest::header::HeaderValue;

use crate::{
    error::{Error, ErrorKind},
    values::Secret,
};

pub(crate) use provider::FixedToken;
pub use provider::{Token, TokenFuture, TokenProvider};
pub(crate) use token_file::TokenFile;
pub(crate) use tokens::{Bearer, Tokens};

/// The `Authorization` header for a token, marked as sensitive so that libraries do not print it.
pub(crate) fn bearer_header(token: &Secret) -> Result<HeaderValue, Error> {
    let token = token.expose();
    let valid = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    let header = valid
        .then(|| HeaderValue::try_from(format!("Bearer {token}")).ok())
        .flatten();
    let Some(mut header) = header else {
        let detail =
            "the token is empty or contains an invalid character, such as a space or a line break";
        return Err(Error::new(ErrorKind::Token, detail));
    };
    header.set_sensitive(true);
    Ok(header)
}
