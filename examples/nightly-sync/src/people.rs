//! Reads an HR export.
//!
//! It is a CSV file with the columns `firstname`, `surname`, `email` and `courses`, in any order, and possibly others.
//! The whole file is read first, so that an invalid one changes nothing.

use std::io::Read;

use anyhow::{Context, ensure};
use serde::Deserialize;

/// A person who must be a learner.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Person {
    /// The line of the file.
    #[serde(skip)]
    pub line: u64,
    /// The first name.
    pub firstname: String,
    /// The surname.
    pub surname: String,
    /// The email address, which identifies a person.
    pub email: String,
    /// Ids of the courses to enrol in, separated by spaces.
    pub courses: String,
}

/// Reads an export.
///
/// # Errors
///
/// When it is not CSV, a column is missing, or a person has no name or email address; names the line.
pub fn read(export: impl Read) -> anyhow::Result<Vec<Person>> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(export);
    let head = reader.headers().context("cannot read the header")?;
    // Spreadsheets write a byte order mark before the first column.
    let head = head.iter().map(|name| name.trim_start_matches('\u{feff}'));
    let head: csv::StringRecord = head.map(str::to_lowercase).collect();
    for name in ["firstname", "surname", "email", "courses"] {
        let there = head.iter().any(|column| column == name);
        ensure!(there, "there is no column {name}; there are: {head:?}");
    }
    let mut people = Vec::new();
    for record in reader.records() {
        let record = record?;
        let mut person: Person = record.deserialize(Some(&head))?;
        person.line = record.position().map_or(0, csv::Position::line);
        let needed = [&person.firstname, &person.surname, &person.email];
        ensure!(
            !needed.iter().any(|text| text.is_empty()),
            "line {}: a first name, a surname and an email address are needed",
            person.line
        );
        people.push(person);
    }
    Ok(people)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let export =
            "\u{feff}Email,office,courses,surname,firstname\n a@b.example ,York,c1  c2,Bell,Jo\n";
        let people = read(export.as_bytes()).unwrap();
        assert_eq!(people.len(), 1);
        assert_eq!(people[0].email, "a@b.example");
        assert_eq!(people[0].surname, "Bell");
        assert_eq!(people[0].courses, "c1  c2");
        assert_eq!(people[0].line, 2);
    }

    #[test]
    fn an_error_names_the_line_of_the_export() {
        for (export, message) in [
            ("firstname,surname,courses\n", "no column email"),
            (
                "firstname,surname,email,courses\nJo,Bell,jo@b.example,\nJo,,jo@b.example,\n",
                "line 3",
            ),
            ("firstname,surname,email,courses\nJo,Bell\n", "line: 2"),
        ] {
            let error = read(export.as_bytes()).unwrap_err();
            assert!(format!("{error:#}").contains(message), "{error:#}");
        }
    }
}
