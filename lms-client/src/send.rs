//! The `send` of builders.

use reqwest::Response;
use serde::de::DeserializeOwned;

use crate::{Error, ResponseValue, operation::Operation, transport::Transport};

/// Sends the request of a builder, and decodes the response.
pub(crate) async fn send<O: Operation>(operation: O) -> Result<ResponseValue<O::Output>, Error>
where
    O::Transport: Transport,
    O::Output: DeserializeOwned,
{
    ResponseValue::from_response(success(operation).await?).await
}

/// Sends the request of a builder whose response has no body.
#[allow(dead_code, reason = "a document need not have such a response")]
pub(crate) async fn send_without_response<O: Operation>(
    operation: O,
) -> Result<ResponseValue<()>, Error>
where
    O::Transport: Transport,
{
    Ok(ResponseValue::empty(success(operation).await?))
}

async fn success<O: Operation>(operation: O) -> Result<Response, Error>
where
    O::Transport: Transport,
{
    let prepared = operation.prepare()?;
    let sent = prepared.transport.execute(prepared.request, O::INFO);
    let response = sent.await?;
    if response.status().is_success() {
        Ok(response)
    } else {
        Err(Error::UnexpectedResponse(response))
    }
}
