//! The HTTP server: it accepts connections, enforces limits, and shuts down gracefully.
//!
//! One task accepts connections, and one task serves each of them. A client that exceeds a limit loses its own connection;
//! others are not affected.

mod body;
mod connections;
pub(crate) mod control;
pub(crate) mod hosts;
pub(crate) mod limits;
mod linger;
#[cfg(feature = "reference-page")]
pub(crate) mod reference_page;
pub(crate) mod router;
mod stream;

use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{Request, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use self::connections::{Admitted, Connections};
use self::hosts::Hosts;
use self::limits::Limits;
use self::linger::Lingering;
use self::stream::LimitedStream;
use crate::api::problem::Problem;
use crate::faults::Aborted;

/// How long requests in flight may take when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// What hyper may buffer beyond one head.
const BUFFER_BYTES: usize = 64 * 1024;

/// What a server serves, and to whom.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) router: Router,
    pub(crate) limits: Limits,
    pub(crate) hosts: Arc<Hosts>,
}

impl Server {
    /// Serves until `stop` becomes true or its sender is dropped.
    pub(crate) async fn run(self, listener: TcpListener, mut stop: watch::Receiver<bool>) {
        let open = Connections::new(&self.limits);
        let mut connections = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                accepted = accept(&listener, &open) => accepted,
            };
            if let Some((stream, admitted)) = accepted {
                let (server, stop) = (self.clone(), stop.clone());
                connections.spawn(server.serve(stream, Arc::new(admitted), stop));
            }
            while connections.try_join_next().is_some() {}
        }
        drop(listener);
        let finished = async { while connections.join_next().await.is_some() {} };
        // The remaining connections are closed when the set is dropped.
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, finished).await;
    }

    /// Serves one connection.
    async fn serve(
        self,
        stream: TcpStream,
        admitted: Arc<Admitted>,
        mut stop: watch::Receiver<bool>,
    ) {
        let Self {
            router,
            limits,
            hosts,
        } = self;
        // Responses are small; waiting for a full packet would only delay them.
        let _ = stream.set_nodelay(true);
        let activity = Arc::clone(&admitted.activity);
        let stream = LimitedStream::new(stream, limits, Arc::clone(&activity));
        let router = TowerToHyperService::new(router);
        let service = service_fn(move |request: Request<Incoming>| {
            let busy = admitted.begin().map(Arc::new);
            let (router, hosts) = (router.clone(), Arc::clone(&hosts));
            async move {
                let busy = busy.ok_or(Closed)?;
                let awaited = request.headers().contains_key(header::EXPECT);
                let request = request.map(|body| {
                    Lingering::new(body, awaited, limits.body_timeout, Arc::clone(&busy))
                });
                let response = match hosts.check(request.uri(), request.headers()) {
                    Ok(()) => router.call(request).await.map_err(|never| match never {})?,
                    Err(problem) => problem.into_response(),
                };
                if response.extensions().get::<Aborted>().is_some() {
                    return Err(Closed);
                }
                // The connection is busy until the body of the response is sent.
                Ok(response.map(|body| {
                    body.map_err(move |error| {
                        let _busy = &busy;
                        error
                    })
                }))
            }
        });
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head_timeout)
            .max_buf_size(limits.max_head_bytes.saturating_add(BUFFER_BYTES))
            .serve_connection(TokioIo::new(stream), service);
        let mut first_head = pin!(tokio::time::sleep(limits.first_head_timeout));
        let (mut stopping, mut is_new) = (false, true);
        loop {
            tokio::select! {
                // An error here means that the connection is broken, so there is no one to report it to.
                _ = &mut connection => break,
                () = activity.evicted() => return,
                () = first_head.as_mut(), if is_new => {
                    is_new = false;
                    if activity.requests() == 0 {
                        return;
                    }
                }
                _ = stop.wait_for(|stop| *stop), if !stopping => {
                    stopping = true;
                    std::pin::Pin::new(&mut connection).graceful_shutdown();
                }
            }
        }
        let stream = connection.into_parts().io.into_inner();
        if let Some((stream, problem)) = stream.into_rejected() {
            reject(stream, &problem, limits.body_timeout).await;
        }
    }
}

async fn accept(listener: &TcpListener, open: &Arc<Connections>) -> Option<(TcpStream, Admitted)> {
    if let Ok((stream, peer)) = listener.accept().await {
        let admitted = open.admit(peer.ip()).await?;
        return Some((stream, admitted));
    }
    // Probably out of file descriptors: an immediate retry would spin.
    tokio::time::sleep(Duration::from_millis(50)).await;
    None
}

/// Sends the response to a head that was not parsed, and closes the connection.
async fn reject(mut stream: TcpStream, problem: &Problem, timeout: Duration) {
    let (status, body) = (problem.status, problem.to_json());
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let response = [head.into_bytes(), body].concat();
    if stream.write_all(&response).await.is_ok() && stream.shutdown().await.is_ok() {
        linger::discard(stream, timeout).await;
    }
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
