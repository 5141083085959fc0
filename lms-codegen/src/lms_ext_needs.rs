//! What the functions of `lms-ext` need that are written for certain operations: edits, `ensure_*`, unenrolling, course
//! copies, concurrent lists and typed views.

use serde_json::Value;

use crate::{document::Document, error::Error};

/// Operations with the parameters that are set, each with its format if it has one.
const OPERATIONS: [(&str, &[&str]); 20] = [
    ("addDuplicateCourse", &[]),
    ("addEnrolment", &[]),
    ("addLearner", &[]),
    (
        "deleteEnrolment",
        &["user: learner-id", "course: course-id"],
    ),
    ("editCourse", &["id: course-id"]),
    ("editLearner", &["id: learner-id"]),
    (
        "getActiveRecord",
        &["user: learner-id", "user_field: user-field-id"],
    ),
    ("getCourse", &["id: course-id"]),
    (
        "getCourseProgress",
        &["course: course-id", "user: learner-id"],
    ),
    ("getLearnerByEmail", &["email"]),
    ("getLearnerById", &["id: learner-id"]),
    ("getToken", &[]),
    ("listCourseCompletions", &["course: course-id"]),
    ("listCourses", &[]),
    ("listEnrolments", &["course: course-id", "user: learner-id"]),
    ("listLearners", &[]),
    (
        "listTopicProgress",
        &["course: course-id", "topic: topic-id"],
    ),
    ("listTopics", &[]),
    ("listUserFieldPermissions", &["user: learner-id"]),
    ("viewDuplicateCourse", &["id: duplicate-course-id"]),
];

/// Schemas with the properties that are read or set, each with its format if it has one.
const SCHEMAS: [(&str, &[&str]); 12] = [
    (
        "AddDuplicateCourse",
        &[
            "copy_enrolments",
            "copy_responses",
            "course: course-id",
            "name",
            "published",
        ],
    ),
    ("AddEnrolment", &["course: course-id", "user: learner-id"]),
    ("AddLearner", &["email", "password: password"]),
    (
        "Course",
        &[
            "archived",
            "published",
            "renewal_days: int64",
            "auto_due_seconds: int64",
        ],
    ),
    (
        "DuplicateCourse",
        &[
            "id: duplicate-course-id",
            "complete",
            "new_course: course-id",
            "progress: int64",
            "stage: int64",
        ],
    ),
    ("EditLearner", &["password: password"]),
    ("Enrolment", &["course: course-id", "user: learner-id"]),
    ("Learner", &["email", "password: password"]),
    ("Record", &["file_size: int64"]),
    ("RecordAttachment", &["file_size: int64"]),
    ("TokenRequest", &["client_secret: password"]),
    (
        "TokenResponse",
        &["access_token: password", "expires_in: int64"],
    ),
];

/// Checks that `lms-ext` compiles with the client of a document.
///
/// # Errors
///
/// The first operation, parameter, schema or property that `lms-ext` needs and the document does not have.
pub fn check_for_lms_ext(document: &Document) -> Result<(), Error> {
    let missing = |location: String, what: &str| {
        Error::at(
            location,
            format!(
                "`lms-ext` needs this {what}; copy it from the `spec/openapi.yaml` of `lms-ext`"
            ),
        )
    };
    for (id, parameters) in OPERATIONS {
        let found = document
            .operations()
            .iter()
            .find(|operation| operation.id == id)
            .ok_or_else(|| missing(format!("paths (operationId {id})"), "operation"))?;
        let schema = |name: &str| found.parameters.iter().find(|known| known.name == name);
        for needed in parameters {
            let (name, format) = split(needed);
            let method = found.method.to_lowercase();
            let location = format!("paths.{}.{method}.parameters.{name}", found.path);
            let parameter = schema(name).ok_or_else(|| missing(location.clone(), "parameter"))?;
            check_format(location + ".schema", &parameter.schema, format)?;
        }
    }
    let schemas = &document.value()["components"]["schemas"];
    for (name, properties) in SCHEMAS {
        let location = format!("components.schemas.{name}");
        let schema = schemas
            .get(name)
            .ok_or_else(|| missing(location.clone(), "schema"))?;
        for needed in properties {
            let (property, format) = split(needed);
            let location = format!("{location}.properties.{property}");
            let found = schema["properties"].get(property);
            let found = found.filter(|found| !found.is_null());
            let found = found.ok_or_else(|| missing(location.clone(), "property"))?;
            check_format(location, found, format)?;
        }
    }
    Ok(())
}

/// The name and the format of `id: course-id`.
fn split(needed: &'static str) -> (&'static str, Option<&'static str>) {
    match needed.split_once(": ") {
        Some((name, format)) => (name, Some(format)),
        None => (needed, None),
    }
}

fn check_format(location: String, schema: &Value, format: Option<&str>) -> Result<(), Error> {
    match format {
        Some(format) if schema["format"] != format => Err(Error::at(
            location,
            format!("`lms-ext` needs another format here; write `format: {format}`"),
        )),
        _ => Ok(()),
    }
}
