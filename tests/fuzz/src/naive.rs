//! A simple reader of responses to compare with: slow, and with everything in memory.

use std::fmt;

use serde::{
    Deserializer as _,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

/// The items of a page, which it must have exactly once, and the fields that pagination needs.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) rows: Vec<Value>,
    pub(crate) next: Option<String>,
    pub(crate) more: bool,
    items: usize,
}

impl Page {
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        read(body).filter(|page: &Self| page.items == 1)
    }
}

impl FromFields for Page {
    /// The last of duplicate fields counts, except for the items.
    fn field<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "items" => {
                self.items += 1;
                self.rows = map.next_value()?;
            }
            "next_cursor" => {
                let cursor: Option<String> = map.next_value()?;
                self.next = cursor.filter(|cursor| !cursor.is_empty());
            }
            "more" => self.more = map.next_value::<Option<_>>()?.unwrap_or_default(),
            "number_found" | "limit" => map.next_value::<Box<RawValue>>().map(drop)?,
            _ => map.next_value::<IgnoredAny>().map(drop)?,
        }
        Ok(())
    }
}

/// The fields of an object with the JSON of their values.
#[derive(Debug, Default)]
pub(crate) struct Members(pub(crate) Vec<(String, String)>);

impl Members {
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        read(body)
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

impl FromFields for Members {
    fn field<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        let value: Box<RawValue> = map.next_value()?;
        self.put(name, value.get().to_owned());
        Ok(())
    }
}

/// An object that is read field by field.
trait FromFields: Default {
    fn field<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error>;
}

struct Fields<T>(T);

impl<'de, T: FromFields> Visitor<'de> for Fields<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<T, A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            self.0.field(&name, &mut map)?;
        }
        Ok(self.0)
    }
}

fn read<T: FromFields>(body: &[u8]) -> Option<T> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = json.deserialize_map(Fields(T::default())).ok()?;
    json.end().ok()?;
    Some(read)
}
