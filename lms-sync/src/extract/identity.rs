//! The identity of the tenant. Its URL is not enough, because another tenant may later have the same URL.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use lms_ext::Lms;

use crate::error::{Error, ErrorKind};

/// Statuses of a service that does not have `GET /oauth/me`, or does not allow it.
const NOT_STATED: [u16; 4] = [403, 404, 405, 501];

/// Returns the identity of a tenant: the `tid` of `GET /oauth/me`, or the base URL if the service states none.
///
/// # Errors
///
/// Those of a [call](lms_ext::Call::call), except the statuses 403, 404, 405 and 501: the service does not state its identity
/// then.
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

/// The identity of the tenant of a client. Clones share the number of the last token that is known to be of this tenant.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    pub(crate) tenant_id: String,
    tokens: Arc<AtomicU64>,
}

impl Identity {
    fn new(tenant_id: String, tokens: u64) -> Self {
        Self {
            tenant_id,
            tokens: Arc::new(tokens.into()),
        }
    }

    /// Fails if the client has another token than before, and it belongs to another tenant.
    ///
    /// # Errors
    ///
    /// [`Incomplete`](ErrorKind::Incomplete), or [`Tenant`](ErrorKind::Tenant) when the request fails.
    pub(crate) async fn check(&self, lms: &Lms) -> Result<(), Error> {
        if self.tokens.load(Ordering::Relaxed) == lms.token_count() {
            return Ok(());
        }
        let (before, now) = (&self.tenant_id, identity(lms).await?);
        if *before != now.tenant_id {
            return Err(ErrorKind::Incomplete.error(format!(
                    "the service gave a token of the tenant {}, and the rows before it are of {before}; check the \
                     credentials, then start the run again",
                    now.tenant_id
                )));
        }
        let tokens = now.tokens.load(Ordering::Relaxed);
        self.tokens.store(tokens, Ordering::Relaxed);
        Ok(())
    }
}

/// The identity of the tenant that rows are read from.
///
/// # Errors
///
/// [`Tenant`](ErrorKind::Tenant) when the request fails.
pub(crate) async fn identity(lms: &Lms) -> Result<Identity, Error> {
    requested(lms).await.map_err(unknown)
}

/// The identity of the tenant at the beginning of a run. If it cannot be reached or refuses the credentials, the attempts of
/// `quick` are made. If the service responds and is not available, the attempts of `lms` follow.
pub(crate) async fn identity_at_start(quick: &Lms, lms: &Lms) -> Result<Identity, Error> {
    match requested(quick).await {
        Err(error) if error.is_retryable() && error.status().is_some() => identity(lms).await,
        // The other client has a token of its own.
        Ok(found) => Ok(Identity::new(found.tenant_id, lms.token_count())),
        Err(error) => Err(unknown(error)),
    }
}

async fn requested(lms: &Lms) -> Result<Identity, lms_ext::Error> {
    let before = lms.token_count();
    let mut tenant_id = tenant_id(lms).await?;
    let tokens = lms.token_count();
    // Unless the new token is the first one, the response may belong to the token before it.
    if tokens != before && (before, tokens) != (0, 1) {
        tenant_id = self::tenant_id(lms).await?;
    }
    Ok(Identity::new(tenant_id, tokens))
}

fn unknown(error: lms_ext::Error) -> Error {
    ErrorKind::Tenant
        .error("cannot find out which tenant this is")
        .with_source(error)
}
