//! The requests that a rule applies to.

use std::fmt;
use std::str::FromStr;

use axum::http::Method;

use crate::api::operation::Operation;
use crate::error::SandboxError;

/// Selects requests by their operation.
///
/// As text it is one word: an operation's id, `listLearners`; a method, `GET`; or `lists`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// One operation.
    Operation(Operation),
    /// All operations with this method.
    Method(Method),
    /// All paginated lists.
    Lists,
}

impl Target {
    pub(super) fn matches(&self, operation: Operation) -> bool {
        match self {
            Self::Operation(this) => *this == operation,
            Self::Method(method) => *method == operation.method(),
            Self::Lists => operation.is_paginated(),
        }
    }
}

impl From<Operation> for Target {
    fn from(operation: Operation) -> Self {
        Self::Operation(operation)
    }
}

impl From<Method> for Target {
    fn from(method: Method) -> Self {
        Self::Method(method)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Operation(operation) => operation.id(),
            Self::Method(method) => method.as_str(),
            Self::Lists => "lists",
        })
    }
}

impl FromStr for Target {
    type Err = SandboxError;

    fn from_str(word: &str) -> Result<Self, SandboxError> {
        let methods = [Method::GET, Method::POST, Method::PUT, Method::DELETE];
        let operations = Operation::ALL.iter().copied().map(Self::from);
        operations
            .chain(methods.map(Self::from))
            .chain([Self::Lists])
            .find(|target| target.to_string() == word)
            .ok_or_else(|| {
                SandboxError::new(format!(
                    "there is no target {word:?}; use an operation such as listLearners, a method such as GET, lists, \
                     or all"
                ))
            })
    }
}
