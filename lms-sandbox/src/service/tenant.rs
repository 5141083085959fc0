//! The tenant: `GET /oauth/me` and `GET /test`.

use rusqlite::Connection;

use super::request::{ApiRequest, OperationResult, TENANT_DOMAIN, TENANT_NAME};
use crate::api::json;

pub(crate) fn me(_: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    Ok(json::object([
        ("tid", request.settings.tenant_id.as_str().into()),
        ("domain", TENANT_DOMAIN.into()),
        ("aud", request.settings.base_url.as_str().into()),
        ("name", TENANT_NAME.into()),
    ]))
}

pub(crate) fn test(_: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let tid = request.settings.tenant_id.as_str();
    Ok(json::object([("tid", tid.into())]))
}
