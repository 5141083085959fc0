//! A server on a real socket, whose responses a test writes byte by byte.

use std::sync::Arc;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

/// Starts a server that responds to each request as `respond` says, and then closes the connection. Returns its address.
pub async fn serve<R: Into<Vec<u8>>>(
    respond: impl Fn(&str) -> R + Send + Sync + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let respond = Arc::new(respond);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let respond = Arc::clone(&respond);
            tokio::spawn(async move {
                let mut request = Vec::new();
                while !is_whole(&request)
                    && socket.read_buf(&mut request).await.is_ok_and(|n| n > 0)
                {}
                let response: Vec<u8> = respond(&String::from_utf8_lossy(&request)).into();
                // The client may close the connection first.
                let _ = socket.write_all(&response).await;
                let _ = socket.shutdown().await;
            });
        }
    });
    address
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.trim().parse().unwrap());
    body.len() >= length
}
