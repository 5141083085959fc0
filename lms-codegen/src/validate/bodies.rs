//! The bodies that requests and responses may have.

use super::{node::Node, schema::schema};
use crate::{
    error::Error,
    openapi::{JSON, json_content},
};

pub(super) fn responses(operation: &Node<'_>) -> Result<(), Error> {
    let responses = operation.require(
        "responses",
        "missing; add a successful response such as \"200\"",
    )?;
    let mut first = None;
    for (status, response) in responses.entries()? {
        let valid = status == "default"
            || (status.len() == 3 && status.starts_with(|c: char| ('1'..='5').contains(&c)));
        if !valid {
            return Err(response.error("not an HTTP status; write one such as \"200\""));
        }
        if !status.starts_with('2') {
            continue;
        }
        let response = response.resolved();
        if response.get("content").is_some() {
            content(&response, "response")?;
        }
        let found = json_content(response.value).map(|(_, media)| &media["schema"]);
        match first {
            None => first = Some((status, found)),
            Some((_, known)) if known == found => {}
            Some((other, _)) => {
                return Err(response.error(format!(
                    "a method returns one type, and this content differs from that of {other}; declare one of them"
                )));
            }
        }
    }
    Ok(())
}

pub(super) fn content(holder: &Node<'_>, what: &str) -> Result<(), Error> {
    let reason = format!("the content of a {what} must be `{JSON}`; add it");
    let content = holder.require("content", &*reason)?;
    content.entries()?;
    let Some(media) = json_content(holder.value).and_then(|(name, _)| content.get(name)) else {
        return Err(content.error(reason));
    };
    schema(&media.require("schema", format!("the {what} has no type; add a schema"))?)
}
