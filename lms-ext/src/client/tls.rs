//! What encrypts the connections, and that something does.
//!
//! Cargo adds up the features of a whole program. What reqwest was built with is therefore not what this crate asked
//! for: another crate may have brought a second TLS, or the program its own, or nobody any. Left to itself, reqwest then
//! takes the one it likes best, panics where rustls has no cryptography, or fails with the first request.
//!
//! So the backend is named before the caller's own settings, which may name another, and what cannot work is an error
//! of [`build`](crate::LmsBuilder::build). Nothing is installed for the process: that is the program's to do.

use reqwest::ClientBuilder;

use crate::error::Error;

/// Names the backend that this crate's features ask for; `native-tls`, which is never on by default, before rustls.
#[cfg(feature = "native-tls")]
pub(crate) fn chosen(builder: ClientBuilder) -> ClientBuilder {
    builder.tls_backend_native()
}

#[cfg(all(feature = "rustls", not(feature = "native-tls")))]
pub(crate) fn chosen(builder: ClientBuilder) -> ClientBuilder {
    builder.tls_backend_rustls()
}

/// Where the program installed no provider, rustls is left out: with it, reqwest would panic. What stands in its place
/// is refused with an error, unless the caller's settings bring a whole configuration with a provider in it.
#[cfg(all(
    feature = "rustls-no-provider",
    not(any(feature = "rustls", feature = "native-tls"))
))]
pub(crate) fn chosen(builder: ClientBuilder) -> ClientBuilder {
    if provider::is_installed() {
        builder.tls_backend_rustls()
    } else {
        builder.tls_backend_preconfigured(provider::Missing)
    }
}

#[cfg(not(any(
    feature = "rustls",
    feature = "rustls-no-provider",
    feature = "native-tls"
)))]
pub(crate) fn chosen(builder: ClientBuilder) -> ClientBuilder {
    builder
}

/// Refuses an encrypted address where nothing can encrypt.
pub(crate) fn check(address: &reqwest::Url) -> Result<(), Error> {
    if address.scheme() == "https" && !is_built_in() {
        return Err(Error::usage(
            "this program is built without TLS, which an https:// address needs; turn on the feature rustls, rustls-no-provider or native-tls of lms-ext",
        ));
    }
    Ok(())
}

/// What settings that reqwest refuses mean.
pub(crate) fn refused(error: reqwest::Error) -> Error {
    #[cfg(all(
        feature = "rustls-no-provider",
        not(any(feature = "rustls", feature = "native-tls"))
    ))]
    if provider::is_missed_by(&error) {
        return Error::usage(
            "no cryptography provider is installed, which the feature rustls-no-provider leaves to the program; call rustls::crypto::CryptoProvider::install_default() before, give a rustls::ClientConfig with one to configure_http() by tls_backend_preconfigured(), or turn on the feature rustls",
        );
    }
    Error::usage("the HTTP settings cannot be used").with_source(error)
}

/// Whether reqwest was built with TLS, whoever asked for it.
///
/// Its builder has `tls_sni` only then. A method of the type itself goes before a trait's of the same name, so the one
/// below is called only where the type has none.
fn is_built_in() -> bool {
    #[allow(dead_code, reason = "not called where reqwest has TLS")]
    struct Absent;

    #[allow(dead_code, reason = "not called where reqwest has TLS")]
    trait WithoutTls: Sized {
        fn tls_sni(self, _: bool) -> Absent {
            Absent
        }
    }
    impl WithoutTls for ClientBuilder {}

    trait Found {
        fn is_found(&self) -> bool;
    }
    impl Found for ClientBuilder {
        fn is_found(&self) -> bool {
            true
        }
    }
    impl Found for Absent {
        fn is_found(&self) -> bool {
            false
        }
    }

    reqwest::Client::builder().tls_sni(true).is_found()
}

#[cfg(all(
    feature = "rustls-no-provider",
    not(any(feature = "rustls", feature = "native-tls"))
))]
mod provider {
    use std::error::Error as _;

    use rustls::crypto::CryptoProvider;

    /// No configuration of any TLS, so that reqwest refuses it.
    pub(super) struct Missing;

    pub(super) fn is_installed() -> bool {
        CryptoProvider::get_default().is_some()
    }

    /// Whether it is [`Missing`] that was refused, and not a setting of the caller's.
    pub(super) fn is_missed_by(error: &reqwest::Error) -> bool {
        let why = |error: &reqwest::Error| error.source().map(ToString::to_string);
        let refused = reqwest::Client::builder()
            .tls_backend_preconfigured(Missing)
            .build();
        refused.is_err_and(|missing| why(&missing) == why(error))
    }
}
