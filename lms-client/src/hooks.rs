//! A builder needs the request that a method of progenitor's client makes, but such a method also sends it.
//!
//! A method builds its request, calls the hook [`ClientHooks::pre`] and then sends. [`taken`] polls a method once, with a flag
//! set on this thread. The hook then keeps the request and returns an error, so the method ends before it sends. Without the
//! flag, the method sends.

#![expect(clippy::result_large_err, reason = "the error type of the raw client")]

use std::{
    cell::Cell,
    mem,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use progenitor_client::{ClientHooks, OperationInfo};
use reqwest::{
    Request,
    header::{ACCEPT, HeaderName, HeaderValue},
};

use crate::{
    Client, Error,
    wire::{expose_secrets, has_hidden_secret, with_flag},
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
static API_VERSION: HeaderName = HeaderName::from_static("api-version");

thread_local! {
    /// Set while a method is polled in [`taken`].
    static TAKING: Cell<bool> = const { Cell::new(false) };
    /// The request that it has built.
    static TAKEN: Cell<Option<Request>> = const { Cell::new(None) };
}

/// Changes what progenitor decides for each request:
///
/// - The version of the document is left out, because the service does not know it.
/// - JSON is also accepted where the document describes no response: errors are JSON as well.
/// - A semicolon in the path is encoded. Some servers ignore what follows it, so the id `..;` would be a dot segment there.
impl ClientHooks for Client {
    async fn pre<E>(&self, request: &mut Request, _: &OperationInfo) -> Result<(), Error<E>> {
        let headers = request.headers_mut();
        headers.remove(&API_VERSION);
        headers.entry(ACCEPT).or_insert(JSON);
        if request.url().path().contains(';') {
            let path = request.url().path().replace(';', "%3B");
            request.url_mut().set_path(&path);
        }
        if !TAKING.get() {
            return refuse_hidden(request);
        }
        let empty = Request::new(request.method().clone(), request.url().clone());
        TAKEN.set(Some(mem::replace(request, empty)));
        Err(Error::Custom(String::new()))
    }
}

/// Fails if a secret in the body is hidden: the service would store the placeholder.
fn refuse_hidden<E>(request: &Request) -> Result<(), Error<E>> {
    let body = request.body().and_then(reqwest::Body::as_bytes);
    if body.is_some_and(has_hidden_secret) {
        return Err(Error::InvalidRequest(
            "the body has a secret, which is hidden; await the call in `lms_client::wire::expose_secrets_in`"
                .to_owned(),
        ));
    }
    Ok(())
}

/// The request that a method of the raw client would send; `call` ends with its error.
pub(crate) fn taken(call: Pin<&mut dyn Future<Output = Option<Error>>>) -> Result<Request, Error> {
    // After a panic, there may be one.
    TAKEN.set(None);
    // Nothing in a method waits before its hook.
    let poll = || expose_secrets(|| call.poll(&mut Context::from_waker(Waker::noop())));
    let polled = with_flag(&TAKING, poll);
    match (TAKEN.take(), polled) {
        (Some(request), _) => Ok(request),
        (None, Poll::Ready(Some(error))) => Err(explained(error)),
        (None, _) => Err(Error::InvalidRequest(
            "the request was not built: the raw client waits before its hook".to_owned(),
        )),
    }
}

/// reqwest keeps the reason why it could not build a request to itself.
fn explained(error: Error) -> Error {
    let Error::CommunicationError(error) = error else {
        return error;
    };
    let mut reason: &dyn std::error::Error = &error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    Error::InvalidRequest(reason.to_string())
}

#[cfg(test)]
#[cfg(not(feature = "tenant-document"))]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        pin::pin,
    };

    use super::*;

    fn client() -> Client {
        // Nothing listens there.
        Client::new_with_client("http://127.0.0.1:1", reqwest::Client::new())
    }

    #[test]
    fn a_panic_leaves_neither_the_flag_nor_a_request() {
        let client = client();
        let caught = catch_unwind(AssertUnwindSafe(|| {
            taken(pin!(async {
                let _ = client.delete_course("c1").await;
                panic!("after the hook")
            }))
        }));
        assert!(caught.is_err() && !TAKING.get());
        a_method_that_waits_before_its_hook_has_no_request();
    }

    #[test]
    fn a_method_that_waits_before_its_hook_has_no_request() {
        let error = taken(pin!(std::future::pending())).unwrap_err();
        assert!(error.to_string().contains("was not built"), "{error}");
        assert!(!TAKING.get());
    }

    #[tokio::test]
    async fn a_hidden_secret_is_not_sent() {
        let learner: crate::types::AddLearner = crate::types::AddLearner::builder("a", "b", "c")
            .password("s3cr3t")
            .try_into()
            .unwrap();
        let client = client();
        let error = client.add_learner(&learner).await.unwrap_err();
        assert!(error.to_string().contains("expose_secrets_in"), "{error}");
        let call = crate::wire::expose_secrets_in(client.add_learner(&learner));
        assert!(matches!(call.await, Err(Error::CommunicationError(_))));
    }
}
