//! The state of a tenant: its learners, courses and enrolments, read completely.
//!
//! A learner who is missing in a partial list would be added a second time, so a list that is not complete is an error.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use jiff::Timestamp;
use lms_ext::Lms;
use lms_sync::{
    CompletenessRecord, Extract, Row, Value, age_of, collection, mirror::Mirror, tenant_id,
};

use crate::{
    error::{Error, ErrorKind},
    mapping::FIELDS,
    names::{Object, Objects, Unresolved},
};

/// The collections that an import reads.
const COLLECTIONS: [&str; 3] = ["courses", "learners", "enrolments"];

/// A learner.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learner {
    pub(crate) id: String,
    /// The fields that have a value, by name.
    pub(crate) fields: Vec<(&'static str, String)>,
    pub(crate) tags: Vec<String>,
    pub(crate) is_admin: bool,
    /// Archived or deleted.
    pub(crate) is_closed: bool,
}

impl Learner {
    pub(crate) fn field(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, text)| text.as_str())
    }
}

/// The state of a tenant at a time.
#[derive(Debug, Default)]
pub struct Tenant {
    pub(crate) id: String,
    pub(crate) base_url: String,
    /// The time at which reading began, or at which the oldest collection of a mirror was read.
    pub(crate) read_at: Timestamp,
    pub(crate) learners: HashMap<String, Learner>,
    /// The courses of each learner.
    pub(crate) enrolments: HashMap<String, BTreeSet<String>>,
    pub(crate) courses: Objects,
}

impl Tenant {
    /// Reads the lists of a tenant.
    ///
    /// # Errors
    ///
    /// [`Tenant`](ErrorKind::Tenant) when a request fails, and [`Incomplete`](ErrorKind::Incomplete) when a list is not
    /// complete, or changed while it was read.
    pub async fn read(lms: &Lms) -> Result<Self, Error> {
        let mut tenant = Self {
            id: tenant_id(lms).await?,
            base_url: lms.base_url().to_owned(),
            read_at: Timestamp::now(),
            ..Self::default()
        };
        for collection in COLLECTIONS.into_iter().filter_map(collection) {
            let mut extract = Extract::new(lms, collection);
            while let Some(batch) = extract.next_batch().await? {
                batch.rows.iter().for_each(|row| tenant.add(row));
            }
            check(&extract.record())?;
        }
        Ok(tenant)
    }

    /// Reads a mirror, whose collections were read less than `max_age` ago.
    ///
    /// # Errors
    ///
    /// [`Incomplete`](ErrorKind::Incomplete) when a collection is missing, not complete or older, and
    /// [`Ledger`](ErrorKind::Ledger) when the mirror cannot be read.
    pub fn of_mirror(mirror: &Mirror, max_age: Duration) -> Result<Self, Error> {
        // Records and rows of the same moment, although another run may publish meanwhile.
        mirror.read(|mirror| {
            let mut tenant = match Self::of_records(&mirror.records()?, max_age) {
                Ok(tenant) => tenant,
                refused => return Ok(refused),
            };
            for collection in COLLECTIONS.into_iter().filter_map(collection) {
                mirror.visit_rows(collection, &mut |row| tenant.add(&row))?;
            }
            Ok(Ok(tenant))
        })?
    }

    /// A tenant without rows, whose collections have these records.
    fn of_records(records: &[CompletenessRecord], max_age: Duration) -> Result<Self, Error> {
        let mut tenant = Self {
            read_at: Timestamp::now(),
            ..Self::default()
        };
        for name in COLLECTIONS {
            let record = records.iter().find(|record| record.collection == name);
            let record = record.ok_or_else(|| {
                let all = COLLECTIONS.join(",");
                incomplete(format!(
                    "the mirror does not have {name}; run `lms mirror {all} --to …`"
                ))
            })?;
            check(record)?;
            if !record.filters.is_empty() {
                return Err(incomplete(format!(
                    "the mirror has only a part of {name}; mirror it without filters"
                )));
            }
            let began: Timestamp = record.began.parse().map_err(|_| {
                incomplete(format!("the time at which {name} was read is not known"))
            })?;
            let age = age_of(&record.began).ok_or_else(|| {
                incomplete(format!("the mirror read {name} at {began}, in the future: a clock is wrong; run `lms mirror` again"))
            })?;
            if age > max_age {
                return Err(incomplete(format!(
                    "the mirror read {name} {} ago, which is more than the allowed {}; run `lms mirror` again",
                    humantime::format_duration(Duration::from_secs(age.as_secs())),
                    humantime::format_duration(max_age),
                )));
            }
            tenant.base_url.clone_from(&record.tenant);
            tenant.id = record.tenant_id.as_ref().unwrap_or(&record.tenant).clone();
            tenant.read_at = tenant.read_at.min(began);
        }
        Ok(tenant)
    }

    /// The identity of the tenant.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    fn add(&mut self, row: &Row) {
        let text = |column: &str| match row.get(column) {
            Some(Value::Text(text)) => text.clone(),
            _ => String::new(),
        };
        let flag = |column: &str| matches!(row.get(column), Some(Value::Boolean(true)));
        match row.collection().name {
            "courses" => {
                let mut course = Object::new(text("id"), vec![("name", text("name"))]);
                (course.archived, course.deleted) = (flag("archived"), flag("deleted"));
                self.courses.add(course);
            }
            "learners" => {
                let fields = FIELDS.map(|(name, _)| (name, text(name))).into_iter();
                let learner = Learner {
                    id: text("id"),
                    fields: fields.filter(|(_, text)| !text.is_empty()).collect(),
                    tags: match row.get("tags") {
                        Some(Value::Json(json)) => serde_json::from_str(json).unwrap_or_default(),
                        _ => Vec::new(),
                    },
                    is_admin: flag("is_admin"),
                    is_closed: flag("archived") || flag("deleted"),
                };
                self.learners.insert(learner.id.clone(), learner);
            }
            _ => {
                let courses = self.enrolments.entry(text("user")).or_default();
                courses.insert(text("course"));
            }
        }
    }

    /// The id and the name of the course with this id or name.
    ///
    /// # Errors
    ///
    /// [`NotFound`](ErrorKind::NotFound), with the nearest names, if there is none, and [`Usage`](ErrorKind::Usage) if
    /// several have the name.
    pub(crate) fn course(&self, wanted: &str) -> Result<(String, String), Error> {
        let found = self.courses.find_or_propose(wanted);
        let course = found.map_err(|unresolved| {
            let kind = match unresolved {
                Unresolved::None(_) => ErrorKind::NotFound,
                Unresolved::Several(_) => ErrorKind::Usage,
            };
            Error::new(kind, unresolved.message("course", wanted))
        })?;
        Ok((course.id.clone(), self.course_name(&course.id).to_owned()))
    }

    /// The name of a course, or its id.
    pub(crate) fn course_name<'a>(&'a self, id: &'a str) -> &'a str {
        let found = self.courses.get(id).and_then(|course| course.text("name"));
        found.unwrap_or(id)
    }
}

fn incomplete(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Incomplete, message)
}

fn check(record: &CompletenessRecord) -> Result<(), Error> {
    if record.is_complete() {
        return Ok(());
    }
    let (name, because) = (&record.collection, record.because.join("; "));
    Err(incomplete(format!(
        "{name} is not complete: {because}; a plan needs the whole tenant, so run the command again"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_collections_have_the_columns_that_are_read() {
        let has = |collection: &lms_sync::Collection, name: &str| {
            collection.columns.iter().any(|column| column.name == name)
        };
        let [courses, learners, enrolments] = COLLECTIONS.map(|name| collection(name).unwrap());
        assert!(["id", "name"].iter().all(|name| has(courses, name)));
        assert!(["user", "course"].iter().all(|name| has(enrolments, name)));
        let own = ["id", "tags", "is_admin", "archived", "deleted"];
        assert!(
            own.iter()
                .chain(&FIELDS.map(|(name, _)| name))
                .all(|name| has(learners, name))
        );
    }
}
