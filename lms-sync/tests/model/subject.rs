//! The collections of the model: where their rows are served, and which fields are their key.

use serde_json::{Value, json};

/// A collection. There is one for each way in which the service can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A counted list whose items can be requested by id.
    Learners,
    /// A counted list whose items cannot.
    Enrolments,
    /// A list without a count.
    Completions,
    /// A list without a count and without pages.
    Tags,
    /// An object for each item of a list.
    CourseProgress,
    /// A list for each item of a list.
    Permissions,
    /// An object for each pair of items of two lists.
    Records,
    /// A counted list that exports read in parts, one for each item of another list.
    Parts,
    /// Enrolments in a mirror that also has the learners that they refer to.
    Children,
}

impl Subject {
    /// Those of all destinations.
    pub const ALL: [Self; 8] = [
        Self::Learners,
        Self::Enrolments,
        Self::Completions,
        Self::Tags,
        Self::CourseProgress,
        Self::Permissions,
        Self::Records,
        Self::Parts,
    ];

    /// The name of the collection.
    pub fn name(self) -> &'static str {
        match self {
            Self::Learners => "learners",
            Self::Enrolments | Self::Parts | Self::Children => "enrolments",
            Self::Completions => "course_completions",
            Self::Tags => "tags",
            Self::CourseProgress => "course_progress",
            Self::Permissions => "user_field_permissions",
            Self::Records => "records",
        }
    }

    /// The names of the collections that are read.
    pub fn collections(self) -> Vec<&'static str> {
        match self {
            Self::Children => vec!["learners", self.name()],
            _ => vec![self.name()],
        }
    }

    pub fn key(self) -> &'static [&'static str] {
        match self {
            Self::CourseProgress => &["course", "user"],
            Self::Permissions => &["user_field", "user"],
            Self::Records => &["user", "user_field"],
            _ => &["id"],
        }
    }

    /// The first list that is read.
    pub fn first(self) -> List {
        match self {
            Self::Learners | Self::Permissions | Self::Records => List::Learners,
            Self::Enrolments | Self::CourseProgress | Self::Children => List::Enrolments,
            Self::Completions => List::Completions,
            Self::Tags => List::Tags,
            Self::Parts => List::Whole,
        }
    }

    /// Returns `true` if calls are made for the items of a list.
    pub fn is_derived(self) -> bool {
        self.is_object() || self == Self::Permissions
    }

    /// Returns `true` if the object of each row can be requested.
    pub fn has_objects(self) -> bool {
        self == Self::Learners || self.is_object()
    }

    /// Returns `true` if an object is requested for each row.
    pub fn is_object(self) -> bool {
        matches!(self, Self::CourseProgress | Self::Records)
    }
}

/// A list of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum List {
    Learners,
    Enrolments,
    Completions,
    Tags,
    UserFields,
    Courses,
    /// The permissions of the learner with this number.
    Permissions(u16),
    /// The enrolments that are read in parts.
    Whole,
    /// Those of the course with this number.
    Part(u16),
}

impl List {
    /// Returns `true` if its pages have `number_found`.
    pub fn is_counted(self) -> bool {
        !matches!(self, Self::Completions | Self::Tags)
    }

    pub fn is_paged(self) -> bool {
        self != Self::Tags
    }

    /// The fields that tell its items apart.
    pub fn key(self) -> &'static [&'static str] {
        match self {
            Self::Permissions(_) => Subject::Permissions.key(),
            _ => &["id"],
        }
    }

    /// The list of a request below `/api/v1`: its path, and the course that it asks for.
    pub fn at(subject: Subject, path: &[&str], course: Option<&str>) -> Option<Self> {
        Some(match path {
            ["learners"] => Self::Learners,
            ["enrolments"] if subject == Subject::Parts => match course {
                Some(course) => Self::Part(course.strip_prefix('c')?.parse().ok()?),
                None => Self::Whole,
            },
            ["enrolments"] => Self::Enrolments,
            ["courses"] => Self::Courses,
            ["course_completions"] => Self::Completions,
            ["tags"] => Self::Tags,
            ["user_fields"] => Self::UserFields,
            ["users", user, "user_field_permissions"] => {
                Self::Permissions(user.strip_prefix('u')?.parse().ok()?)
            }
            _ => return None,
        })
    }

    /// The item with this number.
    pub fn item(self, number: u16, version: u32) -> Value {
        let (course, user) = (format!("c{number}"), format!("u{number}"));
        match self {
            Self::Learners => json!({"id": user, "firstname": "Jo", "v": version}),
            Self::Enrolments => {
                json!({"id": format!("e{number}"), "course": course, "user": user, "v": version})
            }
            Self::Completions => {
                json!({"id": format!("p{number}"), "course": course, "user": user, "v": version})
            }
            Self::Tags => json!({"id": format!("t{number}"), "name": "red", "v": version}),
            Self::Courses => json!({"id": course, "name": "Safety", "v": version}),
            Self::Whole | Self::Part(_) => {
                json!({"id": format!("e{number}"), "course": format!("c{}", part_of(number)), "user": user, "v": version})
            }
            Self::UserFields => json!({"id": format!("f{number}"), "name": "Badge", "v": version}),
            Self::Permissions(user) => {
                json!({"user_field": format!("f{number}"), "user": format!("u{user}"), "v": version})
            }
        }
    }
}

/// The number of the course of an enrolment that is read in parts.
pub fn part_of(number: u16) -> u16 {
    number % 3 + 1
}

/// The key of an item, as rows have it; `None` if a field is not text or is blank.
pub fn key_of(fields: &[&str], item: &Value) -> Option<String> {
    let texts = fields.iter().map(|field| {
        let text = item.get(field)?.as_str()?;
        (!text.trim().is_empty()).then_some(text)
    });
    Some(texts.collect::<Option<Vec<_>>>()?.join("\n"))
}
