//! How are connections served, and bounded, and stopped?
//!
//! One task accepts, one serves each connection. A client that sends its headers too slowly or too many of them,
//! or does not read its answer, and one connection too many, cost their own connection and no one else's.

mod patient;

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

use self::patient::Patient;
use crate::faults::Severed;
use crate::limits::Limits;

/// How long requests in flight get when the server stops.
const GRACE: Duration = Duration::from_secs(5);

/// Serves until `stop` turns true or its sender is gone.
pub(crate) async fn run(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    mut stop: watch::Receiver<bool>,
) {
    let permits = Arc::new(Semaphore::new(limits.connections));
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

async fn serve(stream: TcpStream, router: Router, limits: Limits, mut stop: watch::Receiver<bool>) {
    // Answers are small; waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_patience)
        .max_buf_size(limits.head);
    let stream = TokioIo::new(Patient::new(stream, limits.answer_patience));
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |request| {
        let answer = router.call(request);
        async move {
            let response = answer.await.map_err(|never| match never {})?;
            match response.extensions().get::<Severed>() {
                None => Ok(response),
                Some(_) => Err(Closed),
            }
        }
    });
    let connection = builder.serve_connection(stream, service);
    let mut connection = std::pin::pin!(connection);
    // A connection that breaks has no one left to tell.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stop.wait_for(|stop| *stop) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Makes hyper close the connection in place of an answer.
#[derive(Debug)]
struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the connection is closed, as the fault plan says")
    }
}

impl std::error::Error for Closed {}
