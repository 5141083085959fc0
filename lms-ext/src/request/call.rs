//! `.call()`: any operation, under every policy, to its value or the one error.

use std::{any::TypeId, pin::Pin, sync::Arc};

use bytes::Bytes;
use lms_client::{
    operation::{List, Operation},
    transport::PreparedRequest,
};
use reqwest::{Request, header::HeaderMap};
use serde::de::DeserializeOwned;

use super::{
    CallOptions,
    decode::{PathOf, decode, path_at_offset, path_by_rereading, unreadable},
    engine::Engine,
};
use crate::{
    error::{Error, describe},
    send::{RawResponse, copy},
    values::OperationInfo,
};

/// What [`Call::call`] gives back: a future that owns all it needs, so that it can be spawned.
pub type CallFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

/// Sends the operation that a builder is for.
///
/// Implemented for every builder that [`Lms`](crate::Lms) gives.
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
    /// Sends the request and gives back what the answer carries.
    ///
    /// Nothing is sent before the future is polled.
    ///
    /// # Errors
    ///
    /// Every failure is an [`Error`]; its [kind](Error::kind) says which.
    fn call(self) -> CallFuture<Self::Output> {
        called(PreparedCall::new(self))
    }

    /// As [`call`](Self::call), decoded into a type of your own: a few fields of many, or
    /// `serde_json::Value` for all that the tenant sent, fields that nobody described included.
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
        called(PreparedCall::new(self).map(|call| call.explained(path_by_rereading::<T>)))
    }

    /// As [`call`](Self::call), with what is known of the answer besides its value.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    fn response(self) -> CallFuture<Response<Self::Output>> {
        let mut prepared = PreparedCall::new(self);
        Box::pin(async move {
            // Left where it is, as in `called`.
            match &mut prepared {
                Ok(prepared) => prepared.response().await,
                Err(error) => Err(error.share()),
            }
        })
    }

    /// Lets this call differ from the others of its client.
    fn options(self, options: CallOptions) -> WithOptions<Self> {
        WithOptions {
            operation: self,
            options,
        }
    }
}

impl<O: Operation> Call for O {}

fn called<T: DeserializeOwned + Send + 'static>(
    mut prepared: Result<PreparedCall, Error>,
) -> CallFuture<T> {
    Box::pin(async move {
        // Left where it is: moved in here, it would take its place in the future twice.
        match &mut prepared {
            Ok(prepared) => {
                let mut response = prepared.send().await?;
                prepared.value(&mut response)
            }
            Err(error) => Err(error.share()),
        }
    })
}

/// A successful answer: its value, and what is known besides.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Response<T> {
    /// What the answer carries.
    pub value: T,
    /// Its HTTP status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// How often the request was sent.
    pub attempts: u32,
    /// How long the call took, waits included.
    pub elapsed: std::time::Duration,
    /// A delete found nothing to delete (404), because an earlier attempt whose answer was lost had done
    /// it.
    pub already_removed: bool,
}

/// A builder whose call differs from others of its client; see [`Call::options`].
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

/// A call that owns all it needs: its request, the policies it goes through, and how it differs.
#[derive(Debug)]
pub(crate) struct PreparedCall {
    pub(crate) engine: Arc<Engine>,
    pub(crate) request: Request,
    pub(crate) operation: &'static OperationInfo,
    pub(crate) options: CallOptions,
    /// Whether a success carries nothing.
    empty: bool,
    path_of: PathOf,
}

impl PreparedCall {
    /// Takes the request out of a builder.
    pub(crate) fn new<O: Operation>(builder: O) -> Result<Self, Error> {
        let mut prepared = builder
            .prepare()
            .map_err(|error| usage(error).in_operation(O::INFO))?;
        let options = prepared.extensions.remove().unwrap_or_default();
        let transport: Arc<dyn std::any::Any + Send + Sync> = prepared.transport;
        let engine = transport.downcast().map_err(|_| {
            Error::usage("this builder is of a client without policies; take it from an `Lms`")
                .in_operation(O::INFO)
        })?;
        Ok(Self {
            engine,
            request: prepared.request,
            operation: O::INFO,
            options,
            empty: TypeId::of::<O::Output>() == TypeId::of::<()>(),
            path_of: path_at_offset,
        })
    }

    /// The same call; this finds the place in an answer that cannot be read.
    pub(crate) fn explained(mut self, path_of: PathOf) -> Self {
        self.path_of = path_of;
        self
    }

    /// The same call once more.
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

    /// Sends it and reads the answer.
    pub(crate) async fn response<T: DeserializeOwned>(&mut self) -> Result<Response<T>, Error> {
        let mut response = self.send().await?;
        Ok(Response {
            value: self.value(&mut response)?,
            status: response.status.as_u16(),
            attempts: response.attempts,
            elapsed: response.elapsed,
            already_removed: response.already_removed(&self.operation.method),
            headers: response.headers,
        })
    }

    /// Sends it and gives back what is an answer to it, which no failure is.
    async fn send(&mut self) -> Result<RawResponse, Error> {
        let operation = self.operation;
        let response = self
            .engine
            .run(&mut self.request, operation, &self.options)
            .await?;
        if response.status.is_success() || response.already_removed(&operation.method) {
            Ok(response)
        } else {
            Err(response.into_error().in_operation(operation))
        }
    }

    /// Takes the value out of an answer.
    fn value<T: DeserializeOwned>(&self, response: &mut RawResponse) -> Result<T, Error> {
        let operation = self.operation;
        let body = if self.empty {
            // What carries nothing may still have a body, an empty object for example: nobody reads it.
            Bytes::from_static(b"null")
        } else if response.already_removed(&operation.method) {
            Bytes::new()
        } else {
            std::mem::take(&mut response.body)
        };
        decode(&body, self.path_of).map_err(|error| {
            unreadable(operation, error)
                .with_status(response.status, &response.headers)
                .in_operation(operation)
                .after(response.attempts, response.elapsed)
        })
    }
}

/// What a builder complains of, as an error of this crate.
fn usage(error: lms_client::Error) -> Error {
    match error {
        lms_client::Error::InvalidRequest(reason) | lms_client::Error::Custom(reason) => {
            Error::usage(describe(&reason))
        }
        lms_client::Error::CommunicationError(error) => {
            Error::usage("no request can be made of this call").with_source(error.without_url())
        }
        _ => Error::usage("no request can be made of this call"),
    }
}
