//! TLS in front of a server that has none.

use std::{fs, path::Path, sync::Arc};

use anyhow::Context as _;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    runtime::Runtime,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

/// A proxy that ends when this is dropped.
#[derive(Debug)]
pub(crate) struct TlsProxy {
    pub(crate) base_url: String,
    _runtime: Runtime,
}

impl TlsProxy {
    /// Starts a proxy for the server at this address, with the certificate for `localhost` in a folder.
    pub(crate) fn start(server: &str, certificates: &Path) -> anyhow::Result<Self> {
        let read = |name: &str| {
            let path = certificates.join(name);
            fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        let certificate = CertificateDer::from_pem_slice(&read("certificate.pem")?)?;
        let key = PrivateKeyDer::from_pem_slice(&read("key.pem")?)?;
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let base_url = format!("https://localhost:{}", listener.local_addr()?.port());
        runtime.spawn(accept(
            listener,
            TlsAcceptor::from(Arc::new(config)),
            server.to_owned(),
        ));
        Ok(Self {
            base_url,
            _runtime: runtime,
        })
    }
}

async fn accept(listener: TcpListener, acceptor: TlsAcceptor, server: String) {
    while let Ok((socket, _)) = listener.accept().await {
        let (acceptor, server) = (acceptor.clone(), server.clone());
        tokio::spawn(async move {
            let mut stream = acceptor.accept(socket).await?;
            let mut server = TcpStream::connect(server).await?;
            // A client that disconnects ends its connection only.
            copy_bidirectional(&mut stream, &mut server).await
        });
    }
}
