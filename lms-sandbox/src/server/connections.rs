//! Which connections are open, and which one is closed for a new one.
//!
//! A connection is busy from the end of a request head until the request is read and the response is sent; otherwise it
//! waits. If there are too many, one that waits is closed: first those that never sent a request, then the one that has
//! waited longest. So silent connections cannot keep other clients out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::limits::Limits;

/// The open connections of a server.
#[derive(Debug)]
pub(super) struct Connections {
    max: usize,
    max_per_peer: usize,
    table: Mutex<Table>,
    /// Notified when a connection is closed, or waits again.
    changed: Notify,
}

#[derive(Debug, Default)]
struct Table {
    open: HashMap<u64, Open>,
    /// Counts connections and requests; it orders them and numbers the connections.
    ticks: u64,
}

#[derive(Debug)]
struct Open {
    peer: IpAddr,
    /// When it began to wait.
    since: u64,
    activity: Arc<Activity>,
}

/// What one connection has done.
#[derive(Debug, Default)]
pub(super) struct Activity {
    requests: AtomicU64,
    ended: AtomicU64,
    evicted: Notify,
}

impl Activity {
    /// How many requests have begun.
    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Acquire)
    }

    pub(super) fn is_busy(&self) -> bool {
        self.requests() > self.ended.load(Ordering::Acquire)
    }

    /// Completes when the connection has to make room for another.
    pub(super) async fn evicted(&self) {
        self.evicted.notified().await;
    }
}

impl Connections {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            max: limits.max_connections,
            max_per_peer: limits.max_connections_per_peer,
            table: Mutex::default(),
            changed: Notify::new(),
        })
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for a connection of this peer. Waits while all connections are busy; `None` if the peer itself has
    /// too many that are busy.
    pub(super) async fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Admitted> {
        loop {
            let changed = self.changed.notified();
            {
                let mut table = self.table();
                let of_peer = table.open.values().filter(|open| open.peer == peer).count();
                if of_peer >= self.max_per_peer && !table.evict(|open| open.peer == peer) {
                    return None;
                }
                if table.open.len() < self.max || table.evict(|_| true) {
                    return Some(self.add(&mut table, peer));
                }
            }
            changed.await;
        }
    }

    fn add(self: &Arc<Self>, table: &mut Table, peer: IpAddr) -> Admitted {
        let id = table.tick();
        let activity = Arc::<Activity>::default();
        let open = Open {
            peer,
            since: id,
            activity: Arc::clone(&activity),
        };
        table.open.insert(id, open);
        Admitted {
            connections: Arc::clone(self),
            id,
            activity,
        }
    }
}

impl Table {
    fn tick(&mut self) -> u64 {
        self.ticks += 1;
        self.ticks
    }

    /// Closes the connection that can be spared most; `false` if all are busy.
    fn evict(&mut self, among: impl Fn(&Open) -> bool) -> bool {
        let waiting = self
            .open
            .iter()
            .filter(|(_, open)| among(open) && !open.activity.is_busy());
        let spared = waiting.min_by_key(|(_, open)| (open.activity.requests() > 0, open.since));
        let evicted = spared.map(|(id, _)| *id);
        let Some(open) = evicted.and_then(|id| self.open.remove(&id)) else {
            return false;
        };
        open.activity.evicted.notify_one();
        true
    }
}

/// An open connection. It is closed when this is dropped.
#[derive(Debug)]
pub(super) struct Admitted {
    connections: Arc<Connections>,
    id: u64,
    pub(super) activity: Arc<Activity>,
}

impl Admitted {
    /// Makes the connection busy; `None` if it has been evicted.
    pub(super) fn begin(self: &Arc<Self>) -> Option<Busy> {
        let table = self.connections.table();
        table.open.get(&self.id)?;
        self.activity.requests.fetch_add(1, Ordering::AcqRel);
        Some(Busy(Arc::clone(self)))
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.connections.table().open.remove(&self.id);
        self.connections.changed.notify_one();
    }
}

/// Keeps a connection busy until it is dropped.
#[derive(Debug)]
pub(super) struct Busy(Arc<Admitted>);

impl Drop for Busy {
    fn drop(&mut self) {
        let connections = &self.0.connections;
        let mut table = connections.table();
        let now = table.tick();
        if let Some(open) = table.open.get_mut(&self.0.id) {
            open.since = now;
        }
        self.0.activity.ended.fetch_add(1, Ordering::AcqRel);
        drop(table);
        connections.changed.notify_one();
    }
}
