//! TLS: a certificate that the platform does not trust, and the root certificates of the caller.

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

/// Self-signed for `localhost`, valid for a hundred years.
pub const CERTIFICATE: &[u8] = include_bytes!("tls/certificate.pem");
const KEY: &[u8] = include_bytes!("tls/key.pem");

/// Starts a server with this certificate, and returns its address.
///
/// It reports the key exchange of the connection as `tid`.
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
            // A client that does not trust the certificate disconnects during the handshake.
            let Ok(mut stream) = acceptor.accept(socket).await else {
                continue;
            };
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            let exchange = stream.get_ref().1.negotiated_key_exchange_group();
            let body = serde_json::json!({ "tid": format!("{:?}", exchange.unwrap().name()) });
            let response = format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{body}");
            stream.write_all(response.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
        }
    });
    format!("https://localhost:{port}")
}

#[tokio::test]
async fn a_root_certificate_of_the_caller_is_trusted_and_an_unknown_one_is_not() {
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
    // A post-quantum key exchange.
    let exchange = lms.test().call().await.unwrap().tid;
    assert_eq!(exchange.as_deref(), Some("X25519MLKEM768"));
}
