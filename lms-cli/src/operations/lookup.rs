//! Finds commands, their operations and their fields in the table.

use lms_ext::{OPERATIONS, OperationInfo};
use lms_plan::column_key;

pub(crate) use super::generated::{COMMANDS, SECRETS};
use super::table::{Command, Field};

/// The command of these words.
pub(crate) fn find(resource: &str, verb: &str) -> Option<&'static Command> {
    let mut commands = COMMANDS.iter();
    commands.find(|command| command.resource == resource && command.verb == verb)
}

/// The command of this name, such as `courses list`.
pub(crate) fn named(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name() == name)
}

/// The command of an operation.
pub(crate) fn of_operation(id: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.operation == id)
}

/// The operation of a command.
pub(crate) fn operation(command: &Command) -> Option<&'static OperationInfo> {
    let mut operations = OPERATIONS.iter();
    operations.find(|known| known.id == command.operation)
}

/// Returns `true` if a command changes something.
pub(crate) fn is_write(command: &Command) -> bool {
    operation(command).is_some_and(|operation| !operation.is_read())
}

/// Returns `true` if a command removes objects, which is confirmed.
pub(crate) fn is_removal(command: &Command) -> bool {
    operation(command).is_some_and(|operation| operation.method.as_str() == "DELETE")
}

/// The fields of the body that can be set: not those of the path.
pub(crate) fn body_fields(command: &'static Command) -> impl Iterator<Item = &'static Field> {
    let fields = command.body.map_or(&[][..], |schema| schema.fields);
    fields.iter().filter(|field| {
        let mut path = command.path.iter();
        path.all(|parameter| parameter.name != field.name)
    })
}

/// The text in place of a secret.
pub(crate) const HIDDEN: &str = "<hidden>";

/// Returns `true` if a field of this name is a secret in any object.
pub(crate) fn is_secret(name: &str) -> bool {
    SECRETS
        .iter()
        .any(|secret| secret.eq_ignore_ascii_case(name))
}

/// Returns `true` if a column of a file has the name of such a field.
pub(crate) fn is_secret_column(name: &str) -> bool {
    let name = column_key(name);
    SECRETS.iter().any(|secret| column_key(secret) == name)
}
