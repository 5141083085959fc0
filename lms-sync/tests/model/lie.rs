//! False responses of a tenant.

use serde_json::{Map, Value, json};

use super::tenant::Part;

/// A lie, and when it is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Lie {
    pub part: Part,
    /// Number of the page of the list, from 0; for objects, of the request.
    pub page: u8,
    pub times: Times,
    pub twist: Twist,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// The first time that the page is requested in a run.
    Once,
    /// Every time that the page is requested in a run.
    Always,
    /// At every page in a run.
    Everywhere,
}

/// The difference between a response and an honest one.
#[derive(Clone, Debug, PartialEq)]
pub enum Twist {
    /// A field of the page, or of the object.
    Field(&'static str, Wrong),
    /// `number_found` is more or less by this number.
    Count(i64),
    /// The items of the page before.
    Repeat,
    /// The page after this one in its place.
    Skip,
    /// No items, and the next page is named.
    Empty,
    /// The last page, although there are more.
    End,
    /// The cursor of a page that was read.
    Loop,
    /// The item at this position comes twice.
    RepeatItem(u8),
    /// The item at this position is left out.
    DropItem(u8),
    /// A field of the item at a position, both counted from 0.
    ItemField(u8, u8, Wrong),
    /// The item at this position is not an object.
    Item(u8, Wrong),
    /// Another body.
    Body(&'static str),
    Status(u16),
    /// JSON that is called HTML.
    Html,
    /// The response for an object or a list that does not exist.
    NotFound,
    /// The 404 of a gateway.
    Gateway,
    /// The page of another filter.
    OtherFilter,
    /// The identity of another tenant.
    OtherTenant,
}

/// A value that is not the right one.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    Absent,
    Null,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    Text(&'static str),
    Array,
    Object,
}

impl Wrong {
    fn put(&self, fields: &mut Map<String, Value>, name: &str) {
        let value = match self {
            Self::Absent => {
                fields.shift_remove(name);
                return;
            }
            value => value.value(),
        };
        fields.insert(name.to_owned(), value);
    }

    fn value(&self) -> Value {
        match self {
            Self::Absent | Self::Null => Value::Null,
            Self::Boolean(boolean) => json!(boolean),
            Self::Integer(integer) => json!(integer),
            Self::Float(float) => json!(float),
            Self::Text(text) => json!(text),
            Self::Array => json!([]),
            Self::Object => json!({}),
        }
    }
}

/// A response before it is sent.
#[derive(Clone, Debug)]
pub struct Draft {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Result<Value, &'static str>,
}

impl Draft {
    pub fn json(body: Value) -> Self {
        Self {
            status: 200,
            content_type: "application/json",
            body: Ok(body),
        }
    }

    pub fn not_found() -> Self {
        Self {
            status: 404,
            ..Self::json(json!({"error": "not found"}))
        }
    }

    pub fn text(&self) -> String {
        self.body
            .as_ref()
            .map_or_else(|text| (*text).to_owned(), Value::to_string)
    }
}

/// The objects that lies refer to.
#[derive(Default)]
pub struct Around {
    pub cursor: Option<String>,
    /// The items of the page before.
    pub before: Option<Value>,
    /// The honest page after this one.
    pub after: Option<Map<String, Value>>,
    /// The first page of the list for another object or filter.
    pub other: Option<Map<String, Value>>,
}

impl Twist {
    /// Changes a response. Returns false if it stays the same.
    pub fn apply(&self, draft: &mut Draft, around: &Around) -> bool {
        let before = draft.clone();
        match self {
            Self::Body(text) => draft.body = Err(text),
            Self::Status(status) => draft.status = *status,
            Self::Html => draft.content_type = "text/html",
            Self::NotFound => *draft = Draft::not_found(),
            Self::Gateway => {
                *draft = Draft {
                    status: 404,
                    content_type: "text/html",
                    body: Err("<title>404 Not Found</title>"),
                };
            }
            _ => {
                if let Ok(Value::Object(fields)) = &mut draft.body {
                    self.apply_to_fields(fields, around);
                }
            }
        }
        draft.text() != before.text()
            || (draft.status, draft.content_type) != (before.status, before.content_type)
    }

    fn apply_to_fields(&self, fields: &mut Map<String, Value>, around: &Around) {
        match self {
            Self::Field(name, wrong) => wrong.put(fields, name),
            Self::Count(more) => {
                let count = fields.get("number_found").and_then(Value::as_str);
                if let Some(count) = count.and_then(|count| count.parse::<i64>().ok()) {
                    fields.insert("number_found".into(), (count + more).to_string().into());
                }
            }
            Self::Repeat => {
                if let Some(items) = &around.before {
                    fields.insert("items".into(), items.clone());
                }
            }
            Self::Skip => {
                if let Some(after) = &around.after {
                    fields.clone_from(after);
                }
            }
            Self::OtherFilter => {
                if let Some(other) = &around.other {
                    fields.clone_from(other);
                }
            }
            Self::End => {
                fields.insert("next_cursor".into(), Value::Null);
                fields.insert("more".into(), false.into());
            }
            Self::Loop => {
                if let Some(cursor) = &around.cursor {
                    fields.insert("next_cursor".into(), cursor.clone().into());
                    fields.insert("more".into(), true.into());
                }
            }
            Self::OtherTenant => {
                fields.insert("tid".into(), "tenant-other".into());
            }
            _ => {
                if let Some(Value::Array(items)) = fields.get_mut("items") {
                    self.apply_to_items(items);
                } else if let Self::ItemField(_, field, wrong) = self {
                    put_at(fields, *field, wrong);
                }
            }
        }
    }

    fn apply_to_items(&self, items: &mut Vec<Value>) {
        let len = items.len();
        let at = |index: u8| usize::from(index) % len.max(1);
        match self {
            Self::Empty => items.clear(),
            _ if len == 0 => {}
            Self::RepeatItem(index) => {
                let item = items[at(*index)].clone();
                items.push(item);
            }
            Self::DropItem(index) => {
                items.remove(at(*index));
            }
            Self::ItemField(index, field, wrong) => {
                if let Some(item) = items[at(*index)].as_object_mut() {
                    put_at(item, *field, wrong);
                }
            }
            Self::Item(index, wrong) => items[at(*index)] = wrong.value(),
            _ => {}
        }
    }
}

fn put_at(fields: &mut Map<String, Value>, index: u8, wrong: &Wrong) {
    let name = fields
        .keys()
        .nth(usize::from(index) % fields.len().max(1))
        .cloned();
    if let Some(name) = name {
        wrong.put(fields, &name);
    }
}
