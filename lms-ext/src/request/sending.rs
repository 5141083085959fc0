//! Sends the request of a call, and decodes its response.
//!
//! A future that is moved into another one has room for what it captured in both, and each move copies all of it. So the
//! request is boxed before the first of them.

use std::{any::TypeId, sync::Arc};

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{
    decode::{PathOf, check_json, decode, undecodable},
    engine::Engine,
};
use crate::{
    error::Error,
    send::{PolledBy, RawResponse, Work},
    values::OperationInfo,
};

/// What the body of a success is decoded as, when it may be empty.
#[derive(Clone, Copy, Debug)]
pub(super) enum EmptyBody {
    /// There is no value. A body, such as an empty object, is JSON; its end may be missing.
    Ignored,
    /// An empty body is `None`.
    Absent,
    /// An empty body is an error.
    Refused,
}

impl EmptyBody {
    pub(super) fn of<T: 'static>() -> Self {
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

/// A call whose request is boxed.
pub(super) struct Sending {
    pub(super) engine: Arc<Engine>,
    pub(super) work: Result<Work<Result<Box<RawResponse>, Error>>, Error>,
    pub(super) polled_by: PolledBy,
    pub(super) decoder: Decoder,
}

impl Sending {
    /// Sends the request. Returns the response if it is a success.
    pub(super) async fn response(self) -> Result<Box<RawResponse>, Error> {
        let operation = self.decoder.operation;
        let sent = self.engine.run(self.work?, operation, self.polled_by);
        let response = sent.await?;
        if response.status.is_success() || response.already_removed(&operation.method) {
            Ok(response)
        } else {
            Err(response.into_error().in_operation(operation))
        }
    }
}

/// How the response of a call is decoded.
#[derive(Clone, Copy)]
pub(super) struct Decoder {
    pub(super) operation: &'static OperationInfo,
    pub(super) empty: EmptyBody,
    pub(super) path_of: PathOf,
}

impl Decoder {
    /// Decodes the body of a response.
    pub(super) fn value<T: DeserializeOwned>(self, response: &mut RawResponse) -> Result<T, Error> {
        let Self {
            operation,
            empty,
            path_of,
        } = self;
        let absent = match empty {
            EmptyBody::Ignored => {
                if !response.already_removed(&operation.method) {
                    check_json(&response.body)
                        .map_err(|error| self.undecodable(response, error))?;
                }
                true
            }
            EmptyBody::Absent => response.body.is_empty(),
            EmptyBody::Refused => false,
        };
        let body = if absent {
            Bytes::from_static(b"null")
        } else if response.already_removed(&operation.method) {
            Bytes::new()
        } else {
            std::mem::take(&mut response.body)
        };
        decode(&body, path_of).map_err(|error| self.undecodable(response, error))
    }

    fn undecodable(self, response: &mut RawResponse, error: Error) -> Error {
        let error = error.with_status(response.status, response.headers());
        undecodable(self.operation, error)
            .in_operation(self.operation)
            .after(response.attempts, response.elapsed)
    }
}
