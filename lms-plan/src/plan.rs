//! A plan: what is changed, in which object, from which value to which.
//!
//! It is data: code that reads, shows or applies a plan decides nothing.

use std::{collections::BTreeMap, fmt, io};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    error::{Error, ErrorKind},
    hash::{Hasher, sha256},
};

/// The version of the format.
const FORMAT: u32 = 1;

/// The text in place of a secret.
const HIDDEN: &str = "<hidden>";

/// A plan: the changes, each with the value that was seen and the new one. Its hash covers everything in it, so a plan that was
/// edited is refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Plan {
    /// The version of the format.
    pub format: u32,
    /// The SHA-256 of the plan without this field.
    pub hash: String,
    /// The purpose.
    pub purpose: Purpose,
    /// The identity of the tenant: its `tid`, or else its base URL.
    pub tenant: String,
    /// The base URL of the tenant.
    pub base_url: String,
    /// The time at which the tenant was read, in UTC.
    pub read_at: String,
    /// The file, or the run that is undone.
    pub input: Input,
    /// The number of people, by situation.
    pub situations: BTreeMap<Situation, usize>,
    /// The limits of the mapping that the plan exceeds, as sentences. Empty if it can be applied without approval.
    pub held: Vec<String>,
    /// The steps. Those of one person follow each other.
    pub steps: Vec<Step>,
    /// People about whom something has to be decided, or is left as it is.
    pub notes: Vec<Note>,
}

/// The purpose of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Purpose {
    /// An import from a file.
    #[default]
    Import,
    /// Undoing a run.
    Undo,
    /// A command for the rows of a file.
    Command,
}

/// The origin of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Input {
    /// The name of the file, or of the run.
    pub name: String,
    /// The SHA-256 of the file; empty for a run.
    pub sha256: String,
    /// The number of rows.
    pub rows: usize,
    /// The delimiter of the file if it is CSV.
    pub delimiter: Option<char>,
    /// `true` if rows of the file are written with a byte order mark.
    pub bom: bool,
    /// The columns, as names of the texts in `row` of a step.
    pub columns: Vec<String>,
    /// The SHA-256 of the mapping.
    pub mapping_sha256: String,
    /// The file with the results of a command.
    #[serde(skip)]
    pub results: String,
}

/// The situation of a person, as identity systems name it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Situation {
    /// The key is linked to a learner.
    Linked,
    /// There is one learner who matches; the link is an action.
    Unlinked,
    /// No learner matches.
    Unmatched,
    /// It cannot be told who it is: two learners for one person, an address that is linked elsewhere, an administrator.
    Disputed,
    /// The file says that the person is on leave.
    Away,
    /// The person had left, and is in the file again.
    Returned,
    /// A linked person is missing from the file, for less than `gone_after`.
    Waiting,
    /// A linked person is missing from the file, for `gone_after` or longer.
    Gone,
    /// The person is in the file, and not within the scope of the mapping.
    OutOfScope,
    /// The row is not valid.
    Invalid,
    /// A row for a command, which names the object itself.
    #[default]
    Named,
}

/// A step: one change of one object, or of the ledger alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// The number of the step.
    pub number: u32,
    /// The key of the person; empty if no link belongs to the step.
    pub key: String,
    /// The line in the file; 0 if the person is not in it.
    pub line: u64,
    /// The name of the person or the object. The texts of a row whose object has no name.
    pub name: String,
    /// The id of the learner; absent if the learner is added by the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learner: Option<String>,
    /// The situation of the person.
    pub situation: Situation,
    /// The change.
    #[serde(flatten)]
    pub action: Action,
    /// The texts of the row, with the first step of a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub row: Vec<String>,
}

/// A change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Action {
    /// Adds a learner.
    Create {
        /// The fields.
        fields: BTreeMap<String, String>,
        /// The tags.
        #[serde(default)]
        tags: Vec<String>,
        /// `true` if the service mails the learner.
        send_email: bool,
    },
    /// Links the key to a learner who exists. Sends nothing.
    Link {
        /// The field that matches.
        by: String,
        /// The values that the file and the tenant share, for later comparisons.
        fields: BTreeMap<String, String>,
    },
    /// Removes the link. Sends nothing.
    Unlink,
    /// Changes a learner or a course. Boxed, because it is larger than the others, of which a plan has many.
    Edit(Box<Edit>),
    /// Enrols a learner in a course.
    Enrol(Course),
    /// Ends an enrolment.
    Unenrol(Course),
    /// Notes that the person has left, after the other steps. Sends nothing.
    #[default]
    Leave,
    /// Notes that the person is there again. Sends nothing.
    Return,
    /// Any other change by a command. A plan has none.
    Command {
        /// The command.
        command: String,
        /// The id of the object; empty if it is not known.
        object: String,
        /// The fields; a value that is not a text is JSON.
        fields: Vec<FieldChange>,
    },
}

impl Action {
    /// Returns `true` if the step needs no request.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(
            self,
            Self::Link { .. } | Self::Unlink | Self::Leave | Self::Return
        )
    }

    /// The fields, tags and courses that change, for people.
    #[must_use]
    pub fn changes(&self) -> Vec<FieldChange> {
        let change = |field: &str, from: &str, to: &str| {
            FieldChange::new(field, from.to_owned(), to.to_owned())
        };
        match self {
            Self::Create { fields, tags, .. } => {
                let fields = fields.iter().map(|(field, to)| change(field, "", to));
                let tags = tags.iter().map(|tag| change("tag", "", tag));
                fields.chain(tags).collect()
            }
            Self::Edit(edit) => {
                let added = edit.add_tags.iter().map(|tag| change("tag", "", tag));
                let removed = edit.remove_tags.iter().map(|tag| change("tag", tag, ""));
                let enrolled = edit.enrolled.iter();
                let courses = enrolled.map(|(id, name)| Course::new(id, name).to_string());
                let courses = courses.map(|course| change("course", "", &course));
                let hidden = edit.hidden.iter().map(|field| change(field, "", HIDDEN));
                let fields = edit.fields.iter().cloned().chain(added).chain(removed);
                fields.chain(courses).chain(hidden).collect()
            }
            Self::Enrol(course) => vec![change("course", "", &course.to_string())],
            Self::Unenrol(course) => vec![change("course", &course.to_string(), "")],
            Self::Link { by, .. } => vec![change("link", "", &format!("found by {by}"))],
            Self::Command { fields, .. } => fields.clone(),
            other => vec![change(other.name(), "", "")],
        }
    }

    /// The name, as `action` in JSON, or the command.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Command { command, .. } => command,
            Self::Create { .. } => "create",
            Self::Link { .. } => "link",
            Self::Unlink => "unlink",
            Self::Edit(_) => "edit",
            Self::Enrol(_) => "enrol",
            Self::Unenrol(_) => "unenrol",
            Self::Leave => "leave",
            Self::Return => "return",
        }
    }
}

/// The course of an enrolment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Course {
    /// The id.
    pub course: String,
    /// The name.
    pub course_name: String,
}

impl Course {
    /// A course by its id and name.
    #[must_use]
    pub fn new(course: &str, course_name: &str) -> Self {
        Self {
            course: course.to_owned(),
            course_name: course_name.to_owned(),
        }
    }
}

impl fmt::Display for Course {
    /// The name with the id, such as `Fire safety (c1)`; the id alone if there is no name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.course_name {
            name if *name == self.course => f.write_str(name),
            name => write!(f, "{name} ({})", self.course),
        }
    }
}

/// A change of fields and tags.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edit {
    /// The id of the course; absent for an edit of the learner of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub course: Option<String>,
    /// The fields; a value that is not a text is JSON.
    #[serde(default)]
    pub fields: Vec<FieldChange>,
    /// Tags to add.
    #[serde(default)]
    pub add_tags: Vec<String>,
    /// Tags to remove.
    #[serde(default)]
    pub remove_tags: Vec<String>,
    /// The fields that must be as they were seen, besides those that change.
    #[serde(default)]
    pub seen: BTreeMap<String, String>,
    /// The courses in which a command has also enrolled the learner: name by id. A plan has none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub enrolled: BTreeMap<String, String>,
    /// Names of changed fields whose values are secret, and not recorded. A plan has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
}

impl Edit {
    /// The edit that restores the old values, except those of hidden fields.
    pub(crate) fn reversed(&self) -> Self {
        let fields = self.fields.iter();
        let back = fields
            .map(|change| FieldChange::new(&change.field, change.to.clone(), change.from.clone()));
        Self {
            course: self.course.clone(),
            fields: back.collect(),
            add_tags: self.remove_tags.clone(),
            remove_tags: self.add_tags.clone(),
            ..Self::default()
        }
    }

    /// Returns `true` if no field and no tag would change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.add_tags.is_empty() && self.remove_tags.is_empty()
    }
}

/// A field that changes. An empty text is no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FieldChange {
    /// The name of the field.
    pub field: String,
    /// The value that was seen.
    pub from: String,
    /// The new value.
    pub to: String,
}

impl FieldChange {
    /// A change of a field. An empty text is no value, or an old one that is not known.
    #[must_use]
    pub fn new(field: &str, from: String, to: String) -> Self {
        Self {
            field: field.to_owned(),
            from,
            to,
        }
    }

    /// A value as the text of a change: empty for no value and for an empty list, and JSON for one that is not a text.
    #[must_use]
    pub fn text(value: &Value) -> String {
        match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(list) if list.is_empty() => String::new(),
            value => value.to_string(),
        }
    }
}

impl Step {
    /// A note about the person or the object of the step.
    pub(crate) fn noted(&self, reason: String) -> Note {
        Note {
            key: self.key.clone(),
            line: self.line,
            name: self.name.clone(),
            situation: self.situation,
            reason,
        }
    }

    /// Returns `true` if a text of the row or of the fields is one of these.
    pub(crate) fn has_text(&self, is_it: impl Fn(&str) -> bool) -> bool {
        let changes = self.action.changes();
        let changes = changes.iter().flat_map(|change| [&change.from, &change.to]);
        let linked = match &self.action {
            Action::Link { fields, .. } => Some(fields),
            _ => None,
        };
        let linked = linked.into_iter().flat_map(BTreeMap::values);
        let mut texts = self.row.iter().chain(linked).chain(changes);
        texts.any(|text| is_it(text))
    }

    /// Returns `true` if both steps are about one person, or of one row.
    pub(crate) fn is_with(&self, other: &Self) -> bool {
        self.key == other.key && (!self.key.is_empty() || self.line == other.line)
    }
}

/// Something about a person that a plan does not change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// The key of the person; empty if the row has none.
    pub key: String,
    /// The line in the file; 0 if the person is not in it.
    pub line: u64,
    /// The name of the person.
    pub name: String,
    /// The situation.
    pub situation: Situation,
    /// The reason.
    pub reason: String,
}

/// The groups in which people count the steps of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Group {
    /// A learner or another object is added.
    Create,
    /// A learner is changed, linked or enrolled.
    Change,
    /// A learner leaves, or an object is removed.
    Leave,
}

impl Group {
    /// The name, as an option selects it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Change => "change",
            Self::Leave => "leave",
        }
    }

    /// All groups.
    pub const ALL: [Self; 3] = [Self::Create, Self::Change, Self::Leave];
}

impl Plan {
    /// The plan of a command with its options, as a person reads it, whose steps are the rows of a file. `rows` are all
    /// texts of the file, without secrets, and `results` is the path of the file with the results, empty if there is none;
    /// the hash covers the command and these. `file` is the content of the file, if it has no secrets.
    pub fn of_command<'a>(
        command: String,
        file: Option<&[u8]>,
        rows: impl Iterator<Item = &'a [String]>,
        results: String,
    ) -> Self {
        let mut all = vec![vec![command.clone(), results.clone()]];
        all.extend(rows.map(<[String]>::to_vec));
        // Texts always serialize.
        let hashed = serde_json::to_vec(&all).unwrap_or_default();
        let input = Input {
            name: command,
            sha256: file.map(sha256).unwrap_or_default(),
            rows: all.len() - 1,
            results,
            ..Input::default()
        };
        Self {
            hash: sha256(&hashed),
            purpose: Purpose::Command,
            input,
            ..Self::default()
        }
    }

    /// Numbers the steps, and sets the format and the hash.
    pub(crate) fn sealed(mut self) -> Result<Self, Error> {
        self.format = FORMAT;
        for (step, number) in self.steps.iter_mut().zip(1..) {
            step.number = number;
        }
        self.hash = self.computed()?;
        Ok(self)
    }

    /// The hash of a plan whose hash is empty.
    fn computed(&self) -> Result<String, Error> {
        let mut hasher = Hasher::default();
        serde_json::to_writer(&mut hasher, self)
            .map_err(|error| Error::usage(format!("the plan cannot be written: {error}")))?;
        Ok(hasher.digits())
    }

    /// Writes the plan as JSON.
    ///
    /// # Errors
    ///
    /// That of the writer.
    pub fn write(&self, to: impl io::Write) -> io::Result<()> {
        Ok(serde_json::to_writer_pretty(to, self)?)
    }

    /// Reads a plan.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if it is not a plan, of another version, or was changed since it was made.
    pub fn parse(json: &str) -> Result<Self, Error> {
        let mut plan: Self = serde_json::from_str(json).map_err(|error| {
            Error::usage(format!(
                "the file is not a plan of `lms import plan` or `lms undo`: {error}"
            ))
        })?;
        if plan.format != FORMAT {
            return Err(Error::usage(format!(
                "the plan has the format {}, and this version applies the format {FORMAT}",
                plan.format
            )));
        }
        let hash = std::mem::take(&mut plan.hash);
        if plan.computed()? != hash {
            return Err(Error::usage(
                "the plan was changed after it was made; run `lms import plan` again",
            ));
        }
        plan.hash = hash;
        Ok(plan)
    }

    /// Returns `true` if nothing would be changed, not even a link.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps of each person.
    pub fn people(&self) -> impl Iterator<Item = &[Step]> {
        self.steps.chunk_by(Step::is_with)
    }

    /// The number of people of a group.
    #[must_use]
    pub fn count(&self, group: Group) -> usize {
        self.people()
            .filter(|steps| group_of(steps) == group)
            .count()
    }

    /// The number of people whose data is as it should be.
    #[must_use]
    pub fn unchanged(&self) -> usize {
        let settled = [Situation::Linked, Situation::Unlinked, Situation::Returned];
        let people: usize = settled
            .iter()
            .filter_map(|situation| self.situations.get(situation))
            .sum();
        people.saturating_sub(self.count(Group::Change))
    }

    /// Fails if the plan is for another tenant than the one with this identity.
    ///
    /// # Errors
    ///
    /// [`OtherTenant`](ErrorKind::OtherTenant).
    pub fn check_tenant(&self, tenant: &str) -> Result<(), Error> {
        if tenant == self.tenant {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::OtherTenant,
            format!(
                "the plan is for the tenant {} at {}, and the credentials belong to {tenant}; use those of the plan's tenant",
                self.tenant, self.base_url
            ),
        ))
    }

    /// Fails if the plan is held, unless `approved` is its hash.
    ///
    /// # Errors
    ///
    /// [`Held`](ErrorKind::Held), with the limits.
    pub fn check_approval(&self, approved: Option<&str>) -> Result<(), Error> {
        match approved {
            Some(hash) if hash == self.hash => Ok(()),
            Some(hash) => Err(Error::new(
                ErrorKind::Held,
                format!(
                    "the plan has the hash {}, and {hash} was approved",
                    self.hash
                ),
            )),
            None if self.held.is_empty() => Ok(()),
            None => Err(Error::new(
                ErrorKind::Held,
                format!("the plan is held: {}", self.held.join("; ")),
            )),
        }
    }
}

/// The group of the steps of a person.
#[must_use]
pub fn group_of(steps: &[Step]) -> Group {
    let has = |wanted: fn(&Action) -> bool| steps.iter().any(|step| wanted(&step.action));
    if has(|action| match action {
        Action::Leave => true,
        Action::Command { command, .. } => command.ends_with(" rm"),
        _ => false,
    }) {
        Group::Leave
    } else if has(|action| match action {
        Action::Create { .. } => true,
        Action::Command { object, .. } => object.is_empty(),
        _ => false,
    }) {
        Group::Create
    } else {
        Group::Change
    }
}
