//! The HTTP server: it accepts connections, enforces limits, and shuts down gracefully.
//!
//! One task accepts connections, and one task serves each of them. A client that exceeds a limit loses its own connection;
//! others are not affected.

mod body;
pub(crate) mod control;
pub(crate) mod limits;
#[cfg(feature = "reference-page")]
pub(crate) mod reference_page;
pub(crate) mod router;
mod write_timeout;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use self::limits::Limits;
use self::write_timeout::WriteTimeout;
use crate::faults::Aborted;

/// How long requests in flight may take when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Serves until `stop` becomes true or its sender is dropped.
pub(crate) async fn run(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    mut stop: watch::Receiver<bool>,
) {
    let permits = Arc::new(Semaphore::new(limits.max_connections));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            accepted = accept(&listener, &permits) => accepted,
        };
        if let Some((stream, permit)) = accepted {
            let (router, stop) = (router.clone(), stop.clone());
            connections.spawn(async move {
                serve(stream, router, limits, stop).await;
                drop(permit);
            });
        }
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    let finished = async { while connections.join_next().await.is_some() {} };
    // The remaining connections are closed when the set is dropped.
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, finished).await;
}

async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> Option<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let permit = Arc::clone(permits).acquire_owned().await.ok()?;
    if let Ok((stream, _)) = listener.accept().await {
        return Some((stream, permit));
    }
    // Probably out of file descriptors: an immediate retry would spin.
    tokio::time::sleep(Duration::from_millis(50)).await;
    None
}

async fn serve(stream: TcpStream, router: Router, limits: Limits, mut stop: watch::Receiver<bool>) {
    // Responses are small; waiting for a full packet would only delay them.
    let _ = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .max_buf_size(limits.max_head_bytes);
    let stream = TokioIo::new(WriteTimeout::new(stream, limits.write_timeout));
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |request| {
        let response = router.call(request);
        async move {
            let response = response.await.map_err(|never| match never {})?;
            match response.extensions().get::<Aborted>() {
                None => Ok(response),
                Some(_) => Err(Closed),
            }
        }
    });
    let connection = builder.serve_connection(stream, service);
    let mut connection = std::pin::pin!(connection);
    // An error here means that the connection is broken, so there is no one to report it to.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stop.wait_for(|stop| *stop) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Makes hyper close the connection without a response.
#[derive(Debug)]
struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fault plan closed the connection")
    }
}

impl std::error::Error for Closed {}
