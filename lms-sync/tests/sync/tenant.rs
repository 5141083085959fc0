//! A tenant whose lists page by offset, and that changes and errs as a test says.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard},
};

use lms_ext::{
    Lms,
    http::{HttpClient, HttpError, HttpFailure, HttpFuture},
};
use serde_json::{Value, json};

/// The number of rows of a page.
const PAGE: usize = 10;

/// An HTTP client that responds as the tenant.
#[derive(Clone, Debug, Default)]
pub struct Tenant(Arc<Mutex<State>>);

#[derive(Debug, Default)]
pub struct State {
    /// The numbers of the rows of every list, in its order.
    pub rows: Vec<u32>,
    /// Rows that exist, but that lists leave out and do not count.
    pub unlisted: BTreeSet<u32>,
    /// Rows that have gone from the lists, and are kept with `deleted: true`.
    pub kept: BTreeSet<u32>,
    /// The status of every request for an object by its id, instead of 200 or 404.
    pub by_id: Option<u16>,
    /// The number of such requests after which a gateway responds to them, with this status and this body.
    pub outage: Option<(usize, u16, Value)>,
    /// The number of requests that the gateway responds to, and its content type, unless it responds to all others.
    pub passing: Option<(usize, &'static str)>,
    content_type: Option<&'static str>,
    /// The positions in a list at which the token is not accepted any more, each once.
    pub revoked_at: BTreeSet<usize>,
    /// Number of requests for objects after which the token is not accepted any more, once.
    pub revoked_by_lookups: Option<usize>,
    /// `true` if the token is replaced while the response about the identity of the tenant is on its way.
    pub replaced_meanwhile: bool,
    /// The tenant that each token belongs to, instead of `tid`.
    pub tids: Vec<&'static str>,
    /// Number of tokens.
    tokens: usize,
    /// Number of tokens that are not accepted any more.
    revoked: usize,
    /// The rows that are deleted after the third page of a list, one in each of the next readings.
    pub deleted_meanwhile: Vec<u32>,
    /// `true` if lists do not count their rows.
    pub uncounted: bool,
    /// The paths that were asked for, with queries.
    pub requests: Vec<String>,
    pub tid: Option<String>,
    /// Never responds to the requests for this path after the first one.
    pub silent: Option<&'static str>,
    /// Refuses every connection from the first request for this path on.
    pub down_from: Option<&'static str>,
}

impl Tenant {
    pub fn new(rows: u32) -> Self {
        let tenant = Self::default();
        tenant.state().rows = (0..rows).collect();
        tenant
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub fn lms(&self) -> Lms {
        Lms::builder("https://acme.example")
            .client_credentials("id", "secret")
            .http_client(self.clone())
            .build()
            .unwrap()
    }

    /// Number of requests for the identity of the tenant.
    pub fn questions(&self) -> usize {
        let state = self.state();
        let paths = state.requests.iter();
        paths.filter(|path| *path == "oauth/me").count()
    }

    /// The ids that were asked for since the last call, without those that no object has.
    pub fn take_lookups(&self) -> Vec<String> {
        let requests = std::mem::take(&mut self.state().requests);
        let ids = requests.iter();
        let ids = ids.filter_map(|path| path.strip_prefix("learners/").map(ToOwned::to_owned));
        ids.filter(|id| number(id).is_some()).collect()
    }
}

/// The number of a row; `None` for an id that no row has.
fn number(id: &str) -> Option<u32> {
    id.strip_prefix("id")?.parse().ok()
}

impl State {
    fn respond(&mut self, path: &str, query: &[(String, String)], token: usize) -> (u16, Value) {
        let cursor = query.iter().find(|(name, _)| name == "cursor");
        let start: usize = cursor.map_or(0, |(_, cursor)| cursor.parse().unwrap());
        if path != "oauth/token" && self.revoked_at.remove(&start) {
            self.revoked = token;
        }
        match path.split_once('/') {
            Some(("oauth", "token")) => {
                self.tokens += 1;
                let token = format!("t{}", self.tokens);
                (200, json!({"access_token": token, "expires_in": 3600}))
            }
            _ if token <= self.revoked => (401, json!({})),
            Some(("oauth", _)) => {
                let tid = self.tids.get(token - 1).map(|tid| (*tid).to_owned());
                (200, json!({"tid": tid.or_else(|| self.tid.clone())}))
            }
            Some((_, id)) => match self.revoked_by_lookups {
                Some(0) => {
                    (self.revoked_by_lookups, self.revoked) = (None, token);
                    (401, json!({}))
                }
                left => {
                    self.revoked_by_lookups = left.map(|left| left - 1);
                    self.object(id)
                }
            },
            None => (200, self.page(start)),
        }
    }

    fn object(&mut self, id: &str) -> (u16, Value) {
        if let Some((left, status, body)) = &mut self.outage {
            match (*left, &mut self.passing) {
                (0, None) => return (*status, body.clone()),
                (0, Some((0, _))) => {}
                (0, Some((lasts, content_type))) => {
                    *lasts -= 1;
                    self.content_type = Some(content_type);
                    return (*status, body.clone());
                }
                _ => *left -= 1,
            }
        }
        if let Some(status) = self.by_id {
            return (status, json!({}));
        }
        let Some(number) = number(id) else {
            return (404, json!({}));
        };
        let found = [&self.unlisted, &self.kept].map(|set| set.contains(&number));
        match found {
            [_, true] => (200, json!({"id": id, "deleted": true})),
            [true, _] => (200, json!({"id": id})),
            _ if self.rows.contains(&number) => (200, json!({"id": id})),
            _ => (404, json!({})),
        }
    }

    fn page(&mut self, start: usize) -> Value {
        let listed = self.rows.iter();
        let listed: Vec<u32> = listed
            .filter(|row| !self.unlisted.contains(row))
            .copied()
            .collect();
        let items = listed.iter().skip(start).take(PAGE);
        let items: Vec<Value> = items
            .map(|row| json!({"id": format!("id{row}"), "user": format!("id{row}"), "course": "c"}))
            .collect();
        if start / PAGE == 2
            && let Some(gone) = self.deleted_meanwhile.pop()
        {
            self.rows.retain(|row| *row != gone);
        }
        let next = start + PAGE;
        json!({
            "items": items,
            "number_found": (!self.uncounted).then(|| listed.len().to_string()),
            "more": next < listed.len(),
            "next_cursor": next.to_string(),
        })
    }
}

impl HttpClient for Tenant {
    fn send(&self, request: reqwest::Request) -> HttpFuture<'_> {
        let path = request.url().path().trim_start_matches("/api/v1/");
        let query: Vec<_> = request.url().query_pairs().into_owned().collect();
        let mut state = self.state();
        state.requests.push(path.to_owned());
        if state
            .down_from
            .is_some_and(|first| state.requests.iter().any(|path| path == first))
        {
            return Box::pin(async { Err(HttpError::new(HttpFailure::Connect, "refused")) });
        }
        let asked = state
            .requests
            .iter()
            .filter(|asked| **asked == path)
            .count();
        if asked > 1 && state.silent == Some(path) {
            return Box::pin(std::future::pending());
        }
        let token = request.headers().get("authorization");
        let token = token.and_then(|token| token.to_str().ok()?.strip_prefix("Bearer t"));
        let token = token.map_or(0, |token| token.parse().unwrap());
        let waits = path == "oauth/me" && std::mem::take(&mut state.replaced_meanwhile);
        let (status, body) = state.respond(path, &query, token);
        if waits {
            state.revoked = token;
        }
        let response = http::Response::builder()
            .status(status)
            .header(
                "content-type",
                state.content_type.take().unwrap_or("application/json"),
            )
            .body(body.to_string())
            .unwrap();
        let tenant = self.clone();
        Box::pin(async move {
            while waits && tenant.state().tokens == token {
                tokio::task::yield_now().await;
            }
            Ok(response.into())
        })
    }
}
