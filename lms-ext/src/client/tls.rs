//! Chooses the TLS library of connections.
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

use reqwest::ClientBuilder;

use crate::error::Error;

/// Sets the library of this crate's features: `native-tls`, which is never on by default, or else rustls.
#[cfg(feature = "native-tls")]
pub(crate) fn with_backend(builder: ClientBuilder) -> ClientBuilder {
    builder.tls_backend_native()
}

#[cfg(all(feature = "rustls", not(feature = "native-tls")))]
pub(crate) fn with_backend(builder: ClientBuilder) -> ClientBuilder {
    builder.tls_backend_rustls()
}

/// If the program installed no provider, reqwest would panic with rustls. It rejects the placeholder with an error instead,
/// unless the caller's settings contain a complete configuration with a provider.
#[cfg(all(
    feature = "rustls-no-provider",
    not(any(feature = "rustls", feature = "native-tls"))
))]
pub(crate) fn with_backend(builder: ClientBuilder) -> ClientBuilder {
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
pub(crate) fn with_backend(builder: ClientBuilder) -> ClientBuilder {
    builder
}

/// Rejects an `https://` URL without a TLS feature.
pub(crate) fn check(address: &reqwest::Url) -> Result<(), Error> {
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
pub(crate) fn refused(error: reqwest::Error) -> Error {
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
