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
            list(&content(&response, "response")?)?;
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

/// The page of a list has a name, and an object in it: exports and commands are about schemas with a name.
fn list(schema: &Node<'_>) -> Result<(), Error> {
    let properties = schema.clone().resolved().get("properties");
    let items = properties
        .and_then(|of| of.get("items"))
        .map(Node::resolved);
    let Some(item) = items.and_then(|items| items.get("items")) else {
        return Ok(());
    };
    let unnamed = match schema.get("$ref") {
        None => Some(schema),
        Some(_) => Some(&item).filter(|item| item.get("properties").is_some()),
    };
    let reason =
        "a list and its objects have names; move this to `components.schemas`, and refer to it";
    unnamed.map_or(Ok(()), |of| Err(of.error(reason)))
}

/// The schema of a body.
pub(super) fn content<'a>(holder: &Node<'a>, what: &str) -> Result<Node<'a>, Error> {
    let reason = format!("the content of a {what} must be `{JSON}`; add it");
    let content = holder.require("content", &*reason)?;
    content.entries()?;
    let Some(media) = json_content(holder.value).and_then(|(name, _)| content.get(name)) else {
        return Err(content.error(reason));
    };
    let content = media.require("schema", format!("the {what} has no type; add a schema"))?;
    schema(&content)?;
    Ok(content)
}
