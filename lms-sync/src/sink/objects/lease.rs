//! The lock on a prefix, which one run holds for a minute at a time.
//!
//! The lock is an object that names its holder and the time at which it expires. The holder extends it while it runs,
//! and lets it expire at the end. The holder does not remove it, because a removal cannot be conditional, and could
//! remove the lock of another run. A run takes over a lock that has expired, or whose holder was a process of this
//! machine that has ended.
//!
//! A holder can be suspended until its lock has expired, without knowing it. The condition on the manifest keeps it from writing then.

use std::{
    path::Path as FilePath,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use object_store::{ObjectStore, PutMode, UpdateVersion, path::Path};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::store::{HELD, Lease, STATE, Store, put};
use crate::{
    error::{Error, ErrorKind},
    sink::{files::files_store::FilesStore as _, lock::Holder},
};

/// Time between two extensions of a lock.
const EXTENDED: Duration = Duration::from_secs(15);

/// Attempts to take a lock that other runs take or remove at the same time, after which the run fails.
const ATTEMPTS: usize = 3;

/// The content of the lock.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Lock {
    #[serde(flatten)]
    holder: Holder,
    until: Timestamp,
}

fn path() -> String {
    format!("{STATE}/lock")
}

impl Lock {
    fn new(holder: &Holder, held: Duration) -> Self {
        let held = SignedDuration::try_from(held).unwrap_or_default();
        Self {
            holder: holder.clone(),
            until: Timestamp::now() + held,
        }
    }

    fn json(&self) -> Bytes {
        serde_json::to_vec(self).unwrap_or_default().into()
    }

    /// Returns `true` if its holder cannot be writing any more.
    fn is_free(&self) -> bool {
        let this = Holder::this();
        // Where processes can be listed.
        let processes = FilePath::new("/proc/self").exists();
        let ended = |process: u32| !FilePath::new("/proc").join(process.to_string()).exists();
        let dead = self.holder.host == this.host && processes && ended(self.holder.process);
        self.until <= Timestamp::now() || dead
    }
}

impl Lease {
    /// Takes the lock, or fails with its holder.
    pub(super) fn acquire(store: &Store) -> Result<Self, Error> {
        let holder = Holder::this();
        for _ in 0..ATTEMPTS {
            let mode = match store.read(&path())? {
                None => PutMode::Create,
                Some((json, version)) => match serde_json::from_slice::<Lock>(&json) {
                    Ok(lock) if !lock.is_free() => return Err(refuse(store, &lock)),
                    // Anything else is a lock that was not written completely.
                    _ => PutMode::Update(version),
                },
            };
            let lock = Lock::new(&holder, HELD).json();
            if let Some(version) = store.put(&path(), lock.clone(), mode)? {
                store.check_conditions(&path(), lock)?;
                let lost = Arc::new(AtomicBool::new(false));
                let (stop, stopped) = oneshot::channel();
                let extending = store.spawn(extend(
                    store.inner.clone(),
                    store.path(&path())?,
                    version,
                    stopped,
                    lost.clone(),
                ));
                return Ok(Self {
                    lost,
                    extending: extending.map(|task| (stop, task)),
                });
            }
        }
        Err(ErrorKind::Locked.error(format!(
            "other runs start at {}; try again",
            store.place("")
        )))
    }
}

/// Extends the lock until it is lost, or lets it expire when the run has ended.
async fn extend(
    store: Arc<dyn ObjectStore>,
    path: Path,
    mut version: UpdateVersion,
    mut stopped: oneshot::Receiver<()>,
    lost: Arc<AtomicBool>,
) {
    let holder = Holder::this();
    let mut until = Lock::new(&holder, HELD).until;
    loop {
        let ended = tokio::time::timeout(EXTENDED, &mut stopped).await.is_ok();
        let lock = Lock::new(&holder, if ended { Duration::ZERO } else { HELD });
        let mode = PutMode::Update(version.clone());
        match put(&*store, &path, lock.json(), mode).await {
            // Nothing is lost if this fails: the lock expires.
            _ if ended => return,
            Ok(Some(written)) => (version, until) = (written, lock.until),
            Err(_) if Timestamp::now() < until => {}
            Ok(None) | Err(_) => {
                lost.store(true, Ordering::Relaxed);
                return;
            }
        }
    }
}

fn refuse(store: &Store, lock: &Lock) -> Error {
    ErrorKind::Locked.error(format!(
            "the destination is in use by {}; wait for that run to end ({}; if that process has ended, the lock expires at {})",
            lock.holder,
            store.place(&path()),
            lock.until
        ))
}

#[cfg(test)]
mod tests {
    use object_store::{ObjectStoreExt as _, memory::InMemory};

    use super::*;

    impl Lease {
        /// Loses the lock, as if another run had taken it.
        pub(in super::super) fn lose(&self) {
            self.lost.store(true, Ordering::Relaxed);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_lock_that_another_run_has_taken_is_lost() {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let (path, holder) = (Path::from("lock"), Holder::this());
        let written = store
            .put(&path, Lock::new(&holder, HELD).json().into())
            .await;
        let version = written.unwrap().into();
        let (_running, stopped) = oneshot::channel();
        let lost = Arc::new(AtomicBool::new(false));
        let (of_run, at) = (store.clone(), path.clone());
        let extending = tokio::spawn(extend(of_run, at, version, stopped, lost.clone()));
        tokio::time::sleep(2 * HELD).await;
        assert!(!lost.load(Ordering::Relaxed));
        let other = Lock::new(&Holder::this(), HELD).json();
        store.put(&path, other.clone().into()).await.unwrap();
        extending.await.unwrap();
        assert!(lost.load(Ordering::Relaxed));
        let left = store.get(&path).await.unwrap().bytes().await.unwrap();
        assert_eq!(left, other);
    }
}
