//! Connections are reused only while the server keeps them open, so that a `POST` does not end ambiguous.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    sync::mpsc,
    thread,
    time::Duration,
};

use lms_ext::{RetryPolicy, prelude::*};
use tokio::time;

/// A server that accepts one connection at a time. It closes one when told to, or when the client does.
struct Server {
    url: String,
    /// Tells the server to close the current connection.
    close: mpsc::Sender<()>,
    /// One message for each connection that was closed.
    closed: mpsc::Receiver<()>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (close, asked) = mpsc::channel();
        let (report, closed) = mpsc::channel();
        thread::spawn(move || {
            for mut socket in listener.incoming().map_while(Result::ok) {
                let mut buffer = [0; 4096];
                socket
                    .set_read_timeout(Some(Duration::from_millis(1)))
                    .unwrap();
                loop {
                    match socket.read(&mut buffer) {
                        Ok(0) => break,
                        Ok(_) => {
                            let head = "HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n";
                            let _ = socket.write_all(format!("{head}{{\"id\":\"c1\"}}").as_bytes());
                        }
                        Err(_) if asked.try_recv().is_ok() => break,
                        Err(_) => {}
                    }
                }
                drop(socket);
                let _ = report.send(());
            }
        });
        Self { url, close, closed }
    }

    fn lms(&self) -> Lms {
        let builder = Lms::builder(&self.url).token("a-token");
        builder.retry(RetryPolicy::disabled()).build().unwrap()
    }
}

async fn post(lms: &Lms) -> Result<(), Error> {
    lms.add_course("Safety").call().await.map(drop)
}

async fn idle(duration: Duration) {
    // The connection returns to the pool in a task of its own.
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    time::pause();
    time::advance(duration).await;
    time::resume();
}

#[tokio::test]
async fn a_connection_is_reused_for_a_second_and_a_half() {
    let server = Server::start();
    let lms = server.lms();
    post(&lms).await.unwrap();
    for (milliseconds, reused) in [(1000, true), (1600, false), (1000, true)] {
        idle(Duration::from_millis(milliseconds)).await;
        post(&lms).await.unwrap();
        // The server accepts the next connection after the end of the one before.
        assert_eq!(server.closed.try_recv().is_err(), reused, "{milliseconds}");
    }
}

#[tokio::test]
async fn a_post_is_not_sent_on_a_connection_that_the_server_has_closed() {
    let server = Server::start();
    let lms = server.lms();
    for _ in 0..20 {
        post(&lms).await.unwrap();
        server.close.send(()).unwrap();
        // Blocks the runtime, which has not seen that the connection was closed.
        server.closed.recv().unwrap();
    }
}
