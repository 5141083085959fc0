//! The paths and operations that a document may have.

use std::collections::BTreeMap;

use super::{
    bodies::{content, responses},
    node::Node,
    parameters::parameters,
};
use crate::{error::Error, openapi::METHODS, typify_names::field_name};

pub(super) fn paths(paths: &Node<'_>) -> Result<(), Error> {
    let mut methods = BTreeMap::new();
    for (path, item) in paths.entries()? {
        if !path.starts_with('/') {
            return Err(item.error(format!("a path starts with `/`: write `/{path}`")));
        }
        if path.contains(['?', '#']) {
            return Err(
                item.error("a path has no `?` or `#`; declare query parameters under `parameters`")
            );
        }
        item.entries()?;
        if let Some(reference) = item.get("$ref") {
            return Err(reference.error("a path cannot be a reference; write the operations here"));
        }
        own_servers(&item)?;
        if let Some(operation) = ["options", "trace"]
            .iter()
            .find_map(|method| item.get(method))
        {
            return Err(operation.error("the client does not send this method; leave it out"));
        }
        for operation in METHODS.iter().filter_map(|method| item.get(method)) {
            operation.entries()?;
            own_servers(&operation)?;
            let name = method_name(&operation)?;
            if let Some(other) = methods.insert(name.clone(), operation.location.clone()) {
                return Err(operation.error_at(
                    "operationId",
                    format!("the method `{name}` would have the same name as that of {other}; choose another id"),
                ));
            }
            parameters(path, &item, &operation)?;
            if let Some(body) = operation.get("requestBody") {
                content(&body.resolved(), "request body")?;
            }
            responses(&operation)?;
        }
    }
    Ok(())
}

/// A client has one base URL.
fn own_servers(of: &Node<'_>) -> Result<(), Error> {
    match of.get("servers") {
        Some(servers) if of.root.get("servers") != Some(servers.value) => Err(servers.error(
            "all requests go to one base URL; leave the servers out, and write another document for another server",
        )),
        _ => Ok(()),
    }
}

fn method_name(operation: &Node<'_>) -> Result<String, Error> {
    let Some(id) = operation.text("operationId") else {
        return Err(operation.error_at(
            "operationId",
            "missing; add an id, which becomes the name of the Rust method",
        ));
    };
    Ok(field_name(id))
}
