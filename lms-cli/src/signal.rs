//! Ctrl-C and SIGTERM, which Kubernetes and systemd send: both stop a command in the same way, with another exit code.

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering},
};

static TERMINATED: AtomicBool = AtomicBool::new(false);

/// Completes when Ctrl-C is pressed or SIGTERM is received, after it was polled first.
pub(crate) async fn interrupted() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            pressed = tokio::signal::ctrl_c() => pressed,
            _ = terminate.recv() => {
                TERMINATED.store(true, Ordering::Relaxed);
                Ok(())
            }
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// Returns `true` if SIGTERM has stopped the command.
pub(crate) fn is_terminated() -> bool {
    TERMINATED.load(Ordering::Relaxed)
}

/// Completes when the command is to stop.
pub(crate) async fn stop_signal() {
    // Without a signal to wait for, nothing stops it.
    if interrupted().await.is_err() {
        std::future::pending::<()>().await;
    }
}
