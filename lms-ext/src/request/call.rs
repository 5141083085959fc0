//! `.call()`: sends any operation under every policy.

use std::future::ready;

use lms_client::{
    operation::{HasId, List, Operation, PreparedRequest},
    policy::{Policy, PolicyFuture},
};
use serde::de::DeserializeOwned;

use super::prepared::{CallFuture, CallOptions, Policies, PreparedCall, Response};
use crate::{
    error::{Error, ErrorKind},
    values::OperationInfo,
};

/// Sends the request of a builder.
///
/// Implemented for each builder that a method of [`Lms`](crate::Lms) returns.
pub trait Call: Operation<Transport = Policies> {
    /// Sends the request and returns the decoded response, after as many attempts as the [`RetryPolicy`](crate::RetryPolicy)
    /// allows.
    ///
    /// Nothing is sent before the future is polled. Dropping the future aborts the call.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if the request is not valid; nothing is then sent.
    /// [`Ambiguous`](crate::ErrorKind::Ambiguous) if a write may have been processed although no response confirms it.
    /// Otherwise the [kind](crate::ErrorKind) of the last attempt, or of the limit that ended the call.
    fn call(self) -> CallFuture<Self::Output> {
        value(PreparedCall::new(self))
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
    /// let contact: Contact = lms.get_learner_by_id("l1").call_as().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`call`](Self::call). A value that your type does not accept is a [`Decode`](crate::ErrorKind::Decode) error
    /// of a read, and an [`Ambiguous`](crate::ErrorKind::Ambiguous) one of a write.
    fn call_as<T: DeserializeOwned + Send + 'static>(self) -> CallFuture<T> {
        value(PreparedCall::new(self))
    }

    /// Like [`call`](Self::call), with the status, the headers and the number of attempts.
    ///
    /// # Errors
    ///
    /// Those of [`call`](Self::call), also for statuses outside of 2xx.
    fn response(self) -> CallFuture<Response<Self::Output>> {
        let call = PreparedCall::new(self);
        Box::pin(async move { call?.response().await })
    }

    /// Sets options of this call, such as another retry policy, that replace those of its client.
    fn options(self, options: CallOptions) -> WithOptions<Self> {
        WithOptions {
            operation: self,
            options,
        }
    }
}

impl<O: Operation<Transport = Policies>> Call for O {}

impl Policy for Policies {
    type Error = Error;

    fn call<O: Operation<Transport = Self>>(operation: O) -> PolicyFuture<O, Self> {
        operation.call()
    }
}

impl<O: Operation<Transport = Policies>> IntoFuture for WithOptions<O> {
    type Output = Result<O::Output, Error>;
    type IntoFuture = CallFuture<O::Output>;

    fn into_future(self) -> CallFuture<O::Output> {
        self.call()
    }
}

fn value<T: DeserializeOwned + Send + 'static>(call: Result<PreparedCall, Error>) -> CallFuture<T> {
    match call {
        Ok(call) => Box::pin(call.value()),
        Err(error) => Box::pin(ready(Err(error))),
    }
}

/// A builder with options of its own; see [`Call::options`].
#[derive(Clone, Debug)]
#[must_use = "nothing is sent: write `.await`"]
pub struct WithOptions<O> {
    operation: O,
    options: CallOptions,
}

impl<O: Operation<Transport = Policies>> Operation for WithOptions<O> {
    type Transport = Policies;
    type Output = O::Output;
    const INFO: &'static OperationInfo = O::INFO;

    fn prepare(self) -> Result<PreparedRequest<Policies>, lms_client::Error> {
        let mut prepared = self.operation.prepare()?;
        prepared.transport.set_options(self.options);
        Ok(prepared)
    }
}

impl<O: List<Transport = Policies>> List for WithOptions<O> {
    type Item = O::Item;
    const CURSOR: bool = O::CURSOR;
}

/// Reads the id of a value that a response contained.
///
/// All fields of a response are optional unless marked otherwise ([Field types](lms_client::service#field-types)), so
/// the id in a generated type is an `Option`. A program that needs the id would fail one call later, with an error about
/// that call. Implemented for every type with an optional id.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// use lms_ext::prelude::*;
///
/// let learner = lms.get_learner_by_email("jo@acme.example").call().await?;
/// lms.unenrol(EnrolmentScope::learner_in_course(learner.require_id()?, "c1")).await?;
/// # Ok(())
/// # }
/// ```
pub trait RequireId: HasId {
    /// The id.
    ///
    /// # Errors
    ///
    /// [`Decode`](ErrorKind::Decode) if the id is missing or empty. The message says which type it is.
    fn require_id(&self) -> Result<&Self::Id, Error> {
        let id = self.raw_id().filter(|id| !id.as_ref().trim().is_empty());
        id.ok_or_else(|| {
            let of = Self::KIND;
            let detail = format!("the {of} in the response has no id; find it by another field");
            Error::new(ErrorKind::Decode, detail).with_fields(vec!["id".to_owned()])
        })
    }
}

impl<T: HasId> RequireId for T {}
