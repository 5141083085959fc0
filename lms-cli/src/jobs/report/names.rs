//! Parameters that name an object in the mirror, such as a course.
//!
//! With a name that no object has, a report has no rows, and reads as if nothing was overdue. So each name is looked up first.

use lms_sync::{
    ColumnKind, Value, collections,
    mirror::{MirrorReader, Query},
};

use crate::failure::Failure;

/// A kind of object that a parameter names. Upper and lower case count as the same, except in a tag and an id.
#[derive(Debug)]
pub(crate) struct Named {
    /// The type in the header of a report.
    pub(super) word: &'static str,
    /// The collection that has the objects.
    pub(super) collection: &'static str,
    /// The filter of collections that selects the rows of one object.
    pub(super) filter: &'static str,
    noun: &'static str,
    /// The query for what the filter selects by, of the objects with the name `:name`.
    sql: &'static str,
}

pub(super) const LEARNER: Named = Named {
    word: "learner",
    collection: collections::LEARNERS,
    filter: "user",
    noun: "learner with the id, email address or username",
    sql: "SELECT id, _deleted_at IS NOT NULL AS deleted FROM learners \
          WHERE id = :name OR lower(trim(email)) = lower(:name) OR lower(trim(username)) = lower(:name)",
};

pub(super) const NAMED: [Named; 4] = [
    LEARNER,
    Named {
        word: "course",
        collection: collections::COURSES,
        filter: "course",
        noun: "course",
        sql: "SELECT id, _deleted_at IS NOT NULL AS deleted FROM courses WHERE id = :name OR lower(trim(name)) = lower(:name)",
    },
    Named {
        word: "tag",
        collection: collections::LEARNERS,
        filter: "tags",
        noun: "learner with the tag",
        sql: "SELECT :name AS id, _deleted_at IS NOT NULL AS deleted FROM learners l WHERE TRUE
            AND EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :name) -- sqlite
            AND CAST(l.tags AS JSONB) @> to_jsonb(:name) -- postgres",
    },
    Named {
        word: "field",
        collection: collections::USER_FIELDS,
        filter: "user_field",
        noun: "custom field",
        sql: "SELECT id, _deleted_at IS NOT NULL AS deleted FROM user_fields WHERE id = :name OR lower(trim(name)) = lower(:name)",
    },
];

/// The value that selects an object, and `true` if the object is deleted.
pub(super) type Found = (String, bool);

impl Named {
    /// The objects with a name; not found if there is none. A deleted object may have rows in a report.
    pub(super) fn find(
        &self,
        mirror: &mut MirrorReader<'_>,
        name: &str,
    ) -> Result<Vec<Found>, Failure> {
        let query = Query {
            sql: self.sql,
            parameters: &[(
                "name".to_owned(),
                ColumnKind::Text,
                Value::Text(name.into()),
            )],
            columns: &[
                ("id".to_owned(), ColumnKind::Text),
                ("deleted".to_owned(), ColumnKind::Boolean),
            ],
            order: &[],
        };
        let mut found = Vec::new();
        mirror.query(&query, &mut |row| {
            if let Ok([Value::Text(id), deleted]) = <[Value; 2]>::try_from(row) {
                found.push((id, deleted == Value::Boolean(true)));
            }
        })?;
        if !found.is_empty() {
            return Ok(found);
        }
        let failure = Failure::not_found(format!("there is no {} {name}", self.noun));
        Err(failure.advice("if it is new, run `lms mirror` again"))
    }
}
