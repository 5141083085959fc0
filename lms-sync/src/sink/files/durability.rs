//! Makes files durable on a separate thread, so that writing does not wait for the disk.

use std::{
    fs::OpenOptions,
    io,
    panic::resume_unwind,
    path::{Path, PathBuf},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::error::Error;

/// Time after which written rows are synced, and thus the work that a power failure may cost. The death of the process alone
/// costs none. A shorter time slows down disks.
const INTERVAL: Duration = Duration::from_secs(1);

/// Makes files durable from time to time.
#[derive(Debug)]
pub(super) struct Durability {
    began: Instant,
    running: Option<JoinHandle<Result<(), Error>>>,
}

impl Default for Durability {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            running: None,
        }
    }
}

impl Durability {
    /// Starts to make files durable, unless that was done a moment ago or is still being done. Returns the error of the last
    /// time.
    pub(super) fn keep_up(&mut self, files: impl FnOnce() -> Vec<PathBuf>) -> Result<(), Error> {
        let busy = self.running.as_ref().is_some_and(|it| !it.is_finished());
        if busy || self.began.elapsed() < INTERVAL {
            return Ok(());
        }
        self.wait()?;
        let files = files();
        let sync = move || files.iter().try_for_each(|file| sync(file));
        let started = thread::Builder::new().name("sync".to_owned()).spawn(sync);
        let started = started.map_err(|error| Error::destination("cannot start a thread", error));
        self.running = Some(started?);
        self.began = Instant::now();
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Error> {
        match self.running.take().map(JoinHandle::join) {
            Some(Ok(outcome)) => outcome,
            Some(Err(panic)) => resume_unwind(panic),
            None => Ok(()),
        }
    }
}

impl Drop for Durability {
    fn drop(&mut self) {
        // The files may be removed now. Those that are kept are made durable before they are published.
        let _ = self.running.take().map(JoinHandle::join);
    }
}

fn sync(path: &Path) -> Result<(), Error> {
    let file = OpenOptions::new().write(true).open(path);
    match file.and_then(|file| file.sync_data()) {
        // A file of a part that has been completed meanwhile is not needed any more.
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::file("write", path, error))
        }
        _ => Ok(()),
    }
}
