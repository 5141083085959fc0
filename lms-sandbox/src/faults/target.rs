//! Which requests is a rule about?

use std::fmt;
use std::str::FromStr;

use axum::http::Method;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::error::SandboxError;
use crate::operations::Operation;

/// Some of the operations.
///
/// In a plan and on the command line it is a word: an operation's id, `listLearners`; a method, `GET`; or `lists`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// One operation.
    Operation(Operation),
    /// All operations of this method.
    Method(Method),
    /// All lists that have pages.
    Lists,
}

impl Target {
    /// Whether an operation is one of them.
    pub(super) fn covers(&self, operation: Operation) -> bool {
        match self {
            Self::Operation(this) => *this == operation,
            Self::Method(method) => *method == operation.method(),
            Self::Lists => operation.is_page(),
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
        if word == "lists" {
            return Ok(Self::Lists);
        }
        let operation = Operation::ALL.iter().find(|known| known.id() == word);
        if let Some(operation) = operation {
            return Ok(Self::Operation(*operation));
        }
        let methods = [Method::GET, Method::POST, Method::PUT, Method::DELETE];
        if let Some(method) = methods.into_iter().find(|known| known.as_str() == word) {
            return Ok(Self::Method(method));
        }
        Err(SandboxError::setting(format!(
            "there are no requests {word:?}; name an operation such as listLearners, a method in capitals such as \
             GET, or lists"
        )))
    }
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}
