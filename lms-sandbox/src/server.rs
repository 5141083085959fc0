//! How are connections served, and bounded, and stopped?
//!
//! One task accepts, one serves each connection. A client that sends its headers too slowly or too many of them, and
//! one connection too many, cost their own connection and no one else's.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// How many connections are served at once; more wait to be accepted.
const MAX_CONNECTIONS: usize = 1_024;
/// How long a connection may go without a complete request head. Longer than HTTP clients keep an idle connection,
/// so that it is the client that lets go of it first.
const HEAD_PATIENCE: Duration = Duration::from_secs(120);
/// How long requests in flight get when the server stops.
const GRACE: Duration = Duration::from_secs(5);
/// The longest request head.
const MAX_HEAD: usize = 64 * 1024;

/// Serves until `stop` turns true or its sender is gone.
pub(crate) async fn run(listener: TcpListener, router: Router, mut stop: watch::Receiver<bool>) {
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            accepted = accept(&listener, &permits) => accepted,
        };
        if let Some((stream, permit)) = accepted {
            let (router, stop) = (router.clone(), stop.clone());
            connections.spawn(async move {
                serve(stream, router, stop).await;
                drop(permit);
            });
        }
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    let finished = async { while connections.join_next().await.is_some() {} };
    // What is left after that is aborted when the set is dropped.
    let _ = tokio::time::timeout(GRACE, finished).await;
}

async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> Option<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let permit = Arc::clone(permits).acquire_owned().await.ok()?;
    if let Ok((stream, _)) = listener.accept().await {
        return Some((stream, permit));
    }
    // Out of file descriptors, most likely: trying again at once would spin.
    tokio::time::sleep(Duration::from_millis(50)).await;
    None
}

async fn serve(stream: TcpStream, router: Router, mut stop: watch::Receiver<bool>) {
    // Answers are small; waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_PATIENCE)
        .max_buf_size(MAX_HEAD);
    let connection =
        builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    // A connection that breaks has no one left to tell.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stop.wait_for(|stop| *stop) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
