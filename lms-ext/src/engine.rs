//! What stands between a builder and the tenant: the transport that [`Lms`](crate::Lms) puts into the
//! seam of `lms-client`.

use std::{error::Error as StdError, sync::Arc};

use lms_client::transport::{Transport, TransportFuture};
use reqwest::{Request, Response};

use crate::{
    CallOptions, Error,
    auth::Tokens,
    base_address::BaseAddress,
    call::unreadable,
    exchange::{Exchange, Outgoing, Reply},
    guard,
    operation::{OperationInfo, lookup},
    operations::check,
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
        request: Request,
        operation: &'static OperationInfo,
        options: &CallOptions,
    ) -> Result<Reply, Error> {
        guard::check(&self.base, operation, &request, options.scope)
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
        request: Request,
        operation_id: &'static str,
    ) -> TransportFuture<'a> {
        Box::pin(async move {
            let Some(operation) = lookup(operation_id, request.method()) else {
                let error = Error::usage("this client does not send requests of this method");
                return Err(carried(error).await);
            };
            match self.run(request, operation, &CallOptions::default()).await {
                Ok(reply) if reply.already_gone(&operation.method) => Ok(done()),
                // An answer to a repeat does not tell what became of the first attempt.
                Ok(reply) if reply.in_doubt && !reply.status.is_success() => {
                    match reply.into_body(operation.reads()) {
                        Ok(_) => Ok(done()),
                        Err(error) => Err(carried(error.in_operation(operation)).await),
                    }
                }
                Ok(reply) => match not_readable(&reply, operation) {
                    Some(error) => Err(carried(error).await),
                    None => Ok(response(reply)),
                },
                Err(error) => Err(carried(error).await),
            }
        })
    }
}

/// Why the builder will not be able to read a success.
///
/// Left to itself, it would make an error that shows the whole body, tokens and all.
fn not_readable(reply: &Reply, operation: &'static OperationInfo) -> Option<Error> {
    if !reply.status.is_success() {
        return None;
    }
    let error = check(operation, &reply.body).err()?;
    Some(
        unreadable(operation, error)
            .with_status(reply.status, &reply.headers)
            .in_operation(operation)
            .after(reply.attempts, reply.elapsed),
    )
}

/// The answer to a delete that an earlier attempt has done.
fn done() -> Response {
    http::Response::new(reqwest::Body::default()).into()
}

fn response(reply: Reply) -> Response {
    let mut response = http::Response::new(reqwest::Body::from(reply.body));
    *response.status_mut() = reply.status;
    *response.headers_mut() = reply.headers;
    response.into()
}

/// Wraps an error of this crate in one of reqwest's, which is all that the seam lets through.
///
/// reqwest's error has no constructor. It wraps what the stream of a body fails with, though, so a body
/// that fails at once makes one with ours as its source.
#[expect(
    clippy::expect_used,
    reason = "the only item of the stream is an error, so reading it fails"
)]
async fn carried(error: Error) -> reqwest::Error {
    let body = reqwest::Body::wrap_stream(FailingBody(Some(error)));
    Response::from(http::Response::new(body))
        .bytes()
        .await
        .expect_err("a body that fails at once")
}

struct FailingBody(Option<Error>);

impl futures_core::Stream for FailingBody {
    type Item = Result<bytes::Bytes, Box<dyn StdError + Send + Sync>>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Ready(self.0.take().map(|error| Err(error.into())))
    }
}
