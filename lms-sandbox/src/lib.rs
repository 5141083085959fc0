#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod api;
mod app;
mod clock;
mod demo;
mod error;
mod faults;
mod journal;
mod rng;
mod sandbox;
mod seed;
mod server;
mod service;
mod store;
mod tokens;

pub use self::api::example::{DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, Example};
pub use self::api::operation::Operation;
pub use self::clock::Clock;
pub use self::demo::Population;
pub use self::error::SandboxError;
pub use self::faults::{
    BadJson, DropPoint, Effect, ErrorBody, FaultPlan, FaultRule, Faults, RetryAfter,
};
pub use self::journal::RequestRecord;
pub use self::sandbox::{Sandbox, SandboxBuilder};
pub use self::seed::Seed;
pub use serde_json::{Value, json};

#[cfg(test)]
mod tests;
