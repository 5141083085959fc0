//! Every operation that reads, from the generated table, so that none can be absent.

use std::collections::BTreeMap;

use lms_ext::{OPERATIONS, OperationInfo, prelude::*};
use reqwest::Method;
use serde_json::Value;

use super::{
    claim::{Claim, found},
    world::World,
};

/// The value of a path parameter, except for ids of kinds that only reads have.
fn parameter<'a>(world: &'a World, path: &str, name: &str) -> Option<&'a str> {
    Some(match (path.split('/').nth(1), name) {
        (_, "email") => &world.email,
        (_, "user") | (Some("learners"), "id") => &world.learners[2],
        (_, "course") | (Some("courses"), "id") => &world.courses[1],
        (_, "topic") | (Some("topics"), "id") => &world.topics[1],
        (_, "user_field") | (Some("user_fields"), "id") => &world.user_field,
        _ => return world.other_ids.get(path).map(String::as_str),
    })
}

/// The other ids, by the paths that need them: those of the first items of the lists that precede them in the path.
pub async fn other_ids(world: &World) -> BTreeMap<&'static str, String> {
    let mut ids = BTreeMap::new();
    for operation in OPERATIONS.iter().filter(|operation| is_called(operation)) {
        let mut names = operation.path_parameters.iter();
        if names.all(|name| parameter(world, operation.path, name).is_some()) {
            continue;
        }
        let (list, _) = operation.path.split_once("/{").unwrap();
        let list = world.direct.raw(Method::GET, list).unwrap();
        let list = list.call_as::<Value>().await.unwrap().value;
        let id = list["items"][0]["id"].as_str().unwrap();
        ids.insert(operation.path, id.to_owned());
    }
    ids
}

/// Reading the state of a copy advances it; `duplicate_course` does that.
fn is_called(operation: &OperationInfo) -> bool {
    operation.is_read() && !operation.path.starts_with("/duplicate_courses")
}

/// The identity of an object, whatever the service adds to it or leaves out.
fn identity(object: &Value) -> String {
    let keys = ["id", "tid", "user", "course", "topic", "user_field", "name"];
    let texts = keys.iter().filter_map(|key| object[*key].as_str());
    texts.collect::<Vec<_>>().join(" ")
}

/// The identity of a response and of its items; a shorter page of a list has fewer items.
fn essence(response: &Value) -> (String, Vec<String>) {
    let items = response["items"].as_array();
    let items = items.into_iter().flatten().map(identity).collect();
    (identity(response), items)
}

async fn read(
    lms: &Lms,
    world: &World,
    operation: &'static OperationInfo,
) -> Result<(String, Vec<String>), Error> {
    let names = operation.path_parameters.iter();
    let values: Vec<_> = names
        .filter_map(|name| parameter(world, operation.path, name))
        .collect();
    let request = lms.raw_operation(operation, &values)?;
    let response = request.call_as::<Value>().await?;
    Ok(essence(&response.value))
}

/// Reads with every operation.
pub async fn every(lms: Lms, world: &World) -> Claim {
    let mut claim = Claim::default();
    let mut came = Vec::new();
    for operation in OPERATIONS.iter().filter(|operation| is_called(operation)) {
        came.push((operation, read(&lms, world, operation).await));
    }
    for (operation, came) in came {
        let expected = read(world.undisturbed(), world, operation).await.unwrap();
        let came = came.map(|(of, items)| {
            let shorter = expected.1.starts_with(&items);
            (of, if shorter { expected.1.clone() } else { items })
        });
        claim = claim.and(found(came, &expected));
    }
    claim
}
