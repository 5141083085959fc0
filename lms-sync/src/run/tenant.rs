//! Which tenant is read. Its URL is not enough: another tenant may be behind the same one.

use lms_ext::{ErrorKind as TenantErrorKind, Lms, prelude::*};

use crate::error::{Error, ErrorKind};

/// The identity of a tenant: the `tid` of `GET /oauth/me`, or the base URL if the service returns none.
///
/// # Errors
///
/// [`Tenant`](ErrorKind::Tenant) when the request fails.
pub(crate) async fn identity(lms: &Lms) -> Result<String, Error> {
    let tid = match lms.me().call().await {
        Ok(me) => me.tid,
        Err(error)
            if matches!(
                error.kind(),
                TenantErrorKind::NotFound | TenantErrorKind::Forbidden
            ) =>
        {
            None
        }
        Err(error) => {
            let message = "cannot find out which tenant this is";
            return Err(Error::new(ErrorKind::Tenant, message).caused_by(error));
        }
    };
    let tid = tid.filter(|tid| !tid.trim().is_empty());
    Ok(tid.unwrap_or_else(|| lms.base_url().to_owned()))
}
