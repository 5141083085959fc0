//! The functions of `metrics.rs` without the feature `metrics`: nothing is recorded.

use std::time::Duration;

use reqwest::Request;
use tokio::time::Instant;

use crate::{error::Error, values::OperationInfo};

pub(super) fn attempt(
    _: &OperationInfo,
    _: &Request,
    _: u32,
    _: Result<u16, &Error>,
    _: bool,
    _: Instant,
) {
}

pub(super) fn call(_: &OperationInfo, _: Result<u16, &Error>, _: bool, _: Instant) {}

pub(crate) fn waited(_: &str, _: Duration) {}

pub(crate) fn token() {}

pub(crate) fn items(_: &OperationInfo, _: usize) {}

pub(super) fn throttled_rate(_: &Request, _: impl FnOnce() -> Option<f64>) {}
