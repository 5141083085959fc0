//! The file of tokens after a power cut: a token that was stored, or none.

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use lms_ext::{
    Lms, RetryPolicy,
    http::{HttpClient, HttpFuture},
};
use reqwest::{Request, header::AUTHORIZATION};
use serde_json::{Value, json};

use super::trace::say;

/// The clients that store their tokens in one file, one after the other.
const CLIENTS: u32 = 4;

/// Gives each client a token that contains its id, and keeps the last token that was used.
#[derive(Clone, Debug, Default)]
struct TokenServer(Arc<Mutex<String>>);

fn token(client: &str) -> String {
    format!("token-{}", client.repeat(200))
}

impl HttpClient for TokenServer {
    fn send(&self, request: Request) -> HttpFuture<'_> {
        let body = request
            .body()
            .and_then(|body| body.as_bytes())
            .unwrap_or_default();
        let response = if request.url().path().ends_with("/oauth/token") {
            let body: Value = serde_json::from_slice(body).unwrap();
            let client = body["client_id"].as_str().unwrap();
            json!({"access_token": token(client), "token_type": "Bearer", "expires_in": 86_400})
        } else {
            let used = request.headers()[AUTHORIZATION].to_str().unwrap();
            used.clone_into(&mut self.0.lock().unwrap());
            json!({"tid": "tenant-1"})
        };
        let response = http::Response::builder()
            .header("content-type", "application/json")
            .body(response.to_string());
        Box::pin(std::future::ready(Ok(response.unwrap().into())))
    }
}

/// Makes a call as each of the clients. Returns the tokens that were used.
async fn calls(folder: &Path) -> Vec<String> {
    let server = TokenServer::default();
    let mut used = Vec::new();
    for client in 1..=CLIENTS {
        let lms = Lms::builder("https://tenant.example")
            .client_credentials(client, "secret")
            .token_file(folder.join("tokens.json"))
            .retry(RetryPolicy::disabled())
            .http_client(server.clone())
            .build()
            .unwrap();
        lms.me().await.unwrap();
        used.push(server.0.lock().unwrap().clone());
        say(&format!("done {client}"));
    }
    used
}

/// The program that loses its power.
pub async fn store(folder: &Path) {
    calls(folder).await;
}

/// Makes the calls with the file that is left.
pub async fn check(left: &Path, case: &str) {
    let expected: Vec<String> = (1..=CLIENTS)
        .map(|client| format!("Bearer {}", token(&client.to_string())))
        .collect();
    assert_eq!(calls(left).await, expected, "{case}");
}
