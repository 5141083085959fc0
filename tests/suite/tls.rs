//! What encrypts the connections: the settings of a caller count, and where nothing can encrypt, `build` says so.

use std::sync::Arc;

use lms_ext::{ErrorKind, RetryPolicy, prelude::*};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

use crate::dependent::{cargo, dependent, said, target};

/// Of `localhost`, by itself, for a hundred years.
pub const CERTIFICATE: &[u8] = include_bytes!("tls/certificate.pem");
const KEY: &[u8] = include_bytes!("tls/key.pem");

/// A tenant that speaks TLS with a certificate that no platform trusts; gives back its address.
///
/// In place of its id it tells how keys were exchanged.
pub async fn tenant(certificate: &[u8]) -> String {
    let certificate = CertificateDer::from_pem_slice(certificate).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            // Who does not trust it hangs up during the handshake.
            let Ok(mut stream) = acceptor.accept(socket).await else {
                continue;
            };
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            let exchange = stream.get_ref().1.negotiated_key_exchange_group();
            let body = serde_json::json!({ "tid": format!("{:?}", exchange.unwrap().name()) });
            let answer = format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{body}");
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
        }
    });
    format!("https://localhost:{port}")
}

#[tokio::test]
async fn a_root_certificate_of_the_callers_is_trusted_and_no_stranger_is() {
    let address = tenant(CERTIFICATE).await;
    let builder = || {
        Lms::builder(&address)
            .token("token")
            .retry(RetryPolicy::disabled())
    };

    let error = builder().build().unwrap().test().call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connect, "{error:?}");

    let root = reqwest::Certificate::from_pem(CERTIFICATE).unwrap();
    let lms = builder()
        .configure_http(|http| http.tls_certs_only([root]))
        .build()
        .unwrap();
    // It holds against quantum computers too.
    let exchange = lms.test().call().await.unwrap().tid;
    assert_eq!(exchange.as_deref(), Some("X25519MLKEM768"));
}

/// Runs a program that depends on lms-ext with other features than the suite does, and gives back what it wrote.
fn run(dependencies: &str, main: &str) -> String {
    let folder = dependent(dependencies, main);
    let output = cargo()
        .current_dir(folder.path())
        .args(["run", "--quiet", "--target-dir"])
        // Apart from other dependents of the suite, whose program has the same name.
        .arg(target().join("tls-dependents"))
        .output()
        .unwrap();
    said(output)
}

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn without_tls_an_encrypted_address_is_refused_before_anything_is_sent() {
    let said = run(
        r#"lms-ext = { path = "WORKSPACE/lms-ext", default-features = false }"#,
        r#"
        use lms_ext::prelude::*;

        fn main() {
            for address in ["https://acme.example", "http://127.0.0.1:1"] {
                match Lms::builder(address).token("token").build() {
                    Ok(_) => println!("built"),
                    Err(error) => println!("{:?}: {error}", error.kind()),
                }
            }
        }
        "#,
    );
    let lines: Vec<_> = said.lines().collect();
    assert!(
        lines[0].starts_with("Usage: this program is built without TLS"),
        "{said}"
    );
    assert_eq!(lines[1..], ["built"]);
}

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn without_a_provider_there_is_an_error_and_no_panic() {
    let said = run(
        r#"
        lms-ext = { path = "WORKSPACE/lms-ext", default-features = false, features = ["rustls-no-provider"] }
        rustls = { version = "0.23", default-features = false, features = ["ring", "std"] }
        "#,
        r#"
        use std::sync::Arc;

        use lms_ext::{LmsBuilder, prelude::*};
        use rustls::{ClientConfig, RootCertStore, crypto::ring::default_provider};

        fn say(case: &str, configure: impl FnOnce(LmsBuilder) -> LmsBuilder) {
            let builder = Lms::builder("https://acme.example").token("token");
            match configure(builder).build() {
                Ok(_) => println!("{case}: built"),
                Err(error) => println!("{case}: {:?}: {error}", error.kind()),
            }
        }

        fn main() {
            let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_root_certificates(RootCertStore::empty())
                .with_no_client_auth();
            say("none", |lms| lms);
            say("settings", |lms| lms.configure_http(|http| http.no_proxy()));
            say("other fault", |lms| lms.configure_http(|http| http.user_agent("a\nb")));
            say("its own", |lms| lms.configure_http(|http| http.tls_backend_preconfigured(config)));
            default_provider().install_default().unwrap();
            say("installed", |lms| lms);
        }
        "#,
    );
    let lines: Vec<_> = said.lines().collect();
    for (line, expected) in lines.iter().zip([
        "none: Usage: no cryptography provider is installed",
        "settings: Usage: no cryptography provider is installed",
        "other fault: Usage: the HTTP settings cannot be used",
        "its own: built",
        "installed: built",
    ]) {
        assert!(line.starts_with(expected), "{said}");
    }
    assert_eq!(lines.len(), 5, "{said}");
}
