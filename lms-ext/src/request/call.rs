//! `.call()`: sends any operation under every policy.

use std::{any::TypeId, pin::Pin, sync::Arc};

use bytes::Bytes;
use lms_client::{
    operation::{List, Operation},
    transport::PreparedRequest,
};
use reqwest::{Request, header::HeaderMap};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{
    CallOptions,
    decode::{PathOf, decode, path_at_offset, path_by_decoding, undecodable},
    engine::Engine,
};
use crate::{
    error::{Error, describe},
    send::copy,
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
        let prepared = PreparedCall::new(self);
        Box::pin(async move { prepared?.response().await })
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

fn called<T: DeserializeOwned + Send + 'static>(
    prepared: Result<PreparedCall, Error>,
) -> CallFuture<T> {
    Box::pin(async move { Ok(prepared?.response().await?.value) })
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

/// What the body of a success is decoded as, when it may be empty.
#[derive(Clone, Copy, Debug)]
enum EmptyBody {
    /// There is no value, whatever the body.
    Ignored,
    /// An empty body is `None`.
    Absent,
    /// An empty body is an error.
    Refused,
}

impl EmptyBody {
    fn of<T: 'static>() -> Self {
        let decoded = TypeId::of::<T>();
        if decoded == TypeId::of::<()>() {
            Self::Ignored
        } else if decoded == TypeId::of::<Option<Box<RawValue>>>() {
            Self::Absent
        } else {
            Self::Refused
        }
    }
}

/// A request with the engine that sends it and its options.
#[derive(Debug)]
pub(crate) struct PreparedCall {
    pub(crate) engine: Arc<Engine>,
    pub(crate) request: Request,
    pub(crate) operation: &'static OperationInfo,
    pub(crate) options: CallOptions,
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
            empty: self.empty,
            path_of: self.path_of,
        })
    }

    /// Sends the request and decodes the response.
    pub(crate) async fn response<T: DeserializeOwned>(self) -> Result<Response<T>, Error> {
        let Self {
            engine,
            request,
            operation,
            options,
            empty,
            path_of,
        } = self;
        let mut response = engine.run(request, operation, options).await?;
        let already_removed = response.already_removed(&operation.method);
        if !response.status.is_success() && !already_removed {
            return Err(response.into_error().in_operation(operation));
        }
        let absent = match empty {
            // An operation without a value may still respond with a body, such as an empty object.
            EmptyBody::Ignored => true,
            EmptyBody::Absent => response.body.is_empty(),
            EmptyBody::Refused => false,
        };
        let body = if absent {
            Bytes::from_static(b"null")
        } else if already_removed {
            Bytes::new()
        } else {
            std::mem::take(&mut response.body)
        };
        let value = decode(&body, path_of).map_err(|error| {
            let error = error.with_status(response.status, &response.headers);
            undecodable(operation, error)
                .in_operation(operation)
                .after(response.attempts, response.elapsed)
        })?;
        Ok(Response {
            value,
            status: response.status.as_u16(),
            attempts: response.attempts,
            elapsed: response.elapsed,
            already_removed,
            headers: response.headers,
        })
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
