use std::borrow::Cow;

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::Identified;
use crate::{error::Error, request::decode};

/// An item of a list that may not be readable; returned by [`ListExt::lenient_items`](crate::ListExt::lenient_items).
#[derive(Debug)]
pub enum LenientItem<T> {
    /// The item.
    Decoded(T),
    /// An item that cannot be decoded.
    Undecodable {
        /// Its `id`, if that is text.
        id: Option<String>,
        /// The error. [`json_path`](Error::json_path) is the location within the item.
        error: Error,
    },
}

impl<T: Identified> Identified for LenientItem<T> {
    fn id(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Decoded(item) => item.id(),
            Self::Undecodable { id, .. } => id.as_deref().map(Cow::Borrowed),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for LenientItem<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Listed {
            id: String,
        }
        let text = <&RawValue>::deserialize(deserializer)?.get();
        Ok(match decode(text.as_bytes()) {
            Ok(item) => Self::Decoded(item),
            Err(error) => Self::Undecodable {
                id: serde_json::from_str(text).ok().map(|Listed { id }| id),
                error,
            },
        })
    }
}
