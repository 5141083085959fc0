//! Which tenant the credentials belong to: one URL may lead to another tenant later.

use lms_ext::Lms;

use super::list::failed;
use crate::error::Error;

/// The `tid` of the tenant; its base URL if the service does not say.
pub(crate) async fn tenant_id(lms: &Lms) -> Result<String, Error> {
    let tid = match lms.me().await {
        Ok(me) => me.tid.filter(|tid| !tid.trim().is_empty()),
        Err(error) if matches!(error.status(), Some(403 | 404 | 405 | 501)) => None,
        Err(error) => return Err(failed(error)),
    };
    Ok(tid.unwrap_or_else(|| lms.base_url().to_owned()))
}
