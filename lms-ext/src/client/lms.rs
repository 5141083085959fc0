//! The client that people hold.

use std::{fmt, ops::Deref, sync::Arc};

use lms_client::{Client, ClientInfo};

use crate::request::Engine;

/// A client of one tenant, with every policy in place.
///
/// Every operation of the service is a method of the [`Client`] that this dereferences to; the traits of
/// the [prelude](crate::prelude) put `.call()`, `.items()` and `.pages()` on what those methods give.
/// Cloning is cheap, and clones share connections, token and limits.
///
/// ```no_run
/// # async fn example() -> Result<(), lms_ext::Error> {
/// use lms_ext::prelude::*;
///
/// let lms = Lms::builder("https://acme.example")
///     .client_credentials("client id", "client secret")
///     .build()?;
/// let me = lms.me().call().await?;
/// println!("connected to {:?}", me.domain);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Lms {
    client: Client,
}

impl Lms {
    pub(crate) fn new(engine: Engine, http: reqwest::Client) -> Self {
        let engine = Arc::new(engine);
        let base = engine.base.as_str().to_owned();
        Self {
            client: Client::new_with_client(&base, http, engine),
        }
    }

    /// The address that all requests go below, `/api/v1` included.
    #[must_use]
    pub fn base_url(&self) -> &str {
        self.client.baseurl()
    }
}

impl fmt::Debug for Lms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lms")
            .field("base_url", &self.base_url())
            .finish_non_exhaustive()
    }
}

impl Deref for Lms {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}
