//! The kinds of objects in a mirror that a parameter names, such as a course.

use lms_sync::{
    ColumnKind, Value, collections,
    mirror::{MirrorReader, Query},
};

use super::row::NamedRow;
use crate::{
    failure::Failure,
    resolve::{
        kind::{ObjectKind, Reference},
        mirror,
        object::{self, Object, Objects, Unresolved},
    },
};

/// A kind of object that a parameter names.
#[derive(Debug)]
pub(crate) struct Named {
    /// The type in the header of a report.
    pub(super) word: &'static str,
    /// The word in commands.
    resource: &'static str,
    /// The field that queries are given.
    pub(super) by: &'static str,
    /// A collection that says which objects there are.
    pub(super) collection: &'static str,
}

const fn by_id(word: &'static str, resource: &'static str, collection: &'static str) -> Named {
    Named {
        word,
        resource,
        by: "id",
        collection,
    }
}

/// The cost of names, as the commands of operations state theirs.
pub(super) const COST: &str =
    "Names instead of ids: they are found in the mirror, and cost no request.";

/// The collections with the values of custom fields.
pub(super) const FIELDS: [&str; 2] = [collections::USER_FIELDS, collections::RECORDS];

/// The query for the values of a custom field, by learner.
const RECORDS_OF_FIELD: &str = "SELECT f.\"user\" AS learner, f.value, count(*) OVER (PARTITION BY f.value) AS n FROM records f \
    WHERE f.user_field = :field AND f.value IS NOT NULL \
    AND f._deleted_at IS NULL AND coalesce(f.has_value, TRUE) AND NOT coalesce(f.not_applicable, FALSE)";

pub(super) const LEARNER: Named = by_id("learner", "learners", collections::LEARNERS);
pub(super) const COURSE: Named = by_id("course", "courses", collections::COURSES);
/// Learners have the names of their tags.
pub(super) const TAG: Named = Named {
    word: "tag",
    resource: "tags",
    by: "name",
    collection: collections::LEARNERS,
};
pub(super) const FIELD: Named = by_id("field", "user-fields", collections::USER_FIELDS);
pub(super) const PROFILE: Named = by_id("profile", "profiles", collections::PROFILES);
pub(super) const SIGNUP_PAGE: Named =
    by_id("signup_page", "signup-pages", collections::SIGNUP_PAGES);

pub(super) const NAMED: [Named; 6] = [LEARNER, COURSE, TAG, FIELD, PROFILE, SIGNUP_PAGE];

/// The object that a name is taken for.
pub(super) struct Taken {
    pub(super) kind: ObjectKind,
    /// The value that queries are given.
    pub(super) value: String,
    /// The line that says so, if the value is not the name, or if the object is archived or deleted.
    pub(super) line: Option<String>,
}

/// The objects that the parameters of a report name.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// The value of a filter that selects each object, with the kind of the object.
    values: Vec<(ObjectKind, String)>,
    /// Lines that say which object each name was taken for.
    pub(super) shown: Vec<String>,
}

impl Chosen {
    pub(super) fn add(&mut self, taken: Taken) {
        self.shown.extend(taken.line);
        self.values.push((taken.kind, taken.value));
    }

    /// `true` if a filter selects an object that the report is about: then it leaves out nothing that the report needs.
    pub(super) fn is_selected_by(&self, filter: &str, value: &str) -> bool {
        let of = Reference::of_filter(filter).map(|reference| reference.kind);
        let mut values = self.values.iter();
        values.any(|(kind, chosen)| Some(*kind) == of && chosen == value)
    }
}

/// The object with a name, as queries are given it. `hint` is added to the line about one that is archived or deleted. `None` as for
/// [`find`].
pub(super) fn take(
    mirror: &mut MirrorReader<'_>,
    named: &Named,
    name: &str,
    hint: &str,
) -> Result<Option<Taken>, Failure> {
    let found = find(mirror, named, name)?;
    Ok(found.map(|(kind, object)| {
        let value = object.text(named.by).unwrap_or(name).to_owned();
        let noun = kind.noun();
        let hint = match object.archived || object.deleted {
            true => hint,
            false => "",
        };
        let line = match (value == *name, object.deleted, object.archived) {
            (false, ..) => Some(object.taken_for(&noun, name, &value)),
            (true, true, _) => Some(format!("{noun} {name} is deleted")),
            (true, false, true) => Some(format!("{noun} {name} is archived")),
            (true, false, false) => None,
        };
        let line = line.map(|line| line + hint);
        Taken { kind, value, line }
    }))
}

/// The object with a name. `None` if the mirror does not have its collection, which is reported as a whole.
pub(super) fn find(
    mirror: &mut MirrorReader<'_>,
    named: &Named,
    name: &str,
) -> Result<Option<(ObjectKind, Object)>, Failure> {
    let Some((kind, objects)) = objects(mirror, named)? else {
        return Ok(None);
    };
    let found = objects.find_or_propose(name);
    let found = found.map_err(|unresolved| {
        let failure = object::failure(&unresolved, kind, name);
        match unresolved {
            Unresolved::None(_) => failure.advice("if it is new, run `lms mirror` again"),
            Unresolved::Several(_) => failure,
        }
    })?;
    Ok(Some((kind, found.clone())))
}

/// All objects. `None` as for [`find`].
pub(super) fn objects(
    mirror: &mut MirrorReader<'_>,
    named: &Named,
) -> Result<Option<(ObjectKind, Objects)>, Failure> {
    let Some(kind) = ObjectKind::named(named.resource) else {
        return Ok(None);
    };
    let objects = mirror::objects(mirror, kind)?;
    Ok(objects.map(|objects| (kind, objects)))
}

/// The id of the learner with this id or name who is not deleted, and the text that also names the learner at another tenant: the
/// email address, or the id if other learners have the address.
pub(super) fn learner(
    mirror: &mut MirrorReader<'_>,
    name: &str,
) -> Result<(String, String), Failure> {
    let (_, object) = find(mirror, &LEARNER, name)?
        .ok_or_else(|| Failure::usage("the mirror does not have learners"))?;
    if object.deleted {
        return Err(Failure::not_found(format!("the learner {name} is deleted")));
    }
    let learners = objects(mirror, &LEARNER)?.map(|(_, learners)| learners);
    let is_theirs = |email: &&str| {
        let found = learners.as_ref().map(|learners| learners.find(email));
        email.contains('@') && found.is_some_and(|of| of.is_ok_and(|of| of.id == object.id))
    };
    let person = object.text("email").filter(is_theirs);
    let person = person.unwrap_or(&object.id).to_owned();
    Ok((object.id, person))
}

/// Texts to find one of.
pub(super) fn texts<'a>(texts: impl Iterator<Item = &'a str>) -> Objects {
    let object = |text: &str| Object::new(String::new(), vec![("name", text.to_owned())]);
    texts.map(object).collect()
}

/// The texts of a custom field as they are stored, each with its learner, the most frequent first; none if the mirror does not have
/// them, which is reported as a whole.
pub(super) fn of_field(
    mirror: &mut MirrorReader<'_>,
    field: &str,
) -> Result<Vec<(String, String)>, Failure> {
    if mirror::mirrored(mirror, collections::RECORDS)?.is_none() {
        return Ok(Vec::new());
    }
    let field = Value::Text(field.to_owned());
    let parameters = [("field".to_owned(), ColumnKind::Text, field)];
    let order = ["n desc", "value"].map(str::to_owned);
    texts_of(mirror, RECORDS_OF_FIELD, &parameters, &order)
}

/// The names of the tags of learners; none if the mirror does not have learners.
pub(super) fn tags(mirror: &mut MirrorReader<'_>) -> Result<Vec<(String, String)>, Failure> {
    match mirror::mirrored(mirror, collections::LEARNERS)? {
        Some(_) => texts_of(mirror, &mirror::of_learners("tags"), &[], &[]),
        None => Ok(Vec::new()),
    }
}

/// The texts in the column `value` of a query, each with that in `learner`.
pub(super) fn texts_of(
    mirror: &mut MirrorReader<'_>,
    sql: &str,
    parameters: &[(String, ColumnKind, Value)],
    order: &[String],
) -> Result<Vec<(String, String)>, Failure> {
    let columns = [("learner", ColumnKind::Text), ("value", ColumnKind::Text)];
    let columns = columns.map(|(name, kind)| (name.to_owned(), kind));
    let query = Query {
        sql,
        parameters,
        columns: &columns,
        order,
    };
    let mut texts = Vec::new();
    mirror.query(&query, &mut |row| {
        let row = NamedRow(&columns, &row);
        texts.push((row.text("learner"), row.text("value")));
    })?;
    Ok(texts)
}
