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
    /// The rows that are deleted after the third page of a list, one in each of the next readings.
    pub deleted_meanwhile: Vec<u32>,
    /// `true` if lists do not count their rows.
    pub uncounted: bool,
    /// The paths that were asked for, with queries.
    pub requests: Vec<String>,
    pub tid: Option<String>,
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

    /// The ids that were asked for since the last call.
    pub fn take_lookups(&self) -> Vec<String> {
        let requests = std::mem::take(&mut self.state().requests);
        let ids = requests.iter();
        ids.filter_map(|path| path.strip_prefix("learners/").map(ToOwned::to_owned))
            .collect()
    }
}

impl State {
    fn respond(&mut self, path: &str, query: &[(String, String)]) -> (u16, Value) {
        match path.split_once('/') {
            Some(("oauth", "token")) => (200, json!({"access_token": "t", "expires_in": 3600})),
            Some(("oauth", _)) => (200, json!({"tid": self.tid})),
            Some((_, id)) => self.object(id),
            None => (200, self.page(query)),
        }
    }

    fn object(&self, id: &str) -> (u16, Value) {
        let number: u32 = id.strip_prefix("id").unwrap().parse().unwrap();
        let found = [&self.unlisted, &self.kept].map(|set| set.contains(&number));
        match self.by_id {
            Some(status) => (status, json!({})),
            None if found[1] => (200, json!({"id": id, "deleted": true})),
            None if found[0] || self.rows.contains(&number) => (200, json!({"id": id})),
            None => (404, json!({})),
        }
    }

    fn page(&mut self, query: &[(String, String)]) -> Value {
        let cursor = query.iter().find(|(name, _)| name == "cursor");
        let start: usize = cursor.map_or(0, |(_, cursor)| cursor.parse().unwrap());
        let listed = self.rows.iter();
        let listed: Vec<u32> = listed
            .filter(|row| !self.unlisted.contains(row))
            .copied()
            .collect();
        let items = listed.iter().skip(start).take(PAGE);
        let items: Vec<Value> = items
            .map(|row| json!({"id": format!("id{row}"), "user": format!("u{row}"), "course": "c"}))
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
        let (status, body) = state.respond(path, &query);
        let response = http::Response::builder()
            .status(status)
            .header("content-type", "application/json")
            .body(body.to_string())
            .unwrap();
        Box::pin(async move { Ok(response.into()) })
    }
}
