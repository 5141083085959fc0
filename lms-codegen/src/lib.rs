#![doc = include_str!("../README.md")]

mod ast;
mod build_script;
mod client;
mod collections;
mod commands;
mod document;
mod error;
mod fixups;
mod formats;
mod generator;
mod json;
mod lms_ext_needs;
mod locate;
mod mocks;
mod normalize;
mod openapi;
mod operations;
mod reference;
mod types;
mod typify_names;
mod validate;

pub use build_script::{GeneratedFile, build_script};
pub use client::client;
pub use collections::collections;
pub use commands::{command_schemas, commands};
pub use document::{Document, Operation, Parameter, ParameterLocation, Response};
pub use error::Error;
pub use json::{local_json, openapi_json};
pub use lms_ext_needs::check_for_lms_ext;
pub use mocks::mocks;
pub use reference::reference;
