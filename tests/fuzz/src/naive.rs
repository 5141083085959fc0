//! A simple reader of responses to compare with: slow, and with everything in memory.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

/// The items of a page, and the fields that pagination needs.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) rows: Vec<Value>,
    pub(crate) next: Option<String>,
    pub(crate) more: bool,
}

impl Page {
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }
}

impl<'de> Deserialize<'de> for Page {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading;

        impl<'de> Visitor<'de> for Reading {
            type Value = Page;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a page")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Page, A::Error> {
                let mut page = Page::default();
                // The last of duplicate fields counts.
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "items" => page.rows = map.next_value::<Option<_>>()?.unwrap_or_default(),
                        "next_cursor" => page.next = map.next_value()?,
                        "more" => page.more = map.next_value::<Option<_>>()?.unwrap_or_default(),
                        "number_found" | "limit" => {
                            map.next_value::<Box<RawValue>>()?;
                        }
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                page.next = page.next.filter(|cursor| !cursor.is_empty());
                Ok(page)
            }
        }

        deserializer.deserialize_map(Reading)
    }
}

/// The fields of an object with the JSON of their values.
#[derive(Debug, Default)]
pub(crate) struct Members(pub(crate) Vec<(String, String)>);

impl Members {
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }

    /// The last of duplicate fields counts, at the position of the first.
    pub(crate) fn put(&mut self, name: &str, text: String) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, held)) => *held = text,
            None => self.0.push((name.to_owned(), text)),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<Value> {
        let (_, text) = self.0.iter().find(|(known, _)| known == name)?;
        serde_json::from_str(text)
            .ok()
            .filter(|value: &Value| !value.is_null())
    }

    pub(crate) fn text(&self) -> String {
        let members: Vec<_> = self
            .0
            .iter()
            .map(|(name, value)| format!("{}:{value}", Value::from(name.as_str())))
            .collect();
        format!("{{{}}}", members.join(","))
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading;

        impl<'de> Visitor<'de> for Reading {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Members::default();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    members.put(&name, value.get().to_owned());
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(Reading)
    }
}
