//! Who is the tenant? `GET /oauth/me` and `GET /test` (the service description, §5).

use rusqlite::Connection;

use super::request::{ApiRequest, TENANT, TENANT_DOMAIN, TENANT_NAME};
use crate::api::operation::Operation;
use crate::api::problem::Problem;

pub(crate) fn describe(_: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    super::object(|tenant| {
        tenant.text("tid", TENANT);
        if request.operation == Operation::Me {
            tenant.text("domain", TENANT_DOMAIN);
            tenant.text("aud", &request.settings.base_url);
            tenant.text("name", TENANT_NAME);
        }
        Ok(())
    })
}
