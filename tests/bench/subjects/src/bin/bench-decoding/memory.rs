//! An `HttpClient` that returns a page from memory, so that no network is measured.

use bytes::Bytes;
use lms_ext::http::{HttpClient, HttpFuture};
use reqwest::Request;

#[derive(Debug)]
pub(crate) struct Memory(Bytes);

impl Memory {
    pub(crate) fn new(page: Bytes) -> Self {
        Self(page)
    }
}

impl HttpClient for Memory {
    fn send(&self, _: Request) -> HttpFuture<'_> {
        let response = http::Response::new(self.0.clone());
        Box::pin(async { Ok(response.into()) })
    }
}
