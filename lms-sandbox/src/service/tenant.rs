//! Who is the tenant? `GET /oauth/me` and `GET /test` (the service description, §5).

use rusqlite::Connection;

use crate::call::{Call, TENANT, TENANT_DOMAIN, TENANT_NAME};
use crate::operations::Operation;
use crate::problem::Problem;

pub(crate) fn describe(_: &Connection, call: &Call<'_>) -> Result<Vec<u8>, Problem> {
    super::object(|tenant| {
        tenant.text("tid", TENANT);
        if call.operation == Operation::Me {
            tenant.text("domain", TENANT_DOMAIN);
            tenant.text("aud", &call.settings.base_url);
            tenant.text("name", TENANT_NAME);
        }
        Ok(())
    })
}
