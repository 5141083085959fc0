//! What the functions of `lms-ext` need that are written for certain operations: edits, `ensure_*`, unenrolling, course
//! copies, concurrent lists and typed views.

use serde_json::Value;

use crate::{document::Document, error::Error};

/// Operations with the parameters that are set.
const OPERATIONS: [(&str, &[&str]); 20] = [
    ("addDuplicateCourse", &[]),
    ("addEnrolment", &[]),
    ("addLearner", &[]),
    ("deleteEnrolment", &["user", "course"]),
    ("editCourse", &["id"]),
    ("editLearner", &["id"]),
    ("getActiveRecord", &["user", "user_field"]),
    ("getCourse", &["id"]),
    ("getCourseProgress", &["course", "user"]),
    ("getLearnerByEmail", &["email"]),
    ("getLearnerById", &["id"]),
    ("getToken", &[]),
    ("listCourseCompletions", &["course"]),
    ("listCourses", &[]),
    ("listEnrolments", &["course", "user"]),
    ("listLearners", &[]),
    ("listTopicProgress", &["course", "topic"]),
    ("listTopics", &[]),
    ("listUserFieldPermissions", &["user"]),
    ("viewDuplicateCourse", &["id"]),
];

/// Schemas with the properties that are read or set.
const SCHEMAS: [(&str, &[&str]); 20] = [
    (
        "AddDuplicateCourse",
        &[
            "copy_enrolments",
            "copy_responses",
            "course",
            "name",
            "published",
        ],
    ),
    ("AddEnrolment", &["course", "user"]),
    ("AddLearner", &["email"]),
    (
        "Course",
        &[
            "created",
            "modified",
            "archived",
            "published",
            "renewal_date",
            "auto_due_date",
            "renewal_days",
            "auto_due_seconds",
        ],
    ),
    ("CourseCompletion", &["happened"]),
    ("CourseProgress", &["completed_on"]),
    (
        "DuplicateCourse",
        &["id", "complete", "new_course", "progress", "stage"],
    ),
    ("EditLearner", &["password"]),
    ("Enrolment", &["course", "created", "user"]),
    (
        "Learner",
        &["created", "email", "last_logged_in", "updated"],
    ),
    ("Profile", &["created", "modified"]),
    (
        "Record",
        &[
            "achieved_on",
            "created",
            "expires_on",
            "file_size",
            "modified",
            "payment_date",
        ],
    ),
    ("RecordAttachment", &["file_size"]),
    ("SignupPage", &["created", "modified"]),
    ("Tag", &["created", "modified"]),
    ("TokenResponse", &["expires_in"]),
    ("Topic", &["created", "modified"]),
    (
        "TopicProgress",
        &["completed_on", "confirmed_on", "created", "modified"],
    ),
    ("UserField", &["created", "modified"]),
    ("UserFieldPermission", &[]),
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
        let known = |name: &str| found.parameters.iter().any(|known| known.name == name);
        if let Some(name) = parameters.iter().find(|name| !known(name)) {
            let method = found.method.to_lowercase();
            let location = format!("paths.{}.{method}.parameters.{name}", found.path);
            return Err(missing(location, "parameter"));
        }
    }
    let schemas = &document.value()["components"]["schemas"];
    for (name, properties) in SCHEMAS {
        let location = format!("components.schemas.{name}");
        let schema = schemas
            .get(name)
            .ok_or_else(|| missing(location.clone(), "schema"))?;
        let known = |name: &&&str| schema["properties"].get(**name).is_none_or(Value::is_null);
        if let Some(property) = properties.iter().find(known) {
            return Err(missing(
                format!("{location}.properties.{property}"),
                "property",
            ));
        }
    }
    Ok(())
}
