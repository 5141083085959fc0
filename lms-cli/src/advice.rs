//! Advice that follows from the command: the help for a mistake in its arguments, and the command that lists objects for one that
//! was not found.

use crate::{
    exit::Exit,
    failure::Failure,
    operations::lookup::{find, of_operation},
    resolve::kind::Reference,
};

/// The failure of a command, such as `lms courses get`, with advice.
pub(crate) fn add(failure: Failure, command: &str) -> Failure {
    match failure.not_found_in() {
        None if failure.exit() == Exit::Usage => failure.or_help(command),
        None => failure,
        Some(operation) => failure.advice(where_to_look(operation)),
    }
}

fn where_to_look(operation: Option<&str>) -> String {
    let command = operation.and_then(of_operation);
    let Some(command) = command.filter(|command| !command.resource.is_empty()) else {
        return "check the path".to_owned();
    };
    let what = match command.path {
        [one] => match Reference::of_path(command, one) {
            Some(Reference { kind, .. }) => format!("id or the {}", kind.names()),
            None => one.name.replace('_', " "),
        },
        _ => "ids".to_owned(),
    };
    match find(command.resource, "list") {
        Some(list) => format!(
            "check the {what}; `lms {}` shows what there is",
            list.name()
        ),
        None => format!("check the {what}"),
    }
}
