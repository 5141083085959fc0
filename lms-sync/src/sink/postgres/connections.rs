//! Reuses the connections of readers.
//!
//! A program that reads the state of hundreds of mirrors in one database would open a connection for each of them, which takes
//! longer than its queries.

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio_postgres::Config;

use super::tls::TlsMode;
use crate::sql::database::Database;

/// Time after which an unused connection is not used again: a firewall may have dropped it, which only a timeout would show.
const IDLE: Duration = Duration::from_secs(10);

/// A database, and the way to connect to it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Server {
    pub(super) config: Config,
    pub(super) tls: TlsMode,
    pub(super) root_certificates: Option<PathBuf>,
}

/// Connections that are open and not used, as many as there were at the same time. Clones share them.
#[derive(Clone, Default)]
pub struct Connections(Arc<Mutex<Vec<Idle>>>);

struct Idle {
    to: Server,
    database: Box<dyn Database>,
    since: Instant,
}

impl Connections {
    /// No connections.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn take(&self, to: &Server) -> Option<Box<dyn Database>> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|idle| idle.since.elapsed() < IDLE);
        let position = idle.iter().rposition(|idle| idle.to == *to)?;
        Some(idle.remove(position).database)
    }

    pub(super) fn put(&self, to: &Server, database: Box<dyn Database>) {
        let idle = Idle {
            to: to.clone(),
            database,
            since: Instant::now(),
        };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(idle);
    }
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").finish_non_exhaustive()
    }
}
