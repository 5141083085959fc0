//! What stands between a builder and the tenant: the transport that [`Lms`](crate::Lms) puts into the
//! seam of `lms-client`.

use std::{
    error::Error as StdError,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, Waker},
};

use lms_client::transport::{Transport, TransportFuture, Unreadable};
use reqwest::{Request, Response};

use crate::{
    CallOptions, Error,
    auth::Tokens,
    base_address::BaseAddress,
    call::unreadable,
    decode::explain,
    exchange::{Exchange, Outgoing, Reply},
    guard,
    operation::{OperationInfo, lookup},
};

/// The policies of one client, shared by all its clones.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) base: BaseAddress,
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) tokens: Tokens,
}

impl Engine {
    /// Sends a request under every policy and gives back the last answer, whatever its status.
    pub(crate) async fn run(
        &self,
        request: &mut Request,
        operation: &'static OperationInfo,
        options: &CallOptions,
    ) -> Result<Reply, Error> {
        guard::check(&self.base, operation, request, options.scope)
            .map_err(|error| error.in_operation(operation))?;
        let exchange = &self.exchange;
        exchange
            .run(Outgoing {
                request,
                operation,
                retry: options.retry.as_ref().unwrap_or(&exchange.retry),
                limits: &options.limits_over(&exchange.limits),
                tokens: operation.authenticated.then_some(&self.tokens),
                pacer: Some(&exchange.pacer),
            })
            .await
    }
}

/// The raw `send()` of a builder: the same policies, with the answer decoded by the generated code.
impl Transport for Engine {
    fn execute<'a>(
        &'a self,
        _: &'a reqwest::Client,
        mut request: Request,
        operation_id: &'static str,
    ) -> TransportFuture<'a> {
        Box::pin(async move {
            let Some(operation) = lookup(operation_id, request.method()) else {
                let error = Error::usage("this client does not send requests of this method");
                return Err(carried(error));
            };
            let options = CallOptions::default();
            match self.run(&mut request, operation, &options).await {
                Ok(reply) if reply.already_gone(&operation.method) => Ok(done()),
                // An answer to a repeat does not tell what became of the first attempt.
                Ok(reply) if reply.in_doubt && !reply.status.is_success() => {
                    match reply.into_body(operation.reads()) {
                        Ok(_) => Ok(done()),
                        Err(error) => Err(carried(error.in_operation(operation))),
                    }
                }
                Ok(reply) => Ok(response(reply, operation)),
                Err(error) => Err(carried(error)),
            }
        })
    }
}

/// The answer to a delete that an earlier attempt has done.
fn done() -> Response {
    http::Response::new(reqwest::Body::default()).into()
}

/// The answer as the builder reads it.
///
/// Left to itself, the builder would make an error of what it cannot read that shows the whole body, tokens and all.
fn response(reply: Reply, operation: &'static OperationInfo) -> Response {
    let Reply {
        status,
        headers,
        attempts,
        elapsed,
        ..
    } = reply;
    let mut response = http::Response::new(reqwest::Body::from(reply.body));
    *response.status_mut() = status;
    *response.headers_mut() = headers.clone();
    let unreadable = Unreadable::new(move |error| match error {
        lms_client::Error::InvalidResponsePayload(body, error) => carried(
            unreadable(operation, explain(&body, &error))
                .with_status(status, &headers)
                .in_operation(operation)
                .after(attempts, elapsed),
        )
        .into(),
        other => other,
    });
    response.extensions_mut().insert(unreadable);
    response.into()
}

/// Wraps an error of this crate in one of reqwest's, which is all that the seam lets through.
///
/// reqwest's error has no constructor. It wraps what the stream of a body fails with, though, so a body
/// that fails at once makes one with ours as its source.
fn carried(error: Error) -> reqwest::Error {
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
