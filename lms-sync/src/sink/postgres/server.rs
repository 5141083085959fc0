//! A database server.

use std::path::PathBuf;

use tokio_postgres::Config;

use super::tls::TlsMode;

/// A database, and the way to connect to it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Server {
    pub(super) config: Config,
    pub(super) tls: TlsMode,
    pub(super) root_certificates: Option<PathBuf>,
}
