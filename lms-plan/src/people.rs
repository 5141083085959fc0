//! The people of a file.

use std::collections::HashMap;

use crate::{error::Error, hash::sha256, plan::Input};

/// The rows of a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct People {
    /// The file, with the form in which failed rows are written.
    pub input: Input,
    /// The rows.
    pub rows: Vec<Person>,
}

/// A row.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Person {
    /// The line in the file.
    pub line: u64,
    /// The texts, in the order of the columns.
    pub texts: Vec<String>,
    /// The mistake that makes the row unreadable.
    pub problem: Option<String>,
}

impl People {
    /// The people of a file with these columns.
    #[must_use]
    pub fn new(file: impl Into<String>, content: &[u8], columns: Vec<String>) -> Self {
        let input = Input {
            name: file.into(),
            sha256: sha256(content),
            columns,
            ..Input::default()
        };
        Self {
            input,
            rows: Vec::new(),
        }
    }

    /// Adds a row. One that cannot be read has a problem, and the texts that can be read: whose row it is may show that a
    /// person is not absent.
    pub fn push(&mut self, line: u64, texts: Vec<String>, problem: Option<String>) {
        self.rows.push(Person {
            line,
            texts,
            problem,
        });
    }

    /// The places of these columns.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage), with all columns that the file does not have.
    pub(crate) fn places<'a>(
        &self,
        wanted: impl Iterator<Item = &'a str>,
    ) -> Result<Places, Error> {
        let keys: Vec<String> = self
            .input
            .columns
            .iter()
            .map(|name| column_key(name))
            .collect();
        let mut places = HashMap::new();
        let mut missing = Vec::new();
        for name in wanted {
            let wanted = column_key(name);
            match keys.iter().position(|key| *key == wanted) {
                Some(index) => _ = places.insert(name.to_owned(), index),
                None if missing.contains(&name) => {}
                None => missing.push(name),
            }
        }
        if missing.is_empty() {
            return Ok(Places(places));
        }
        Err(Error::usage(format!(
            "{} has no column {}, which the mapping names; its columns are {}",
            self.input.name,
            missing.join(", "),
            self.input.columns.join(", ")
        )))
    }
}

/// The places of columns, by the name that a mapping has for them.
#[derive(Debug)]
pub(crate) struct Places(HashMap<String, usize>);

impl Places {
    /// The text of a column in a row; empty if it has none.
    pub(crate) fn text<'a>(&self, person: &'a Person, column: &str) -> &'a str {
        let index = self.0.get(column);
        let text = index.and_then(|index| person.texts.get(*index));
        text.map_or("", |text| text.trim())
    }
}

/// The name of a column as it is compared: `E-mail` is `email`, and `SSO ID` is `ssoid`.
#[must_use]
pub fn column_key(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    let letters = letters.collect::<String>().to_lowercase();
    match letters.is_empty() {
        true => name.trim().to_owned(),
        false => letters,
    }
}
