//! The HTTP server: it accepts connections, and shuts down gracefully.

pub(crate) mod control;
mod hosts;
mod request_body;
pub(crate) mod router;

use std::io;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::faults::Aborted;

/// Time after which requests in flight are aborted when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Serves until `stop` becomes true or its sender is dropped.
pub(crate) async fn serve(listener: TcpListener, router: Router, mut stop: watch::Receiver<bool>) {
    let router = TowerToHyperService::new(router);
    let stopping = GracefulShutdown::new();
    // The remaining connections are closed when the set is dropped.
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // Probably out of file descriptors: an immediate retry would spin.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Responses are small; waiting for a full packet would only delay them.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let response = router.call(request);
            async {
                // Makes hyper close the connection without a response.
                let closed = io::Error::other("the fault plan closed the connection");
                match response.await {
                    Ok(response) if response.extensions().get::<Aborted>().is_some() => Err(closed),
                    Ok(response) => Ok(response),
                    Err(never) => match never {},
                }
            }
        });
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        // An error means that the connection is broken, so there is no one to report it to.
        connections.spawn(stopping.watch(connection));
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, stopping.shutdown()).await;
}
