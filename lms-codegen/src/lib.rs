#![doc = include_str!("../README.md")]

mod ast;
mod client;
mod document;
mod error;
mod fixups;
mod generator;
mod json;
mod mocks;
mod openapi;
mod operations;
mod optimize;
mod reference;
mod split_send;
mod validate;

pub use client::client;
pub use document::{Document, Operation, Parameter, ParameterLocation, Response};
pub use error::Error;
pub use json::{local_json, openapi_json};
pub use mocks::mocks;
pub use reference::reference;
