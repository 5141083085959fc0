//! The API reference at `/`, for people with a browser.
//!
//! It is Swagger UI, which sends requests to this sandbox. All its files are part of the program, and its content security
//! policy allows no other source.
//!
//! Swagger UI would send the token request as a form, but the service takes JSON. The page therefore has a script that
//! requests the token. The page is filled in with the demo credentials, which are public, and never with other
//! credentials.

use std::io::{Cursor, Read as _};
use std::sync::LazyLock;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, Response, header};
use axum::routing::get;
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;

use crate::app::{DEMO_CLIENT_ID, DEMO_CLIENT_SECRET};

const PAGE: &str = include_str!("index.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The document, with this sandbox as its server.
const DOCUMENT: &str = include_str!("openapi.json");

/// Everything comes from the sandbox. Images may also be in the style sheet itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The two files of Swagger UI. A test checks that there is one at each address.
static VIEWER: LazyLock<[Bytes; 2]> = LazyLock::new(|| {
    ["/dist/swagger-ui-bundle.js", "/dist/swagger-ui.css"]
        .map(|end| in_archive(end).unwrap_or_default())
});

/// The file of Swagger UI whose path has this end.
fn in_archive(end: &str) -> Option<Bytes> {
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED)).ok()?;
    let mut paths = archive.file_names().flatten();
    let path = paths.find(|path| path.ends_with(end))?.into_owned();
    drop(paths);
    let mut content = Vec::new();
    let mut file = archive.by_name(&path).ok()?;
    file.read_to_end(&mut content).ok()?;
    Some(content.into())
}

/// The credentials that the page may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Credentials {
    /// The demo credentials.
    Demo,
    /// Other credentials, which the user has to type in.
    Secret,
}

impl Credentials {
    pub(crate) fn of(client_id: &str, client_secret: &str) -> Self {
        if (client_id, client_secret) == (DEMO_CLIENT_ID, DEMO_CLIENT_SECRET) {
            Self::Demo
        } else {
            Self::Secret
        }
    }
}

/// The page with its files, and the document at `/openapi.json`.
pub(crate) fn routes(credentials: Credentials) -> Router {
    let page = page(credentials);
    Router::new()
        .route("/", get(async || file("text/html; charset=utf-8", page)))
        .route(
            "/openapi.json",
            get(async || file("application/json", DOCUMENT)),
        )
        .route(
            "/reference/page.css",
            get(async || file("text/css; charset=utf-8", STYLE)),
        )
        .route(
            "/reference/page.js",
            get(async || file("text/javascript; charset=utf-8", SCRIPT)),
        )
        .route(
            "/reference/viewer.js",
            get(async || file("text/javascript; charset=utf-8", VIEWER[0].clone())),
        )
        .route(
            "/reference/viewer.css",
            get(async || file("text/css; charset=utf-8", VIEWER[1].clone())),
        )
}

fn page(credentials: Credentials) -> String {
    let (id, secret) = match credentials {
        Credentials::Demo => (DEMO_CLIENT_ID, DEMO_CLIENT_SECRET),
        Credentials::Secret => ("", ""),
    };
    PAGE.replace("{{client_id}}", id)
        .replace("{{client_secret}}", secret)
}

fn file(content_type: &'static str, content: impl Into<Body>) -> Response<Body> {
    const HEADERS: [(HeaderName, &str); 4] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // Another version of the program may use this address next time.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    let mut response = Response::new(content.into());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests;
