//! `.call()`: sends any operation under every policy.

use std::{pin::Pin, sync::Arc};

use lms_client::{
    operation::{List, Operation},
    policy::{Policy, PolicyFuture},
    transport::PreparedRequest,
};
use reqwest::{Request, header::HeaderMap};
use serde::de::DeserializeOwned;

use super::{
    CallOptions,
    decode::{PathOf, path_at_offset, path_by_decoding},
    engine::Engine,
    sending::{Decoder, EmptyBody, Sending},
};
use crate::{
    error::{Error, describe},
    send::{PolledBy, copy},
    values::OperationInfo,
};

/// The future of [`Call::call`]. It is `'static`, so it can be spawned.
pub type CallFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

/// Sends the request of a builder.
///
/// Implemented for each builder that a method of [`Lms`](crate::Lms) returns.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// use lms_ext::prelude::*;
///
/// let course = lms.get_course().id("c1").call().await?;
/// println!("{:?}", course.name);
/// # Ok(())
/// # }
/// ```
pub trait Call: Operation {
    /// Sends the request and returns the decoded response.
    ///
    /// Nothing is sent before the future is polled.
    ///
    /// # Errors
    ///
    /// Every failure, as an [`Error`] of some [kind](Error::kind).
    fn call(self) -> CallFuture<Self::Output> {
        called(PreparedCall::new(self))
    }

    /// Like [`call`](Self::call), decoded into your own type: a struct with a few of the fields, or
    /// `serde_json::Value` for everything the server sent, including undocumented fields.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Contact { email: String }
    ///
    /// let contact: Contact = lms.get_learner_by_id().id("l1").call_as().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    fn call_as<T: DeserializeOwned + Send + 'static>(self) -> CallFuture<T> {
        called(PreparedCall::new(self).map(|call| call.with_path_of(path_by_decoding::<T>)))
    }

    /// Like [`call`](Self::call), with the status, the headers and the number of attempts.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    fn response(self) -> CallFuture<Response<Self::Output>> {
        let sending = PreparedCall::new(self).map(PreparedCall::sending);
        Box::pin(async move { decoded(sending?).await })
    }

    /// Sets options of this call that replace those of its client.
    fn options(self, options: CallOptions) -> WithOptions<Self> {
        WithOptions {
            operation: self,
            options,
        }
    }
}

impl<O: Operation> Call for O {}

/// What awaiting a builder of [`Lms`](crate::Lms) does: the same as [`call`](Call::call).
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// let course = lms.get_course().id("c1").await?;
/// println!("{:?}", course.name);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Policies {}

impl Policy for Policies {
    type Error = Error;

    fn call<O: Operation>(operation: O) -> PolicyFuture<O, Self> {
        operation.call()
    }
}

impl<O: Operation> IntoFuture for WithOptions<O> {
    type Output = Result<O::Output, Error>;
    type IntoFuture = CallFuture<O::Output>;

    fn into_future(self) -> CallFuture<O::Output> {
        self.call()
    }
}

fn called<T: DeserializeOwned + Send + 'static>(
    prepared: Result<PreparedCall, Error>,
) -> CallFuture<T> {
    let sending = prepared.map(PreparedCall::sending);
    Box::pin(async move {
        let sending = sending?;
        let decoder = sending.decoder;
        let mut response = sending.response().await?;
        decoder.value(&mut response)
    })
}

async fn decoded<T: DeserializeOwned>(sending: Sending) -> Result<Response<T>, Error> {
    let decoder = sending.decoder;
    let mut response = sending.response().await?;
    Ok(Response {
        value: decoder.value(&mut response)?,
        status: response.status.as_u16(),
        attempts: response.attempts,
        elapsed: response.elapsed,
        already_removed: response.already_removed(&decoder.operation.method),
        headers: std::mem::take(response.headers()),
    })
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
    /// How many times the request was sent.
    pub attempts: u32,
    /// How long the call took, including waits.
    pub elapsed: std::time::Duration,
    /// Whether a delete got a 404 after an attempt whose response was lost, and so had probably been processed.
    pub already_removed: bool,
}

/// A builder with options of its own; see [`Call::options`].
#[derive(Clone, Debug)]
pub struct WithOptions<O> {
    operation: O,
    options: CallOptions,
}

impl<O: Operation> Operation for WithOptions<O> {
    type Output = O::Output;
    const INFO: &'static OperationInfo = O::INFO;

    fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
        let mut prepared = self.operation.prepare()?;
        prepared.extensions.insert(self.options);
        Ok(prepared)
    }
}

impl<O: List> List for WithOptions<O> {
    type Item = O::Item;
    const CURSOR: bool = O::CURSOR;
}

/// A request with the engine that sends it and its options.
#[derive(Debug)]
pub(crate) struct PreparedCall {
    pub(crate) engine: Arc<Engine>,
    pub(crate) request: Request,
    pub(crate) operation: &'static OperationInfo,
    pub(crate) options: CallOptions,
    pub(crate) polled_by: PolledBy,
    empty: EmptyBody,
    path_of: PathOf,
}

impl PreparedCall {
    /// Builds the request of a builder.
    pub(crate) fn new<O: Operation>(builder: O) -> Result<Self, Error> {
        let mut prepared = builder
            .prepare()
            .map_err(|error| usage(error).in_operation(O::INFO))?;
        let options = prepared.extensions.remove().unwrap_or_default();
        let transport: Arc<dyn std::any::Any + Send + Sync> = prepared.transport;
        let engine = transport.downcast().map_err(|_| {
            Error::usage("this builder belongs to a raw client; create it from an `Lms`")
                .in_operation(O::INFO)
        })?;
        Ok(Self {
            engine,
            request: prepared.request,
            operation: O::INFO,
            options,
            polled_by: PolledBy::Caller,
            empty: EmptyBody::of::<O::Output>(),
            path_of: path_at_offset,
        })
    }

    /// A call of a request that no builder made.
    pub(crate) fn raw(
        engine: Arc<Engine>,
        request: Request,
        operation: &'static OperationInfo,
        options: CallOptions,
    ) -> Self {
        Self {
            engine,
            request,
            operation,
            options,
            polled_by: PolledBy::Caller,
            empty: EmptyBody::Refused,
            path_of: path_at_offset,
        }
    }

    /// Sets the type that the response is decoded into.
    pub(crate) fn decoding<T: DeserializeOwned + 'static>(mut self) -> Self {
        self.empty = EmptyBody::of::<T>();
        self.with_path_of(path_by_decoding::<T>)
    }

    /// Sets how the path of what cannot be decoded is found.
    pub(crate) fn with_path_of(mut self, path_of: PathOf) -> Self {
        self.path_of = path_of;
        self
    }

    /// A copy of the call.
    pub(crate) fn again(&self) -> Result<Self, Error> {
        let request = copy(&self.request).map_err(|error| error.in_operation(self.operation))?;
        Ok(Self {
            engine: Arc::clone(&self.engine),
            request,
            operation: self.operation,
            options: self.options.clone(),
            polled_by: self.polled_by,
            empty: self.empty,
            path_of: self.path_of,
        })
    }

    /// Sends the request and decodes the response.
    pub(crate) fn response<T: DeserializeOwned>(
        self,
    ) -> impl Future<Output = Result<Response<T>, Error>> + Send {
        decoded(self.sending())
    }

    fn sending(self) -> Sending {
        let work = self.engine.work(self.request, self.operation, self.options);
        Sending {
            engine: self.engine,
            work,
            polled_by: self.polled_by,
            decoder: Decoder {
                operation: self.operation,
                empty: self.empty,
                path_of: self.path_of,
            },
        }
    }
}

/// Converts the error of a builder.
fn usage(error: lms_client::Error) -> Error {
    match error {
        lms_client::Error::InvalidRequest(reason) | lms_client::Error::Custom(reason) => {
            Error::usage(describe(&reason))
        }
        lms_client::Error::CommunicationError(error) => {
            Error::usage("the request cannot be built").with_source(error.without_url())
        }
        _ => Error::usage("the request cannot be built"),
    }
}
