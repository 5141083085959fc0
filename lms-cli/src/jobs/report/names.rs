//! Parameters that name an object in the mirror, such as a course.
//!
//! With a name that no object has, a report has no rows, and reads as if nothing was overdue. So each name is looked up first.

use lms_sync::{
    ColumnKind, Error, Value, collections,
    mirror::{MirrorReader, Query},
};

use crate::failure::Failure;

/// The kind of object that a parameter names. Upper and lower case count as the same, except in a tag and an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// By id or name.
    Course,
    /// By id, email address or username.
    Learner,
    /// A tag of a learner.
    Tag,
    /// A custom field, by id or name.
    Field,
}

impl Named {
    /// The collection that has the objects.
    pub(super) fn collection(self) -> &'static str {
        match self {
            Self::Course => collections::COURSES,
            Self::Learner | Self::Tag => collections::LEARNERS,
            Self::Field => collections::USER_FIELDS,
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Course => "course",
            Self::Learner => "learner",
            Self::Tag => "learner with the tag",
            Self::Field => "custom field",
        }
    }

    /// The query for the objects with the name `:name`. A deleted object may have rows in a report.
    fn sql(self) -> &'static str {
        match self {
            Self::Course => "SELECT id FROM courses WHERE id = :name OR lower(trim(name)) = lower(:name)",
            Self::Learner => {
                "SELECT id FROM learners \
                 WHERE id = :name OR lower(trim(email)) = lower(:name) OR lower(trim(username)) = lower(:name)"
            }
            Self::Tag => {
                "SELECT l.id FROM learners l WHERE TRUE
                 AND EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :name) -- sqlite
                 AND CAST(l.tags AS JSONB) @> to_jsonb(:name) -- postgres"
            }
            Self::Field => "SELECT id FROM user_fields WHERE id = :name OR lower(trim(name)) = lower(:name)",
        }
    }

    /// Fails with not found if no object in the mirror has the name.
    pub(super) fn check(
        self,
        mirror: &mut MirrorReader<'_>,
        name: &str,
    ) -> Result<Result<(), Failure>, Error> {
        let mut is_known = false;
        let query = Query {
            sql: self.sql(),
            parameters: &[(
                "name".to_owned(),
                ColumnKind::Text,
                Value::Text(name.into()),
            )],
            columns: &[("id".to_owned(), ColumnKind::Text)],
            order: &[],
        };
        mirror.query(&query, &mut |_| is_known = true)?;
        if is_known {
            return Ok(Ok(()));
        }
        let failure = Failure::not_found(format!("there is no {} {name}", self.noun()));
        Ok(Err(failure.advice("if it is new, run `lms mirror` again")))
    }
}
