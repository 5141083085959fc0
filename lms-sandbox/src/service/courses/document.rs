//! The document of a course: the effects of adding, replacing and copying.
//!
//! A course has 34 documented fields, and a tenant may have others. A course is therefore stored as the JSON document that is
//! sent. `editCourse` keeps the eight read-only fields, takes all other fields from the request, and resets documented
//! fields that the request omits to those of a new course: `false` for booleans, `none` for `auto_due_type`, and absent
//! for the others.

use serde_json::{Map, Value};

use crate::api::fields::{Fields, wrong_type};
use crate::api::generated::COURSE;
use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;
use crate::api::schema::Shape;
use crate::api::timestamp;
use crate::service::request::TENANT_DOMAIN;

/// The fields that only the service sets. In a request they are checked and ignored.
const READ_ONLY: [&str; 8] = [
    "id",
    "creator",
    "created",
    "modified",
    "permalink",
    "has_cover_art",
    "cover_art_url",
    "thumbnail_url",
];

/// The fields of a course that clients set.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    fields: Map<String, Value>,
    cover_art: Option<String>,
}

/// A whole course.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) archived: bool,
    pub(crate) published: bool,
}

impl Content {
    /// A course with only a name.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            fields: Map::from_iter([("name".to_owned(), name.into())]),
            cover_art: None,
        }
    }

    /// The content of a stored course, for a copy.
    pub(crate) fn of_document(text: &str) -> Self {
        let mut fields = parse(text);
        let cover_art = fields.remove("cover_art_url");
        let cover_art = cover_art.and_then(|url| url.as_str().map(str::to_owned));
        fields.retain(|name, _| !READ_ONLY.contains(&name.as_str()));
        Self { fields, cover_art }
    }

    /// The course's name.
    pub(crate) fn name(&self) -> &str {
        text(&self.fields, "name")
    }

    /// Sets a field.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    /// Sets the cover art.
    pub(crate) fn with_cover_art(mut self, cover_art: Option<String>) -> Self {
        self.cover_art = cover_art;
        self
    }
}

/// The content in the body of `addCourse`.
pub(crate) fn from_add(body: &Fields) -> Result<Content, Problem> {
    let mut content = Content::named(body.required_text("name")?);
    for field in ["description", "suggested_duration"] {
        if let Some(text) = body.text(field)? {
            content.set(field, text);
        }
    }
    for field in ["archived", "published"] {
        if let Some(flag) = body.flag(field)? {
            content.set(field, flag);
        }
    }
    let priority = "display_priority";
    if let Some(value) = body.value(priority) {
        content.set(priority, checked(priority, Shape::Number, value)?);
    }
    Ok(content.with_cover_art(body.filled_text("cover_art")?.map(str::to_owned)))
}

/// The document of a new course.
pub(crate) fn stamped(content: Content, number: i64, creator: &str, created: i64) -> Document {
    let id = Kind::Course.id(number);
    let mut fields = content.fields;
    let has_cover_art = content.cover_art.is_some();
    if let Some(art) = content.cover_art {
        // Cover art is a URL, or an image that the service would store under a URL of its own.
        let url = if art.starts_with("https://") || art.starts_with("http://") {
            art
        } else {
            format!("https://{TENANT_DOMAIN}/files/{id}/cover")
        };
        fields.insert("thumbnail_url".into(), format!("{url}?size=small").into());
        fields.insert("cover_art_url".into(), url.into());
    }
    fields.insert("has_cover_art".into(), has_cover_art.into());
    let name = text(&fields, "name");
    let permalink = format!("{}-{}", slug(name), number);
    fields.insert("permalink".into(), permalink.into());
    fields.insert("id".into(), id.into());
    fields.insert("creator".into(), creator.into());
    fields.insert("created".into(), timestamp::format(created).into());
    fields.insert("modified".into(), timestamp::format(created).into());
    render(fields)
}

/// The document of a course after `editCourse`.
pub(crate) fn replaced(before: &str, body: &Fields, now: i64) -> Result<Document, Problem> {
    let mut fields = parse(before);
    fields.retain(|name, _| READ_ONLY.contains(&name.as_str()));
    for (name, shape) in COURSE.fields {
        if let Some(value) = body.value(name) {
            let value = checked(name, *shape, value)?;
            if !READ_ONLY.contains(name) {
                fields.insert((*name).into(), value);
            }
        }
    }
    let unknown = body.unknown(&COURSE);
    fields.extend(unknown.map(|(name, value)| (name.clone(), value.clone())));
    fields.insert("modified".into(), timestamp::format(now).into());
    Ok(render(fields))
}

/// The value of a documented field in the service's format; 422 if it has the wrong type.
fn checked(name: &str, shape: Shape, value: &Value) -> Result<Value, Problem> {
    match (shape, value) {
        (Shape::Text | Shape::Id(_) | Shape::Time, Value::String(text))
            if name != "auto_due_date" =>
        {
            Ok(text.as_str().into())
        }
        (Shape::Time, Value::String(text)) => {
            let wanted = "an RFC 3339 timestamp such as \"2026-03-01T09:30:00Z\"";
            let time = timestamp::parse(text).map(|seconds| timestamp::format(seconds).into());
            time.ok_or_else(|| wrong_type(name, wanted, value))
        }
        (Shape::Int64, _) => value
            .as_str()
            .and_then(|text| text.parse::<i64>().ok())
            .map(|number| number.to_string().into())
            .ok_or_else(|| wrong_type(name, "an integer as a string, such as \"80\"", value)),
        (Shape::Flag, Value::Bool(_)) | (Shape::Number, Value::Number(_)) => Ok(value.clone()),
        (Shape::Flag, _) => Err(wrong_type(name, "true or false", value)),
        (Shape::Number, _) => Err(wrong_type(name, "a number", value)),
        (_, _) => Err(wrong_type(name, "a string", value)),
    }
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn parse(document: &str) -> Map<String, Value> {
    serde_json::from_str(document).unwrap_or_default()
}

/// Adds the defaults of a new course, and writes the fields in the order of the schema.
fn render(mut fields: Map<String, Value>) -> Document {
    for (name, shape) in COURSE.fields {
        let default = match shape {
            Shape::Flag => false.into(),
            _ if *name == "auto_due_type" => "none".into(),
            _ => continue,
        };
        fields.entry(*name).or_insert(default);
    }
    let flag = |name| fields.get(name) == Some(&Value::Bool(true));
    let (archived, published) = (flag("archived"), flag("published"));
    let mut out = Vec::with_capacity(1024);
    json::write_object(&mut out, &COURSE, fields);
    Document {
        text: String::from_utf8(out).unwrap_or_default(),
        archived,
        published,
    }
}

/// A name as part of a URL: "Fire safety, 1" becomes "fire-safety-1".
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    match words.join("-").to_ascii_lowercase() {
        slug if slug.is_empty() => "course".into(),
        slug => slug.chars().take(60).collect(),
    }
}
