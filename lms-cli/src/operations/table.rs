//! The entries of the table of commands. `generated.rs` has the table.

/// The command of an operation.
#[derive(Debug)]
pub(crate) struct Command {
    /// The word before the verb, such as `courses`; empty for a command of one word.
    pub(crate) resource: &'static str,
    /// Description of the resource.
    pub(crate) about: &'static str,
    /// The last word, such as `list`.
    pub(crate) verb: &'static str,
    /// The id in the table of operations of `lms-ext`, such as `list_courses`.
    pub(crate) operation: &'static str,
    /// One line.
    pub(crate) summary: &'static str,
    /// A paragraph.
    pub(crate) description: &'static str,
    /// The parameters of the path, which are positional arguments.
    pub(crate) path: &'static [Field],
    /// The parameters of the query, except those that pagination sets.
    pub(crate) query: &'static [Field],
    /// Names of the fields of the body that are positional arguments.
    pub(crate) positional: &'static [&'static str],
    /// The request body.
    pub(crate) body: Option<&'static Schema>,
    /// The output of the command.
    pub(crate) output: Output,
}

/// The output of a command.
#[derive(Debug)]
pub(crate) enum Output {
    Nothing,
    Object(&'static Schema),
    List {
        item: &'static Schema,
        /// `true` if the list has pages.
        pages: bool,
    },
}

impl Output {
    /// The schema of the object, or of an item of the list.
    pub(crate) fn schema(&self) -> Option<&'static Schema> {
        match self {
            Self::Nothing => None,
            Self::Object(schema) | Self::List { item: schema, .. } => Some(schema),
        }
    }
}

/// An object of the service.
#[derive(Debug)]
pub(crate) struct Schema {
    /// The name in the document; empty for a value without one.
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [Field],
}

/// A parameter, or a field of an object.
#[derive(Debug)]
pub(crate) struct Field {
    /// The name in the API.
    pub(crate) name: &'static str,
    /// The name of the option, without dashes. An array has the singular, because the option is repeated.
    pub(crate) flag: &'static str,
    /// Description; empty if the document has none.
    pub(crate) about: &'static str,
    pub(crate) kind: Kind,
    /// `true` if it is an array.
    pub(crate) list: bool,
    pub(crate) required: bool,
    /// `true` if it must not be an argument, where other users see it, nor be printed.
    pub(crate) secret: bool,
    /// The allowed values; empty for any.
    pub(crate) values: &'static [&'static str],
}

/// The type of a field, or of an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// The id of an object, with its format in the document, such as `learner-id`.
    Id(&'static str),
    /// An integer of 64 bits, sent as a string.
    Integer,
    Number,
    Boolean,
    Timestamp,
    /// An object.
    Json,
}

impl Command {
    /// The words of the command, such as `courses list`.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.resource, self.verb).trim().to_owned()
    }
}
