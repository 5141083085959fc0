//! The settings of connections: those that keep secrets on this machine and at the configured host, the TLS library, and the
//! caller's.
//!
//! Cargo unifies the features of a program, so reqwest may be built with other TLS libraries than this crate asks for, or
//! with none. By default, reqwest then chooses one by its own rules, panics if rustls has no crypto provider, or fails with
//! the first request.
//!
//! The library is therefore set explicitly, before the caller's settings, which may override it. For settings that cannot
//! work, [`build`](crate::LmsBuilder::build) returns an error. No provider is installed for the process: that is up to
//! the program.
//!
//! The default is rustls with aws-lc, although it has the longest build of all choices:
//!
//! - rustls parses the protocol and the certificates in Rust; aws-lc provides the cryptographic primitives. ring's
//!   documentation calls ring an experiment, and OpenSSL is written in C.
//! - It offers a post-quantum key exchange (X25519MLKEM768) on every platform. reqwest offers it last; this crate offers it
//!   first, because recorded traffic may be decrypted one day.
//! - It has a FIPS 140-3 build (`rustls-no-provider`), needs only a C compiler for the target, and links statically.
//!
//! `native-tls` is updated by the platform without rebuilding the program, and is by far the smallest. No feature
//! enables ring: reqwest takes a provider either from the process, which a library should not set, or from a complete
//! configuration. With a complete configuration, it silently ignores the certificates given to `configure_http`.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use reqwest::ClientBuilder;

use crate::{error::Error, request::BaseUrl};

/// Changes the settings; see [`LmsBuilder::configure_http`](crate::LmsBuilder::configure_http).
pub(super) type Configure = Box<dyn FnOnce(ClientBuilder) -> ClientBuilder + Send>;

/// Idle time after which a connection is not reused. Shorter than the shortest common keep-alive timeout of servers, 2 s.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_millis(1500);

/// Builds the HTTP client.
pub(super) fn connections(
    base: &BaseUrl,
    configure: Option<Configure>,
    connect_timeout: Duration,
) -> Result<reqwest::Client, Error> {
    check(base.url())?;
    let mut builder = with_backend(reqwest::Client::builder()).pool_idle_timeout(POOL_IDLE_TIMEOUT);
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
        .map_err(refused)
}

/// An HTTP client that builds requests which another one sends. It has no root certificates, which take time to load.
pub(super) fn without_connections() -> Result<reqwest::Client, Error> {
    let builder = with_backend(reqwest::Client::builder()).no_proxy();
    #[cfg(any(
        feature = "rustls",
        feature = "rustls-no-provider",
        feature = "native-tls"
    ))]
    let builder = builder.tls_certs_only([]);
    builder.build().map_err(refused)
}

/// Sets the library of this crate's features: `native-tls`, which is never on by default, or else rustls.
#[cfg(feature = "native-tls")]
fn with_backend(builder: ClientBuilder) -> ClientBuilder {
    builder.tls_backend_native()
}

#[cfg(all(feature = "rustls", not(feature = "native-tls")))]
fn with_backend(builder: ClientBuilder) -> ClientBuilder {
    builder.tls_backend_rustls()
}

/// If the program installed no provider, reqwest would panic with rustls. It rejects the placeholder with an error instead,
/// unless the caller's settings contain a complete configuration with a provider.
#[cfg(all(
    feature = "rustls-no-provider",
    not(any(feature = "rustls", feature = "native-tls"))
))]
fn with_backend(builder: ClientBuilder) -> ClientBuilder {
    struct Missing;

    match rustls::crypto::CryptoProvider::get_default() {
        Some(_) => builder.tls_backend_rustls(),
        None => builder.tls_backend_preconfigured(Missing),
    }
}

#[cfg(not(any(
    feature = "rustls",
    feature = "rustls-no-provider",
    feature = "native-tls"
)))]
fn with_backend(builder: ClientBuilder) -> ClientBuilder {
    builder
}

/// Rejects an `https://` URL without a TLS feature.
fn check(address: &reqwest::Url) -> Result<(), Error> {
    let is_built_in = cfg!(any(
        feature = "rustls",
        feature = "rustls-no-provider",
        feature = "native-tls"
    ));
    if address.scheme() == "https" && !is_built_in {
        return Err(Error::usage(
            "lms-ext is built without TLS, which an https:// URL requires; enable its feature rustls, rustls-no-provider or native-tls",
        ));
    }
    Ok(())
}

/// The error for settings that reqwest rejects.
fn refused(error: reqwest::Error) -> Error {
    // reqwest itself says only "builder error". The cause names, for example, missing root certificates.
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    #[cfg(all(
        feature = "rustls-no-provider",
        not(any(feature = "rustls", feature = "native-tls"))
    ))]
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        return Error::usage(format!(
            "no crypto provider is installed, which the feature rustls-no-provider leaves to the program; call rustls::crypto::CryptoProvider::install_default() first, pass a rustls::ClientConfig with a provider by configure_http() and tls_backend_preconfigured(), or enable the feature rustls: {cause}"
        ));
    }
    Error::usage(format!("the HTTP settings are not valid: {cause}")).with_source(error)
}

#[cfg(test)]
mod tests {
    #[test]
    fn refused_settings_are_named() {
        let error = reqwest::Client::builder().user_agent("a\nb").build();
        assert_eq!(
            super::refused(error.unwrap_err()).to_string(),
            "the HTTP settings are not valid: failed to parse header value"
        );
    }
}
