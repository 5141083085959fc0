//! Tokens.

use std::time::Duration;

use axum::http::header;
use serde_json::{Value, json};

use super::{Tenant, cases};
use crate::{DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, Sandbox};

fn request(change: &Value) -> Value {
    let mut body = json!({ "grant_type": "client_credentials", "client_id": DEMO_CLIENT_ID,
        "client_secret": DEMO_CLIENT_SECRET });
    for (name, value) in change.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[test]
fn a_token_response_has_the_documented_fields() {
    let tenant = Tenant::new();
    for client_id in [
        json!(DEMO_CLIENT_ID),
        json!(DEMO_CLIENT_ID.parse::<u64>().unwrap()),
    ] {
        let token = tenant
            .post("/oauth/token", &request(&json!({ "client_id": client_id })))
            .ok();
        assert_eq!(token["token_type"], "Bearer");
        assert_eq!(token["scope"], "fullaccess");
        assert_eq!(token["expires_in"], 300);
        assert_eq!(token["aud"], "http://127.0.0.1:1");
        assert_eq!(token["access_token"].as_str().unwrap().len(), 64);
    }
    let me = tenant.read("/oauth/me");
    assert!(
        ["tid", "domain", "aud", "name"]
            .iter()
            .all(|field| me[*field].is_string())
    );
    let other = Tenant::with(Sandbox::builder().tenant_id("t2"));
    assert_eq!(other.get("/oauth/me").ok()["tid"], "t2");
}

#[test]
fn errors_of_token_requests_say_why() {
    let tenant = Tenant::new();
    for (change, outcome) in cases(
        r#"
        {"client_secret": "wrong"} => 401 invalid_client
        {"client_secret": null} => 401 invalid_client
        {"client_id": "1"} => 401 invalid_client
        {"client_id": null} => 401 invalid_client
        {"client_id": 1.5} => 401 invalid_client
        {"client_id": [1]} => 422 invalid client_id
        {"client_secret": 5} => 422 invalid client_secret
        {"grant_type": "password"} => 400 unsupported_grant_type grant_type
        {"grant_type": null} => 400 unsupported_grant_type grant_type
        "#,
    ) {
        let body = request(&serde_json::from_str(change).unwrap());
        let response = tenant.post("/oauth/token", &body);
        assert_eq!(response.outcome(), outcome, "{change}");
        assert!(!response.text.contains(DEMO_CLIENT_SECRET));
    }
}

#[test]
fn a_token_expires_exactly_at_the_end_of_its_lifetime() {
    for lifetime in [Duration::from_secs(300), Duration::from_millis(250)] {
        let mut tenant = Tenant::with(Sandbox::builder().token_lifetime(lifetime));
        tenant
            .app
            .clock
            .advance(lifetime - Duration::from_millis(1));
        tenant.read("/oauth/me");
        let first = tenant.token.clone();
        tenant.sign_in();
        let second = std::mem::replace(&mut tenant.token, first);
        tenant.app.clock.advance(Duration::from_millis(1));
        let response = tenant.get("/oauth/me");
        assert_eq!(response.outcome(), "401 invalid_token Authorization");
        let challenge = response.headers[header::WWW_AUTHENTICATE].to_str().unwrap();
        assert!(challenge.contains("invalid_token"), "{challenge}");
        // The other token is not affected.
        tenant.token = second;
        tenant.read("/oauth/me");
    }
}
