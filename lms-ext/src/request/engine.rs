//! The [`Transport`] that [`Lms`](crate::Lms) gives to the generated client.

use std::{
    error::Error as StdError,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, Waker},
};

use lms_client::{
    operation::OPERATIONS,
    transport::{MapDecodeError, Transport, TransportFuture},
};
use reqwest::{Request, Response};

use super::{
    CallOptions,
    base_url::BaseUrl,
    cancel::CancelSignal,
    decode::{explain, path_at_offset, undecodable},
    preflight,
    turns::Turns,
};
use crate::{
    error::Error,
    send::{CallContext, PolledBy, RawResponse, Sender, Work, auth::Tokens},
    values::OperationInfo,
};

/// The policies of one client, shared by all its clones.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) base: BaseUrl,
    pub(crate) sender: Arc<Sender>,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) turns: Arc<Turns>,
    /// Stops the calls of this client.
    pub(crate) cancel: Option<CancelSignal>,
}

impl Engine {
    /// The same engine, which stops sending after the signal.
    #[inline]
    pub(crate) fn cancelled_by(&self, signal: CancelSignal) -> Self {
        Self {
            base: self.base.clone(),
            sender: Arc::clone(&self.sender),
            tokens: Arc::clone(&self.tokens),
            turns: Arc::clone(&self.turns),
            cancel: Some(signal),
        }
    }

    /// A request under every policy, which [`run`](Self::run) sends.
    ///
    /// Boxed at once: futures that are moved into each other would have room for a request several times.
    pub(crate) fn work(
        &self,
        mut request: Request,
        operation: &'static OperationInfo,
        options: CallOptions,
    ) -> Result<Work<Result<Box<RawResponse>, Error>>, Error> {
        preflight::check(&self.base, operation, &request, options.scope)
            .map_err(|error| error.in_operation(operation))?;
        let sender = Arc::clone(&self.sender);
        let tokens = operation.authenticated.then(|| Arc::clone(&self.tokens));
        let cancel = self.cancel.clone();
        Ok(Box::pin(async move {
            let context = CallContext {
                request: &mut request,
                operation,
                retry: options.retry.as_ref().unwrap_or(&sender.retry),
                timeouts: &options.timeouts_over(&sender.timeouts),
                max_body_bytes: options.max_body_bytes.unwrap_or(sender.max_body_bytes),
                max_objects: options.max_objects.unwrap_or(sender.max_objects),
                tokens: tokens.as_deref(),
                rate_limiter: Some(&sender.rate_limiter),
                cancel: cancel.as_ref(),
            };
            sender.run(context).await
        }))
    }

    /// Sends a request. Returns the last response, whatever its status.
    pub(crate) async fn run(
        &self,
        work: Work<Result<Box<RawResponse>, Error>>,
        operation: &'static OperationInfo,
        polled_by: PolledBy,
    ) -> Result<Box<RawResponse>, Error> {
        if let Some(cancel) = &self.cancel {
            cancel
                .check()
                .map_err(|error| error.in_operation(operation))?;
        }
        let outcome = self.sender.in_flight.run(work, polled_by).await;
        outcome.map_err(|error| match error.operation() {
            Some(_) => error,
            // The task ended early.
            None => undecodable(operation, error).in_operation(operation),
        })
    }
}

/// The raw `send()` of a builder: the same policies, with a response that generated code decodes.
impl Transport for Engine {
    fn execute<'a>(
        &'a self,
        _: &'a reqwest::Client,
        request: Request,
        operation_id: &'static str,
    ) -> TransportFuture<'a> {
        Box::pin(async move {
            let Some(operation) = OPERATIONS.iter().find(|known| known.id == operation_id) else {
                let error =
                    Error::usage(format!("{operation_id} is not an operation of this client"));
                return Err(wrap(error));
            };
            let work = self.work(request, operation, CallOptions::default());
            let outcome = match work {
                Ok(work) => self.run(work, operation, PolledBy::Caller).await,
                Err(error) => Err(error),
            };
            match outcome {
                Ok(response) if response.already_removed(&operation.method) => Ok(done()),
                // The response to a retry does not say whether the first attempt was processed.
                Ok(response) if response.maybe_processed && !response.status.is_success() => {
                    match response.into_body() {
                        Ok(_) => Ok(done()),
                        Err(error) => Err(wrap(error.in_operation(operation))),
                    }
                }
                Ok(response) => Ok(into_reqwest(response, operation)),
                Err(error) => Err(wrap(error)),
            }
        })
    }
}

/// The response to a delete that an earlier attempt has processed.
fn done() -> Response {
    http::Response::new(reqwest::Body::default()).into()
}

/// The response for the generated code.
///
/// The generated error for a body that cannot be decoded would show the whole body, with tokens.
fn into_reqwest(mut response: Box<RawResponse>, operation: &'static OperationInfo) -> Response {
    let headers = std::mem::take(response.headers());
    let RawResponse {
        status,
        attempts,
        elapsed,
        body,
        ..
    } = *response;
    let mut response = http::Response::new(reqwest::Body::from(body));
    *response.status_mut() = status;
    *response.headers_mut() = headers.clone();
    let unreadable = MapDecodeError::new(move |error| match error {
        lms_client::Error::InvalidResponsePayload(body, error) => {
            let error = explain(&body, &error, path_at_offset).with_status(status, &headers);
            let error = undecodable(operation, error).in_operation(operation);
            wrap(error.after(attempts, elapsed)).into()
        }
        other => other,
    });
    response.extensions_mut().insert(unreadable);
    response.into()
}

/// Wraps an error of this crate in one of reqwest's, the error type of [`Transport`].
///
/// reqwest's error has no constructor. It wraps errors of a body's stream, so a body that fails at once creates one.
fn wrap(error: Error) -> reqwest::Error {
    let body = reqwest::Body::wrap_stream(FailingBody(Some(error)));
    let read = pin!(Response::from(http::Response::new(body)).bytes());
    match read.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(Err(error)) => error,
        _ => unreachable!("the only item of the stream is an error, and it is there"),
    }
}

struct FailingBody(Option<Error>);

impl futures_core::Stream for FailingBody {
    type Item = Result<bytes::Bytes, Box<dyn StdError + Send + Sync>>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.take().map(|error| Err(error.into())))
    }
}
