//! The people of a file.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// The rows of a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct People {
    /// The name of the file.
    pub file: String,
    /// The SHA-256 of its content.
    pub sha256: String,
    /// The delimiter of CSV; `None` for JSON. Failed rows are written in this form.
    pub delimiter: Option<char>,
    /// `true` if the file is written with a byte order mark.
    pub bom: bool,
    /// The names of the columns.
    pub columns: Vec<String>,
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
        Self {
            file: file.into(),
            sha256: sha256(content),
            columns,
            ..Self::default()
        }
    }

    /// Adds a row.
    pub fn push(&mut self, line: u64, texts: Vec<String>) {
        self.rows.push(Person {
            line,
            texts,
            problem: None,
        });
    }

    /// Adds a row that cannot be read, with the texts that can: whose row it is may show that a person is not absent.
    pub fn push_unreadable(&mut self, line: u64, texts: Vec<String>, problem: impl Into<String>) {
        self.rows.push(Person {
            line,
            texts,
            problem: Some(problem.into()),
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
        let known: HashMap<String, usize> = self
            .columns
            .iter()
            .enumerate()
            .map(|(index, name)| (column_key(name), index))
            .collect();
        let mut places = HashMap::new();
        let mut missing = Vec::new();
        for name in wanted {
            match known.get(&column_key(name)) {
                Some(index) => _ = places.insert(name.to_owned(), *index),
                None if missing.contains(&name) => {}
                None => missing.push(name),
            }
        }
        if missing.is_empty() {
            return Ok(Places(places));
        }
        Err(Error::usage(format!(
            "{} has no column {}, which the mapping names; its columns are {}",
            self.file,
            missing.join(", "),
            self.columns.join(", ")
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

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let mut hasher = Hasher::default();
    hasher.0.update(bytes);
    hasher.digits()
}

/// The SHA-256 of what is written.
#[derive(Default)]
pub(crate) struct Hasher(Sha256);

impl Hasher {
    pub(crate) fn digits(self) -> String {
        let digest = self.0.finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
