//! The document of a course: the effects of adding, replacing and copying.
//!
//! A course has 34 documented fields, and a tenant may have others. A course is therefore stored as the JSON document that is
//! sent. `editCourse` keeps the eight read-only fields, takes all other fields from the request, and resets documented
//! fields that the request omits to those of a new course: `false` for booleans, `none` for `auto_due_type`, and absent
//! for the others.

use serde_json::{Map, Value};

use crate::api::fields::{Fields, wrong_type};
use crate::api::generated::{ADD_COURSE, COURSE};
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

/// The fields of a course that clients set, and `cover_art`.
pub(crate) type Content = Map<String, Value>;

/// The content of a stored course, for a copy.
pub(crate) fn content(document: &str) -> Content {
    let mut fields = parse(document);
    let cover_art = fields.remove("cover_art_url");
    fields.retain(|name, _| !READ_ONLY.contains(&name.as_str()));
    fields.extend(cover_art.map(|art| ("cover_art".to_owned(), art)));
    fields
}

/// The content in the body of `addCourse`.
pub(crate) fn from_add(body: &Fields) -> Content {
    let known = body.iter().filter(|(name, value)| {
        let is_empty = value.is_null() || (*name == "cover_art" && *value == "");
        !is_empty && ADD_COURSE.field(name).is_some()
    });
    known
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// The document of a new course.
pub(crate) fn stamped(mut content: Content, number: i64, creator: &str, created: i64) -> String {
    let id = Kind::Course.id(number);
    let art = content.remove("cover_art");
    let mut set = |name: &str, value: Value| content.insert(name.to_owned(), value);
    set("has_cover_art", art.is_some().into());
    if let Some(art) = art.as_ref().and_then(Value::as_str) {
        // Cover art is a URL, or an image that the service would store under a URL of its own.
        let url = if art.starts_with("https://") || art.starts_with("http://") {
            art.to_owned()
        } else {
            format!("https://{TENANT_DOMAIN}/files/{id}/cover")
        };
        set("thumbnail_url", format!("{url}?size=small").into());
        set("cover_art_url", url.into());
    }
    set("id", id.into());
    set("creator", creator.into());
    set("created", timestamp::format(created).into());
    set("modified", timestamp::format(created).into());
    let name = content.get("name").and_then(Value::as_str);
    let permalink = format!("{}-{number}", slug(name.unwrap_or_default()));
    content.insert("permalink".into(), permalink.into());
    render(content)
}

/// The document of a course after `editCourse`.
pub(crate) fn replaced(before: &str, body: &Fields, now: i64) -> Result<String, Problem> {
    let mut fields = parse(before);
    fields.retain(|name, _| READ_ONLY.contains(&name.as_str()));
    for (name, value) in body.iter() {
        let value = match (COURSE.field(name), value) {
            (Some(_), Value::Null) => continue,
            (Some(_), _) if READ_ONLY.contains(&name.as_str()) => continue,
            (Some(shape), value) => normalized(name, shape, value)?,
            (None, value) => value.clone(),
        };
        fields.insert(name.clone(), value);
    }
    fields.insert("modified".into(), timestamp::format(now).into());
    Ok(render(fields))
}

/// The value of a documented field in the service's format; 422 if that cannot express it.
fn normalized(name: &str, shape: Shape, value: &Value) -> Result<Value, Problem> {
    let text = value.as_str().unwrap_or_default();
    let normal = match shape {
        Shape::DateTime => timestamp::parse(text).map(|time| timestamp::format(time).into()),
        Shape::Int64 => {
            let number = text.parse::<i64>().ok();
            number.map(|number| number.to_string().into())
        }
        _ => Some(value.clone()),
    };
    normal.ok_or_else(|| wrong_type(name, shape, value))
}

fn parse(document: &str) -> Map<String, Value> {
    serde_json::from_str(document).unwrap_or_default()
}

/// Adds the defaults of a new course, and writes the fields in the order of the schema.
fn render(mut fields: Map<String, Value>) -> String {
    for (name, shape) in COURSE.fields {
        let default = match shape {
            Shape::Flag => false.into(),
            _ if *name == "auto_due_type" => "none".into(),
            _ => continue,
        };
        fields.entry(*name).or_insert(default);
    }
    let mut out = Vec::with_capacity(1024);
    json::write_object(&mut out, &COURSE, fields);
    String::from_utf8(out).unwrap_or_default()
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
