#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ast;
mod build_script;
mod document;
mod enums;
mod error;
mod formats;
mod normalize;
mod openapi;
mod output;
mod raw;
mod types;
mod typify_names;
mod validate;

pub use build_script::{GeneratedFile, build_script};
pub use document::Document;
pub use error::Error;
pub use output::{collections, command_schemas, commands, facade, openapi_json, sandbox};
pub use raw::raw_client;
