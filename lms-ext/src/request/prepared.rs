//! A call that is ready to be sent.

use std::{pin::Pin, sync::Arc, time::Duration};

use bytes::Bytes;
use lms_client::operation::Operation;
use reqwest::{Request, header::HeaderMap};
use serde::de::DeserializeOwned;

use super::{
    belongs::{self, Requested},
    decode::{check_json, decode, undecodable},
    engine::Engine,
};
use crate::{
    error::Error,
    send::{CallContext, RawResponse, Timeouts, copy, retry::RetryPolicy, spawn},
    values::OperationInfo,
};

/// The future of [`Call::call`](super::Call::call). It is `'static`, so it can be spawned.
pub type CallFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

/// The policy by which awaiting a builder of [`Lms`](crate::Lms) does the same as [`call`](super::Call::call).
#[derive(Clone, Debug)]
pub struct Policies {
    engine: Arc<Engine>,
    options: Option<Box<CallOptions>>,
}

impl Policies {
    pub(crate) fn new(engine: Arc<Engine>) -> Self {
        Self {
            engine,
            options: None,
        }
    }

    pub(crate) fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    pub(super) fn set_options(&mut self, options: CallOptions) {
        self.options = Some(Box::new(options));
    }
}

/// Settings of one call that replace those of its client.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// use lms_ext::{CallOptions, RetryPolicy, prelude::*};
///
/// let once = CallOptions::new().retry(RetryPolicy::disabled());
/// let me = lms.me().options(once).call().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    retry: Option<RetryPolicy>,
    timeouts: Option<Timeouts>,
    timeout: Option<Duration>,
    absence_expected: bool,
}

impl CallOptions {
    /// The settings of the client, unchanged.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Spans and metrics do not count a 404 or 410 as an error.
    pub(crate) fn absence_expected() -> Self {
        Self {
            absence_expected: true,
            ..Self::default()
        }
    }

    /// Sets the retry policy.
    #[must_use]
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = Some(policy);
        self
    }

    /// Sets all timeouts.
    #[must_use]
    pub fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = Some(timeouts);
        self
    }

    /// Sets the timeout of the entire call, with its retries and waits. The other timeouts do not change.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The timeouts of this call, given those of its client.
    fn timeouts_over(&self, client: &Timeouts) -> Timeouts {
        let timeouts = self.timeouts.as_ref().unwrap_or(client).clone();
        match self.timeout {
            None => timeouts,
            Some(timeout) => timeouts.call(timeout),
        }
    }
}

/// A successful response.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Response<T> {
    /// The decoded body.
    pub value: T,
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// Number of times that the request was sent.
    pub attempts: u32,
    /// Duration of the call, including waits.
    pub elapsed: Duration,
    /// `true` if a delete got a 404 after an attempt whose response was lost. The earlier attempt has probably deleted
    /// the object.
    pub already_removed: bool,
}

/// A request with the engine that sends it, its options, and how its response is decoded.
#[derive(Debug)]
pub(crate) struct PreparedCall {
    pub(crate) engine: Arc<Engine>,
    /// Boxed, because it is moved often.
    pub(crate) request: Box<Request>,
    options: Option<Box<CallOptions>>,
    decoder: Decoder,
}

/// The decoding of the response of a call.
#[derive(Clone, Copy, Debug)]
struct Decoder {
    operation: &'static OperationInfo,
    /// An empty body is `null`, and not an error.
    optional: bool,
}

impl PreparedCall {
    /// Builds the request of a builder.
    pub(crate) fn new<O: Operation<Transport = Policies>>(builder: O) -> Result<Self, Error> {
        let prepared = builder
            .prepare()
            .map_err(|error| usage(error).in_operation(O::INFO))?;
        let Policies { engine, options } = prepared.transport;
        Ok(Self::raw(engine, prepared.request, O::INFO, options))
    }

    /// A call of a request.
    pub(crate) fn raw(
        engine: Arc<Engine>,
        request: Box<Request>,
        operation: &'static OperationInfo,
        options: Option<Box<CallOptions>>,
    ) -> Self {
        Self {
            engine,
            request,
            options,
            decoder: Decoder {
                operation,
                optional: false,
            },
        }
    }

    /// Accepts a response without a body.
    pub(crate) fn with_optional_content(mut self) -> Self {
        self.decoder.optional = true;
        self
    }

    pub(crate) fn operation(&self) -> &'static OperationInfo {
        self.decoder.operation
    }

    /// A copy of the call.
    pub(crate) fn again(&self) -> Result<Self, Error> {
        let operation = self.decoder.operation;
        let request = copy(&self.request).map_err(|error| error.in_operation(operation))?;
        Ok(Self {
            engine: Arc::clone(&self.engine),
            request: Box::new(request),
            options: self.options.clone(),
            decoder: self.decoder,
        })
    }

    /// Sends the request in a task, and returns the decoded response.
    pub(crate) fn value<T: DeserializeOwned>(self) -> impl Future<Output = Result<T, Error>> {
        let decoder = self.decoder;
        let sent = self.sent();
        async move { decoder.decode(&mut *sent.await?) }
    }

    /// Like [`value`](Self::value), with the status, the headers and the number of attempts.
    pub(crate) async fn response<T: DeserializeOwned>(self) -> Result<Response<T>, Error> {
        let decoder = self.decoder;
        let mut sent = self.sent().await?;
        Ok(Response {
            value: decoder.decode(&mut sent)?,
            status: sent.status.as_u16(),
            attempts: sent.attempts,
            elapsed: sent.elapsed,
            already_removed: sent.already_removed(&decoder.operation.method),
            headers: std::mem::take(sent.headers()),
        })
    }

    /// Sends the request in a task. It is moved into the work of the task at once: a future that held it would be copied with it.
    fn sent(self) -> impl Future<Output = Result<Box<RawResponse>, Error>> {
        let (decoder, timeouts) = (self.decoder, self.timeouts());
        let work = Box::pin(self.send());
        async move { spawn(work, timeouts, move |error| decoder.lost(error)).await }
    }

    /// Starts to send the request at once, and also decodes the response in the task.
    pub(crate) fn started<T: DeserializeOwned + Send + 'static>(
        self,
    ) -> impl Future<Output = Result<(T, Box<RawResponse>), Error>> + use<T> {
        let (decoder, timeouts) = (self.decoder, self.timeouts());
        let lost = move |error| decoder.lost(error);
        let work = Box::pin(async move {
            let mut sent = self.send().await?;
            Ok((decoder.decode(&mut sent)?, sent))
        });
        spawn(work, timeouts, lost)
    }

    /// The values that the response must not contradict.
    pub(crate) fn requested(&self) -> Requested {
        Requested::of(self.decoder.operation, self.request.url())
    }

    fn timeouts(&self) -> Timeouts {
        let client = &self.engine.sender.timeouts;
        let options = self.options.as_ref();
        options.map_or_else(|| client.clone(), |options| options.timeouts_over(client))
    }

    /// Sends the request, within the task of its caller. Returns the response if it is a success and belongs to the request.
    ///
    /// An `async fn` would have room for `self` twice.
    fn send(self) -> impl Future<Output = Result<Box<RawResponse>, Error>> {
        let mut call = self;
        async move {
            let operation = call.decoder.operation;
            let engine = &*call.engine;
            let checked = engine.base.check(operation, call.request.url());
            checked.map_err(|error| error.in_operation(operation))?;
            let (sender, options) = (&engine.sender, call.options.as_deref());
            let timeouts = call.timeouts();
            let retry = options.and_then(|options| options.retry.as_ref());
            let sent = sender.run(CallContext {
                request: &mut call.request,
                operation,
                retry: retry.unwrap_or(&sender.retry),
                timeouts: &timeouts,
                tokens: operation.authenticated.then_some(&*engine.tokens),
                rate_limiter: Some(&sender.rate_limiter),
                cancel: engine.cancel.as_ref().map(|cancel| &cancel.token),
                absence_expected: options.is_some_and(|options| options.absence_expected),
            });
            let mut response = sent.await?;
            if !response.status.is_success() && !response.already_removed(&operation.method) {
                return Err(response.into_error().in_operation(operation));
            }
            if response.status.is_success() {
                let (url, sent) = (call.request.url(), call.request.body());
                let sent = sent.and_then(|body| body.as_bytes());
                let belongs = belongs::check(operation, url, sent, &response.body);
                belongs.map_err(|error| call.decoder.undecodable(&mut response, error))?;
            }
            Ok(response)
        }
    }
}

impl Decoder {
    fn decode<T: DeserializeOwned>(self, response: &mut RawResponse) -> Result<T, Error> {
        let removed = response.already_removed(&self.operation.method);
        let has_content = self.operation.has_content || self.optional;
        if !has_content && !removed {
            // Such as an empty object; its end may be missing.
            check_json(&response.body).map_err(|error| self.undecodable(response, error))?;
        }
        let absent = !has_content || self.optional && response.body.is_empty();
        let body = if absent {
            Bytes::from_static(b"null")
        } else if removed {
            Bytes::new()
        } else {
            response.body.clone()
        };
        decode(&body).map_err(|error| self.undecodable(response, error))
    }

    /// Completes the error of a task that ended early.
    fn lost(self, error: Error) -> Error {
        undecodable(self.operation, error).in_operation(self.operation)
    }

    fn undecodable(self, response: &mut RawResponse, error: Error) -> Error {
        let error = error.with_status(response.status, response.headers());
        undecodable(self.operation, error)
            .in_operation(self.operation)
            .after(response.attempts, response.elapsed)
    }
}

/// Converts the error of a builder.
fn usage(error: lms_client::Error) -> Error {
    match error {
        lms_client::Error::InvalidRequest(reason) | lms_client::Error::Custom(reason) => {
            Error::usage(reason)
        }
        _ => Error::usage("the request cannot be built"),
    }
}
