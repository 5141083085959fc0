//! The tenant: `GET /oauth/me` and `GET /test`.

use rusqlite::Connection;
use serde::Serialize;

use super::request::{ApiRequest, OperationResult, TENANT_DOMAIN, TENANT_NAME};
use crate::api::json;

pub(crate) fn me(_: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    #[derive(Serialize)]
    struct Me<'a> {
        tid: &'a str,
        domain: &'a str,
        aud: &'a str,
        name: &'a str,
    }
    Ok(json::to_vec(&Me {
        tid: &request.settings.tenant_id,
        domain: TENANT_DOMAIN,
        aud: &request.settings.base_url,
        name: TENANT_NAME,
    }))
}

pub(crate) fn test(_: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    #[derive(Serialize)]
    struct Test<'a> {
        tid: &'a str,
    }
    Ok(json::to_vec(&Test {
        tid: &request.settings.tenant_id,
    }))
}
