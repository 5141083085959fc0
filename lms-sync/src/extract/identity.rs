//! The identity of the tenant. Its URL is not enough, because another tenant may later have the same URL.

use lms_ext::Lms;

use crate::error::{Error, ErrorKind};

/// Statuses of a service that does not have `GET /oauth/me`, or does not allow it.
const NOT_STATED: [u16; 4] = [403, 404, 405, 501];

/// Returns the identity of a tenant: the `tid` of `GET /oauth/me`, or the base URL if the service states none.
///
/// # Errors
///
/// Those of [`me`](lms_client::Client::me), except the statuses 403, 404, 405 and 501: the service does not state its identity then.
pub async fn tenant_id(lms: &Lms) -> Result<String, lms_ext::Error> {
    let tid = match lms.me().await {
        Ok(me) => me.tid.filter(|tid| !tid.trim().is_empty()),
        Err(error)
            if error
                .status()
                .is_some_and(|status| NOT_STATED.contains(&status)) =>
        {
            None
        }
        Err(error) => return Err(error),
    };
    Ok(tid.unwrap_or_else(|| lms.base_url().to_owned()))
}

/// The identity of the tenant that rows are read from.
///
/// # Errors
///
/// [`Tenant`](ErrorKind::Tenant) when the request fails.
pub(crate) async fn identity(lms: &Lms) -> Result<String, Error> {
    tenant_id(lms).await.map_err(unknown)
}

/// The identity of the tenant at the beginning of a run. If it cannot be reached or refuses the credentials, the attempts of
/// `quick` are made. If the service responds and is not available, the attempts of `lms` follow.
pub(crate) async fn identity_at_start(quick: &Lms, lms: &Lms) -> Result<String, Error> {
    match tenant_id(quick).await {
        Err(error) if error.is_retryable() && error.status().is_some() => identity(lms).await,
        found => found.map_err(unknown),
    }
}

fn unknown(error: lms_ext::Error) -> Error {
    Error::new(ErrorKind::Tenant, "cannot find out which tenant this is").caused_by(error)
}
