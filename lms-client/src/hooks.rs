//! A builder needs the request that a method of progenitor's client makes, but such a method also sends it.
//!
//! A method builds its request, calls the hook [`ClientHooks::pre`] and then sends. [`taken`] polls a method once, with a base
//! URL for the request in a slot of this thread. The hook then puts the request into the slot and returns an error, so the
//! method ends before it sends. If the slot is empty, the method sends.

#![expect(clippy::result_large_err, reason = "the error type of the raw client")]

use std::{
    cell::Cell,
    mem,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use progenitor_client::{ClientHooks, OperationInfo};
use reqwest::{
    Method, Request, Url,
    header::{ACCEPT, HeaderName, HeaderValue},
};

use crate::{
    Client, Error,
    wire::{expose_secrets, has_hidden_secret},
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
static API_VERSION: HeaderName = HeaderName::from_static("api-version");

thread_local! {
    /// Filled while a method is polled in [`taken`].
    static SLOT: Cell<Slot> = const { Cell::new(Slot::Empty) };
}

enum Slot {
    Empty,
    /// The scheme, the host and the port of the request.
    Base(Url),
    /// The request that the method has built.
    Taken(Box<Request>),
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
        let Slot::Base(mut url) = SLOT.replace(Slot::Empty) else {
            return refuse_hidden(request);
        };
        url.set_path(request.url().path());
        url.set_query(request.url().query());
        let place = mem::replace(request.url_mut(), url);
        let request = mem::replace(request, Request::new(Method::GET, place));
        SLOT.set(Slot::Taken(Box::new(request)));
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

/// The request that a method of the raw client would send, at the server of `base`; `call` ends with its error.
pub(crate) fn taken(
    base: &Url,
    call: Pin<&mut dyn Future<Output = Option<Error>>>,
) -> Result<Box<Request>, Error> {
    /// Empties the slot, also after a panic.
    struct Emptied;

    impl Drop for Emptied {
        fn drop(&mut self) {
            SLOT.set(Slot::Empty);
        }
    }

    let _emptied = Emptied;
    SLOT.set(Slot::Base(base.clone()));
    // Nothing in a method waits before its hook.
    let polled = expose_secrets(|| call.poll(&mut Context::from_waker(Waker::noop())));
    match (SLOT.replace(Slot::Empty), polled) {
        (Slot::Taken(request), _) => Ok(request),
        (_, Poll::Ready(Some(error))) => Err(explained(error)),
        _ => Err(Error::InvalidRequest(
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

    fn base() -> Url {
        "https://acme.example".parse().unwrap()
    }

    fn is_empty() -> bool {
        matches!(SLOT.replace(Slot::Empty), Slot::Empty)
    }

    #[test]
    fn a_panic_leaves_an_empty_slot() {
        let (client, base) = (client(), base());
        for after_the_hook in [false, true] {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                taken(
                    &base,
                    pin!(async {
                        if after_the_hook {
                            let _ = client.delete_course("c1").await;
                        }
                        panic!("in the method")
                    }),
                )
            }));
            assert!(caught.is_err() && is_empty());
        }
    }

    #[test]
    fn a_method_that_waits_before_its_hook_has_no_request() {
        let error = taken(&base(), pin!(std::future::pending())).unwrap_err();
        assert!(error.to_string().contains("was not built"), "{error}");
        assert!(is_empty());
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
