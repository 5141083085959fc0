use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use super::{Credentials, DOCUMENT, page, routes};
use crate::api::operation::{Operation, PREFIX};
use crate::{DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, Sandbox};

const PATHS: [&str; 6] = [
    "/",
    "/openapi.json",
    "/reference/page.css",
    "/reference/page.js",
    "/reference/viewer.css",
    "/reference/viewer.js",
];

fn get(credentials: Credentials, path: &str) -> (StatusCode, HeaderMap, Vec<u8>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = routes(credentials).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        (parts.status, parts.headers, body)
    })
}

#[test]
fn all_files_of_the_page_exist() {
    for path in PATHS {
        let (status, _, body) = get(Credentials::Demo, path);
        assert_eq!(status, StatusCode::OK, "{path}");
        assert!(!body.is_empty(), "{path}");
    }
    let page = page(Credentials::Demo);
    for attribute in ["src=\"", "href=\""] {
        for reference in page.split(attribute).skip(1) {
            let address = reference.split('"').next().unwrap();
            assert!(
                address.starts_with("data:") || PATHS.contains(&format!("/{address}").as_str()),
                "{address}"
            );
        }
    }
}

#[test]
fn the_content_security_policy_allows_no_other_source() {
    for path in PATHS {
        let (_, headers, _) = get(Credentials::Demo, path);
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        for loophole in ["unsafe", "http", "*"] {
            assert!(!policy.contains(loophole), "{path}: {policy}");
        }
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    }
}

#[test]
fn the_page_has_only_the_demo_credentials() {
    let demo = page(Credentials::of(DEMO_CLIENT_ID, DEMO_CLIENT_SECRET));
    assert!(demo.contains(&format!("value=\"{DEMO_CLIENT_ID}\"")));
    assert!(demo.contains(&format!("value=\"{DEMO_CLIENT_SECRET}\"")));
    for (id, secret) in [
        ("acme", "hush"),
        (DEMO_CLIENT_ID, "hush"),
        ("acme", DEMO_CLIENT_SECRET),
    ] {
        let page = page(Credentials::of(id, secret));
        for text in [DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, "acme", "hush", "{{"] {
            assert!(!page.contains(text), "{id} {secret}: {text}");
        }
    }
}

#[test]
fn the_document_has_all_operations_and_this_server() {
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    assert_eq!(document["servers"].as_array().unwrap().len(), 1);
    assert_eq!(document["servers"][0]["url"], PREFIX);
    for operation in Operation::ALL {
        let method = operation.method().as_str().to_ascii_lowercase();
        assert_eq!(
            document["paths"][operation.path()][&method]["operationId"],
            operation.id()
        );
    }
}

#[tokio::test]
async fn the_page_is_optional_and_not_in_the_journal() {
    for (builder, status) in [
        (Sandbox::builder().reference_page(), 200),
        (Sandbox::builder(), 404),
    ] {
        let sandbox = builder.start().await.unwrap();
        let response = reqwest::get(sandbox.base_url()).await.unwrap();
        assert_eq!(response.status(), status);
        let api = format!("{}/api/v1/test", sandbox.base_url());
        assert_eq!(reqwest::get(api).await.unwrap().status(), 200);
        let counted = sandbox.requests().unwrap();
        assert_eq!(counted.last().unwrap().operation, Some(Operation::Test));
        assert_eq!(counted.len(), if status == 200 { 1 } else { 2 });
    }
}
