//! The settings of connections: those that keep secrets on this machine and at the configured host, and the caller's.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use super::tls;
use crate::{error::Error, request::BaseUrl};

/// Changes the settings; see [`LmsBuilder::configure_http`](crate::LmsBuilder::configure_http).
pub(super) type Configure =
    Box<dyn FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send>;

/// Idle time after which a connection is not reused. Shorter than the shortest common keep-alive timeout of servers, 2 s.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_millis(1500);

/// Builds the HTTP client.
pub(super) fn connections(
    base: &BaseUrl,
    configure: Option<Configure>,
    connect_timeout: Duration,
) -> Result<reqwest::Client, Error> {
    tls::check(base.url())?;
    let mut builder =
        tls::with_backend(reqwest::Client::builder()).pool_idle_timeout(POOL_IDLE_TIMEOUT);
    if base.is_loopback() {
        // A proxy from the environment would receive the client secret unencrypted.
        builder = builder.no_proxy();
        if let Some(name) = base.url().domain() {
            // A DNS server may resolve these names to any address.
            let addresses = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
            builder = builder.resolve_to_addrs(name, &addresses.map(|ip: IpAddr| (ip, 0).into()));
        }
    }
    let builder = match configure {
        Some(configure) => configure(builder),
        None => builder,
    };
    builder
        // After the caller's settings, which cannot override this: a redirect that is followed sends the body, with the
        // client secret, to another URL.
        .redirect(reqwest::redirect::Policy::none())
        // Retries are decided by the retry policy only.
        .retry(reqwest::retry::never())
        // Would log all traffic, with tokens and secrets.
        .connection_verbose(false)
        .connect_timeout(connect_timeout)
        .build()
        .map_err(tls::refused)
}

/// An HTTP client that builds requests which another one sends. It has no root certificates, which take time to load.
pub(super) fn without_connections() -> Result<reqwest::Client, Error> {
    let builder = tls::with_backend(reqwest::Client::builder()).no_proxy();
    #[cfg(any(
        feature = "rustls",
        feature = "rustls-no-provider",
        feature = "native-tls"
    ))]
    let builder = builder.tls_certs_only([]);
    builder.build().map_err(tls::refused)
}
