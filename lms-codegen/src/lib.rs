#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ast;
mod build_script;
mod document;
mod error;
mod fixups;
mod formats;
mod json_schema;
mod lenient;
mod lists;
mod locate;
mod lower;
mod openapi;
mod output;
mod types;
mod typify_names;
mod validate;

pub use build_script::{GeneratedFile, build_script};
pub use document::{Body, Document, Operation, Parameter, ParameterLocation, Response};
pub use error::Error;
pub use output::{client, collections, command_schemas, commands, openapi_json, sandbox};
